"""What pages say about themselves: the order of trust for dates, and names, languages and addresses."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from pipelines.model.document import DateBasis, Document
from pipelines.parse.document import parse_document
from pipelines.parse.metadata import absolute_url, read_language

JSON_LD = '<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2025-01-02"}</script>'
META = '<meta property="article:published_time" content="2025-01-03T10:00:00Z">'
TIME = '<time datetime="2025-01-04">4 January</time>'
URL = "https://example.com/news/2025/01/05/rack"
VISIBLE = "<h1>Rack</h1><p>January 6, 2025</p>"


def parse(markup: str, url: str | None = None) -> Document:
    page = f"<html><body>{markup}<p>The rack draws 132 kW.</p></body></html>"
    return parse_document(
        page.encode(), media_type="text/html", charset=None, url=url, captured_at=datetime(2025, 6, 1, tzinfo=UTC)
    )


@pytest.mark.parametrize(
    ("markup", "url", "day", "basis"),
    [
        (VISIBLE + TIME + META + JSON_LD, URL, 2, DateBasis.JSON_LD),
        (VISIBLE + TIME + META, URL, 3, DateBasis.META),
        (VISIBLE + TIME, URL, 4, DateBasis.TIME),
        (VISIBLE, URL, 5, DateBasis.URL),
        (VISIBLE, "https://example.com/rack", 6, DateBasis.VISIBLE),
    ],
)
def test_the_strongest_basis_gives_the_date(markup: str, url: str, day: int, basis: DateBasis) -> None:
    document = parse(markup, url)
    assert (document.published_on, document.published_basis) == (date(2025, 1, day), basis)


def test_a_page_without_a_date_has_none() -> None:
    document = parse("<h1>Rack</h1>")
    assert (document.published_on, document.published_basis) == (None, DateBasis.NONE)


def test_a_date_after_the_capture_is_refused_and_noted() -> None:
    document = parse(META.replace("2025-01-03", "2025-07-03") + TIME)
    assert (document.published_on, document.published_basis) == (date(2025, 1, 4), DateBasis.TIME)
    assert document.notes == ("published_date_in_future",)


def test_a_date_far_below_the_title_is_no_published_date() -> None:
    assert parse("<h1>Rack</h1>" + "<p>Words without end.</p>" * 40 + "<p>January 6, 2025</p>").published_on is None


def test_of_two_dates_the_one_on_a_line_of_its_own_counts() -> None:
    story = "<p>Between 1 March 2025 and 4 March 2025 the racks were counted, cooled, cabled and counted once more.</p>"
    document = parse(f"<div>2025-03-05</div><h1>Rack</h1>{story}")
    assert (document.published_on, document.published_basis) == (date(2025, 3, 5), DateBasis.VISIBLE)


def test_modified_dates_are_not_published_dates() -> None:
    assert parse('<meta property="article:modified_time" content="2025-01-03">').published_on is None


@pytest.mark.parametrize(
    "broken", ["{", "[" * 5000, '{"datePublished": 5}', '{"datePublished": ["2025-01-01"]}', '"text"', "null"]
)
def test_broken_json_ld_says_nothing(broken: str) -> None:
    document = parse(f'<script type="application/ld+json">{broken}</script>')
    assert document.published_on is None


def test_authors_come_from_json_ld_then_meta_then_links() -> None:
    ld = '<script type="application/ld+json">{"datePublished":"2025-01-02","author":[{"name":"Ada"},"Grace"]}</script>'
    meta = '<meta name="author" content="Alan"><meta name="author" content="https://example.com/alan">'
    link = '<a rel="author" href="/k">Katherine</a>'
    assert parse(ld + meta + link).authors == ("Ada", "Grace")
    assert parse(meta + link).authors == ("Alan",)
    assert parse(link).authors == ("Katherine",)


def test_the_title_is_the_heading_where_both_agree_and_the_printed_one_else() -> None:
    assert parse("<title>R72 rack | Shop</title><h1>R72 rack</h1>").title == "R72 rack"
    assert parse("<title>R72 rack | Shop</title><h1>Summary</h1>").title == "R72 rack | Shop"
    assert parse("<h1>Summary</h1>").title == "Summary"


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("en-US", "en-us"),
        ("DE_de", "de-de"),
        ("zh-Hant", "zh-hant"),
        ("", None),
        ("english", None),
        ("e", None),
        (None, None),
    ],
)
def test_languages(tag: str | None, language: str | None) -> None:
    assert read_language(tag) == language


@pytest.mark.parametrize(
    ("href", "base", "url"),
    [
        ("/b#c", "https://example.com/a", "https://example.com/b"),
        ("https://example.com/b?x=1", None, "https://example.com/b?x=1"),
        ("b", None, None),
        ("javascript:alert(1)", "https://example.com/", None),
        ("http://[", "https://example.com/", None),
    ],
)
def test_absolute_urls(href: str, base: str | None, url: str | None) -> None:
    assert absolute_url(href, base) == url
