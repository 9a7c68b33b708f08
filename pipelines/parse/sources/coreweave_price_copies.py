"""CoreWeave's price page as the JSON copies that a public repository keeps of it, one file a day.

The price is of a whole instance; 'inferencePrice' is of one accelerator. Footnote marks stick to counts ('4^1', and
once the mark lost its caret '41'), so a count that is no instance size is not believed.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_cloud import CloudLook, CloudOffer, PricePer, PriceType
from pipelines.parse.sources.records import FieldProblem, Record, problem_at, read_json, read_list, refuse
from pipelines.problems import Problem, Reason

_INSTANCE_SIZES: Final = frozenset({1, 2, 4, 8, 16, 18, 36, 72})
_FOOTNOTE: Final = re.compile(r"\^\d+$")
_PRICES: Final[Mapping[str, tuple[PriceType, PricePer]]] = {
    "onDemandPrice": (PriceType.ON_DEMAND, PricePer.INSTANCE),
    "spotPrice": (PriceType.SPOT, PricePer.INSTANCE),
    "inferencePrice": (PriceType.INFERENCE, PricePer.ACCELERATOR),
}
_PROVIDER: Final = "coreweave"
_MOST_USD: Final = 10_000.0  # for one instance and hour
_CENTS: Final = 0.005


def parse(table: CapturedTable) -> MarketRows:
    """Offers of one copy of the page. Raises InputError where it is no such copy."""
    try:
        page = Record(read_json(table))
        page.ignore("source")
        looked_at, stated_on = page.instant("scrapedAt"), page.day("scrapeDate")
    except FieldProblem as problem:
        raise refuse(table, problem.detail) from None
    problems: list[Problem] = []
    unread: set[str] = set()
    records = list(_records(table, page, problems, unread))
    quotients = _quotients(record for _, _, record in records)
    offers: list[CloudOffer] = []
    for region, place, record in records:
        try:
            offers += _parse_record(table, record, region, place, looked_at, stated_on, quotients, problems)
            unread |= {f"gpu.{name}" for name in record.unread}
        except FieldProblem as problem:
            problems.append(problem_at(table, place, problem))
    unread |= page.unread
    look = CloudLook(stated_on, "", looked_at, len(records), is_fresh=True)
    return MarketRows({"cloud_offers": offers, "cloud_looks": [look]}, tuple(problems), tuple(sorted(unread)))


def _records(
    table: CapturedTable, page: Record, problems: list[Problem], unread: set[str]
) -> Iterator[tuple[str, str, Record]]:
    """(region, place, record) of every accelerator's line."""
    for index, value in enumerate(read_list(table, page, "regions")):
        try:
            region = Record(value)
            region.ignore("cpu", "storage", "networking")
            name = region.text("name")
        except FieldProblem as problem:
            problems.append(problem_at(table, f"regions[{index}]", problem))
            continue
        lines = read_list(table, region, "gpu")
        unread |= {f"regions.{key}" for key in region.unread}
        for number, line in enumerate(lines):
            place = f"regions[{index}].gpu[{number}]"
            try:
                yield name, place, Record(line)
            except FieldProblem as problem:
                problems.append(problem_at(table, place, problem))


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
    table: CapturedTable, record: Record, region: str, place: str, looked_at: dt.datetime, stated_on: dt.date,
    quotients: Mapping[tuple[str, float], int], problems: list[Problem],
) -> list[CloudOffer]:  # fmt: skip
    record.ignore("localStorageTB")
    model = record.text("model")
    whole = record.optional_number("onDemandPrice")
    accelerators, doubt = _count(record.text("gpuCount"), quotients.get((model, whole)) if whole else None)
    if doubt is not None:
        problems.append(problem_at(table, f"{place} ({region}, {model})", doubt, is_fatal=False))
    kinds: list[tuple[str, float | None, PriceType, PricePer]] = []
    for name, (price_type, price_per) in _PRICES.items():
        price = record.optional_number(name)
        if price is not None and not 0 < price <= _MOST_USD:
            raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"{name!r} is {price:g}")
        if price is not None:
            kinds.append((name, price, price_type, price_per))
    memory_gb, vcpus, ram_gb = (record.optional_number(name) for name in ("vramGB", "vcpus", "systemRAMGB"))
    return [
        CloudOffer(
            stated_on=stated_on,
            scope="",
            looked_at=looked_at,
            provider=_PROVIDER,
            offered_as=model,
            accelerator_raw=model,
            accelerators=1 if price_per is PricePer.ACCELERATOR else accelerators,
            memory_gb=memory_gb,
            vcpus=None if price_per is PricePer.ACCELERATOR else vcpus,
            ram_gb=None if price_per is PricePer.ACCELERATOR else ram_gb,
            region=region,
            price_type=price_type,
            price_type_raw=name,
            term_months=None,
            price=price,
            price_per=price_per,
            currency="USD",
            offer_url="https://www.coreweave.com/pricing",
            caveats=("indirect",) if doubt is None else ("indirect", "metadata_suspect"),
        )
        for name, price, price_type, price_per in kinds or [("", None, PriceType.UNPRICED, PricePer.NOTHING)]
    ]


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
