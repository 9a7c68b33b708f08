"""The daily snapshot of many providers: own sample, drift over the months, odd records, and all real snapshots."""

from __future__ import annotations

import copy
import datetime as dt
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pipelines.model.market import CloudLook, CloudOffer, PricePer, PriceType
from pipelines.parse.sources.gpurentalprices import parse
from pipelines.problems import InputError, Reason
from tests.market_kit import captured

URL = "https://gpurentalprices.com/api/latest.json"
LOOKED_AT = dt.datetime(2026, 3, 2, 6, 21, 49, 413000, tzinfo=dt.UTC)
SNAPSHOT: dict[str, Any] = {
    "date": "2026-03-02",
    "generated_at": "2026-03-02T06:21:55.020Z",
    "offers": [
        {
            "provider": "examplecloud", "gpu": "h100-sxm", "vram_gb": 80, "usd_hr": 2.5, "kind": "on-demand",
            "source_url": "https://example.org/pricing", "fetched_at": "2026-03-02T06:21:49.413Z", "min_gpus": 8,
        },
        {
            "provider": "examplehosts", "gpu": "rtx-4090", "vram_gb": 24, "usd_hr": 0.3, "kind": "community",
            "source_url": "https://example.net/pricing", "fetched_at": "2026-03-01T06:00:00.000Z",
        },
    ],
    "providers": {
        "examplecloud": {"ok": True, "last_verified": "2026-03-02T06:21:49.413Z", "stale": False},
        "examplehosts": {
            "ok": False, "last_verified": "2026-03-01T06:00:00.000Z", "stale": True, "error": "http 403",
        },
    },
    "meta": {"provider_count": 2},
}  # fmt: skip


def changed(**changes: Any) -> dict[str, Any]:
    """The sample with other values in its first offer; None leaves a field out."""
    snapshot = copy.deepcopy(SNAPSHOT)
    offer = snapshot["offers"][0] | changes
    snapshot["offers"][0] = {name: value for name, value in offer.items() if value is not None}
    return snapshot


def test_an_offer_is_read_with_the_publishers_labels() -> None:
    rows = parse(captured("gpurentalprices", URL, SNAPSHOT))
    assert rows.rows["cloud_offers"] == [
        CloudOffer(
            stated_on=dt.date(2026, 3, 2), scope="examplecloud", looked_at=LOOKED_AT, provider="examplecloud",
            offered_as="", accelerator_raw="h100-sxm", accelerators=8, memory_gb=80.0, vcpus=None, ram_gb=None,
            region="", price_type=PriceType.ON_DEMAND, price_type_raw="on-demand", term_months=None, price=2.5,
            price_per=PricePer.ACCELERATOR, currency="USD", offer_url="https://example.org/pricing",
        )
    ]  # fmt: skip
    assert (rows.problems, rows.unread) == ((), ())


def test_offers_carried_forward_are_not_seen_again() -> None:
    looks = parse(captured("gpurentalprices", URL, SNAPSHOT)).rows["cloud_looks"]
    assert looks == [
        CloudLook(dt.date(2026, 3, 2), "examplecloud", LOOKED_AT, 1, is_fresh=True),
        CloudLook(dt.date(2026, 3, 1), "examplehosts", dt.datetime(2026, 3, 1, 6, tzinfo=dt.UTC), 1, is_fresh=False),
    ]


@pytest.mark.parametrize(
    ("kind", "price_type"),
    [("secure", "on_demand"), ("spot", "spot"), ("community", "community"), ("serverless", "serverless")],
)
def test_kinds_of_price_stay_apart(kind: str, price_type: str) -> None:
    (offer,) = parse(captured("gpurentalprices", URL, changed(kind=kind))).rows["cloud_offers"]
    assert isinstance(offer, CloudOffer)
    assert (offer.price_type, offer.price_type_raw) == (price_type, kind)


def test_a_list_that_the_feed_converts_is_marked() -> None:
    text = json.dumps(SNAPSHOT).replace("examplecloud", "scaleway")
    (offer,) = parse(captured("gpurentalprices", URL, text)).rows["cloud_offers"]
    assert isinstance(offer, CloudOffer)
    assert (offer.provider, offer.caveats) == ("scaleway", ("imprecise",))


