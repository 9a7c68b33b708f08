"""A table as heads, labels and cells: which row or column may hold the products, the metrics, the units. Pure.

No hypothesis is chosen here: each axis is described (how many of its cells hold names, numbers, short labels), and the
linker weighs what it is told.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pipelines.extract.link.scene import is_time
from pipelines.extract.link.units_said import unit_in
from pipelines.extract.names.mention import Mention
from pipelines.model.document import Cell, Document, Table
from pipelines.registry.metric_entries import load_lexicon
from pipelines.registry.phrases import phrases

_OF_UNITS = frozenset({"unit", "units", "uom", "unit of measure", "unit of measurement", "单位"})
_NAMING = frozenset({
    "name", "model", "product", "product name", "chip", "device", "part", "sku", "codename", "gpu", "accelerator",
    "flagship", "flagship gpu", "flagship product", "representative", "representative product", "芯片", "型号", "产品",
    "名称", "代表产品", "代表型号", "代表芯片",
})  # fmt: skip
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?:\.(?:0[1-9]|1[0-2]))?(?![\d.,]*\d)")
_DITTO = frozenset(("", '"', "''", "″", "〃", "”", "〞"))
_LONGEST_LABEL = 70
_MOST_SPANNED = 12  # further lines in which one cell may stand for as many things
_MOST_AGAIN = 600  # further places of cells in a table: each costs what a cell does, and no text
_MOST_NAMES = 0.6  # of a head's cells


class Line(NamedTuple):
    """One row or column of the body, described: shares are of its filled cells."""

    named: float  # cells with a product, system, site or other hardware name
    numeric: float  # cells that begin with a number
    distinct: float
    names_products: bool  # whether its head says that products stand in it
    names_machines: bool  # whether it says that whole machines do
    is_of_years: bool  # whether more than half of its figures begin with a year's digits


class Spot(NamedTuple):
    """A cell at its place, with the cells that may say what it holds.

    `heads` stand above it, nearest first; `labels` are the others of its row, left first; `band` is the one label
    across the table above it.
    """

    cell: Cell
    row: int
    column: int
    heads: list[Cell]
    labels: list[Cell]
    band: Cell | None


class TableView:
    """A table of a document, with what stands at each place and the names found in its cells.

    `sections` leads from a row to that of the band or head above it, inside the body. `is_of_machine`: the title or a
    heading names a machine.
    """

    def __init__(
        self, document: Document, table: Table, names_in: Callable[[int, int], Sequence[Mention]], *,
        is_of_machine: bool = False,
    ) -> None:  # fmt: skip
        self.document, self.table, self.names_in = document, table, names_in
        self.grid = [list(row) for row in table.grid()]
        self._filled = [_filled(row) for row in self.grid]
        self.heads = table.header_rows
        if self.heads == 0 and table.row_count > 1 and self._looks_like_head(0):
            begins_with_figure = any(self.text(cell)[:1].isdigit() for cell in self._filled[0])
            self.heads = 0 if begins_with_figure else 1  # '68.9 PFlop/s on 420 nodes, 74.1 % of its peak' heads nothing
        while self._is_further_head(self.heads):
            self.heads += 1
        if is_of_machine and self._begins_with_part():
            self.heads = 0
        self._continue_rows()
        self.sections: dict[int, int] = {}
        band = -1
        for row in range(self.heads, table.row_count):
            if self._looks_like_head(row) and (self._is_band(row) or self._differs(row)):
                band = row
            elif band >= 0:
                self.sections[row] = band
        # a column's body and a row without its first cell, described; asked by every cell of a line
        top = self.grid[0] if self.heads else [None] * table.column_count
        self._of_units = next((at for at, head in enumerate(top) if self.text(head).casefold() in _OF_UNITS), None)
        self.column = cache(lambda at: self._line([row[at] for row in self.grid[self.heads :]], self.text(top[at])))
        self.row = cache(lambda row: self._line(self.grid[row][1:]))
        self.again = cache(self._again)

    def _begins_with_part(self) -> bool:
        """'GPU | NVIDIA B200' above 'Power | 14 kW' is a part of the machine that the page is of, and no head."""
        first = self._filled[0] if self.heads == 1 and self.table.column_count == 2 else []
        return len(first) == 2 and load_lexicon().thing(self.text(first[0])) is not None

    def _continue_rows(self) -> None:
        """A row of figures whose first cell is blank or a ditto mark goes on with what the row above begins with."""
        for row in range(self.heads + 1, self.table.row_count):
            above, cells = self.grid[row - 1][0], self.grid[row]
            is_open = self.text(cells[0]) in _DITTO and any(map(self.is_numeric, self._filled[row]))
            if is_open and above is not None and self.is_label(above):
                cells[0] = above
                self._filled[row] = _filled(cells)

    def text(self, cell: Cell | None) -> str:
        """The words of a cell, '' where none is."""
        return "" if cell is None else self.document.text[cell.start : cell.end].strip()

    def unit(self, row: int) -> str:
        """What stands in a row below the head 'Unit', '' where the table has none."""
        return self.text(self.grid[row][self._of_units]) if self._of_units is not None and row >= self.heads else ""

    def column_heads(self) -> list[str]:
        """The words of all heads over each column."""
        columns = range(self.table.column_count)
        return [" ".join(self.text(row[at]) for row in self.grid[: self.heads]) for at in columns]

    def labels(self) -> list[str]:
        """The words of the heads and of the first column."""
        cells = [*(cell for row in self.grid[: self.heads] for cell in row), *(row[0] for row in self.grid if row)]
        return [self.text(cell) for cell in dict.fromkeys(cells) if cell is not None]

    def spots(self) -> Iterator[Spot]:
        """The cells with words in order, each at its first place; a figure that spans things, once for each thing."""
        seen: set[Cell] = set()
        left = _MOST_AGAIN
        for row, cells in enumerate(self.grid):
            section = self.sections.get(row)
            is_band = section is not None and self._is_band(section)
            band = self._filled[section][0] if section is not None and is_band else None
            above = [*([section] if section is not None and not is_band else []), *range(self.heads - 1, -1, -1)]
            for column, cell in enumerate(cells):
                if cell is None or cell.end == cell.start:
                    continue
                is_again = cell in seen
                if not is_again or (left and self._is_of_another(cell, row, column)):
                    left -= is_again
                    seen.add(cell)
                    labels = [other for other in self._filled[row] if other is not cell]
                    yield Spot(cell, row, column, _filled(self.grid[at][column] for at in above), labels, band)

    def _is_of_another(self, cell: Cell, row: int, column: int) -> bool:
        """Whether what spans rows or columns stands, at a further place, beside or below another thing."""
        if max(row - cell.row, column - cell.column) > _MOST_SPANNED:
            return False
        if row > cell.row:  # the first column may have a cell for all of them: 'CDNA 3 | MI300A', 'CDNA 3 | MI300X'
            pairs = zip(self.grid[row][:column], self.grid[cell.row][:column], strict=True)
            one = next((one for one, two in pairs if one is not two), None)
        else:
            is_row_of_names = self.row(0).named >= _MOST_NAMES and self.grid[0][column] is not self.grid[0][cell.column]
            one = self.grid[0][column] if is_row_of_names else None
        return one is not None and self.is_label(one)

    def _line(self, cells: Sequence[Cell | None], head: str = "") -> Line:
        filled = _filled(cells)
        named = [self.names_in(cell.start, cell.end) for cell in filled]
        hardware = sum(any(n.kind not in ("organisation", "programme") for n in names) for names in named)
        count, numeric = max(len(filled), 1), sum(map(self.is_numeric, filled))
        distinct = len(set(map(self.text, filled)))
        is_of_products, is_of_machines = (phrases(name).are_in(head) for name in ("over_products", "over_machines"))
        years = sum(_YEAR.search(self.text(cell)) is not None for cell in filled if self.is_numeric(cell))
        return Line(
            hardware / count, numeric / count, distinct / count, is_of_products, is_of_machines, 2 * years > numeric
        )

    def _again(self, column: int) -> Mapping[str, int]:
        """In how many cells of a column each name stands: one that comes again tells no row from another."""
        cells = _filled(row[column] for row in self.grid)
        return Counter(name for cell in cells for name in {each.name for each in self.names_in(cell.start, cell.end)})

    def is_numeric(self, cell: Cell) -> bool:
        """Whether a cell is a figure rather than a label."""
        words = self.text(cell).lstrip("~≈<>≤≥$\\*+ (")
        return bool(words) and words[0].isdigit() and len(words) < 40

    def is_label(self, cell: Cell) -> bool:
        """Whether a cell may be a name: short, with letters, no figure."""
        words = self.text(cell)
        return 1 < len(words) <= _LONGEST_LABEL and any(map(str.isalpha, words)) and not self.is_numeric(cell)

    def _is_band(self, row: int) -> bool:
        return len(self._filled[row]) == 1 and self.table.column_count > 1

    def _looks_like_head(self, row: int) -> bool:
        return bool(self._filled[row]) and not any(map(self.is_numeric, self._filled[row]))

    def _is_further_head(self, row: int) -> bool:
        """A row right below the head that gives each column its name: 'Model | Tide 1 | Tide 2' below '2023 | 2025'.

        Its first cell says so; or it gives units, as ' | PFLOP/s | TB/s'; or it names known things, below times, below
        a blank corner, or where it parts cells of the head that span columns.
        """
        if not 0 < row < self.table.row_count - 1:
            return False
        first, *names = self.grid[row]
        is_full = len(names) > 1 and all(cell is not None and self.is_label(cell) for cell in names)
        if row == 1 and is_full and self.text(first).casefold() in _NAMING:
            return True
        if self._is_of_units_alone(row):
            return True
        own, above = ([cell for cell in self._filled[at] if cell.column > 0] for at in (row, row - 1))
        if len(own) < 2 or not self._looks_like_head(row) or sum(map(self._is_name, own)) < _MOST_NAMES * len(own):
            return False
        is_parted = any(cell.column_span > 1 for cell in above) and len(own) > len(above)
        is_of_times = bool(above) and all(is_time(self.text(cell)) for cell in above)
        return is_parted or (row == 1 and (is_of_times or not self.text(first)))

    def _is_of_units_alone(self, row: int) -> bool:
        """Whether a row names no thing, and most of its cells are units: ' | PFLOP/s | TB/s'."""
        first, *others = self.grid[row]
        own = [self.text(cell) for cell in _filled(others)]
        units = sum(unit_in(f"({words})") is not None for words in own)
        corner = self.text(first)
        is_of_no_thing = len(corner) < 2 or corner.casefold() in _OF_UNITS or unit_in(f"({corner})") is not None
        return is_of_no_thing and units > 1 and 2 * units > len(own)

    def _differs(self, row: int) -> bool:
        """A head inside the body: most of its cells name hardware, or its corner repeats the table's."""
        own = [cell for cell in self._filled[row] if cell.column > 0]
        if len(own) < max(2, self.table.column_count - 2) or row <= self.heads:
            return False
        named = sum(map(self._is_name, own)) / len(own)
        corner = self.text(self.grid[row][0])
        return named >= _MOST_NAMES or (bool(corner) and self.heads > 0 and corner == self.text(self.grid[0][0]))

    def _is_name(self, cell: Cell) -> bool:
        least = 0.6 * (cell.end - cell.start)
        names = self.names_in(cell.start, cell.end)
        return any(n.kind in ("accelerator", "system") and n.end - n.start >= least for n in names)


def _filled(cells: Iterable[Cell | None]) -> list[Cell]:
    """The cells with words, each once: one that spans rows or columns stands in several places."""
    return list({cell.start: cell for cell in cells if cell is not None and cell.end > cell.start}.values())
