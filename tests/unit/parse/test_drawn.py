"""Tables drawn with signs: what is one, where its head is, and what stays code."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.model.document import BlockKind
from pipelines.parse.text import parse_text
from tests.code_kit import cells, read

GRID = """\
+------------+---------+
| Chip       | Memory  |
+============+=========+
| Widget 100 | 80 GB   |
|            | of HBM3 |
+------------+---------+
| Widget 200 | 192 GB  |
+------------+---------+"""
BOX = """\
┌────────────┬────────┐
│ Chip       │ Memory │
├────────────┼────────┤
│ Widget 100 │ 80 GB  │
│ Widget 200 │ 192 GB │
└────────────┴────────┘"""
QUERY = """\
 Chip       | Memory |
------------+--------+
 Widget 100 | 80 GB  |
 Widget 200 | 192 GB |"""


@pytest.mark.parametrize("drawn", [BOX, QUERY])
def test_rows_below_a_rule_are_a_table_with_a_head(drawn: str) -> None:
    document = read(drawn)
    assert cells(document) == [["Chip", "Memory"], ["Widget 100", "80 GB"], ["Widget 200", "192 GB"]]
    assert document.tables[0].header_rows == 1


def test_between_rules_a_line_without_a_first_cell_goes_on_with_the_row_above() -> None:
    assert cells(read(GRID)) == [["Chip", "Memory"], ["Widget 100", "80 GB of HBM3"], ["Widget 200", "192 GB"]]


def test_rows_without_an_inner_rule_have_no_head_of_their_own() -> None:
    assert read("+-----+-------+\n| 100 | 80 GB |\n| 200 | 90 GB |\n+-----+-------+").tables[0].header_rows == 0


def test_what_stands_around_a_table_stays_code() -> None:
    document = read(f"$ query\n{BOX}\n\n  (2 rows)")
    kinds = [(block.kind, document.text_of(block)) for block in document.blocks]
    assert kinds[0] == (BlockKind.CODE, "$ query")
    assert kinds[-1] == (BlockKind.CODE, "  (2 rows)")
    assert len(document.tables) == 1


@pytest.mark.parametrize(
    "code",
    [
        "cat a | sort | uniq\ncat b | sort | uniq",  # no rule
        "│ one │\n├─────┤\n│ two │",  # a box of one column
        "| a | b |\n+---+---+\n| a | b | c |",  # rows of unlike cells
        "| a | b |\n+---+---+",  # a head alone
        "| A | B\n| --\nx = a | b",
    ],
)  # fmt: skip
def test_code_that_is_no_table_stands_as_it_is(code: str) -> None:
    document = read(code)
    assert not document.tables
    assert document.text == code


def test_plain_text_joins_a_head_with_the_rows_below_its_rule() -> None:
    document = parse_text(f"Memory of the parts\n\n{GRID}\n", None, date(2026, 11, 1))
    assert cells(document)[0] == ["Chip", "Memory"]
    assert document.tables[0].header_rows == 1


@given(st.text("|+-= ab\n│─┼", max_size=120))
def test_nothing_that_stands_in_a_cell_is_lost(code: str) -> None:
    document = read(code)
    assert sorted(c for c in document.text if c in "ab") == sorted(c for c in code if c in "ab")
