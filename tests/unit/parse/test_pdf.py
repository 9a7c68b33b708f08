"""PDF: text with pages, headings by size, ruled tables with spans, running heads, and what is refused."""

from __future__ import annotations

import zlib
from datetime import date

import pytest

from pipelines.model.document import DateBasis, Document
from pipelines.parse.pdf import parse_pdf
from pipelines.problems import InputError, Reason
from tests.unit.parse.pdf_writer import Put, Rule, write_pdf

LOCKED = f"/Filter /Standard /V 1 /R 2 /O <{'11' * 32}> /U <{'22' * 32}> /P -4"


def running(page: int) -> list[Put | Rule]:
    return [Put("Examplar datasheet", 50, 815, 8), Put(f"Page {page} of 3", 280, 20, 8)]


def table() -> list[Put | Rule]:
    """Three columns, the heads of the last two being one cell."""
    rules: list[Put | Rule] = [Rule(50, y, 400, y) for y in (600, 580, 560, 540)]
    rules += [Rule(x, 600, x, 540) for x in (50, 200, 400)] + [Rule(300, 580, 300, 540)]
    cells = [("Property", "Generation (PFLOP/s)"), ("FP4", "15", "10"), ("Memory", "288 GB", "192 GB")]
    words = [
        Put(text, (54, 204, 304)[column], 586 - 20 * row)
        for row, texts in enumerate(cells)
        for column, text in enumerate(texts)
    ]
    return [*rules, *words]


@pytest.fixture(scope="module")
def datasheet() -> Document:
    first = [
        *running(1),
        Put("Examplar R72 rack", 50, 780, 20),
        Put("18 March 2025", 50, 755),
        Put("Each rack holds 72 accelerators and draws up to 132 kW in a liquid-", 50, 720),
        Put("cooled frame.", 50, 706),
        Put("Specifications", 50, 640, 14),
        *table(),
        Put("- six rectifiers each", 50, 500),
    ]
    pages = [first, [*running(2), Put("Text of page 2.", 50, 700)], [*running(3), Put("Text of page 3.", 50, 700)]]
    return parse_pdf(write_pdf(pages, info="/Author (Ada Writer)"), None, date(2025, 6, 1))


def test_blocks_with_pages_and_without_running_lines(datasheet: Document) -> None:
    found = [(block.kind.value, block.level, block.page, datasheet.text_of(block)) for block in datasheet.blocks]
    assert found == [
        ("heading", 1, 1, "Examplar R72 rack"),
        ("paragraph", 0, 1, "18 March 2025"),
        ("paragraph", 0, 1, "Each rack holds 72 accelerators and draws up to 132 kW in a liquid-cooled frame."),
        ("heading", 2, 1, "Specifications"),
        ("table", 0, 1, "Property\tGeneration (PFLOP/s)\nFP4\t15\t10\nMemory\t288 GB\t192 GB"),
        ("list_item", 1, 1, "six rectifiers each"),
        ("paragraph", 0, 2, "Text of page 2."),
        ("paragraph", 0, 3, "Text of page 3."),
    ]
    assert datasheet.blocks[5].heading_path == ("Examplar R72 rack", "Specifications")


def test_a_ruled_table_is_a_grid(datasheet: Document) -> None:
    (table,) = datasheet.tables
    assert datasheet.rows_of(table)[0] == ("Property", "Generation (PFLOP/s)", "Generation (PFLOP/s)")
    assert datasheet.rows_of(table)[2] == ("Memory", "288 GB", "192 GB")
    assert (table.header_rows, table.header_columns) == (1, 1)


def test_facts(datasheet: Document) -> None:
    assert (datasheet.title, datasheet.authors) == ("Examplar R72 rack", ("Ada Writer",))
    assert (datasheet.published_on, datasheet.published_basis) == (date(2025, 3, 18), DateBasis.VISIBLE)


def test_the_files_own_date_counts_where_none_is_printed() -> None:
    payload = write_pdf([[Put("132 kW", 50, 700)]], info="/CreationDate (D:20250317120000Z)")
    document = parse_pdf(payload, None, date(2025, 6, 1))
    assert (document.published_on, document.published_basis) == (date(2025, 3, 17), DateBasis.META)


@pytest.mark.parametrize("encrypt", [LOCKED, "/Filter /Unheard /V 9"])
def test_a_locked_file_is_refused(encrypt: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_pdf(write_pdf([[Put("132 kW", 50, 700)]], encrypt=encrypt), None, date(2025, 6, 1))
    assert caught.value.reason is Reason.DOCUMENT_ENCRYPTED


def test_a_file_cut_anywhere_gives_a_document_or_a_reason() -> None:
    payload = write_pdf([[Put("132 kW", 50, 700), *table()]])
    reasons = set()
    for cut in range(9, len(payload), 41):
        try:
            parse_pdf(payload[:cut], None, date(2025, 6, 1))
        except InputError as error:
            reasons.add(error.reason)
    assert reasons == {Reason.DOCUMENT_DAMAGED}


def test_streams_that_unpack_without_end_are_refused() -> None:
    bomb = zlib.compress(bytes(140 * 1024 * 1024), 1)
    payload = write_pdf([[Put("x", 50, 700)]]) + b"9 0 obj\n<< /Filter /FlateDecode >>\nstream\n" + bomb
    twice = write_pdf([[Put("x", 50, 700)]]) + b"9 0 obj\n<< /Filter [/FlateDecode /FlateDecode] >>\nstream\n"
    for hostile in (payload, twice):
        with pytest.raises(InputError) as caught:
            parse_pdf(hostile, None, date(2025, 6, 1))
        assert caught.value.reason is Reason.DOCUMENT_TOO_LARGE
