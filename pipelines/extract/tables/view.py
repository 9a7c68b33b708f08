"""A table as heads, labels and cells: which row or column may hold the products, the metrics, the units. Pure.

No hypothesis is chosen here: each axis is described (how many of its cells hold names, numbers, short labels), and the
linker weighs what it is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from pipelines.extract.names.subjects import Mention
from pipelines.model.document import Cell, Document, Table

_LETTER = re.compile(r"[^\W\d_]")
_LONGEST_LABEL = 70


@dataclass(frozen=True, slots=True)
class Line:
    """One row or column of the body, described: shares are of its filled cells."""

    filled: int
    named: float  # cells with a product, system, site or other hardware name
    numeric: float  # cells that begin with a number
    distinct: float


@dataclass(slots=True)
class TableView:
    """A table of a document, with what stands at each place and the names found in its cells."""

    document: Document
    table: Table
    names_in: Callable[[int, int], Sequence[Mention]]
    grid: tuple[tuple[Cell | None, ...], ...] = field(init=False)
    heads: int = field(init=False)
    sections: dict[int, int] = field(init=False)  # row → the row of the band or head above it, inside the body
    sparse: str = ""  # the heads and labels that speak of sparsity, a line each
    _columns: dict[int, Line] = field(init=False, default_factory=dict)
    _rows: dict[int, Line] = field(init=False, default_factory=dict)
    _heads: dict[tuple[int, int], list[Cell]] = field(init=False, default_factory=dict)  # by section and column
    _labels: dict[int, list[Cell]] = field(init=False, default_factory=dict)  # by row
    _kept: dict[tuple[str, int], float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.grid = self.table.grid()
        self.heads = self.table.header_rows
        if self.heads == 0 and self.table.row_count > 1 and self._looks_like_head(0):
            self.heads = 1
        self.sections = {}
        band = -1
        for row in range(self.heads, self.table.row_count):
            if self._looks_like_head(row) and (self._is_band(row) or self._differs(row)):
                band = row
            elif band >= 0:
                self.sections[row] = band

    def once(self, name: str, at: int, work: Callable[[TableView, int], float]) -> float:
        """What `work` says of a column or row, asked once."""
        if (name, at) not in self._kept:
            self._kept[name, at] = work(self, at)
        return self._kept[name, at]

    def text(self, cell: Cell | None) -> str:
        """The words of a cell, '' where none is."""
        return "" if cell is None else self.document.text[cell.start : cell.end].strip()

    def labels(self) -> list[str]:
        """The words of the heads and of the first column."""
        cells = [*(cell for row in self.grid[: self.heads] for cell in row), *(row[0] for row in self.grid if row)]
        return [self.text(cell) for cell in dict.fromkeys(cells) if cell is not None]

    def head_cells(self, row: int, column: int) -> list[Cell]:
        """The cells above a place that may say what its column holds, nearest first."""
        band = self.sections.get(row, -1)
        found = self._heads.get((band, column))
        if found is None:
            rows = [*range(self.heads - 1, -1, -1)]
            if band >= 0 and not self._is_band(band):
                rows = [band, *rows]
            found = self._heads[band, column] = _filled(self.grid[at][column] for at in rows)
        return found

    def band(self, row: int) -> Cell | None:
        """The cell of the band above a row: one label across the table."""
        at = self.sections.get(row)
        if at is None or not self._is_band(at):
            return None
        return next((cell for cell in self.grid[at] if cell is not None and cell.end > cell.start), None)

    def label_cells(self, row: int, column: int) -> list[Cell]:
        """The cells of a row that are no numbers, other than the place's own, left first."""
        own, cells = self.grid[row][column], self._labels.get(row)
        if cells is None:
            cells = self._labels[row] = _filled(self.grid[row])
        return [cell for cell in cells if cell is not own]

    def column(self, column: int) -> Line:
        """A column's body described."""
        if column not in self._columns:
            cells = [self.grid[row][column] for row in range(self.heads, self.table.row_count)]
            self._columns[column] = self._line(cells)
        return self._columns[column]

    def row(self, row: int) -> Line:
        """A row described, without its first cell."""
        if row not in self._rows:
            self._rows[row] = self._line(self.grid[row][1:])
        return self._rows[row]

    def _line(self, cells: Sequence[Cell | None]) -> Line:
        filled = _filled(cells)
        if not filled:
            return Line(0, 0.0, 0.0, 0.0)
        named = [self.names_in(cell.start, cell.end) for cell in filled]
        hardware = sum(any(n.kind not in ("organisation", "programme") for n in names) for names in named)
        numeric = sum(self.is_numeric(cell) for cell in filled)
        words = {self.text(cell) for cell in filled}
        count = len(filled)
        return Line(count, hardware / count, numeric / count, len(words) / count)

    def is_numeric(self, cell: Cell) -> bool:
        """Whether a cell is a figure rather than a label."""
        words = self.text(cell).lstrip("~≈<>≤≥$\\*+ (")
        return bool(words) and words[0].isdigit() and len(words) < 40

    def is_label(self, cell: Cell) -> bool:
        """Whether a cell may be a name: short, with letters, no figure."""
        words = self.text(cell)
        return 1 < len(words) <= _LONGEST_LABEL and _LETTER.search(words) is not None and not self.is_numeric(cell)

    def _is_band(self, row: int) -> bool:
        filled = _filled(self.grid[row])
        return len(filled) == 1 and self.table.column_count > 1

    def _looks_like_head(self, row: int) -> bool:
        filled = _filled(self.grid[row])
        return bool(filled) and not any(self.is_numeric(cell) for cell in filled)

    def _differs(self, row: int) -> bool:
        """A head inside the body: most of its cells name hardware, or its corner repeats the table's."""
        own = [cell for cell in _filled(self.grid[row]) if cell.column > 0]
        if len(own) < max(2, self.table.column_count - 2) or row <= self.heads:
            return False
        named = sum(self._is_name(cell) for cell in own) / len(own)
        corner = self.text(self.grid[row][0])
        return named >= 0.6 or (bool(corner) and self.heads > 0 and corner == self.text(self.grid[0][0]))

    def _is_name(self, cell: Cell) -> bool:
        names = self.names_in(cell.start, cell.end)
        return any(
            n.kind in ("accelerator", "system") and n.end - n.start >= 0.6 * (cell.end - cell.start) for n in names
        )


def _filled(cells: Iterable[Cell | None]) -> list[Cell]:
    """The cells with words, each once: one that spans rows or columns stands in several places."""
    return list({cell.start: cell for cell in cells if cell is not None and cell.end > cell.start}.values())
