"""Any bytes parse or fail cleanly, always to the same Document, with every span inside the text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.model.document import Document
from pipelines.parse.document import parse_document
from pipelines.problems import InputError
from tests.unit.parse.pdf_writer import Put, Rule, write_pdf

MEDIA_TYPES = [None, "text/html", "text/markdown", "text/x-rst", "text/plain", "application/rss+xml", "application/pdf"]
CAPTURED_AT = datetime(2025, 6, 1, tzinfo=UTC)
PIECES = {
    "text/html": (
        "<p> </p> <div> <div class='nav'> <ul> <li> </ul> <table> <tr> <td> <th colspan=3> <td rowspan=0> </table> "
        "<h1> <h3> <a href=x> </a> <b> <sup> <br> <pre> </pre> <script> </script> <!-- --> <main> <article> <body> "
        "<html> &lt; &#0; 72 kW <blockquote> <caption> <svg> <title> <time> <form> <template> <x-y> <p"
    ),
    "text/markdown": (
        "# - * > | --- ``` ~~~ [[ ]] [ ] ( ) ** __ ![ <br> <div> </div> [^1]: [^1] !!! 72 kW +++ {% %} {{< \\ 1. \t"
    ),
    "text/x-rst": (
        "==== ---- .. :: .. note:: .. list-table:: * - - | +--+ :a: :ref:`x` `a <b>`_ ** ``x`` 72 kW .. _t: [1]_ \t"
    ),
    "text/plain": "- • 1. | --- 72 kW Share © ← Related [URL] . ! A \t",
    "application/rss+xml": (
        "<rss version='2.0'> <channel> <item> <title> </title> </item> <link> <![CDATA[ ]]> &lt;p> 72 kW <!DOCTYPE"
    ),
}


def check_spans(document: Document) -> None:
    ends = 0
    for block in document.blocks:
        assert ends <= block.start < block.end <= len(document.text)
        ends = block.end
        assert document.text_of(block).strip("\n") == document.text_of(block) or block.table is not None
    for table in document.tables:
        grid = table.grid()
        assert len(grid) == table.row_count
        assert all(len(row) == table.column_count for row in grid)
        for cell in table.cells:
            assert table.start <= cell.start <= cell.end <= table.end
            assert grid[cell.row][cell.column] is not None
    for one in document.lists:
        assert all(index < len(document.blocks) for index in one.items)


def parse_twice(payload: bytes, media_type: str | None, charset: str | None = None) -> None:
    found = []
    for _ in range(2):
        try:
            found.append(
                parse_document(
                    payload, media_type=media_type, charset=charset, url="https://example.com/", captured_at=CAPTURED_AT
                )
            )
        except InputError:
            return
    assert found[0] == found[1]
    check_spans(found[0])


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(MEDIA_TYPES), st.sampled_from([None, "utf-8", "shift_jis", "x"]))
def test_any_bytes(payload: bytes, media_type: str | None, charset: str | None) -> None:
    parse_twice(payload, media_type, charset)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@pytest.mark.parametrize("media_type", list(PIECES))
@given(data=st.data())
def test_pieces_of_each_format_in_any_order(media_type: str, data: st.DataObject) -> None:
    pieces = st.sampled_from(PIECES[media_type].split(" "))
    joined = data.draw(st.lists(st.tuples(pieces, st.sampled_from(["", " ", "\n", "\n\n", "\n   "])), max_size=60))
    start = "<rss version='2.0'><channel>" if media_type == "application/rss+xml" else ""
    parse_twice((start + "".join(a + b for a, b in joined)).encode(), media_type)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2000), st.binary(min_size=1, max_size=12))
def test_a_pdf_with_bytes_changed(place: int, other: bytes) -> None:
    page: list[Put | Rule] = [
        Put("Rack", 50, 780, 20),
        Put("132 kW", 50, 700),
        Rule(50, 600, 90, 600),
        Rule(50, 580, 90, 580),
    ]
    payload = bytearray(write_pdf([page], compress=False))
    payload[9 + place % (len(payload) - 30) :][: len(other)] = other
    at = 9 + place % (len(payload) - 30)
    payload[at : at + len(other)] = other
    parse_twice(bytes(payload), "application/pdf")
