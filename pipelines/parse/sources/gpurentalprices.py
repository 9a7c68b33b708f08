"""gpurentalprices.com: the daily snapshot of many providers' price lists, as the API and its history give it.

A price is per accelerator and hour. Where the publisher could not look at a provider it carries older offers
forward and says so; those are not seen again here.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import Final

from pipelines.frozen import frozen
from pipelines.model.market import CapturedTable, CloudLook, CloudOffer, MarketRows, PricePer, PriceType
from pipelines.parse.sources.records import Columns, FieldProblem, Reader, Record, by, numbered, refuse
from pipelines.problems import Reason

TABLES = ("cloud_offers", "cloud_looks")

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


@frozen
class _Provider:
    """When the publisher last saw a provider's list, and whether that is this snapshot's look."""

    looked_at: dt.datetime
    is_fresh: bool


def parse(table: CapturedTable) -> MarketRows:
    """Offers and looks of one snapshot. Raises InputError where it is no snapshot."""
    reader = Reader(table)
    snapshot = reader.whole("snapshot.")
    snapshot.ignore("date", "generated_at", "meta")
    records = reader.listed(snapshot, "offers")
    entries = snapshot.raw("providers")
    if not isinstance(entries, Mapping):
        raise refuse(table, "no object 'providers'")
    providers = {
        str(name): look
        for name, entry in entries.items()
        if (look := reader.row(f"providers.{name}", entry, _read_provider, "providers.")) is not None
    }
    counts: Counter[str] = Counter()
    found = reader.rows(numbered("offers", records), partial(_parse_offer, providers, counts), "offers.")
    looks = [
        CloudLook(provider.looked_at.date(), name, provider.looked_at, counts[name], provider.is_fresh)
        for name, provider in providers.items()
    ]
    return reader.done(cloud_offers=[offer for offer in found if providers[offer.provider].is_fresh], cloud_looks=looks)


def _read_provider(record: Record) -> _Provider:
    record.ignore("source_url", "error")
    is_ok, is_stale = record.optional_flag("ok"), record.optional_flag("stale")
    return _Provider(record.instant("last_verified"), is_ok is True and not is_stale)


def _parse_offer(providers: Mapping[str, _Provider], counts: Counter[str], record: Record) -> CloudOffer:
    """One offer, also one that is carried forward from an older look; `counts` counts those of each provider."""
    name = record.text("provider")
    counts[name] += 1
    provider = providers.get(name)
    if provider is None:
        raise FieldProblem(Reason.FIELD_MISSING, f"{name!r} is not among the snapshot's providers")
    return _OFFER.read(
        record, stated_on=provider.looked_at.date(), scope=name, looked_at=provider.looked_at, provider=name,
        price_type=record.one_of("kind", _PRICE_TYPES), caveats=("imprecise",) if name in _CONVERTED else (),
    )  # fmt: skip


_OFFER: Final = Columns(
    CloudOffer, ("fetched_at",),  # a moment within the look that `last_verified` dates
    accelerator_raw=by(Record.text, "gpu"), accelerators="min_gpus", memory_gb="vram_gb", price_type_raw="kind",
    price=by(Record.price, "usd_hr", _MOST_USD), price_per=lambda _: PricePer.ACCELERATOR, offer_url="source_url",
)  # fmt: skip
