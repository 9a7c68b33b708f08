"""Epoch AI's chip owners and chip sales: units and H100 equivalents by maker, owner, type and quarter, with ranges.

One CSV or a ZIP of several. Whether a file is cumulative is said by its name and by the names of its rows; both must
agree. Rows flagged 'Incomplete' (by column, or at the head of the notes) are left out, counted as one problem a file.
Column names differ between files ('Number of Units', 'Number of units (median)', 'Number of Units (median)').
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_epoch import ChipMeasure, ChipQuantity
from pipelines.parse.sources.epoch_files import csv_tables, required_day
from pipelines.parse.sources.records import FieldProblem, Reader, Record, first_number, read_csv, refuse
from pipelines.problems import Reason

_REQUIRED: Final = ("Name", "Chip manufacturer", "Start date", "End date")
_NOT_USED: Final = ("Source / Link", "Last Modified", "Last Modified By")
_GENERATED: Final = re.compile(r"Estimates generated on: (\d\d)-(\d\d)-(\d{4})")
_EXCLUDES: Final = re.compile(r"Excludes ([^.]+)\.")
_CUMULATIVE_ROW: Final = re.compile(r"\bthrough Q\d|\bQ\d \d{4} to Q\d \d{4}")
_UNITS: Final = ("Number of Units", "Number of Units (median)", "Number of units (median)")
_UNITS_RANGE: Final = (
    ("Number of Units (5th percentile)", "Number of units (5th percentile)"),
    ("Number of Units (95th percentile)", "Number of units (95th percentile)"),
)
_H100E: Final = ("Compute estimate in H100e (median)",)
_H100E_RANGE: Final = (
    ("H100e (5th percentile)", "Compute estimate in H100e (5th percentile)"),
    ("H100e (95th percentile)", "Compute estimate in H100e (95th percentile)"),
)
_MOST: Final = 1e10  # units of one row


def parse_chips(table: CapturedTable, lake_table: str, columns: tuple[str, ...] = ()) -> MarketRows:
    """Chips by quarter, for owners too where `columns` name them. Raises InputError where a file is no such table."""
    found: list[ChipQuantity] = []
    reader = Reader(table)
    for dataset, file in csv_tables(table):
        is_cumulative = "cumulative" in dataset
        if not is_cumulative and not re.search("quarter|timeline", dataset):
            raise refuse(table, f"{dataset[:80]!r} names neither quarters nor cumulative figures")
        measure = ChipMeasure.CUMULATIVE if is_cumulative else ChipMeasure.QUARTER
        found += _file(reader, file, dataset, columns, measure)
    return reader.done(**{lake_table: found})


def _file(
    reader: Reader, file: CapturedTable, dataset: str, columns: tuple[str, ...], measure: ChipMeasure
) -> Iterator[ChipQuantity]:
    incomplete = 0
    for place, record in read_csv(file, (*_REQUIRED, *columns)):
        if _is_incomplete(record):
            incomplete += 1
        elif (row := reader.row(f"{dataset} {place}", record, lambda r: _row(file, r, dataset, measure))) is not None:
            yield row
    if incomplete:
        detail = f"{incomplete} rows that the publisher flags as incomplete are left out"
        reader.problem(dataset, FieldProblem(Reason.RECORD_INCOMPLETE, detail), is_fatal=False)


def _is_incomplete(record: Record) -> bool:
    return bool(record.optional_text("Incomplete")) or record.optional_text("Notes").startswith("Incomplete")


def _row(table: CapturedTable, record: Record, dataset: str, measure: ChipMeasure) -> ChipQuantity:
    record.ignore(*_NOT_USED)
    name, notes = record.text("Name"), record.optional_text("Notes")
    if bool(_CUMULATIVE_ROW.search(name)) != (measure is ChipMeasure.CUMULATIVE):
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'Name' is {name[:60]!r} in a table of {measure} figures")
    start, end = required_day(record, "Start date"), required_day(record, "End date")
    if end <= start:
        raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"from {start} to {end}")
    excluded = _EXCLUDES.search(notes)
    units = _quantity(record, _UNITS, _UNITS_RANGE)
    h100e = _quantity(record, _H100E, _H100E_RANGE)
    if units[0] is None and h100e[0] is None:
        raise FieldProblem(Reason.FIELD_MISSING, "neither units nor H100 equivalents")
    tdp = _power(record)
    return ChipQuantity(
        stated_on=_stated_on(table, notes), dataset=dataset, maker_raw=record.text("Chip manufacturer"),
        owner_raw=record.optional_text("Owner"),
        excludes=tuple(part.strip() for part in excluded[1].split(",")) if excluded else (),
        chip_raw=record.optional_text("Chip type"), measure=measure, is_fiscal="fiscal" in dataset,
        period_start=start, period_end=end, units=units[0], units_low=units[1], units_high=units[2],
        h100e=h100e[0], h100e_low=h100e[1], h100e_high=h100e[2],
        tdp_mw=tdp[0], tdp_mw_low=tdp[1], tdp_mw_high=tdp[2], notes=notes,
    )  # fmt: skip


_Range = tuple[float | None, float | None, float | None]


def _quantity(record: Record, medians: tuple[str, ...], ranges: tuple[tuple[str, ...], ...]) -> _Range:
    """(median, 5th, 95th percentile); a median outside its own range is refused."""
    median, low, high = (first_number(record, *names) for names in (medians, *ranges))
    for value in (median, low, high):
        if value is not None and not 0 <= value <= _MOST:
            raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"{medians[0]!r} is {value:g}")
    if median is not None and low is not None and high is not None and not low <= median <= high:
        raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"{medians[0]!r} is {median:g}, outside {low:g} to {high:g}")
    return median, low, high


def _power(record: Record) -> _Range:
    """Design power in MW: from watts where the file has them, since its MW are rounded."""
    watts = tuple(
        record.optional_number(f"Total TDP (W){suffix}") for suffix in ("", " (5th percentile)", " (95th percentile)")
    )
    megawatts = tuple(
        record.optional_number(f"Power in MW ({name})") for name in ("median", "5th percentile", "95th percentile")
    )
    median, low, high = (mw if w is None else w / 1e6 for w, mw in zip(watts, megawatts, strict=True))
    return median, low, high


def _stated_on(table: CapturedTable, notes: str) -> dt.date:
    """When the estimate was made, as its notes say (month first), else when it was captured."""
    generated = _GENERATED.search(notes)
    if generated is None:
        return table.captured_at.date()
    month, day, year = (int(part) for part in generated.groups())
    try:
        return dt.date(year, month, day)
    except ValueError:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'Notes' give {generated[0]!r}") from None
