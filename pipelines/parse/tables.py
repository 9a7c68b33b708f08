"""Tables as grids: spans resolved, header rows and header columns told. No markup, no text positions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.frozen import frozen

# HTML's own limits (https://html.spec.whatwg.org/#attr-tdth-colspan); the grid's limit keeps a bomb linear.
MAX_COLUMN_SPAN = 1000
MAX_ROW_SPAN = 65534
MAX_GRID_PLACES = 400_000

_NUMBER = re.compile(r"[~≈<>≤≥+\-–—$€£]*\s*\d")


@frozen
class RawCell:
    """A cell as written: its text, the area it asks for (0 rows means 'to the end'), and whether it is a header."""

    text: str
    row_span: int = 1
    column_span: int = 1
    is_header: bool = False


RawRow = Sequence[RawCell]


@frozen
class PlacedCells:
    """Cells with their column and area, row by row, and how many rows and columns at the edges are headers."""

    rows: tuple[tuple[tuple[RawCell, int, int, int], ...], ...]
    column_count: int
    header_rows: int
    header_columns: int

    def is_header(self, row: int, column: int) -> bool:
        """Whether a place lies in a header row or header column."""
        return row < self.header_rows or column < self.header_columns


def place_cells(
    rows: Sequence[RawRow], header_rows: int | None = None, header_columns: int | None = None
) -> PlacedCells:
    """Give each cell its column and area by HTML's table model, and find the headers where they are not given.

    A table whose spans would open more than MAX_GRID_PLACES places is read as if nothing spanned.
    """
    kept = [row for row in rows if row]
    placed = _place(kept, has_spans=True)
    if placed is None:
        placed = _place(kept, has_spans=False)
    cells, width = placed if placed is not None else ([], 0)
    top = _count_header_rows(kept) if header_rows is None else min(header_rows, len(kept))
    left = _count_header_columns(cells, top, width) if header_columns is None else min(header_columns, width)
    return PlacedCells(tuple(tuple(row) for row in cells), width, top, left)


def begins_with_number(words: str) -> bool:
    """Whether a cell holds a figure: a number, with signs or a currency before it."""
    return _NUMBER.match(words) is not None


def split_pipes(line: str) -> list[str]:
    """The cells of a pipe-separated line, outer pipes dropped, escaped pipes kept."""
    cells = [cell.replace("\\|", "|").strip() for cell in re.split(r"(?<!\\)\|", line.strip())]
    if len(cells) > 1 and not cells[0]:
        cells = cells[1:]
    if len(cells) > 1 and not cells[-1]:
        cells = cells[:-1]
    return cells


def _place(rows: Sequence[RawRow], *, has_spans: bool) -> tuple[list[list[tuple[RawCell, int, int, int]]], int] | None:
    """Rows of (cell, column, row span, column span) and the grid's width, or None when the grid is too large."""
    taken: dict[int, int] = {}  # column → first row that is free again
    placed: list[list[tuple[RawCell, int, int, int]]] = []
    width = places = 0
    for number, row in enumerate(rows):
        column, out = 0, []
        for cell in row:
            while taken.get(column, 0) > number:
                column += 1
            wide = min(max(cell.column_span, 1), MAX_COLUMN_SPAN) if has_spans else 1
            high = cell.row_span if 0 < cell.row_span <= MAX_ROW_SPAN and has_spans else 1
            high = len(rows) - number if cell.row_span == 0 and has_spans else min(high, len(rows) - number)
            places += wide * high
            if has_spans and places > MAX_GRID_PLACES:
                return None
            if high > 1:
                for covered in range(column, column + wide):
                    taken[covered] = number + high
            out.append((cell, column, high, wide))
            column += wide
        width = max(width, column)
        placed.append(out)
    if has_spans and width * len(rows) > MAX_GRID_PLACES and width > 2 * max(map(len, rows), default=0):
        return None
    return placed, width


def _count_header_rows(rows: Sequence[RawRow]) -> int:
    """Leading rows of header cells; without any, the first row where it alone holds no number."""
    count = 0
    for row in rows:
        if not all(cell.is_header or not cell.text.strip() for cell in row) or not any(cell.is_header for cell in row):
            break
        count += 1
    if count:
        return count if count < len(rows) else min(1, len(rows) - 1)
    if len(rows) < 2 or any(cell.is_header for row in rows for cell in row):
        return 0
    first = [cell.text.strip() for cell in rows[0]]
    is_plain = all(not _NUMBER.match(text) and len(text) <= 60 for text in first)
    has_numbers_below = any(_NUMBER.match(cell.text.strip()) for row in rows[1:] for cell in row[1:])
    return int(is_plain and has_numbers_below and len(first) > 1 and any(first[1:]))


def _count_header_columns(rows: list[list[tuple[RawCell, int, int, int]]], header_rows: int, width: int) -> int:
    """Leading columns of header cells; without any, the first one where it labels rows instead of measuring."""
    body = rows[header_rows:]
    if width < 2 or not body:
        return 0
    columns: dict[int, list[RawCell]] = {}
    for row in body:
        for cell, column, _, _ in row:
            columns.setdefault(column, []).append(cell)
    count = 0
    while count < width - 1 and columns.get(count) and all(cell.is_header for cell in columns[count]):
        count += 1
    if count:
        return count
    labels = [cell.text.strip() for cell in columns.get(0, [])]
    worded = sum(1 for label in labels if label and any(c.isalpha() for c in label))
    return int(bool(labels) and worded >= 0.7 * len(labels) and len(set(labels)) >= 0.5 * len(labels))