def test_a_snapshot_of_the_first_days_has_fewer_fields() -> None:
    snapshot = changed(min_gpus=None)
    del snapshot["meta"]
    rows = parse(captured("gpurentalprices", URL, snapshot))
    (offer,) = rows.rows["cloud_offers"]
    assert isinstance(offer, CloudOffer)
    assert offer.accelerators is None
    assert rows.unread == ()


def test_fields_that_nobody_reads_are_named() -> None:
    snapshot = changed(availability="low") | {"index": 1}
    snapshot["providers"]["examplecloud"]["region"] = "eu"
    rows = parse(captured("gpurentalprices", URL, snapshot))
    assert rows.unread == ("offers.availability", "providers.region", "snapshot.index")


@pytest.mark.parametrize(
    ("changes", "reason", "detail"),
    [
        ({"usd_hr": None}, Reason.FIELD_MISSING, "no 'usd_hr'"),
        ({"usd_hr": "call us"}, Reason.FIELD_UNREADABLE, "'usd_hr' is 'call us', not a number"),
        ({"usd_hr": 0}, Reason.VALUE_IMPLAUSIBLE, "'usd_hr' is 0"),
        ({"usd_hr": 98320.0}, Reason.VALUE_IMPLAUSIBLE, "'usd_hr' is 98320"),
        ({"kind": "monthly"}, Reason.FIELD_UNREADABLE, "'kind' is 'monthly', which no table knows"),
        ({"min_gpus": 2.5}, Reason.FIELD_UNREADABLE, "'min_gpus' is '2.5', not a count"),
        ({"provider": "stranger"}, Reason.FIELD_MISSING, "'stranger' is not among the snapshot's providers"),
    ],
)
def test_an_odd_offer_is_named_and_the_rest_goes_on(changes: dict[str, Any], reason: Reason, detail: str) -> None:
    snapshot = changed(**changes)
    snapshot["offers"].append(SNAPSHOT["offers"][0] | {"gpu": "h200"})
    rows = parse(captured("gpurentalprices", URL, snapshot))
    (problem,) = rows.problems
    assert (problem.source_id, problem.place) == ("gpurentalprices", f"{URL}: offers[0]")
    assert (problem.reason, problem.detail, problem.is_fatal) == (reason, detail, True)
    (offer,) = rows.rows["cloud_offers"]
    assert isinstance(offer, CloudOffer)
    assert offer.accelerator_raw == "h200"


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"<html>Just a moment...</html>", "no JSON"),
        (b"[]", "a record is a list, not an object"),
        (b'{"offers": {}}', "no list 'offers'"),
        (b'{"offers": []}', "no object 'providers'"),
        (b'{"offers": [], "providers": ' + b"[" * 100_000, "no JSON"),
        (b"\xff\xfe\x00", "not UTF-8 at byte 0"),
        (b"\x1f\x8bnot gzip", "the compressed body is damaged"),
    ],
)
def test_what_is_no_snapshot_is_refused(body: bytes, detail: str) -> None:
    with pytest.raises(InputError, match=detail) as caught:
        parse(captured("gpurentalprices", URL, body))
    assert caught.value.reason is Reason.TABLE_UNREADABLE


def test_every_real_snapshot_is_read_whole(shared: Path) -> None:
    read: Counter[str] = Counter()
    for path in sorted((shared / "market/prices/gpurentalprices/data/snapshots").glob("*.json")):
        rows = parse(captured("gpurentalprices", URL, path.read_bytes()))
        assert (rows.problems, rows.unread) == ((), ()), path.name
        read["snapshots"] += 1
        read["offers"] += len(rows.rows["cloud_offers"])
        for look in rows.rows["cloud_looks"]:
            assert isinstance(look, CloudLook)
            read["carried forward"] += 0 if look.is_fresh else look.offers
    assert read == {"snapshots": 49, "offers": 12_381, "carried forward": 91}  # 12,472 lines together
