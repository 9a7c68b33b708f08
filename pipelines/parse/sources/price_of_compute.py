"""Price of Compute: the API's answer for one accelerator, provider by provider.

The answer's own summary by price type is not read: it mixes in providers whose rows are not kept here.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_cloud import CloudLook, CloudOffer, PricePer, PriceType
from pipelines.parse.sources.records import FieldProblem, Record, problem_at, read_json, read_list, refuse
from pipelines.problems import Problem, Reason

_PRICE_TYPES: Final[Mapping[str, PriceType]] = {
    "on_demand": PriceType.ON_DEMAND,
    "spot": PriceType.SPOT,
    "community": PriceType.COMMUNITY,
    "reserved": PriceType.RESERVED,
    "serverless": PriceType.SERVERLESS,
}
_PRICES_PATH: Final = "/api/v1/prices/"
_MOST_USD: Final = 1000.0  # for one accelerator and hour


def parse(table: CapturedTable) -> MarketRows:
    """Offers of one accelerator. Raises InputError where a price answer is not as known.

    The API's other answers (index, providers) give no offers and are named as unread.
    """
    path = urlsplit(table.url).path
    if not path.startswith(_PRICES_PATH):
        return MarketRows({"cloud_offers": [], "cloud_looks": []}, (), (f"answer of {path}",))
    try:
        answer = Record(read_json(table))
        answer.ignore("day", "prices", "attribution")
        sku, looked_at = answer.text("sku"), answer.instant("updated_at")
    except FieldProblem as problem:
        raise refuse(table, problem.detail) from None
    records = read_list(table, answer, "providers")
    problems: list[Problem] = []
    unread = set(answer.unread)
    offers: list[CloudOffer] = []
    for index, value in enumerate(records):
        try:
            record = Record(value)
            offers.append(_parse_offer(record, sku, looked_at))
            unread |= {f"providers.{name}" for name in record.unread}
        except FieldProblem as problem:
            problems.append(problem_at(table, f"providers[{index}]", problem))
    look = CloudLook(looked_at.date(), sku, looked_at, len(records), is_fresh=True)
    return MarketRows({"cloud_offers": offers, "cloud_looks": [look]}, tuple(problems), tuple(sorted(unread)))


def _parse_offer(record: Record, sku: str, looked_at: dt.datetime) -> CloudOffer:
    raw_type = record.text("pricing_type")
    price_type = _PRICE_TYPES.get(raw_type)
    if price_type is None:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'pricing_type' is {raw_type!r}, which no table knows")
    price = record.number("usd_per_gpu_hr")
    if not 0 < price <= _MOST_USD:
        raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"'usd_per_gpu_hr' is {price:g}")
    return CloudOffer(
        stated_on=record.instant("observed_at").date(),
        scope=sku,
        looked_at=looked_at,
        provider=record.text("provider"),
        offered_as="",
        accelerator_raw=sku,
        accelerators=None,
        memory_gb=None,
        vcpus=None,
        ram_gb=None,
        region=record.optional_text("region"),
        price_type=price_type,
        price_type_raw=raw_type,
        term_months=None,
        price=price,
        price_per=PricePer.ACCELERATOR,
        currency="USD",
        offer_url="",
    )
