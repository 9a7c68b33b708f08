"""What a page says about itself: title, publisher, authors, published date with its basis, language, canonical URL.

Sources in order of trust: JSON-LD, meta tags, `<time>`, the URL, a date printed near the title.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from itertools import zip_longest
from typing import Any
from urllib.parse import urljoin, urlsplit

from pipelines.model.document import DateBasis, Facts
from pipelines.parse.assemble import DocumentBuilder, clean_line
from pipelines.parse.dates import date_in_url, find_date, is_plausible, read_date
from pipelines.parse.page import Node, Page

_PUBLISHED_META = (
    "article:published_time",
    "og:article:published_time",
    "og:published_time",
    "citation_publication_date",
    "citation_date",
    "dcterms.created",
    "dcterms.issued",
    "dcterms.date",
    "dc.date.issued",
    "dc.date.created",
    "dc.date",
    "datepublished",
    "date_published",
    "publish-date",
    "publish_date",
    "publication_date",
    "publicationdate",
    "pubdate",
    "parsely-pub-date",
    "sailthru.date",
    "date",
)
_AUTHOR_META = ("author", "article:author", "citation_author", "dc.creator", "dcterms.creator", "parsely-author")
_NEAR_TITLE_EVENTS = 120
_NEAR_TITLE_LINES = 12
_DATE_LINE = 80
_JSON_LD_LIMIT = 1_000_000
_JSON_LD_NODES = 2_000


def read_facts(
    page: Page, url: str | None, latest: date, builder: DocumentBuilder, notes: tuple[str, ...] = ()
) -> Facts:
    """The page's facts; a published date after `latest` is refused and noted, and the next basis is asked."""
    meta = _read_meta(page)
    things = list(_read_json_ld(page))
    article = next((thing for thing in things if "datePublished" in thing), None)
    published, basis, is_future = _published(page, meta, article, url, latest)
    html = page.first("html")
    language = (html.attrs.get("lang") or html.attrs.get("xml:lang") if html is not None else None) or meta.get(
        "og:locale", [None]
    )[0]
    return Facts(
        title=_title(page, meta, article, builder),
        publisher=_publisher(meta, article),
        authors=_authors(page, meta, article),
        published_on=published,
        published_basis=basis,
        language=read_language(language),
        canonical_url=_canonical(page, meta, url),
        notes=(*notes, "published_date_in_future") if is_future else notes,
    )


def read_language(tag: str | None) -> str | None:
    """A declared language as a lower-case tag, or None where it is none."""
    if not tag:
        return None
    tag = tag.strip().lower().replace("_", "-")
    parts = tag.split("-")
    is_tag = 2 <= len(parts[0]) <= 3 and all(part.isascii() and part.isalnum() for part in parts)
    return tag if is_tag and parts[0].isalpha() and len(tag) <= 35 else None


def _read_meta(page: Page) -> dict[str, list[str]]:
    meta: dict[str, list[str]] = {}
    for node in page.by_tag.get("meta", ()):
        attrs = node.attrs
        name = attrs.get("property") or attrs.get("name") or attrs.get("itemprop")
        content = clean_line(attrs.get("content") or "")
        if name and content:
            meta.setdefault(name.strip().lower(), []).append(content)
    return meta


def _read_json_ld(page: Page) -> Iterator[dict[str, Any]]:
    """Every object of the page's JSON-LD, outermost first; unreadable JSON says nothing."""
    for node in page.by_tag.get("script", ()):
        if "ld+json" not in (node.attrs.get("type") or "").lower():
            continue
        source = page.aside.get(node.index, "").strip()
        if not source or len(source) > _JSON_LD_LIMIT:
            continue
        try:
            value = json.loads(source, strict=False)
        except (ValueError, RecursionError):
            continue
        yield from _objects(value)


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    waiting, seen = [value], 0
    while waiting and seen < _JSON_LD_NODES:
        seen += 1
        thing = waiting.pop(0)
        if isinstance(thing, list):
            waiting.extend(thing)
        elif isinstance(thing, dict):
            yield thing
            waiting.extend(inner for inner in thing.values() if isinstance(inner, dict | list))


def _published(
    page: Page, meta: dict[str, list[str]], article: dict[str, Any] | None, url: str | None, latest: date
) -> tuple[date | None, DateBasis, bool]:
    is_future = False
    for found, basis in _candidates(page, meta, article, url):
        if found is None:
            continue
        if is_plausible(found, latest):
            return found, basis, is_future
        is_future = is_future or found > latest
    return None, DateBasis.NONE, is_future


