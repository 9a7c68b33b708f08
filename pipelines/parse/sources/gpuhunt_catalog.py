"""gpuhunt: one provider's catalogue of instances, a ZIP with one CSV. The price is of the whole instance.

Built to the columns of the catalogue's version 3 as its users describe them; no file of it was at hand.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from pipelines.model.market import CapturedTable, CloudLook, CloudOffer, MarketRows, PricePer, PriceType
from pipelines.parse.sources.records import FieldProblem, Reader, Record, read_csv, refuse
from pipelines.problems import Reason

TABLES = ("cloud_offers", "cloud_looks")

_PATH: Final = re.compile(r"/v\d+/([a-z0-9]+)/[^/]+/catalog\.zip$")
_REQUIRED: Final = ("instance_name", "location", "price", "gpu_count", "gpu_name", "gpu_memory", "spot")
_IS_SPOT: Final[Mapping[str, bool]] = {"true": True, "false": False}
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
    look = CloudLook(table.captured_at.date(), provider, table.captured_at, len(offers), is_fresh=True)
    return reader.done(cloud_offers=offers, cloud_looks=[look])


def _unpacked(table: CapturedTable) -> bytes:
    """The one CSV in the archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(table.data)) as archive:
            members = [member for member in archive.infolist() if member.filename.endswith(".csv")]
            if len(members) != 1 or members[0].file_size > _MOST_BYTES:
                raise refuse(table, f"{len(members)} CSV files where one is expected, or a very large one")
            return archive.read(members[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise refuse(table, f"no ZIP archive ({error})") from None


def _offer(table: CapturedTable, record: Record, provider: str) -> CloudOffer | None:
    """One instance; None where it has no accelerator."""
    if not record.optional_count("gpu_count"):
        return None
    record.ignore("disk_size", "gpu_vendor", "flags", "cpu_arch", "provider_data")
    printed = record.text("spot")
    is_spot = _IS_SPOT.get(printed.lower())
    if is_spot is None:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'spot' is {printed!r}, not true or false")
    return CloudOffer(
        stated_on=table.captured_at.date(),
        scope=provider,
        looked_at=table.captured_at,
        provider=provider,
        offered_as=record.text("instance_name"),
        accelerator_raw=record.text("gpu_name"),
        accelerators=record.optional_count("gpu_count"),
        memory_gb=record.optional_number("gpu_memory"),
        vcpus=record.optional_number("cpu"),
        ram_gb=record.optional_number("memory"),
        region=record.optional_text("location"),
        price_type=PriceType.SPOT if is_spot else PriceType.ON_DEMAND,
        price_type_raw=f"spot={printed}",
        price=record.price("price", _MOST_USD),
        price_per=PricePer.INSTANCE,
    )
