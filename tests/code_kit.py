"""A stretch of code as a document, and the one table in it as rows of words."""

from __future__ import annotations

from pipelines.model.document import Document, DocumentFormat, Facts
from pipelines.parse.assemble import DocumentBuilder
from pipelines.parse.drawn import write_code


def read(code: str) -> Document:
    """The document that a page of this code alone would be."""
    builder = DocumentBuilder()
    write_code(builder, code)
    return builder.build(DocumentFormat.TEXT, None, Facts())


def cells(document: Document) -> list[list[str]]:
    """The words of the cells of a document's only table, row by row."""
    (table,) = document.tables
    rows: list[list[str]] = [[] for _ in range(table.row_count)]
    for cell in table.cells:
        rows[cell.row].append(document.text[cell.start : cell.end])
    return rows
