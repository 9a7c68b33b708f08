"""TOP500 and Green500: the lists' spreadsheets (.xls, .xlsx), one row a system.

The header changed over the years; the columns are found by name. Seen: 2018-06 to 2019-11 ('Power Effeciency', a
`Region` beside the continent), 2020-06 (without `Region`), 2020-11 (with `Memory`), 2022-06 ('Energy Efficiency').
Lists before 2017 gave GFLOP/s under 'Rmax' and are refused by name.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from typing import Final

from pipelines.model.market import CapturedTable, ListEntry, MarketRows
from pipelines.parse.sources.records import Columns, FieldProblem, Reader, Record, by, first_number, refuse
from pipelines.parse.sources.spreadsheet import read_first_sheet
from pipelines.problems import Reason

TABLES = ("top500",)

_EFFICIENCY: Final = (
    "Energy Efficiency [GFlops/Watts]",
    "Power Efficiency [GFlops/Watts]",
    "Power Effeciency [GFlops/Watts]",
)
_REQUIRED: Final = (
    "Rank", "Computer", "Site", "Country", "Segment", "Accelerator/Co-Processor", "Accelerator/Co-Processor Cores",
    "Rmax [TFlop/s]", "Power (kW)", "System ID",
)  # fmt: skip
_NOT_USED: Final = (
    "First Rank", "Nmax", "Nhalf", "Memory", "Architecture", "Processor Technology", "Processor Speed (MHz)",
    "Operating System", "OS Family", "Cores per Socket", "Processor Generation", "System Family", "Interconnect Family",
    "Region", "Optimized Run (HPL)", "Optimized Run (Peak Power)",
)  # fmt: skip
_FIRST_YEAR: Final = 1993  # list 1 is of June 1993, list 2 of November
_IN_URL: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])\.xlsx?$")
_MOST_RMAX: Final = 1e8  # TFLOP/s


def parse(table: CapturedTable) -> MarketRows:
    """The systems of one TOP500 list. Raises InputError where it is no such list."""
    return parse_list(table, "top500", "Previous Rank")


def parse_list(table: CapturedTable, lake_table: str, own_column: str) -> MarketRows:
    """The systems of one list; `own_column` is the one that only this list has. Raises InputError."""
    sheet, rows = read_first_sheet(table)
    number, month = _list_of(table, sheet)
    header = [str(cell).strip() for cell in rows[0]] if rows else []
    missing = [name for name in (*_REQUIRED, own_column) if name not in header]
    if missing or not any(name in header for name in _EFFICIENCY):
        raise refuse(table, f"no column {', '.join(missing) or 'for efficiency'}; it has {', '.join(header)[:200]}")
    reader = Reader(table)
    last_day = month.replace(day=calendar.monthrange(month.year, month.month)[1])
    stated_on = min(last_day, table.captured_at.date())
    cells = ({name: cell for name, cell in zip(header, row, strict=False) if name} for row in rows[1:])
    lines = ((f"row {line}", record) for line, record in enumerate(cells, 2))
    found = reader.rows(lines, lambda record: _entry(record, number, month, stated_on))
    repeated = sorted({entry.rank for entry in found}) != sorted(entry.rank for entry in found)
    if not found or repeated:
        raise refuse(table, "the same rank twice" if repeated else "a header without systems")
    return reader.done(**{lake_table: found})


def _list_of(table: CapturedTable, sheet: str) -> tuple[int, dt.date]:
    """(number, first day of the month): the sheet is named after the list's number, the file after its month."""
    in_url = _IN_URL.search(table.url)
    month = dt.date(int(in_url[1]), int(in_url[2]), 1) if in_url else None
    if not sheet.strip().isdigit():
        raise refuse(table, f"the sheet is called {sheet[:40]!r}, not by the list's number")
    number = int(sheet)
    year, is_second = _FIRST_YEAR + (number - 1) // 2, number % 2 == 0
    of_number = dt.date(year, 11 if is_second else 6, 1)
    if month is not None and month != of_number:
        raise refuse(table, f"the sheet is list {number} of {of_number:%Y-%m}, the address says {month:%Y-%m}")
    return number, of_number


def _label(record: Record, key: str) -> str:
    """A text that may be empty; a spreadsheet turns a name such as '1906' into a number."""
    value = record.raw(key)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value).strip()


def _id(record: Record, key: str) -> str:
    found = _label(record, key)
    if not found.isdigit():
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"{key!r} is {found[:40]!r}, not a number")
    return found


def _accelerator(record: Record, key: str) -> str:
    return record.text(key).replace("\u200b", "")


_ENTRY: Final = Columns(
    ListEntry, _NOT_USED,
    other_rank="TOP500 Rank", previous_rank="Previous Rank", first_list="First Appearance",
    system_id=by(_id, "System ID"), site_id=by(_id, "Site ID"), name=by(_label, "Name"),
    computer=by(Record.text, "Computer"), site=by(Record.text, "Site"), manufacturer=by(_label, "Manufacturer"),
    country=by(Record.text, "Country"), continent=by(_label, "Continent"), segment=by(Record.text, "Segment"),
    year="Year", total_cores="Total Cores", accelerator_raw=by(_accelerator, "Accelerator/Co-Processor"),
    accelerator_cores="Accelerator/Co-Processor Cores", processor=by(_label, "Processor"),
    interconnect=by(_label, "Interconnect"), system_model=by(_label, "System Model"),
    rpeak_tflops="Rpeak [TFlop/s]", hpcg_tflops="HPCG [TFlop/s]", power_kw="Power (kW)",
    power_source=by(_label, "Power Source"), efficiency=by(first_number, *_EFFICIENCY),
    power_quality_level="Power Quality Level",
)  # fmt: skip


def _entry(record: Record, number: int, month: dt.date, stated_on: dt.date) -> ListEntry:
    rank, rmax = record.optional_count("Rank"), record.number("Rmax [TFlop/s]")
    if not rank:
        raise FieldProblem(Reason.FIELD_MISSING, "no 'Rank'")
    if not 0 < rmax < _MOST_RMAX:
        raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"'Rmax [TFlop/s]' is {rmax:g}")
    return _ENTRY.read(
        record, stated_on=stated_on, list_number=number, list_month=month, rank=rank, rmax_tflops=rmax
    )  # fmt: skip
