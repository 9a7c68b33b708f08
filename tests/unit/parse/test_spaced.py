"""Tables without signs: columns that spaces keep apart, records of fields, and what is neither."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.model.document import BlockKind
from pipelines.parse.text import parse_text
from tests.code_kit import cells, read

COLUMNS = """\
chip          memory   power
----          ------   -----
Widget 100    80 GB    700 W
Widget 200    192 GB   1,000 W"""
GAPS = """\
chip          memory   power  price
Widget 100    80 GB    700 W
Widget 200             1 kW   $9,000"""
RECORDS = """\
chip,memory,power
Widget 100,80,700
"Widget 200, SXM",192,1000"""


def test_a_note_below_records_is_no_row_and_takes_none_away() -> None:
    note = '"Notes: blank is not reported, and more than forty characters of it.",,'
    assert cells(read(f"{RECORDS}\nWidget 300,288,1400\n{note}")) == [
        *cells(read(RECORDS)),
        ["Widget 300", "288", "1400"],
    ]


def test_of_many_fields_one_may_be_a_note() -> None:
    rows = ["a,b,c,d,e,f", "x,1,2,3,4," + 41 * "n", "y,1,2,3,4,5"]
    assert len(cells(read("\n".join(rows)))) == 3
    assert read("\n".join([*rows[:1], rows[1].replace("4", 41 * "m"), *rows[2:]])).tables == ()
    assert read("\n".join([*rows[:1], 41 * "n" + ",,,,,", *rows[2:]])).tables == ()  # nothing but a note


def test_columns_that_spaces_keep_apart_are_a_table_with_a_head() -> None:
    assert cells(read(COLUMNS)) == [
        ["chip", "memory", "power"],
        ["Widget 100", "80 GB", "700 W"],
        ["Widget 200", "192 GB", "1,000 W"],
    ]
    assert read(COLUMNS).tables[0].header_rows == 1


def test_a_rule_may_be_one_line_and_columns_need_not_lie_under_each_other() -> None:
    drawn = "chip  memory  power\n-----------\nWidget 100  80 GB  700 W\nX  192 GB  1,000 W"
    assert cells(read(drawn)) == [
        ["chip", "memory", "power"],
        ["Widget 100", "80 GB", "700 W"],
        ["X", "192 GB", "1,000 W"],
    ]


RULED = """\
           memory   power
           ------   -----
Widget 1   80 GB     0.7
Widget 2   unobtainable
Widget 33   96 GB  1,100
"""


def test_a_rule_in_parts_says_where_columns_begin() -> None:
    assert cells(read(RULED)) == [
        ["", "memory", "power"],
        ["Widget 1", "80 GB", "0.7"],
        ["Widget 2", "unobtainable", ""],  # goes on below the next part: one cell
        ["Widget 33", "96 GB", "1,100"],  # begins a little on the left of its part
    ]
    indented = "  rack    kW\n  -----   ---\n  R36     66\n  R72     ?\n  R144    240"
    assert cells(read(indented)) == [["rack", "kW"], ["R36", "66"], ["R72", "?"], ["R144", "240"]]


def test_where_a_row_has_gaps_the_columns_are_where_all_have_spaces() -> None:
    assert cells(read(GAPS)) == [
        ["chip", "memory", "power", "price"],
        ["Widget 100", "80 GB", "700 W", ""],
        ["Widget 200", "", "1 kW", "$9,000"],
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_records_below_their_head_are_a_table(delimiter: str) -> None:
    own = RECORDS.replace(",", delimiter) if delimiter != "," else RECORDS
    found = cells(read(own))
    assert found[1] == ["Widget 100", "80", "700"]
    assert found[2][-2:] == ["192", "1000"]


def test_what_stands_around_a_table_stays_code() -> None:
    document = read(f"$ show\n\n{COLUMNS}\n\n(2 rows)")
    assert [document.text_of(block) for block in document.blocks if block.kind is BlockKind.CODE] == [
        "$ show",
        "(2 rows)",
    ]


@pytest.mark.parametrize(
    "code",
    [
        "make    build\nmake    test\nmake    run",  # no figures
        "Widget 100    80 GB\nWidget 200    90 GB",  # two lines are no table
        "x = 3       # memory\ny = 80      # power\nz = 700     # price",  # code with comments
        "size      = 80\npower     = 700\nprice     = 9000",  # assignments
        "run  --gpus 8\nrun  --gpus 9\nrun  --gpus 7",  # options
        "1, 2, 3\n4, 5, 6\n7, 8, 9",  # no head
        "[1, 2, 3],\n[4, 5, 6],\n[7, 8, 9],",  # a literal
        "memory, power, price\n80, 700, 9000\n80, 700",  # not of as many fields
        "- one    80\n- two    90\n- three  70",  # a list
        "run    80    # fast\nrun    90    # fast\nrun    70    # fast",
        "1  2  34567890\n123456  789012\n12345678  9012",  # no column in common
        "1, alpha, beta\n2, 3, 4\n5, 6, 7",  # nothing of a head in its first place
        f"We, {'say ' * 12}, so\nWe, 80 {'say ' * 12}, 3\nWe, 90 {'say ' * 12}, 4",  # sentences
        "\n".join(f"name {number}    {'x' * 400}    80" for number in (1, 2, 3)),  # too wide
        "\n".join(["name    size", *(f"n    {number}" for number in range(2_000))]),  # too long
    ],
)
def test_code_stays_code(code: str) -> None:
    document = read(code)
    assert document.tables == ()
    assert [document.text_of(block) for block in document.blocks] == [code]


def test_columns_in_plain_text_are_a_table_between_paragraphs() -> None:
    text = f"Our chips\n\nWhat we sell, in rows.\n\n{COLUMNS}\n\nAll prices without tax, as ever.\n"
    document = parse_text(text, None, date(2026, 1, 1))
    assert cells(document)[2] == ["Widget 200", "192 GB", "1,000 W"]
    kinds = [block.kind for block in document.blocks]
    assert kinds == [BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.PARAGRAPH]


def test_a_line_above_columns_in_plain_text_is_their_heading() -> None:
    document = parse_text(f"Our chips\n\n{COLUMNS}\n", None, date(2026, 1, 1))
    assert [block.kind for block in document.blocks] == [BlockKind.HEADING, BlockKind.TABLE]


@given(st.text(alphabet="ab1 ,;\t\n-#=|", max_size=200))
def test_nothing_is_lost_or_made_up(text: str) -> None:
    words = [word for line in text.split("\n") for word in line.replace("|", " ").split() if word.strip("-=#,;|")]
    found = read(text).text
    assert all(any(part in found for part in (word, word.strip(",;"))) for word in words if word.isalnum())
