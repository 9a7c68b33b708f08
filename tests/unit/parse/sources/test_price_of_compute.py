"""Answers of Price of Compute: one accelerator's providers, other answers of the API, odd records, the real answer."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pipelines.model.market import CloudLook, CloudOffer
from pipelines.parse.sources.price_of_compute import parse
from pipelines.problems import InputError, Reason
from tests.market_kit import captured

URL = "https://priceofcompute.com/api/v1/prices/b200"
ROW = {
    "provider": "examplecloud", "pricing_type": "on_demand", "usd_per_gpu_hr": 5.5, "region": None,
    "observed_at": "2026-03-01T23:02:35.461Z",
}  # fmt: skip


def answer(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "sku": "B200", "day": "2026-03-02", "prices": {"on_demand": {"usd_per_gpu_hr": 5.5, "providers": 1}},
        "providers": list(rows), "updated_at": "2026-03-02T01:02:49.240Z", "attribution": "Data: Example",
    } | more  # fmt: skip


def test_a_providers_price_is_read_and_the_summary_is_not() -> None:
    rows = parse(captured("price_of_compute", URL, answer(ROW)))
    (offer,) = rows.rows["cloud_offers"]
    assert isinstance(offer, CloudOffer)
    assert (offer.provider, offer.accelerator_raw, offer.price, offer.price_per) == (
        "examplecloud", "B200", 5.5, "accelerator",
    )  # fmt: skip
    assert (offer.scope, offer.stated_on, offer.region) == ("B200", dt.date(2026, 3, 1), "")
    assert rows.rows["cloud_looks"] == [
        CloudLook(
            dt.date(2026, 3, 2), "B200", dt.datetime(2026, 3, 2, 1, 2, 49, 240000, tzinfo=dt.UTC), 1, is_fresh=True
        )
    ]
    assert (rows.problems, rows.unread) == ((), ())


def test_an_answer_without_providers_is_a_look_that_saw_nothing() -> None:
    rows = parse(captured("price_of_compute", URL, answer()))
    assert rows.rows["cloud_offers"] == []
    assert len(rows.rows["cloud_looks"]) == 1


def test_other_answers_of_the_api_are_named_as_unread() -> None:
    rows = parse(captured("price_of_compute", "https://priceofcompute.com/api/v1/index", b"{}"))
    assert (rows.rows["cloud_offers"], rows.unread) == ([], ("answer of /api/v1/index",))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"pricing_type": "weekly"}, Reason.FIELD_UNREADABLE),
        ({"usd_per_gpu_hr": -1}, Reason.VALUE_IMPLAUSIBLE),
        ({"observed_at": "2026-03-01T23:02:35"}, Reason.FIELD_UNREADABLE),
        ({"provider": ""}, Reason.FIELD_MISSING),
    ],
)
def test_an_odd_provider_is_named_and_the_rest_goes_on(changes: dict[str, Any], reason: Reason) -> None:
    rows = parse(captured("price_of_compute", URL, answer(ROW | changes, ROW)))
    assert [(p.reason, p.place) for p in rows.problems] == [(reason, f"{URL}: providers[0]")]
    assert len(rows.rows["cloud_offers"]) == 1


@pytest.mark.parametrize("body", [{}, {"sku": "B200"}, answer() | {"providers": None}, answer() | {"updated_at": "x"}])
def test_what_is_no_price_answer_is_refused(body: object) -> None:
    with pytest.raises(InputError) as caught:
        parse(captured("price_of_compute", URL, body))
    assert caught.value.reason is Reason.TABLE_UNREADABLE


def test_the_real_answer_is_read_whole(shared: Path) -> None:
    data = (shared / "market/priceofcompute/api_v1_prices_b200_20260914.json").read_bytes()
    rows = parse(captured("price_of_compute", URL, data))
    offers = [offer for offer in rows.rows["cloud_offers"] if isinstance(offer, CloudOffer)]
    assert Counter(str(offer.price_type) for offer in offers) == {"on_demand": 6, "spot": 3, "community": 1}
    assert max((offer.price or 0, offer.provider) for offer in offers) == (8.6, "coreweave")
    assert (rows.problems, rows.unread) == ((), ())
