"""gpurentalprices.com: the daily snapshot of many providers' price lists, as the API and its history give it.

A price is per accelerator and hour. Where the publisher could not look at a provider it carries older offers
forward and says so; those are not seen again here.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_cloud import CloudLook, CloudOffer, PricePer, PriceType
from pipelines.parse.sources.records import FieldProblem, Record, problem_at, read_json, read_list, refuse
from pipelines.problems import Problem, Reason

# 'secure' and 'community' are words of marketplaces; the publisher calls the first firm and the second interruptible.
_PRICE_TYPES: Final[Mapping[str, PriceType]] = {
    "on-demand": PriceType.ON_DEMAND,
    "secure": PriceType.ON_DEMAND,
    "spot": PriceType.SPOT,
    "community": PriceType.COMMUNITY,
    "serverless": PriceType.SERVERLESS,
}
# Lists in another currency: from 2026-07-21 on all offers of these moved by one ratio each working day, and rested at
# weekends, so their dollar price moves with the rate of exchange.
_CONVERTED: Final = frozenset({"scaleway"})
_MOST_USD: Final = 1000.0  # for one accelerator and hour; the dearest seen in 2026 is 16.11


@dataclass(frozen=True, slots=True)
class _Provider:
    """When the publisher last saw a provider's list, and whether that is this snapshot's look."""

    looked_at: dt.datetime
    is_fresh: bool


def parse(table: CapturedTable) -> MarketRows:
    """Offers and looks of one snapshot. Raises InputError where it is no snapshot."""
    try:
        snapshot = Record(read_json(table))
    except FieldProblem as problem:
        raise refuse(table, problem.detail) from None
    snapshot.ignore("date", "generated_at", "meta")
    records = read_list(table, snapshot, "offers")
    problems: list[Problem] = []
    unread: set[str] = set()
    providers = _read_providers(table, snapshot, problems, unread)
    unread |= {f"snapshot.{name}" for name in snapshot.unread}
    offers: list[CloudOffer] = []
    counts: Counter[str] = Counter()
    for index, value in enumerate(records):
        try:
            record = Record(value)
            name = record.text("provider")
            counts[name] += 1
            offer = _parse_offer(record, providers.get(name))
            unread |= {f"offers.{name}" for name in record.unread}
        except FieldProblem as problem:
            problems.append(problem_at(table, f"offers[{index}]", problem))
            continue
        if offer is not None:
            offers.append(offer)
    looks = [
        CloudLook(provider.looked_at.date(), name, provider.looked_at, counts[name], provider.is_fresh)
        for name, provider in providers.items()
    ]
    return MarketRows({"cloud_offers": offers, "cloud_looks": looks}, tuple(problems), tuple(sorted(unread)))


def _read_providers(
    table: CapturedTable, snapshot: Record, problems: list[Problem], unread: set[str]
) -> dict[str, _Provider]:
    value = snapshot.raw("providers")
    if not isinstance(value, Mapping):
        raise refuse(table, "no object 'providers'")
    found = {}
    for name, entry in value.items():
        try:
            record = Record(entry)
            record.ignore("source_url", "error")
            is_ok, is_stale = record.optional_flag("ok"), record.optional_flag("stale")
            found[str(name)] = _Provider(record.instant("last_verified"), is_ok is True and not is_stale)
            unread |= {f"providers.{key}" for key in record.unread}
        except FieldProblem as problem:
            problems.append(problem_at(table, f"providers.{name}", problem))
    return found


def _parse_offer(record: Record, provider: _Provider | None) -> CloudOffer | None:
    """One offer; None where it is carried forward from an older look."""
    name = record.text("provider")
    if provider is None:
        raise FieldProblem(Reason.FIELD_MISSING, f"{name!r} is not among the snapshot's providers")
    record.ignore("fetched_at")  # a moment within the look that `last_verified` dates
    raw_type = record.text("kind")
    price_type = _PRICE_TYPES.get(raw_type)
    if price_type is None:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'kind' is {raw_type!r}, which no table knows")
    price = record.number("usd_hr")
    if not 0 < price <= _MOST_USD:
        raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"'usd_hr' is {price:g}")
    offer = CloudOffer(
        stated_on=provider.looked_at.date(),
        scope=name,
        looked_at=provider.looked_at,
        provider=name,
        offered_as="",
        accelerator_raw=record.text("gpu"),
        accelerators=record.optional_count("min_gpus"),
        memory_gb=record.optional_number("vram_gb"),
        vcpus=None,
        ram_gb=None,
        region="",
        price_type=price_type,
        price_type_raw=raw_type,
        term_months=None,
        price=price,
        price_per=PricePer.ACCELERATOR,
        currency="USD",
        offer_url=record.optional_text("source_url"),
        caveats=("imprecise",) if name in _CONVERTED else (),
    )
    return offer if provider.is_fresh else None
