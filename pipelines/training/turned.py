"""Labelled tables turned, rows as columns: what a table says does not hang on which way it stands.

A page names its products in rows or in columns; turned, the labels of the one teach the other. Turned tables train; no
figure is taken on them.
"""

from __future__ import annotations

from dataclasses import replace

from pipelines.model.document import Cell, Table
from pipelines.registry.mentions import NameFinder
from pipelines.training.cases import Case, case_of
from pipelines.training.labels import Labelled

TURNED = 0.3  # of a document's weight for its turned tables; the rest is for the document as it stands


def cases_of(source: Labelled, finder: NameFinder) -> list[Case]:
    """A document as it stands, and, where it has tables and labels, the values of its tables turned."""
    case = case_of(source, finder)
    if not source.document.tables or not source.labels:
        return [case]
    document = replace(source.document, tables=tuple(map(turned, source.document.tables)))
    other = case_of(replace(source, document=document), finder, is_turned=True)
    case.share, other.share = 1 - TURNED, TURNED
    return [case, other]


def turned(table: Table) -> Table:
    """A table with its rows as columns; each cell keeps its span of the text."""
    cells = [
        Cell(cell.column, cell.row, cell.start, cell.end, cell.column_span, cell.row_span, cell.is_header)
        for cell in table.cells
    ]
    return replace(
        table, row_count=table.column_count, column_count=table.row_count, header_rows=table.header_columns,
        header_columns=table.header_rows, cells=tuple(sorted(cells, key=lambda cell: (cell.row, cell.column))),
    )  # fmt: skip
