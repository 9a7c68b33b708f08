"""EDGAR's company facts in the documented form (no live answer was at hand: all of it is made up), and the table of
NVIDIA's split."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from pipelines.model.market import FilingFigure
from pipelines.parse.sources import nvidia_datacenter_split, sec_company_facts
from pipelines.problems import InputError, Reason
from tests.market_kit import captured

URL = "https://data.sec.gov/api/xbrl/companyfacts/CIK0000999999.json"
SPLIT_URL = "https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=1045810&type=10-Q"
HEADER = (
    "period,period_end,total_revenue_usd_m,data_center_usd_m,hyperscale_usd_m,acie_usd_m,edge_usd_m,filing,evidence"
)


def statement(**changes: Any) -> dict[str, Any]:
    """One filing's figure for one period."""
    return {
        "start": "2026-01-01", "end": "2026-03-31", "val": 1000000, "accn": "0000999999-26-000010", "fy": 2026,
        "fp": "Q1", "form": "10-Q", "filed": "2026-04-30", "frame": "CY2026Q1",
    } | changes  # fmt: skip


def answer(**concepts: list[dict[str, Any]]) -> dict[str, Any]:
    """An answer of companyfacts with figures in USD under these concepts."""
    return {
        "cik": 999999,
        "entityName": "EXAMPLE CORP",
        "facts": {
            "dei": {"EntityCommonStockSharesOutstanding": {}},
            "us-gaap": {
                "Assets": {"label": "Assets", "units": {"USD": []}},
                **{
                    name: {"label": name, "description": "", "units": {"USD": found}}
                    for name, found in concepts.items()
                },
            },
        },
    }


def test_a_figure_is_read_with_its_filing() -> None:
    body = answer(PaymentsToAcquirePropertyPlantAndEquipment=[statement()])
    rows = parse_facts(body)
    assert rows == [
        FilingFigure(
            stated_on=dt.date(2026, 4, 30), stated_on_basis="filed", company_raw="EXAMPLE CORP", cik=999999,
            metric="capex", concept="us-gaap:PaymentsToAcquirePropertyPlantAndEquipment", segment="total",
            period_start=dt.date(2026, 1, 1), period_end=dt.date(2026, 3, 31), value=1_000_000.0, currency="USD",
            form="10-Q", accession="0000999999-26-000010", fiscal_year=2026, fiscal_period="Q1",
            filing_url="https://www.sec.gov/Archives/edgar/data/999999/000099999926000010/",
        )
    ]  # fmt: skip


def parse_facts(body: object) -> list[object]:
    return list(sec_company_facts.parse(captured("sec_company_facts", URL, body)).rows["filings"])


def test_every_statement_of_a_period_is_kept() -> None:
    again = statement(val=1_100_000, accn="0000999999-27-000010", fy=2027, filed="2027-04-30")
    found = parse_facts(answer(Revenues=[statement(), again], SalesRevenueNet=[statement()]))
    assert [(f.value, f.concept) for f in found if isinstance(f, FilingFigure)] == [
        (1_000_000.0, "us-gaap:Revenues"),
        (1_100_000.0, "us-gaap:Revenues"),
        (1_000_000.0, "us-gaap:SalesRevenueNet"),
    ]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"start": None}, Reason.FIELD_MISSING),
        ({"val": "n/a"}, Reason.FIELD_UNREADABLE),
        ({"end": "2025-12-31"}, Reason.VALUE_IMPLAUSIBLE),
        ({"accn": ""}, Reason.FIELD_MISSING),
    ],
)
def test_an_odd_statement_is_named_and_the_rest_goes_on(changes: dict[str, Any], reason: Reason) -> None:
    rows = sec_company_facts.parse(
        captured("sec_company_facts", URL, answer(Revenues=[statement(**changes), statement()]))
    )
    assert [(p.reason, p.place) for p in rows.problems] == [(reason, f"{URL}: us-gaap.Revenues[0]")]
    assert len(rows.rows["filings"]) == 1


def test_a_concept_in_another_currency_only_is_named() -> None:
    body = answer(Revenues=[statement()])
    body["facts"]["us-gaap"]["SalesRevenueNet"] = {"units": {"EUR": [statement()]}}
    rows = sec_company_facts.parse(captured("sec_company_facts", URL, body))
    assert [p.detail for p in rows.problems] == ["no list of figures in USD"]


