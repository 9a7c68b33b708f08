"""A table as heads, labels and cells: which row or column may hold the products, the metrics, the units. Pure.

No hypothesis is chosen here: each axis is described (how many of its cells hold names, numbers, short labels), and the
linker weighs what it is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from pipelines.extract.names.subjects import Mention
from pipelines.model.document import Cell, Document, Table

_LETTER = re.compile(r"[^\W\d_]")
_PRODUCT_WORD = re.compile(
    r"\b(?:gpus?|chips?|model|processor|accelerator|product|system|node|name|device|card|platform|instance|server|"
    r"hardware|host(?:name)?|cluster|type|sku|machine|partition|supercomputer|generation|architecture)\b|芯片|型号|产品",
    re.IGNORECASE,
)
_LONGEST_LABEL = 70


@dataclass(frozen=True, slots=True)
class Line:
    """One row or column of the body, described: shares are of its filled cells."""

    named: float  # cells with a product, system, site or other hardware name
    numeric: float  # cells that begin with a number
    distinct: float


class TableView:
    """A table of a document, with what stands at each place and the names found in its cells.

    `sections` leads from a row to that of the band or head above it, inside the body.
    """

    def __init__(self, document: Document, table: Table, names_in: Callable[[int, int], Sequence[Mention]]) -> None:
        self.document, self.table, self.names_in = document, table, names_in
        self.grid = table.grid()
        self._filled = [_filled(row) for row in self.grid]
        self.heads = table.header_rows
        if self.heads == 0 and table.row_count > 1 and self._looks_like_head(0):
            self.heads = 1
        self.sections: dict[int, int] = {}
        band = -1
        for row in range(self.heads, table.row_count):
            if self._looks_like_head(row) and (self._is_band(row) or self._differs(row)):
                band = row
            elif band >= 0:
                self.sections[row] = band
        # a column's body and a row without its first cell, described; asked by every cell of a line
        self.column = cache(lambda column: self._line([row[column] for row in self.grid[self.heads :]]))
        self.row = cache(lambda row: self._line(self.grid[row][1:]))
        self.names_products, self._above = cache(self._names_products), cache(self._cells_above)

    def text(self, cell: Cell | None) -> str:
        """The words of a cell, '' where none is."""
        return "" if cell is None else self.document.text[cell.start : cell.end].strip()

    def labels(self) -> list[str]:
        """The words of the heads and of the first column."""
        cells = [*(cell for row in self.grid[: self.heads] for cell in row), *(row[0] for row in self.grid if row)]
        return [self.text(cell) for cell in dict.fromkeys(cells) if cell is not None]

    def head_cells(self, row: int, column: int) -> list[Cell]:
        """The cells above a place that may say what its column holds, nearest first."""
        return self._above(self.sections.get(row, -1), column)

    def _cells_above(self, band: int, column: int) -> list[Cell]:
        own = [band] if band >= 0 and not self._is_band(band) else []
        return _filled(self.grid[at][column] for at in [*own, *range(self.heads - 1, -1, -1)])

    def band(self, row: int) -> Cell | None:
        """The cell of the band above a row: one label across the table."""
        at = self.sections.get(row)
        return self._filled[at][0] if at is not None and self._is_band(at) else None

    def label_cells(self, row: int, column: int) -> list[Cell]:
        """The cells of a row that are no numbers, other than the place's own, left first."""
        own = self.grid[row][column]
        return [cell for cell in self._filled[row] if cell is not own]

    def _names_products(self, column: int) -> float:
        """Whether a column's head says that products stand in it."""
        return float(self.heads > 0 and _PRODUCT_WORD.search(self.text(self.grid[0][column])) is not None)

    def _line(self, cells: Sequence[Cell | None]) -> Line:
        filled = _filled(cells)
        if not filled:
            return Line(0.0, 0.0, 0.0)
        named = [self.names_in(cell.start, cell.end) for cell in filled]
        hardware = sum(any(n.kind not in ("organisation", "programme") for n in names) for names in named)
        numeric = sum(self.is_numeric(cell) for cell in filled)
        count, distinct = len(filled), len({self.text(cell) for cell in filled})
        return Line(hardware / count, numeric / count, distinct / count)

    def is_numeric(self, cell: Cell) -> bool:
        """Whether a cell is a figure rather than a label."""
        words = self.text(cell).lstrip("~≈<>≤≥$\\*+ (")
        return bool(words) and words[0].isdigit() and len(words) < 40

    def is_label(self, cell: Cell) -> bool:
        """Whether a cell may be a name: short, with letters, no figure."""
        words = self.text(cell)
        return 1 < len(words) <= _LONGEST_LABEL and _LETTER.search(words) is not None and not self.is_numeric(cell)

    def _is_band(self, row: int) -> bool:
        return len(self._filled[row]) == 1 and self.table.column_count > 1

    def _looks_like_head(self, row: int) -> bool:
        return bool(self._filled[row]) and not any(map(self.is_numeric, self._filled[row]))

    def _differs(self, row: int) -> bool:
        """A head inside the body: most of its cells name hardware, or its corner repeats the table's."""
        own = [cell for cell in self._filled[row] if cell.column > 0]
        if len(own) < max(2, self.table.column_count - 2) or row <= self.heads:
            return False
        named = sum(map(self._is_name, own)) / len(own)
        corner = self.text(self.grid[row][0])
        return named >= 0.6 or (bool(corner) and self.heads > 0 and corner == self.text(self.grid[0][0]))

    def _is_name(self, cell: Cell) -> bool:
        least = 0.6 * (cell.end - cell.start)
        names = self.names_in(cell.start, cell.end)
        return any(n.kind in ("accelerator", "system") and n.end - n.start >= least for n in names)


def _filled(cells: Iterable[Cell | None]) -> list[Cell]:
    """The cells with words, each once: one that spans rows or columns stands in several places."""
    return list({cell.start: cell for cell in cells if cell is not None and cell.end > cell.start}.values())
