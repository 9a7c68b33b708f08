"""NVIDIA's revenue by market as a reviewed table typed from its quarterly filings: hyperscale, the rest, edge.

A line whose parts do not add up to its totals gives no row. The day of filing is not in the table: a figure counts as
stated on the day by which the filing was due.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Final

from pipelines.model.market import CapturedTable, FilingFigure, MarketRows
from pipelines.parse.sources.records import FieldProblem, Reader, Record, read_csv
from pipelines.problems import Reason

TABLES = ("filings",)

_REQUIRED: Final = (
    "period", "period_end", "total_revenue_usd_m", "data_center_usd_m", "hyperscale_usd_m", "acie_usd_m",
    "edge_usd_m", "filing", "evidence",
)  # fmt: skip
_SEGMENTS: Final[Mapping[str, str]] = {
    "total_revenue_usd_m": "total",
    "data_center_usd_m": "data_center",
    "hyperscale_usd_m": "data_center_hyperscale",
    "acie_usd_m": "data_center_other",  # AI clouds, industrial and enterprise
    "edge_usd_m": "edge",
}
_FILING: Final = re.compile(r"(10-[QK]) ((Q\d) FY(\d{4}))")
_CIK: Final = 1045810
_QUARTER: Final = dt.timedelta(weeks=13)  # NVIDIA's fiscal quarters; one in about six years has 14 weeks
_DUE: Final = dt.timedelta(days=40)  # of a large accelerated filer's 10-Q, general instruction A.1 of the form
_READ_IN_FILING: Final = "read in the filing"
_FILINGS: Final = "https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=1045810&type=10-Q"
_MILLION: Final = 1e6


def parse(table: CapturedTable) -> MarketRows:
    """Figures of the reviewed table. Raises InputError where it has other columns."""
    records = list(read_csv(table, _REQUIRED))
    reader = Reader(table)
    ends = dict(reader.rows(records, lambda record: (record.text("period"), record.day("period_end"))))
    reader.unread.clear()  # nothing is left unread before the lines are read
    lines = reader.rows(records, lambda record: _parse_line(record, ends))
    return reader.done(filings=[figure for line in lines for figure in line])


def _parse_line(record: Record, ends: Mapping[str, dt.date]) -> list[FilingFigure]:
    filing = _FILING.match(record.text("filing"))
    if filing is None or filing[2] not in ends:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'filing' is {record.text('filing')!r}: no quarter of this table")
    values = {segment: record.number(column) * _MILLION for column, segment in _SEGMENTS.items()}
    _check_sums(values)
    is_read = record.text("evidence") == _READ_IN_FILING
    end = record.day("period_end")
    return [
        FilingFigure(
            stated_on=ends[filing[2]] + _DUE,
            stated_on_basis="due",
            company_raw="NVIDIA",
            cik=_CIK,
            metric="revenue",
            concept=column.removesuffix("_usd_m"),
            segment=segment,
            period_start=end - _QUARTER + dt.timedelta(days=1),
            period_end=end,
            value=values[segment],
            currency="USD",
            form=filing[1],
            accession="",
            fiscal_year=int(filing[4]),
            fiscal_period=filing[3],
            filing_url=_FILINGS,
            caveats=() if is_read else ("indirect",),
        )
        for column, segment in _SEGMENTS.items()
    ]


def _check_sums(values: Mapping[str, float]) -> None:
    """The parts of a line meet its printed totals, to the million."""
    parts = values["data_center_hyperscale"] + values["data_center_other"]
    for name, total, found in (
        ("data_center", values["data_center"], parts),
        ("total", values["total"], values["data_center"] + values["edge"]),
    ):
        if abs(total - found) >= _MILLION:
            detail = f"the parts of {name!r} add up to {found:.0f}, printed is {total:.0f}"
            raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, detail)