@pytest.mark.parametrize("body", [{}, {"cik": 1, "entityName": "X"}, answer(), [1], answer() | {"facts": {}}])
def test_what_is_no_answer_of_companyfacts_is_refused(body: object) -> None:
    with pytest.raises(InputError) as caught:
        parse_facts(body)
    assert caught.value.reason is Reason.TABLE_UNREADABLE


def split(*lines: str) -> list[FilingFigure]:
    table = captured("nvidia_datacenter_split", SPLIT_URL, "\n".join((HEADER, *lines)) + "\n")
    found = nvidia_datacenter_split.parse(table).rows["filings"]
    return [figure for figure in found if isinstance(figure, FilingFigure)]


def test_a_line_of_the_split_gives_its_total_and_parts() -> None:
    found = split("Q1 FY2027,2026-04-26,100,80,50,30,20,10-Q Q1 FY2027,read in the filing")
    assert {f.segment: f.value for f in found} == {
        "total": 100e6, "data_center": 80e6, "data_center_hyperscale": 50e6, "data_center_other": 30e6, "edge": 20e6,
    }  # fmt: skip
    first = found[0]
    assert (first.period_start, first.period_end) == (dt.date(2026, 1, 26), dt.date(2026, 4, 26))
    assert (first.stated_on, first.stated_on_basis) == (dt.date(2026, 6, 5), "due")
    assert (first.form, first.fiscal_year, first.fiscal_period, first.caveats) == ("10-Q", 2027, "Q1", ())


def test_a_quarter_restated_in_a_later_filing_is_dated_by_that_filing() -> None:
    found = split(
        "Q1 FY2026,2025-04-27,10,8,5,3,2,10-Q Q1 FY2027 (recast comparative),quoted by others",
        "Q1 FY2027,2026-04-26,100,80,50,30,20,10-Q Q1 FY2027,read in the filing",
    )
    assert {(f.period_end, f.stated_on, f.caveats) for f in found} == {
        (dt.date(2025, 4, 27), dt.date(2026, 6, 5), ("indirect",)),
        (dt.date(2026, 4, 26), dt.date(2026, 6, 5), ()),
    }


@pytest.mark.parametrize(
    ("line", "detail"),
    [
        (
            "Q1 FY2027,2026-04-26,100,80,50,31,20,10-Q Q1 FY2027,x",
            "the parts of 'data_center' add up to 81000000, printed is 80000000",
        ),
        (
            "Q1 FY2027,2026-04-26,101,80,50,30,20,10-Q Q1 FY2027,x",
            "the parts of 'total' add up to 100000000, printed is 101000000",
        ),
        (
            "Q1 FY2027,2026-04-26,100,80,50,30,20,press release,x",
            "'filing' is 'press release': no quarter of this table",
        ),
    ],
)
def test_a_line_whose_parts_do_not_add_up_gives_no_row(line: str, detail: str) -> None:
    table = captured("nvidia_datacenter_split", SPLIT_URL, f"{HEADER}\n{line}\n")
    rows = nvidia_datacenter_split.parse(table)
    assert rows.rows["filings"] == []
    assert [(p.detail, p.place) for p in rows.problems] == [(detail, f"{SPLIT_URL}: line 2")]


def test_another_table_is_refused() -> None:
    with pytest.raises(InputError, match="no column period_end"):
        nvidia_datacenter_split.parse(captured("nvidia_datacenter_split", SPLIT_URL, "period,revenue\nQ1,1\n"))


def test_the_reviewed_table_adds_up(shared: Path) -> None:
    data = (shared / "market/sec_nvda_datacenter_split.csv").read_bytes()
    rows = nvidia_datacenter_split.parse(captured("nvidia_datacenter_split", SPLIT_URL, data))
    figures = {(f.period_end, f.segment): f.value for f in rows.rows["filings"] if isinstance(f, FilingFigure)}
    assert figures[dt.date(2026, 7, 26), "data_center_hyperscale"] == 48_710e6
    assert figures[dt.date(2026, 7, 26), "data_center_other"] == 40_313e6
    assert (len(figures), rows.problems, rows.unread) == (15, (), ())
