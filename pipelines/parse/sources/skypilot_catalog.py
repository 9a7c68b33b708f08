"""SkyPilot's catalogue: which cloud lists which accelerator, and a cloud's instances with their prices.

Two kinds of file: `common/accelerators.csv` (accelerator, list of clouds; no price) and `<cloud>/vms.csv` (one line
an instance type and region; the price is of the whole instance).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_cloud import CloudLook, CloudOffer, PricePer, PriceType
from pipelines.parse.sources.records import FieldProblem, Record, problem_at, read_csv, refuse
from pipelines.problems import Problem, Reason

_CLOUDS: Final = re.compile(r"\[\s*('[^'\[\]]+'(\s*,\s*'[^'\[\]]+')*)\s*\]")
_CLOUD: Final = re.compile(r"'([^']+)'")
_VMS_PATH: Final = re.compile(r"/catalogs/v\d+/([a-z0-9_-]+)/vms\.csv$")
_MEMORY: Final = re.compile(r"'SizeInMiB': (\d+)")
_MIB_PER_GB: Final = 1024.0  # the catalogue writes 81920 for an accelerator of 80 GB
_PRICES: Final = (("Price", PriceType.ON_DEMAND), ("SpotPrice", PriceType.SPOT))
_MOST_USD: Final = 10_000.0  # for one instance and hour
# The catalogue repeats one price of these clouds for every region; a region of theirs says nothing of availability.
_ONE_PRICE_FOR_ALL_REGIONS: Final = frozenset({"lambda"})


def parse(table: CapturedTable) -> MarketRows:
    """Offers of one file of the catalogue. Raises InputError where it is neither kind."""
    vms = _VMS_PATH.search(urlsplit(table.url).path)
    problems: list[Problem] = []
    unread: set[str] = set()
    if vms is not None:
        offers, scope = list(_instances(table, vms[1], problems, unread)), vms[1]
    elif urlsplit(table.url).path.endswith("/accelerators.csv"):
        offers, scope = list(_listings(table, problems, unread)), ""
    else:
        raise refuse(table, "the address names neither accelerators.csv nor a cloud's vms.csv")
    look = CloudLook(table.captured_at.date(), scope, table.captured_at, len(offers), is_fresh=True)
    return MarketRows({"cloud_offers": offers, "cloud_looks": [look]}, tuple(problems), tuple(sorted(unread)))


def _listings(table: CapturedTable, problems: list[Problem], unread: set[str]) -> Iterator[CloudOffer]:
    for line, record in read_csv(table, ("AcceleratorName", "Clouds")):
        try:
            name, clouds = record.text("AcceleratorName"), record.text("Clouds")
            if _CLOUDS.fullmatch(clouds) is None:
                raise FieldProblem(Reason.FIELD_UNREADABLE, f"'Clouds' is {clouds[:60]!r}, not a list of names")
            unread |= record.unread
        except FieldProblem as problem:
            problems.append(problem_at(table, f"line {line}", problem))
            continue
        for cloud in _CLOUD.findall(clouds):
            yield _offer(table, provider=cloud, scope="", accelerator=name, price_type=PriceType.UNPRICED)


def _instances(table: CapturedTable, cloud: str, problems: list[Problem], unread: set[str]) -> Iterator[CloudOffer]:
    required = ("InstanceType", "AcceleratorName", "AcceleratorCount", "Price", "Region")
    for line, record in read_csv(table, required):
        try:
            if record.optional_text("AcceleratorName"):
                offers = _instance(table, record, cloud)
                unread |= record.unread
                yield from offers
        except FieldProblem as problem:
            problems.append(problem_at(table, f"line {line}", problem))


def _instance(table: CapturedTable, record: Record, cloud: str) -> list[CloudOffer]:
    memory = _MEMORY.search(record.optional_text("GpuInfo"))
    prices: list[tuple[PriceType, str, float | None]] = []
    for name, kind in _PRICES:
        value = record.optional_number(name)
        if value is not None and not 0 < value <= _MOST_USD:
            raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"{name!r} is {value:g}")
        if value is not None:
            prices.append((kind, name, value))
    count = record.optional_count("AcceleratorCount")
    instance, accelerator = record.text("InstanceType"), record.text("AcceleratorName")
    region, vcpus, ram = (
        record.optional_text("Region"),
        record.optional_number("vCPUs"),
        record.optional_number("MemoryGiB"),
    )
    return [
        _offer(
            table, provider=cloud, scope=cloud, accelerator=accelerator, price_type=kind, price_type_raw=name,
            price=value, offered_as=instance, accelerators=count or None, vcpus=vcpus, ram_gb=ram, region=region,
            memory_gb=int(memory[1]) / _MIB_PER_GB if memory else None,
            caveats=("imprecise",) if cloud in _ONE_PRICE_FOR_ALL_REGIONS else (),
        )
        for kind, name, value in prices or [(PriceType.UNPRICED, "", None)]
    ]  # fmt: skip


def _offer(
    table: CapturedTable,
    *,
    provider: str,
    scope: str,
    accelerator: str,
    price_type: PriceType,
    price_type_raw: str = "",
    price: float | None = None,
    offered_as: str = "",
    accelerators: int | None = None,
    memory_gb: float | None = None,
    vcpus: float | None = None,
    ram_gb: float | None = None,
    region: str = "",
    caveats: tuple[str, ...] = (),
) -> CloudOffer:
    return CloudOffer(
        stated_on=table.captured_at.date(), scope=scope, looked_at=table.captured_at, provider=provider,
        offered_as=offered_as, accelerator_raw=accelerator, accelerators=accelerators, memory_gb=memory_gb,
        vcpus=vcpus, ram_gb=ram_gb, region=region, price_type=price_type, price_type_raw=price_type_raw,
        term_months=None, price=price, price_per=PricePer.NOTHING if price is None else PricePer.INSTANCE,
        currency="USD", offer_url="", caveats=caveats,
    )  # fmt: skip
