"""A document's places: which block holds a character, what a cell that spans covers, what stands above and left."""

from __future__ import annotations

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
PAGE = Document(document_id="d", format=DocumentFormat.HTML, text=TEXT, blocks=BLOCKS, tables=(GRID,))


def test_a_cell_that_spans_fills_all_that_it_covers() -> None:
    assert PAGE.rows_of(GRID) == (("Power", "A", "B"), ("Power", "132 kW", "132 kW"))


def test_what_no_cell_covers_is_empty_and_spans_end_with_the_grid() -> None:
    table = Table(5, 21, 1, 3, 0, 0, (cell("A", 0, 1, row_span=5, column_span=9),))
    assert PAGE.rows_of(table) == (("", "A", "A"),)
