"""A document's places: which block holds a character, what a cell that spans covers, what stands above and left."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

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


CELLS = st.lists(
    st.builds(
        Cell,
        row=st.integers(0, 4), column=st.integers(0, 4), start=st.integers(0, 9), end=st.integers(10, 19),
        row_span=st.integers(1, 6), column_span=st.integers(1, 6),
    ),
    max_size=6,
)  # fmt: skip


@given(CELLS, st.integers(1, 5), st.integers(1, 5))
def test_each_place_of_a_grid_holds_the_last_cell_that_covers_it(cells: list[Cell], height: int, width: int) -> None:
    inside = tuple(cell for cell in cells if cell.row < height and cell.column < width)
    grid = Table(0, 19, height, width, 0, 0, inside).grid()
    assert [len(row) for row in grid] == [width] * height  # a span that says too much makes no row longer
    for row in range(height):
        for column in range(width):
            over = [
                cell
                for cell in inside
                if cell.row <= row < cell.row + cell.row_span and cell.column <= column < cell.column + cell.column_span
            ]
            assert grid[row][column] is (over[-1] if over else None)
