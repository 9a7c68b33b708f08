"""Plain text: paragraphs, headings by shape, items, pipe tables, and the lines a copied page leaves behind."""

from __future__ import annotations

from datetime import date

from pipelines.model.document import BlockKind, DateBasis, Document
from pipelines.parse.text import parse_text

LONG = "Each rack holds 72 accelerators, and every one of them is cooled by liquid from the first day of its operation."


def parse(text: str, url: str | None = None) -> Document:
    return parse_text(text, url, date(2025, 6, 1))


def shapes(document: Document) -> list[tuple[BlockKind, str]]:
    return [(block.kind, document.text_of(block)) for block in document.blocks]


def test_long_lines_are_paragraphs_and_short_ones_above_them_headings() -> None:
    document = parse(f"The R72\n{LONG}\nPower\n{LONG}\nIt is loud.\n{LONG}\n")
    assert shapes(document) == [
        (BlockKind.HEADING, "The R72"),
        (BlockKind.PARAGRAPH, LONG),
        (BlockKind.HEADING, "Power"),
        (BlockKind.PARAGRAPH, LONG),
        (BlockKind.PARAGRAPH, "It is loud."),
        (BlockKind.PARAGRAPH, LONG),
    ]
    assert document.blocks[3].heading_path == ("The R72", "Power")
    assert document.title == "The R72"


def test_wrapped_lines_are_joined() -> None:
    assert shapes(parse("Each rack holds 72\naccelerators.\n\nTwice.\n")) == [
        (BlockKind.PARAGRAPH, "Each rack holds 72 accelerators."),
        (BlockKind.PARAGRAPH, "Twice."),
    ]


def test_a_pipe_table() -> None:
    document = parse(f"{LONG}\nGPU | Dies | kW |\n---|---|---|\nR72 | 2 | 132 |\nR36 | 1 | 66 |\n")
    assert document.rows_of(document.tables[0]) == (("GPU", "Dies", "kW"), ("R72", "2", "132"), ("R36", "1", "66"))
    assert document.tables[0].header_rows == 1


def test_the_lines_of_a_copied_page_go() -> None:
    text = f"← Back to news\nShare\nThe R72\n{LONG}\nSubscribe to our newsletter\n© 2025 Examplar\n"
    assert [text for _, text in shapes(parse(text))] == ["The R72", LONG]


def test_a_closing_list_of_other_titles_goes() -> None:
    text = f"The R72\n{LONG}\nRelated news\nThe R36 is here\nThe R18 retires\nA look at racks\n"
    assert [text for _, text in shapes(parse(text))] == ["The R72", LONG]


def test_a_marked_address_gives_the_date_and_no_text() -> None:
    document = parse(f"[URL] https://example.com/2025-03-18-rack-30x\n\n{LONG}\n")
    assert document.text == LONG
    assert (document.published_on, document.published_basis) == (date(2025, 3, 18), DateBasis.URL)


def test_a_date_on_a_short_line_near_the_top_is_visible() -> None:
    document = parse(f"The R72\n18 March 2025\n{LONG}\n")
    assert (document.published_on, document.published_basis) == (date(2025, 3, 18), DateBasis.VISIBLE)
