"""CoreWeave's price page as the JSON copies that a public repository keeps of it, one file a day.

The price is of a whole instance; 'inferencePrice' is of one accelerator. Footnote marks stick to counts ('4^1', and
once the mark lost its caret '41'), so a count that is no instance size is not believed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from pipelines.model.market import CapturedTable, CloudLook, CloudOffer, MarketRows, PricePer, PriceType
from pipelines.parse.sources.records import FieldProblem, Reader, Record, numbered, refuse
from pipelines.problems import Reason

TABLES = ("cloud_offers", "cloud_looks")

_INSTANCE_SIZES: Final = frozenset({1, 2, 4, 8, 16, 18, 36, 72})
_FOOTNOTE: Final = re.compile(r"\^\d+$")
_PRICES: Final[Mapping[str, tuple[PriceType, PricePer]]] = {
    "onDemandPrice": (PriceType.ON_DEMAND, PricePer.INSTANCE),
    "spotPrice": (PriceType.SPOT, PricePer.INSTANCE),
    "inferencePrice": (PriceType.INFERENCE, PricePer.ACCELERATOR),
}
_PROVIDER: Final = "coreweave"
_PAGE: Final = "https://www.coreweave.com/pricing"
_MOST_USD: Final = 10_000.0  # for one instance and hour
_CENTS: Final = 0.005


def parse(table: CapturedTable) -> MarketRows:
    """Offers of one copy of the page. Raises InputError where it is no such copy."""
    reader = Reader(table)
    page = reader.whole()
    page.ignore("source")
    try:
        looked_at, stated_on = page.instant("scrapedAt"), page.day("scrapeDate")
    except FieldProblem as problem:
        raise refuse(table, problem.detail) from None
    records = list(_records(reader, page))
    quotients = _quotients(record for _, _, record in records)
    offers: list[CloudOffer] = []
    for region, place, record in records:
        basis = CloudOffer(
            stated_on=stated_on, scope="", looked_at=looked_at, provider=_PROVIDER, region=region, accelerator_raw="",
            price_type=PriceType.UNPRICED, price_per=PricePer.NOTHING, offer_url=_PAGE, caveats=("indirect",),
        )  # fmt: skip
        offers += reader.row(place, record, partial(_parse_record, reader, place, basis, quotients), "gpu.") or []
    look = CloudLook(stated_on, "", looked_at, len(records), is_fresh=True)
    return reader.done(cloud_offers=offers, cloud_looks=[look])


def _records(reader: Reader, page: Record) -> Iterator[tuple[str, str, Record]]:
    """(region, place, record) of every accelerator's line."""

    def lines(region: Record) -> tuple[str, list[object]]:
        region.ignore("cpu", "storage", "networking")
        return region.text("name"), reader.listed(region, "gpu")

    for place, value in numbered("regions", reader.listed(page, "regions")):
        region = reader.row(place, value, lines, "regions.")
        name, found = region or ("", [])
        for inner, line in numbered(f"{place}.gpu", found):
            try:
                yield name, inner, Record(line)
            except FieldProblem as problem:
                reader.problem(inner, problem)


def _quotients(records: Iterable[Record]) -> dict[tuple[str, float], int]:
    """Instance price over the price of one accelerator, by model and instance price, where it is an instance size.

    The page gives both prices in one region only, so another region with the same model and price leans on it.
    """
    found: dict[tuple[str, float], int] = {}
    for record in records:
        try:
            model, whole = record.text("model"), record.optional_number("onDemandPrice")
            one = record.optional_number("inferencePrice")
        except FieldProblem:
            continue  # reported where the record is parsed
        if not whole or not one:
            continue
        count = round(whole / one)
        if count in _INSTANCE_SIZES and abs(whole / count - one) <= _CENTS:
            found[model, whole] = count
    return found


def _parse_record(
    reader: Reader, place: str, basis: CloudOffer, quotients: Mapping[tuple[str, float], int], record: Record
) -> list[CloudOffer]:
    record.ignore("localStorageTB")
    model, whole = record.text("model"), record.optional_number("onDemandPrice")
    accelerators, doubt = _count(record.text("gpuCount"), quotients.get((model, whole)) if whole else None)
    if doubt is not None:
        reader.problem(f"{place} ({basis.region}, {model})", doubt, is_fatal=False)
    prices = {name: record.optional_price(name, _MOST_USD) for name in _PRICES}
    memory_gb, vcpus, ram_gb = (record.optional_number(name) for name in ("vramGB", "vcpus", "systemRAMGB"))
    whole_machine = replace(
        basis, offered_as=model, accelerator_raw=model, accelerators=accelerators, memory_gb=memory_gb, vcpus=vcpus,
        ram_gb=ram_gb, caveats=basis.caveats if doubt is None else (*basis.caveats, "metadata_suspect"),
    )  # fmt: skip
    one = replace(whole_machine, accelerators=1, vcpus=None, ram_gb=None)
    return [
        replace(
            one if price_per is PricePer.ACCELERATOR else whole_machine,
            price=prices[name], price_type=price_type, price_type_raw=name, price_per=price_per,
        )
        for name, (price_type, price_per) in _PRICES.items()
        if prices[name] is not None
    ] or [whole_machine]  # fmt: skip


def _count(printed: str, quotient: int | None) -> tuple[int | None, FieldProblem | None]:
    """Accelerators of an instance, and the doubt about the printed count.

    A count that is no instance size, or that contradicts the page's own prices, is not believed: the quotient of the
    prices stands in for it, else nothing.
    """
    bare = _FOOTNOTE.sub("", printed)
    count = int(bare) if bare.isdecimal() else None
    if count in _INSTANCE_SIZES and quotient in (None, count):
        return count, None
    taken = "no count is taken" if quotient is None else f"{quotient} is taken from its prices"
    detail = f"'gpuCount' is {printed!r}, which is no instance size or contradicts the prices; {taken}"
    return quotient, FieldProblem(Reason.VALUE_IMPLAUSIBLE, detail)
