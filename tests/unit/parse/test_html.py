"""HTML pages: what becomes text, in which order and under which headings; what does not."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from pipelines.model.document import BlockKind, DateBasis, Document
from pipelines.parse.document import parse_document

PAGE = Path(__file__).parents[2] / "fixtures/documents/product_page.html"


def parse(markup: str, url: str | None = None) -> Document:
    return parse_document(
        markup.encode(),
        media_type="text/html",
        charset="utf-8",
        url=url,
        captured_at=datetime(2025, 6, 1, tzinfo=UTC),
    )


def texts(document: Document) -> list[str]:
    return [document.text_of(block) for block in document.blocks]


@pytest.fixture(scope="module")
def page() -> Document:
    return parse(PAGE.read_text("utf-8"), "https://www.example.com/products/r72?from=mail")


def test_blocks_stand_in_reading_order_with_their_kind(page: Document) -> None:
    found = [(block.kind, block.level, page.text_of(block)) for block in page.blocks if block.table is None]
    assert found == [
        (BlockKind.HEADING, 1, "Examplar R72 rack"),
        (BlockKind.PARAGRAPH, 0, "Each rack holds 72 accelerators and draws up to 132 kW per rack."),
        (BlockKind.HEADING, 2, "Power and memory"),
        (BlockKind.LIST_ITEM, 1, "Eight power shelves"),
        (BlockKind.LIST_ITEM, 2, "six rectifiers each"),
        (BlockKind.LIST_ITEM, 1, "100% liquid cooled^1"),
        (BlockKind.CAPTION, 0, "Specifications per accelerator"),
        (BlockKind.PARAGRAPH, 0, "10x\ntokens per megawatt"),
        (BlockKind.QUOTE, 0, "We counted every cable twice."),
        (BlockKind.CODE, 0, "nodes = 18\n  trays = 9"),
    ]


def test_every_block_and_cell_is_a_span_of_the_text(page: Document) -> None:
    ends = [0]
    for block in page.blocks:
        assert ends[-1] <= block.start < block.end <= len(page.text)
        ends.append(block.end)
    assert page.text_of(page.tables[0].cells[5]) == "Memory"
    assert page.text[page.tables[0].start : page.tables[0].end] == page.text_of(page.tables[0])


def test_the_heading_path_leads_to_a_block(page: Document) -> None:
    item = next(block for block in page.blocks if page.text_of(block) == "six rectifiers each")
    assert item.heading_path == ("Examplar R72 rack", "Power and memory")
    assert page.blocks[0].heading_path == ()


def test_lists_hold_their_items_and_those_of_lists_inside(page: Document) -> None:
    items = [[page.text_of(page.blocks[index]) for index in one.items] for one in page.lists]
    assert items == [
        ["Eight power shelves", "six rectifiers each", "100% liquid cooled^1"],
        ["six rectifiers each"],
    ]
    assert [one.is_ordered for one in page.lists] == [False, False]


def test_a_table_is_a_grid_with_spans_resolved_and_headers_told(page: Document) -> None:
    (table,) = page.tables
    assert page.rows_of(table) == (
        ("", "Generation", "Generation"),
        ("Property", "R72", "R36"),
        ("Memory", "288 GB", "192 GB"),
        ("Peak, FP4 (PFLOP/s)", "15", "10"),
        ("Peak, FP6 (PFLOP/s)", "15", "7.5"),
    )
    assert (table.header_rows, table.header_columns) == (2, 1)
    assert table.caption is not None
    assert page.text[slice(*table.caption)] == "Specifications per accelerator"


def test_a_page_says_who_published_it_and_when(page: Document) -> None:
    assert page.title == "Examplar R72 rack"
    assert page.publisher == "Examplar"
    assert page.authors == ("Ada Writer",)
    assert (page.published_on, page.published_basis) == (date(2025, 3, 18), DateBasis.JSON_LD)
    assert page.language == "en-gb"
    assert page.canonical_url == "https://www.example.com/products/r72"


@pytest.mark.parametrize(
    "furniture",
    [
        "<nav>Products Support</nav>",
        "<div role='navigation'>Products</div>",
        "<div class='cookie-banner'>We use cookies</div>",
        "<div id='newsletterSignup'>Get our news</div>",
        "<section class='related-posts'>R36 announced</section>",
        "<ul><li><a href='/a'>R36 announced</a></li><li><a href='/b'>R18 retired</a><li><a href='/c'>R9 sold</a></ul>",
        "<p><a href='/quote'>Get a quote</a></p>",
        "<footer>All rights reserved</footer>",
        "<script>var x = 'Buy now';</script><style>p { color: red }</style>",
        "<span class='sr-only'>Skip to content</span>",
        "<div style='display: none'>Old price</div>",
        "<button>Buy</button><select><option>One</option></select>",
        "<!-- Each rack holds 36 accelerators -->",
        "<noscript>Enable scripts</noscript>",
    ],
)
def test_furniture_does_not_become_text(furniture: str) -> None:
    prose = "<p>Each rack holds 72 accelerators, and every one of them is cooled by liquid.</p>"
    document = parse(f"<body><h1>Rack</h1>{prose}{furniture}{prose}</body>")
    assert texts(document) == [
        "Rack",
        *["Each rack holds 72 accelerators, and every one of them is cooled by liquid."] * 2,
    ]


@pytest.mark.parametrize(
    "content",
    [
        "<div class='has-sidebar'>{}</div>",
        "<div class='main-navigation-layout'><p>Short.</p>{}</div>",
        "<div role='tabpanel' hidden>{}</div>",
        "<button role='tab' aria-controls='b'>B</button><div id='b' aria-hidden='true'>{}</div>",
        "<form action='/'>{}</form>",
        "<main><article>{}</article></main>",
    ],
)
def test_content_stays_whatever_holds_it(content: str) -> None:
    prose = "<p>Each rack holds 72 accelerators, and every one of them is cooled by liquid.</p>"
    document = parse(f"<body>{content.format(prose * 3)}</body>")
    assert texts(document)[-1] == "Each rack holds 72 accelerators, and every one of them is cooled by liquid."


def test_a_thread_of_comments_longer_than_the_article_is_left_out() -> None:
    document = parse(
        "<body><p>The rack draws 132 kW.</p><div class=comments>" + "<p>I doubt that.</p>" * 50 + "</div></body>"
    )
    assert texts(document) == ["The rack draws 132 kW."]


def test_the_article_is_read_and_the_title_above_it() -> None:
    prose = "<p>Each rack holds 72 accelerators, and every one of them is cooled by liquid.</p>" * 3
    document = parse(
        "<body><header><h1>Rack of the year</h1></header>"
        f"<main><div>Our shop</div><article>{prose}</article></main></body>"
    )
    assert texts(document)[:2] == [
        "Rack of the year",
        "Each rack holds 72 accelerators, and every one of them is cooled by liquid.",
    ]
    assert "Our shop" not in document.text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<b>72</b><i>36</i>", "72 36"),
        ("800<small>Gb/s</small>", "800 Gb/s"),
        ("10<sup>18</sup> FLOP/s", "10^18 FLOP/s"),
        ("H<sub>2</sub>O", "H2O"),
        ("NVLink<sup>®</sup>-6", "NVLink®-6"),
        ("<span class=cap>E</span>ach rack", "Each rack"),
        ("one<br>two", "one\ntwo"),
        ("80&nbsp;GB\u200b of\n  HBM\u00ad3e", "80 GB of HBM3e"),
        ("5 &lt; 7 &amp; &#x37;2", "5 < 7 & 72"),
        ("a <!-- b -->c", "a c"),
    ],
)
def test_inline_text_keeps_numbers_apart(markup: str, text: str) -> None:
    assert texts(parse(f"<p>{markup}</p>")) == [text]


def test_a_layout_table_is_read_as_paragraphs() -> None:
    document = parse("<table role=presentation><tr><td>Left part<td>Right part</table>")
    assert texts(document) == ["Left part", "Right part"]
    assert document.tables == ()


def test_a_table_inside_a_table_is_read_and_the_outer_one_is_layout() -> None:
    document = parse("<table><tr><td>Menu</td><td><table><tr><th>kW<th>GPUs<tr><td>132<td>72</table></td></tr></table>")
    assert [document.rows_of(table) for table in document.tables] == [(("kW", "GPUs"), ("132", "72"))]


def test_a_list_of_terms_with_short_values_is_a_table() -> None:
    document = parse("<dl><div><dt>Power<dd>132 kW</div><div><dt>Memory</dt><dd>288 GB</dd></div></dl>")
    assert document.rows_of(document.tables[0]) == (("Power", "132 kW"), ("Memory", "288 GB"))
    assert (document.tables[0].header_rows, document.tables[0].header_columns) == (0, 1)
    assert parse(f"<dl><dt>Power<dd>{'A long story. ' * 30}<dt>Memory<dd>288 GB</dl>").tables == ()


def test_lists_in_cells_come_out_line_by_line() -> None:
    document = parse("<table><tr><th>Part<th>What<tr><td>Tray<td><ul><li>4 GPUs<li>2 CPUs</ul></table>")
    assert document.rows_of(document.tables[0])[1] == ("Tray", "4 GPUs\n2 CPUs")


def test_a_nested_page_of_fifty_thousand_levels_keeps_its_text() -> None:
    assert texts(parse("<div>" * 50_000 + "132 kW")) == ["132 kW"]
    assert texts(parse("<ul><li>" * 50_000 + "132 kW")) == ["132 kW"]
    assert texts(parse("<table><tr><td>" * 50_000 + "132 kW")) == ["132 kW"]
    assert texts(parse("<dl><dt>" * 50_000 + "132 kW")) == ["132 kW"]


def test_broken_tags_still_give_text() -> None:
    assert texts(parse("<p>One <b>two <p>three</b> <<div class='x>four"))[:2] == ["One two", "three <"]


def test_the_same_words_are_the_same_document_and_other_words_another() -> None:
    one = parse("<title>A</title><p>132 kW</p>", "https://example.com/a")
    assert one.document_id == parse("<title>A</title><div><p>132  kW</div>", "https://example.com/a").document_id
    assert one.document_id != parse("<title>A</title><p>133 kW</p>", "https://example.com/a").document_id
    assert one.document_id != parse("<title>A</title><p>132 kW</p>", "https://example.com/b").document_id
