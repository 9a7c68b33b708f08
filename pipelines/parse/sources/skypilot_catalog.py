"""SkyPilot's catalogue: which cloud lists which accelerator, and a cloud's instances with their prices.

Two kinds of file: `common/accelerators.csv` (accelerator, list of clouds; no price) and `<cloud>/vms.csv` (one line
an instance type and region; the price is of the whole instance).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from pipelines.model.market import CapturedTable, CloudOffer, MarketRows, PricePer, PriceType
from pipelines.parse.sources.records import Columns, FieldProblem, Reader, Record, by, read_csv, refuse, seen_in
from pipelines.problems import Reason

TABLES = ("cloud_offers", "cloud_looks")

_CLOUDS: Final = re.compile(r"\[\s*('[^'\[\]]+'(\s*,\s*'[^'\[\]]+')*)\s*\]")
_CLOUD: Final = re.compile(r"'([^']+)'")
_VMS_PATH: Final = re.compile(r"/catalogs/v\d+/([a-z0-9_-]+)/vms\.csv$")
_MEMORY: Final = re.compile(r"'SizeInMiB': (\d+)")
_MIB_PER_GB: Final = 1024.0  # the catalogue writes 81920 for an accelerator of 80 GB
_INSTANCE: Final = ("InstanceType", "AcceleratorName", "AcceleratorCount", "Price", "Region")
_PRICES: Final = (("Price", PriceType.ON_DEMAND), ("SpotPrice", PriceType.SPOT))
_MOST_USD: Final = 10_000.0  # for one instance and hour
# The catalogue repeats one price of these clouds for every region; a region of theirs says nothing of availability.
_ONE_PRICE_FOR_ALL_REGIONS: Final = frozenset({"lambda"})


def parse(table: CapturedTable) -> MarketRows:
    """Offers of one file of the catalogue. Raises InputError where it is neither kind."""
    vms = _VMS_PATH.search(urlsplit(table.url).path)
    reader = Reader(table)
    if vms is not None:
        scope, lines = vms[1], read_csv(table, _INSTANCE)
        found = reader.rows(lines, lambda record: _instance(table, record, scope))
    elif urlsplit(table.url).path.endswith("/accelerators.csv"):
        scope, lines = "", read_csv(table, ("AcceleratorName", "Clouds"))
        found = reader.rows(lines, lambda record: _listing(table, record))
    else:
        raise refuse(table, "the address names neither accelerators.csv nor a cloud's vms.csv")
    offers = [offer for line in found for offer in line]
    return reader.done(cloud_offers=offers, cloud_looks=[reader.look(scope, offers)])


def _listing(table: CapturedTable, record: Record) -> list[CloudOffer]:
    name, clouds = record.text("AcceleratorName"), record.text("Clouds")
    if _CLOUDS.fullmatch(clouds) is None:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'Clouds' is {clouds[:60]!r}, not a list of names")
    return [
        CloudOffer(
            accelerator_raw=name,
            price_type=PriceType.UNPRICED,
            price_per=PricePer.NOTHING,
            **seen_in(table, "", cloud),
        )
        for cloud in _CLOUD.findall(clouds)
    ]


def _instance(table: CapturedTable, record: Record, cloud: str) -> list[CloudOffer] | None:
    """The offers of one instance type in one region; None where it has no accelerator."""
    if not record.optional_text("AcceleratorName"):
        return None
    offer = _INSTANCE_OFFER.read(
        record, price_type=PriceType.UNPRICED, price_per=PricePer.NOTHING,
        caveats=("imprecise",) if cloud in _ONE_PRICE_FOR_ALL_REGIONS else (), **seen_in(table, cloud, cloud),
    )  # fmt: skip
    prices = [(kind, name, record.optional_price(name, _MOST_USD)) for name, kind in _PRICES]
    return [
        replace(offer, price_type=kind, price_type_raw=name, price=price, price_per=PricePer.INSTANCE)
        for kind, name, price in prices
        if price is not None
    ] or [offer]


def _memory(record: Record) -> float | None:
    found = _MEMORY.search(record.optional_text("GpuInfo"))
    return int(found[1]) / _MIB_PER_GB if found else None


_INSTANCE_OFFER: Final = Columns(
    CloudOffer,
    offered_as=by(Record.text, "InstanceType"), accelerator_raw=by(Record.text, "AcceleratorName"),
    accelerators=lambda record: record.optional_count("AcceleratorCount") or None, memory_gb=_memory, vcpus="vCPUs",
    ram_gb="MemoryGiB", region="Region",
)  # fmt: skip