def _candidates(
    page: Page, meta: dict[str, list[str]], article: dict[str, Any] | None, url: str | None
) -> Iterator[tuple[date | None, DateBasis]]:
    if article is not None:
        stated = article.get("datePublished")
        yield (read_date(stated) if isinstance(stated, str) else None), DateBasis.JSON_LD
    for name in _PUBLISHED_META:
        for content in meta.get(name, ()):
            yield read_date(content), DateBasis.META
    for node in page.by_tag.get("time", ()):
        yield (
            read_date(node.attrs.get("datetime"))
            or read_date(_text_near(page, node.event, min(node.event_end - node.event, 6))),
            DateBasis.TIME,
        )
    yield date_in_url(url), DateBasis.URL
    yield _visible_date(page), DateBasis.VISIBLE


def _visible_date(page: Page) -> date | None:
    """A full date on a short line of its own nearest the title, or near the top of a page without a title."""
    headings = page.by_tag.get("h1") or page.by_tag.get("h2") or page.by_tag.get("body")
    if not headings:
        return None
    title = headings[0]
    start = title.event_end if title.tag != "body" else title.event
    below = _lines(page.events[start : start + _NEAR_TITLE_EVENTS])[:_NEAR_TITLE_LINES]
    above = _lines(page.events[max(title.event - _NEAR_TITLE_EVENTS // 2, 0) : title.event])[-_NEAR_TITLE_LINES:]
    for pair in zip_longest(below, reversed(above), fillvalue=""):
        for line in pair:
            found = find_date(line) if len(line) <= _DATE_LINE else None
            if found is not None:
                return found
    return None


def _lines(events: list[int | str]) -> list[str]:
    return [line for event in events if isinstance(event, str) and (line := clean_line(event))]


def _text_near(page: Page, position: int, count: int) -> str:
    events = page.events[position : position + count]
    return clean_line(" ".join(event for event in events if isinstance(event, str)))


def _title(
    page: Page, meta: dict[str, list[str]], article: dict[str, Any] | None, builder: DocumentBuilder
) -> str | None:
    headline = article.get("headline") if article is not None else None
    if isinstance(headline, str) and clean_line(headline):
        return clean_line(headline)
    for name in ("og:title", "twitter:title", "citation_title", "dc.title"):
        if meta.get(name):
            return meta[name][0]
    printed, heading = _printed_title(page), builder.first_heading
    if printed is None or (heading is not None and _is_same_title(heading, printed)):
        return heading
    return printed


def _is_same_title(heading: str, printed: str) -> bool:
    """Whether a heading says what the page's `<title>` says, most of its words at least."""
    words = set(heading.lower().split())
    return len(words & set(printed.lower().split())) >= 0.5 * len(words)


def _printed_title(page: Page) -> str | None:
    node = page.first("title")
    return clean_line(page.aside.get(node.index, "")) or None if node is not None else None


def _publisher(meta: dict[str, list[str]], article: dict[str, Any] | None) -> str | None:
    if article is not None:
        names = _names(article.get("publisher"))
        if names:
            return names[0]
    for name in ("og:site_name", "application-name", "dc.publisher", "citation_publisher"):
        if meta.get(name):
            return meta[name][0]
    return None


def _authors(page: Page, meta: dict[str, list[str]], article: dict[str, Any] | None) -> tuple[str, ...]:
    found = _names(article.get("author")) if article is not None else []
    if not found:
        stated = (content for name in _AUTHOR_META for content in meta.get(name, ()))
        found = [content for content in stated if "://" not in content]
    if not found:
        found = [_text_near(page, node.event, min(node.event_end - node.event, 12)) for node in _linked_authors(page)]
    return tuple(dict.fromkeys(name for name in found if 0 < len(name) <= 120))


def _linked_authors(page: Page) -> list[Node]:
    nodes = (node for node in page.by_tag.get("a", ()) if "author" in (node.attrs.get("rel") or "").split())
    return list(nodes)[:5]


def _names(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    names = [item.get("name") if isinstance(item, dict) else item for item in items[:50]]
    return [clean_line(name) for name in names if isinstance(name, str) and clean_line(name)]


def _canonical(page: Page, meta: dict[str, list[str]], url: str | None) -> str | None:
    hrefs = [
        node.attrs.get("href") or ""
        for node in page.by_tag.get("link", ())
        if "canonical" in (node.attrs.get("rel") or "").lower().split()
    ]
    for href in (*hrefs, *meta.get("og:url", ())):
        found = absolute_url(href, url)
        if found is not None:
            return found
    return None


def absolute_url(href: str, base: str | None) -> str | None:
    """An http(s) URL made absolute, without its fragment; None where it is none."""
    try:
        joined = urljoin(base or "", href.strip())
        parts = urlsplit(joined)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return None
    return parts._replace(fragment="").geturl()
