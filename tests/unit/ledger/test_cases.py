"""Cases of a file: what is read of them, and what is refused with line and reason."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from pipelines.ledger.cases import claimant_kind, owns, party_key, read_cases


def _case(**changes: Any) -> dict[str, Any]:
    statement = {
        "value": 120, "unit": "kW", "modality": "announced", "claimant": "NVIDIA", "printed_by": "Northern Post",
        "printed_by_kind": "press", "stated_on": "2025-03", "qualifiers": {"per": "rack"},
    }  # fmt: skip
    told = {**statement, **changes.pop("statement", {})}
    case = {"id": "a", "subject": "NVIDIA GB200 NVL72", "metric": "power", "qualifiers": {}, "as_of": "2026-11-22"}
    return {**case, "statements": [told], **changes}


def _read(*cases: dict[str, Any]) -> list[Any]:
    return list(read_cases([json.dumps(case) for case in cases]))


def test_a_month_is_known_at_its_end_and_a_figure_is_in_the_metrics_unit() -> None:
    [(case, [row])] = _read(_case(statement={"value": 120000, "unit": "W"}))
    assert case["id"] == "a"
    assert (row.value, row.low, row.high) == (120.0, None, None)
    assert (row.stated_from, row.stated_to) == (dt.date(2025, 3, 1), dt.date(2025, 3, 31))
    assert row.known_from == dt.date(2025, 3, 31)


def test_what_is_dated_to_the_year_of_reading_is_known_on_the_day_of_reading() -> None:
    [(_, [row])] = _read(_case(statement={"stated_on": "2026"}))
    assert row.known_from == dt.date(2026, 11, 22)


def test_an_undated_statement_is_known_when_it_was_read() -> None:
    [(_, [row])] = _read(_case(statement={"stated_on": None}))
    assert (row.stated_from, row.stated_to, row.known_from) == (None, None, dt.date(2026, 11, 22))


def test_a_period_is_days_since_1970() -> None:
    [(_, [row])] = _read(_case(metric="available_from", statement={"value": "1970-Q1", "unit": "date"}))
    assert (row.low, row.high, row.value) == (0.0, 89.0, None)


@pytest.mark.parametrize(
    ("case", "reason"),
    [
        (_case(metric="speed"), "metric: 'speed' is no metric"),
        (_case(as_of="2026-13-01"), "as_of: expected a day"),
        (_case(statements={}), "statements: expected a list"),
        (_case(statement={"claimant": None}), r"statements\[0\].claimant: expected a text"),
        (_case(statement={"unit": "parsec"}), r"statements\[0\].unit: "),
        (_case(statement={"value": "many"}), r"statements\[0\].value: expected a number"),
        (_case(statement={"printed_by_kind": "blogger"}), r"statements\[0\].printed_by_kind: expected one of"),
        (_case(statement={"stated_on": "March"}), r"statements\[0\].stated_on: expected a date"),
    ],
)
def test_a_bad_case_is_refused_with_line_and_reason(case: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=rf"^line 2( b)?: {reason}"):
        _read(_case(), {**case, "id": "b"})


def test_broken_json_and_a_case_that_stands_twice_are_refused() -> None:
    with pytest.raises(ValueError, match="line 1: no JSON"):
        list(read_cases(["{"]))
    with pytest.raises(ValueError, match="line 2: id: 'a' stands twice"):
        _read(_case(), _case())


def test_a_spokesman_speaks_for_his_company_and_a_subsidiary_for_its_parent() -> None:
    assert party_key("NVIDIA (Jensen Huang)") == party_key("Nvidia") == "nvidia"
    assert party_key("Xilinx") == "amd"


@pytest.mark.parametrize(
    ("claimant", "printer", "kind", "expected"),
    [
        ("NVIDIA", "Northern Post", "press", "party"),
        ("NVIDIA", "NVIDIA", "maker", "maker"),
        ("SemiAnalysis", "Northern Post", "press", "analyst"),
        ("Huawei insider", "Northern Post", "press", "aggregator"),
        ("market rumours", "Northern Post", "press", "aggregator"),
    ],
)
def test_the_kind_of_a_claimant(claimant: str, printer: str, kind: str, expected: str) -> None:
    assert claimant_kind(claimant, printer, kind) == expected


def test_the_owner_of_a_subject_is_its_maker_or_bears_its_name() -> None:
    assert owns("NVIDIA", "Vera Rubin NVL144")
    assert owns("TACC", "TACC Horizon")
    assert not owns("SemiAnalysis", "NVIDIA Rubin")
    assert not owns("Huawei insider", "Huawei Atlas 950 SuperPoD")
