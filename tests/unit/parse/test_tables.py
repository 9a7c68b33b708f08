"""Tables as grids: spans, bombs, and which rows and columns are headers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipelines.parse.tables import RawCell, place_cells, split_pipes


def rows(*texts: str) -> list[list[RawCell]]:
    return [[RawCell(cell) for cell in line.split("|")] for line in texts]


def test_cells_move_aside_for_spans_from_above() -> None:
    placed = place_cells([[RawCell("a", row_span=2), RawCell("b", column_span=2)], [RawCell("c"), RawCell("d")]])
    assert [[(cell.text, column, high, wide) for cell, column, high, wide in row] for row in placed.rows] == [
        [("a", 0, 2, 1), ("b", 1, 1, 2)],
        [("c", 1, 1, 1), ("d", 2, 1, 1)],
    ]
    assert placed.column_count == 3


def test_a_row_span_of_zero_runs_to_the_end_and_none_runs_beyond() -> None:
    placed = place_cells([[RawCell("a", row_span=0)], [RawCell("b")], [RawCell("c")]])
    assert [row[0][1:] for row in placed.rows] == [(0, 3, 1), (1, 1, 1), (1, 1, 1)]
    assert place_cells([[RawCell("a", row_span=9)], [RawCell("b")]]).rows[0][0][2] == 2


def test_a_span_bomb_is_read_without_spans() -> None:
    bomb = [[RawCell("x", row_span=60_000, column_span=1000)] for _ in range(1000)]
    placed = place_cells(bomb)
    assert placed.column_count == 1
    assert {row[0][1:] for row in placed.rows} == {(0, 1, 1)}


def test_header_rows_and_columns_without_any_marked() -> None:
    placed = place_cells(rows("GPU|Power (W)|Memory", "B200|1000|192", "H100|700|80"))
    assert (placed.header_rows, placed.header_columns) == (1, 1)


def test_a_table_of_bare_numbers_has_no_headers() -> None:
    placed = place_cells(rows("1|2|3", "4|5|6"))
    assert (placed.header_rows, placed.header_columns) == (0, 0)


def test_a_table_of_labels_and_values_has_a_header_column_alone() -> None:
    placed = place_cells(rows("Power|1000 W", "Memory|192 GB", "Weight|1.4 t"))
    assert (placed.header_rows, placed.header_columns) == (0, 1)


def test_given_headers_are_obeyed() -> None:
    placed = place_cells(rows("a|b", "c|d", "e|f"), header_rows=2, header_columns=0)
    assert (placed.header_rows, placed.header_columns) == (2, 0)
    assert placed.is_header(1, 1)
    assert not placed.is_header(2, 0)


def test_pipes_are_split_and_escaped_ones_kept() -> None:
    assert split_pipes("| a | b \\| c |  |") == ["a", "b | c", ""]
    assert split_pipes("a|b") == ["a", "b"]


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=6),
        max_size=8,
    )
)
def test_every_cell_is_placed_once_inside_the_grid(spans: list[list[tuple[int, int]]]) -> None:
    raw = [[RawCell("x", high, wide) for high, wide in row] for row in spans]
    placed = place_cells(raw)
    assert sum(map(len, placed.rows)) == sum(map(len, raw))
    for number, row in enumerate(placed.rows):
        columns = [column for _, column, _, _ in row]
        assert columns == sorted(columns)
        for _, column, high, wide in row:
            assert column + wide <= placed.column_count
            assert number + high <= len(placed.rows)
