"""Labelled tables turned: the same labels, read from columns instead of rows."""

from __future__ import annotations

import datetime as dt

from pipelines.model.claim import Origin
from pipelines.model.document import Document
from pipelines.parse.document import parse_document
from pipelines.registry.mentions import NameFinder
from pipelines.training.labels import Label, Labelled
from pipelines.training.turned import cases_of, turned

NOON = dt.datetime(2026, 11, 20, tzinfo=dt.UTC)
TABLE = """
The A100 has 80 GB.

| Chip | Memory | Power |
|------|--------|-------|
| NVIDIA A100 | 80 GB | 400 W |
| NVIDIA H200 | 141 GB | 700 W |
"""


def document_of(text: str) -> Document:
    return parse_document(text.encode(), media_type="text/markdown", charset=None, url="a.md", captured_at=NOON)


def label_of(subject: str, metric: str, value: float, quote: str) -> Label:
    return Label("a.md", (subject,), (metric,), (value,), quote)


def test_a_turned_table_holds_each_cell_at_its_other_place() -> None:
    document = document_of(TABLE)
    table = document.tables[0]
    grid, other = table.grid(), turned(table).grid()
    assert (turned(table).row_count, turned(table).column_count) == (3, 3)
    for row in range(3):
        for column in range(3):
            one, two = grid[row][column], other[column][row]
            assert one is not None
            assert two is not None
            assert (one.start, one.end) == (two.start, two.end)
    assert turned(turned(table)) == table


def test_a_cell_that_spans_columns_spans_rows() -> None:
    html = "<table><tr><th>Chip</th><th colspan=2>Power</th></tr><tr><td>A100</td><td>1 W</td><td>2 W</td></tr></table>"
    document = parse_document(html.encode(), media_type="text/html", charset=None, url="a.html", captured_at=NOON)
    grid = turned(document.tables[0]).grid()
    assert grid[1][0] == grid[2][0] != grid[0][0]


def test_a_turned_case_has_the_labels_of_the_table_and_none_of_the_text() -> None:
    source = Labelled(
        "a.md", "repo", document_of(TABLE), Origin("a.md"),
        [label_of("NVIDIA H200", "power", 0.7, "| NVIDIA H200 | 141 GB | 700 W"),
         label_of("NVIDIA A100", "memory_capacity", 80.0, "The A100 has 80 GB.")],
    )  # fmt: skip
    plain, other = cases_of(source, NameFinder.load())
    assert (plain.is_turned, other.is_turned) == (False, True)
    assert plain.share + other.share == 1  # one document, one witness
    assert {place.table for place in (item.place for item in other.items)} == {0}
    ((at, metric),) = [key for key, labels in other.right.items() if 0 in labels]
    place = other.items[at].place
    assert (metric, place.row, place.column) == ("power", 2, 2)
    assert place.zones["column"] == "NVIDIA H200"
    assert place.zones["row"] == "Power"
    assert any(1 in labels for labels in plain.right.values())


def test_a_document_without_tables_or_labels_is_not_turned() -> None:
    finder = NameFinder.load()
    (unlabelled,) = cases_of(Labelled("a.md", "repo", document_of(TABLE), Origin("a.md")), finder)
    label = label_of("NVIDIA A100", "memory_capacity", 80.0, "The A100 has 80 GB.")
    text = document_of("The A100 has 80 GB.")
    (tableless,) = cases_of(Labelled("a.md", "repo", text, Origin("a.md"), [label]), finder)
    assert (unlabelled.share, tableless.share) == (1.0, 1.0)
