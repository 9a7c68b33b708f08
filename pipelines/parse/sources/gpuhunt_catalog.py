"""gpuhunt: one provider's catalogue of instances, a ZIP with one CSV. The price is of the whole instance.

Built to the columns of the catalogue's version 3 as its users describe them; no file of it was at hand.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from pipelines.model.market import CapturedTable, CloudOffer, MarketRows, PricePer, PriceType
from pipelines.parse.sources.records import (
    Columns,
    FieldProblem,
    Reader,
    Record,
    by,
    read_csv,
    refuse,
    seen_in,
    zip_members,
)
from pipelines.problems import Reason

TABLES = ("cloud_offers", "cloud_looks")

_PATH: Final = re.compile(r"/v\d+/([a-z0-9]+)/[^/]+/catalog\.zip$")
_REQUIRED: Final = ("instance_name", "location", "price", "gpu_count", "gpu_name", "gpu_memory", "spot")
_IS_SPOT: Final = {"true": PriceType.SPOT, "false": PriceType.ON_DEMAND}
_MOST_BYTES: Final = 256 << 20  # unpacked
_MOST_USD: Final = 10_000.0  # for one instance and hour


def parse(table: CapturedTable) -> MarketRows:
    """Offers of one provider's catalogue. Raises InputError where it is no such archive."""
    found = _PATH.search(urlsplit(table.url).path)
    if found is None:
        raise refuse(table, "the address names no provider's catalog.zip")
    provider = found[1]
    reader, catalogue = Reader(table), replace(table, data=_unpacked(table))
    offers = reader.rows(read_csv(catalogue, _REQUIRED), lambda record: _offer(table, record, provider))
    return reader.done(cloud_offers=offers, cloud_looks=[reader.look(provider, offers)])


def _unpacked(table: CapturedTable) -> bytes:
    """The one CSV in the archive."""
    found = [data for _, data in zip_members(table, ".csv", _MOST_BYTES)]
    if len(found) != 1:
        raise refuse(table, f"{len(found)} CSV files where one is expected")
    return found[0]


def _offer(table: CapturedTable, record: Record, provider: str) -> CloudOffer | None:
    """One instance; None where it has no accelerator."""
    if not record.optional_count("gpu_count"):
        return None
    printed = record.text("spot")
    if printed.lower() not in _IS_SPOT:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'spot' is {printed!r}, not true or false")
    kind = _IS_SPOT[printed.lower()]
    return _OFFER.read(record, price_type=kind, price_type_raw=f"spot={printed}", **seen_in(table, provider, provider))


_OFFER: Final = Columns(
    CloudOffer, ("disk_size", "gpu_vendor", "flags", "cpu_arch", "provider_data"),
    offered_as=by(Record.text, "instance_name"), accelerator_raw=by(Record.text, "gpu_name"), accelerators="gpu_count",
    memory_gb="gpu_memory", vcpus="cpu", ram_gb="memory", region="location",
    price=by(Record.price, "price", _MOST_USD), price_per=lambda _: PricePer.INSTANCE,
)  # fmt: skip
