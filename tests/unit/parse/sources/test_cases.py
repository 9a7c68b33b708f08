"""Every case folder of a market parser: one test a field, the problems, the fields nobody read, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.parse.parsers import parser_names
from pipelines.problems import InputError
from tests.market_cases import Case, cases, plain

CASES = cases()
READ = [case for case in CASES if "refused" not in case.expected]
REFUSED = [case for case in CASES if "refused" in case.expected]
FIELDS = [
    pytest.param(case, table, index, field, value, id=f"{case.id}:{table}[{index}].{field}")
    for case in READ
    for table, rows in case.expected["rows"].items()
    for index, row in enumerate(rows)
    for field, value in row.items()
]


@pytest.mark.parametrize(("case", "table", "index", "field", "value"), FIELDS)
def test_a_field_is_what_the_input_says(case: Case, table: str, index: int, field: str, value: Any) -> None:
    assert plain(case.parse().rows[table][index])[field] == value


@pytest.mark.parametrize("case", READ, ids=lambda case: case.id)
def test_nothing_is_added_left_out_or_passed_over_in_silence(case: Case) -> None:
    found = case.outcome()
    assert {name: [list(row) for row in rows] for name, rows in found["rows"].items()} == {
        name: [list(row) for row in rows] for name, rows in case.expected["rows"].items()
    }
    assert found["problems"] == case.expected["problems"]
    assert found["unread"] == case.expected["unread"]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_what_has_another_form_is_refused_by_name(case: Case) -> None:
    with pytest.raises(InputError) as caught:
        case.parse()
    assert {"reason": caught.value.reason.value, "detail": caught.value.detail} == case.expected["refused"]


@pytest.mark.parametrize("source", sorted({case.source for case in CASES}))
def test_each_of_these_parsers_has_a_refusal_and_a_reading(source: str) -> None:
    assert source in parser_names()
    assert {case.source for case in REFUSED} & {source} == {case.source for case in READ} & {source} == {source}
