"""Rows of the ledger: what fits is typed, what does not is refused by file, line and field."""

from __future__ import annotations

import csv
import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.ledger import load_ledger
from pipelines.ledger.fields import FieldError, read_period, read_qualifiers
from pipelines.ledger.row import COLUMNS
from pipelines.problems import Reason

GOOD = {
    "ref": "T1",
    "subject": "GB200 NVL72",
    "metric": "scale_up_bandwidth",
    "value": "130",
    "unit": "TB/s",
    "qualifiers": "per=rack; direction=both ways",
    "modality": "announced",
    "claimant": "NVIDIA",
    "evidence": "vendor",
    "stated_on": "2025-09",
    "url": "https://blogs.nvidia.com/a",
    "publisher": "NVIDIA",
    "printed": "130 TB/s",
}


def write(folder: Path, *records: dict[str, str]) -> Path:
    with (folder / "rows.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="")
        writer.writeheader()
        writer.writerows(records)
    return folder


def test_a_row_becomes_a_typed_claim(tmp_path: Path) -> None:
    report = load_ledger(write(tmp_path, GOOD))
    (row,) = report.rows
    assert report.problems == ()
    assert (row.subject_id, row.value, row.unit) == ("nvidia-gb200-nvl72", 130.0, "TB/s")
    assert (row.stated_on, row.stated_on_precision) == (dt.date(2025, 9, 30), "month")
    assert (row.method, row.locator, row.caveats) == ("hand", "rows.csv T1", ("own_product",))


def test_a_page_without_a_date_says_by_when_it_had_been_stated(tmp_path: Path) -> None:
    bound = {"stated_on": "", "stated_not_after": "2025-09-14", "read_on": "2025-10-01"}
    undated = (
        GOOD
        | bound
        | {"caveats": "undated", "evidence": "reported", "publisher": "Some site", "url": "https://example.org/a"}
    )
    (row,) = load_ledger(write(tmp_path, undated)).rows
    assert (row.stated_on, row.stated_not_after, row.read_on) == (None, dt.date(2025, 9, 14), dt.date(2025, 10, 1))
    assert (row.stated_on_precision, row.printed_by) == ("unknown", "Some site")


def test_columns_that_a_row_may_leave_out_may_be_missing_from_the_file(tmp_path: Path) -> None:
    with (tmp_path / "rows.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [*GOOD])
        writer.writeheader()
        writer.writerow(GOOD)
    (row,) = load_ledger(tmp_path).rows
    assert (row.printed_by, row.stated_not_after, row.read_on, row.note) == ("NVIDIA", None, None, "")


def test_units_are_made_canonical(tmp_path: Path) -> None:
    power = GOOD | {"metric": "power", "value": "120000", "unit": "W", "qualifiers": "per=rack"}
    (row,) = load_ledger(write(tmp_path, power)).rows
    assert (row.value, row.unit) == (120.0, "kW")


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"qualifiers": "per=rack"}, "qualifiers: scale_up_bandwidth needs direction: state it or write 'unstated'"),
        ({"unit": "kW"}, "unit: 'kW' is no unit of 'TB/s'; scale_up_bandwidth is kept in TB/s"),
        ({"unit": "furlongs"}, "unit: unit 'furlongs' is not known; scale_up_bandwidth is kept in TB/s"),
        ({"metric": "bandwith"}, "metric: 'bandwith' is no metric of metrics.yaml"),
        ({"value": "1,300"}, "value: expected a plain number without separators or unit, found '1,300'"),
        ({"evidence": ""}, "evidence: is empty; a claim needs it"),
        ({"stated_on": ""}, "stated_on: is empty; say stated_not_after where the page gives no date"),
        (
            {"stated_on": "last year"},
            "stated_on: expected a date such as 2025-03-18, 2025-03 or 2025, found 'last year'",
        ),
        ({"stated_on": "2025-13"}, "stated_on: '2025-13' is no date: month must be in 1..12"),
        ({"url": "nvidia.com"}, "url: expected a web address, found 'nvidia.com'"),
        (
            {"url": "https://blogs.nvidia.com/"},
            "url: 'https://blogs.nvidia.com/' leads to the root of a site, not to the page",
        ),
        ({"url": "https://dev.to/a/b"}, "evidence: NVIDIA on a page of dev.to is unverified at most, found vendor"),
        (
            {"url": "https://unheard.example/a"},
            "evidence: NVIDIA on a page of NVIDIA is reported at most, found vendor",
        ),
        ({"due_on": "2028"}, "due_on: a forecast needs due_on, criterion and state together"),
        ({"qualifiers": "per=rack; per=gpu"}, "qualifiers: 'per' stands twice"),
    ],
)
def test_a_bad_row_is_refused_by_name_and_the_rest_kept(tmp_path: Path, change: dict[str, str], detail: str) -> None:
    report = load_ledger(write(tmp_path, GOOD | change, GOOD | {"ref": "T2"}))
    assert [row.ref for row in report.rows] == ["T2"]
    (problem,) = report.problems
    assert (problem.place, problem.reason, problem.detail) == ("line 2 T1", Reason.FACT_REFUSED, detail)


def test_a_reference_stands_once(tmp_path: Path) -> None:
    report = load_ledger(write(tmp_path, GOOD, GOOD))
    assert len(report.rows) == 1
    assert "stands already in rows.csv line 2" in report.problems[0].detail


def test_a_link_to_nowhere_is_told_and_kept(tmp_path: Path) -> None:
    report = load_ledger(write(tmp_path, GOOD | {"origin_ref": "T9"}))
    assert report.rows[0].origin_ref == "T9"
    assert report.problems[0].is_fatal is False


def test_a_file_with_other_columns_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("ref,subject\nT1,x\n", encoding="utf-8")
    report = load_ledger(tmp_path)
    assert report.rows == ()
    assert report.problems[0].place == "header"


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2026", "2026-01-01", "2026-12-31"),
        ("2026-H2", "2026-07-01", "2026-12-31"),
        ("2027-Q3", "2027-07-01", "2027-09-30"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2025-03-18..2025-12", "2025-03-18", "2025-12-31"),
    ],
)
def test_periods(text: str, start: str, end: str) -> None:
    assert read_period("value", text) == (dt.date.fromisoformat(start), dt.date.fromisoformat(end))


@given(st.text(max_size=30))
def test_any_field_is_read_or_refused_by_name(text: str) -> None:
    refused = []
    for read in (read_period, read_qualifiers):
        try:
            read("value", text)
        except FieldError as error:
            refused.append(error.field)
    assert set(refused) <= {"value"}
