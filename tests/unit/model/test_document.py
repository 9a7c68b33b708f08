"""A document's places: which block holds a character, what a cell that spans covers, what stands above and left."""

from __future__ import annotations

import pytest

from pipelines.model.document import Block, BlockKind, Cell, Document, DocumentFormat, Table

#       0         1         2
#       0123456789012345678901234
TEXT = "Rack\nPower A B 132 kW\nEnd"
PLACES = {"Power": (5, 10), "A": (11, 12), "B": (13, 14), "132 kW": (15, 21)}


def cell(text: str, row: int, column: int, **spans: int) -> Cell:
    start, end = PLACES[text]
    return Cell(start=start, end=end, row=row, column=column, **spans)  # type: ignore[arg-type]


# 'Power' stands left of both rows, '132 kW' below A and B
GRID = Table(
    start=5,
    end=21,
    row_count=2,
    column_count=3,
    header_rows=1,
    header_columns=1,
    cells=(
        cell("Power", 0, 0, row_span=2),
        cell("A", 0, 1),
        cell("B", 0, 2),
        cell("132 kW", 1, 1, column_span=2),
    ),
)
BLOCKS = (Block(BlockKind.PARAGRAPH, 0, 4), Block(BlockKind.TABLE, 5, 21, table=0), Block(BlockKind.PARAGRAPH, 22, 25))
PAGE = Document("d", DocumentFormat.HTML, TEXT, BLOCKS, (GRID,))


@pytest.mark.parametrize(
    ("offset", "block"), [(0, 0), (3, 0), (4, None), (5, 1), (20, 1), (21, None), (22, 2), (24, 2), (25, None)]
)
def test_a_character_lies_in_one_block_or_between_two(offset: int, block: int | None) -> None:
    assert PAGE.block_at(offset) == (None if block is None else BLOCKS[block])


def test_a_document_without_text_has_no_block() -> None:
    assert Document("d", DocumentFormat.HTML, "", ()).block_at(0) is None


def test_a_cell_that_spans_fills_all_that_it_covers() -> None:
    assert PAGE.rows_of(GRID) == (("Power", "A", "B"), ("Power", "132 kW", "132 kW"))


def test_what_no_cell_covers_is_empty_and_spans_end_with_the_grid() -> None:
    table = Table(5, 21, 1, 3, 0, 0, (cell("A", 0, 1, row_span=5, column_span=9),))
    assert PAGE.rows_of(table) == (("", "A", "A"),)


def test_headers_stand_above_and_left_each_once() -> None:
    assert [PAGE.text_of(head) for head in GRID.column_headers(2)] == ["B"]
    assert [PAGE.text_of(head) for head in GRID.row_headers(1)] == ["Power"]
