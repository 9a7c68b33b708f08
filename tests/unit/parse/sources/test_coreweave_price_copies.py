"""Copies of CoreWeave's price page: prices by kind, footnote marks in counts, odd lines, and all real copies."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pipelines.model.market import CloudOffer, PriceType
from pipelines.parse.sources.coreweave_price_copies import parse
from pipelines.problems import InputError, Reason
from tests.market_kit import captured

URL = "https://raw.githubusercontent.com/example/copies/main/data/2026-03-02.json"


def line(model: str = "Example GPU", count: str = "8", **changes: Any) -> dict[str, Any]:
    """One accelerator's line of the page."""
    return {
        "model": model, "gpuCount": count, "vramGB": "80", "vcpus": "128", "systemRAMGB": "2,048",
        "localStorageTB": "61.44", "onDemandPrice": 48, "spotPrice": None, "inferencePrice": None,
    } | changes  # fmt: skip


def page(*lines: dict[str, Any], europe: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    """One copy of the page; a second region where it has lines."""
    regions = [("North America", lines), ("Europe", europe)]
    return {
        "scrapeDate": "2026-03-02",
        "scrapedAt": "2026-03-02T06:31:31.785Z",
        "source": "https://coreweave.com/pricing",
        "regions": [
            {"name": name, "gpu": list(found), "cpu": [], "storage": [], "networking": []}
            for name, found in regions
            if found
        ],
    }


def offers(body: object) -> list[CloudOffer]:
    found = parse(captured("coreweave_price_copies", URL, body)).rows["cloud_offers"]
    return [offer for offer in found if isinstance(offer, CloudOffer)]


def test_each_price_of_a_line_is_an_offer_of_its_own() -> None:
    found = offers(page(line(spotPrice=19.71, inferencePrice=6)))
    assert [(o.price_type, o.price_type_raw, o.price, o.price_per, o.accelerators) for o in found] == [
        ("on_demand", "onDemandPrice", 48.0, "instance", 8),
        ("spot", "spotPrice", 19.71, "instance", 8),
        ("inference", "inferencePrice", 6.0, "accelerator", 1),
    ]
    first = found[0]
    assert (first.provider, first.region, first.offered_as) == ("coreweave", "North America", "Example GPU")
    assert (first.memory_gb, first.vcpus, first.ram_gb, first.caveats) == (80.0, 128.0, 2048.0, ("indirect",))
    assert (first.stated_on, first.looked_at) == (
        dt.date(2026, 3, 2),
        dt.datetime(2026, 3, 2, 6, 31, 31, 785000, tzinfo=dt.UTC),
    )


def test_a_line_without_any_price_is_still_listed() -> None:
    (offer,) = offers(page(line(onDemandPrice=None)))
    assert (offer.price_type, offer.price, offer.price_per) == (PriceType.UNPRICED, None, "")


@pytest.mark.parametrize("count", ["4^1", "4"])
def test_a_footnote_mark_is_no_part_of_the_count(count: str) -> None:
    rows = parse(captured("coreweave_price_copies", URL, page(line(count=count, onDemandPrice=42))))
    (offer,) = rows.rows["cloud_offers"]
    assert isinstance(offer, CloudOffer)
    assert (offer.accelerators, offer.caveats, rows.problems) == (4, ("indirect",), ())


def test_a_slipped_count_is_replaced_by_what_the_prices_say_and_named() -> None:
    slipped = line("Example NVL72", "41", onDemandPrice=42, inferencePrice=10.5)
    elsewhere = line("Example NVL72", "41", onDemandPrice=42)
    rows = parse(captured("coreweave_price_copies", URL, page(slipped, europe=(elsewhere,))))
    found = [o for o in rows.rows["cloud_offers"] if isinstance(o, CloudOffer) and o.price_type == "on_demand"]
    assert [(o.region, o.accelerators) for o in found] == [("North America", 4), ("Europe", 4)]
    assert {o.caveats for o in found} == {("indirect", "metadata_suspect")}
    assert [(p.reason, p.is_fatal) for p in rows.problems] == [(Reason.VALUE_IMPLAUSIBLE, False)] * 2
    assert rows.problems[0].place == f"{URL}: regions[0].gpu[0] (North America, Example NVL72)"
    assert rows.problems[0].detail == (
        "'gpuCount' is '41', which is no instance size or contradicts the prices; 4 is taken from its prices"
    )


def test_a_slipped_count_without_prices_is_no_count() -> None:
    (offer,) = offers(page(line(count="41", onDemandPrice=None)))
    assert (offer.accelerators, offer.caveats) == (None, ("indirect", "metadata_suspect"))


def test_a_count_that_the_prices_contradict_is_not_believed() -> None:
    rows = parse(captured("coreweave_price_copies", URL, page(line(count="8", onDemandPrice=42, inferencePrice=10.5))))
    first = rows.rows["cloud_offers"][0]
    assert isinstance(first, CloudOffer)
    assert first.accelerators == 4
    assert len(rows.problems) == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"model": None}, Reason.FIELD_MISSING),
        ({"gpuCount": None}, Reason.FIELD_MISSING),
        ({"onDemandPrice": 30072}, Reason.VALUE_IMPLAUSIBLE),
        ({"vcpus": "TECH SPECS"}, Reason.FIELD_UNREADABLE),
    ],
)
def test_an_odd_line_is_named_and_the_rest_goes_on(changes: dict[str, Any], reason: Reason) -> None:
    rows = parse(captured("coreweave_price_copies", URL, page(line(**changes), line("Other GPU"))))
    assert [p.reason for p in rows.problems] == [reason]
    assert [o.offered_as for o in rows.rows["cloud_offers"] if isinstance(o, CloudOffer)] == ["Other GPU"]


@pytest.mark.parametrize("body", [b"{}", b"[1]", b'{"scrapedAt": "2026-03-02T00:00:00Z", "scrapeDate": "2 March"}'])
def test_what_is_no_copy_is_refused(body: bytes) -> None:
    with pytest.raises(InputError) as caught:
        parse(captured("coreweave_price_copies", URL, body))
    assert caught.value.reason is Reason.TABLE_UNREADABLE


def test_every_real_copy_is_read_and_no_instance_has_41_accelerators(shared: Path) -> None:
    counts: Counter[int | None] = Counter()
    gb200: set[tuple[int | None, float | None]] = set()
    files = sorted((shared / "market/prices/coreweave-pricing-tracker/data").glob("*.json"))
    doubts = 0
    for path in files:
        rows = parse(captured("coreweave_price_copies", URL, path.read_bytes()))
        assert rows.unread == (), path.name
        doubts += len(rows.problems)
        for offer in rows.rows["cloud_offers"]:
            assert isinstance(offer, CloudOffer)
            counts[offer.accelerators] += 1
            if "GB200" in offer.offered_as and offer.price_type == "on_demand":
                gb200.add((offer.accelerators, offer.price))
    assert len(files) == 34
    assert gb200 == {(4, 42.0)}
    assert set(counts) == {None, 1, 4, 8}
    assert doubts == 132  # 33 copies, two regions, GB200 and GB300
