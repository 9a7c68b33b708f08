"""EDGAR company facts: capital expenditure and revenue of one company, every filing's statement of every period.

Built to the documented form of the API; no live answer has been seen. The answer has no segments: `segment` is always
'total'. Which concept is best for a period, and quarters out of year-to-date figures, are the warehouse's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from pipelines.model.market import CapturedTable, FilingFigure, MarketRows
from pipelines.parse.sources.records import Columns, FieldProblem, Reader, Record, by, numbered, refuse
from pipelines.problems import Reason

TABLES = ("filings",)

_CONCEPTS: Final[Mapping[str, str]] = {
    "PaymentsToAcquirePropertyPlantAndEquipment": "capex",
    "PaymentsToAcquireProductiveAssets": "capex",
    "Revenues": "revenue",
    "RevenueFromContractWithCustomerExcludingAssessedTax": "revenue",
    "RevenueFromContractWithCustomerIncludingAssessedTax": "revenue",
    "SalesRevenueNet": "revenue",
}
_ARCHIVE: Final = "https://www.sec.gov/Archives/edgar/data"


def parse(table: CapturedTable) -> MarketRows:
    """Figures of one company. Raises InputError where it is no answer of companyfacts."""
    reader, figures = Reader(table), list[FilingFigure]()
    answer = reader.whole()
    try:
        company, cik = answer.text("entityName"), answer.optional_count("cik")
        facts = Record(answer.raw("facts"))
        concepts = Record(facts.raw("us-gaap"))
    except FieldProblem as problem:
        raise refuse(table, problem.detail) from None
    if cik is None:
        raise refuse(table, "no 'cik'")
    facts.ignore("dei", "srt", "invest", "ifrs-full", "ffd")
    reader.unread |= {f"facts.{name}" for name in facts.unread}
    for concept in _CONCEPTS:
        place, entry = f"us-gaap.{concept}", concepts.raw(concept)
        if entry is None:  # a company that does not use the concept
            continue
        statements = reader.row(place, entry, _statements) or []
        figures += reader.rows(
            numbered(place, statements), partial(_parse_figure, company, cik, concept), f"us-gaap.{concept}."
        )
    if not figures:
        raise refuse(table, "none of the concepts of revenue and capital expenditure has a figure in USD")
    return reader.done(filings=figures)


def _statements(entry: Record) -> list[object]:
    """A concept's statements in USD."""
    entry.ignore("label", "description")
    found = Record(entry.raw("units")).raw("USD")
    if not isinstance(found, list):
        raise FieldProblem(Reason.FIELD_MISSING, "no list of figures in USD")
    return found


def _parse_figure(company: str, cik: int, concept: str, record: Record) -> FilingFigure:
    start, end = record.day("start"), record.day("end")
    if end <= start:
        raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"the period ends on {end}, before it starts on {start}")
    return _FIGURE.read(
        record, company_raw=company, cik=cik, metric=_CONCEPTS[concept], concept=f"us-gaap:{concept}",
        filing_url=f"{_ARCHIVE}/{cik}/{record.text('accn').replace('-', '')}/",
    )  # fmt: skip


_FIGURE: Final = Columns(
    FilingFigure, ("frame",),  # the API's own choice of calendar period
    stated_on="filed", stated_on_basis=lambda _: "filed", segment=lambda _: "total", period_start="start",
    period_end="end", value="val", currency=lambda _: "USD", form=by(Record.text, "form"), accession="accn",
    fiscal_year="fy", fiscal_period="fp",
)  # fmt: skip
