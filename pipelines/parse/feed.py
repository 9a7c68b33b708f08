"""RSS, Atom and RDF feeds (feedparser) and JSON feeds: their entries, and a document that reads like the feed.

feedparser gets a memory buffer and never a name, so it opens nothing.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import feedparser

from pipelines.frozen import frozen
from pipelines.model.document import DateBasis, Document, DocumentFormat, Facts
from pipelines.parse.assemble import DocumentBuilder, clean_line
from pipelines.parse.dates import first_plausible, read_date
from pipelines.parse.html import write_fragment
from pipelines.parse.media import of_bytes
from pipelines.parse.metadata import absolute_url, read_language
from pipelines.problems import InputError, Reason

MAX_ENTRIES = 5000
_PUBLISHED = ("published_parsed", "updated_parsed", "created_parsed")


@frozen
class FeedEntry:
    """One entry: where it leads, what it is called, and the day it states. `summary` is markup, not to be shown."""

    url: str | None
    title: str | None
    published_on: date | None
    authors: tuple[str, ...]
    summary: str


@frozen
class Feed:
    """A feed as read: its own words and its entries in the feed's order."""

    title: str | None
    url: str | None
    language: str | None
    entries: tuple[FeedEntry, ...]


def read_feed(payload: bytes, url: str | None, latest: date) -> Feed:
    """The feed in the bytes; raises InputError DOCUMENT_DAMAGED where there is none, DOCUMENT_EMPTY without entries."""
    start = payload.lstrip(b"\xef\xbb\xbf \t\r\n")
    feed = _read_json(payload, url, latest) if start.startswith(b"{") else _read_xml(payload, url, latest)
    if not feed.entries:
        raise InputError(Reason.DOCUMENT_EMPTY, url or "the payload", "the feed has no entries")
    return feed


def parse_feed(payload: bytes, url: str | None, latest: date) -> Document:
    """The document of a feed: a heading and the summary for each entry, dated by its newest entry."""
    feed = read_feed(payload, url, latest)
    builder = DocumentBuilder()
    if feed.title:
        builder.add_heading(1, feed.title)
    for entry in feed.entries:
        if entry.title:
            builder.add_heading(2, entry.title)
        if entry.summary:
            write_fragment(builder, entry.summary)
    newest = max((entry.published_on for entry in feed.entries if entry.published_on is not None), default=None)
    facts = Facts(
        title=feed.title,
        publisher=feed.title,
        authors=(),
        published_on=newest,
        published_basis=DateBasis.FEED if newest is not None else DateBasis.NONE,
        language=feed.language,
        canonical_url=feed.url,
    )
    return builder.build(DocumentFormat.FEED, url, facts)


parse = of_bytes(parse_feed)


def _read_xml(payload: bytes, url: str | None, latest: date) -> Feed:
    try:
        parsed = feedparser.parse(io.BytesIO(payload), sanitize_html=False, resolve_relative_uris=False)
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError, RecursionError) as error:
        raise InputError(Reason.DOCUMENT_DAMAGED, url or "the payload", f"no feed: {type(error).__name__}") from error
    if not parsed.get("version") and not parsed.entries:
        raise InputError(Reason.DOCUMENT_DAMAGED, url or "the payload", "the XML is no feed")
    head: Mapping[str, Any] = parsed.feed
    base = _word(head, "link") or url
    entries = tuple(_xml_entry(entry, base, latest) for entry in parsed.entries[:MAX_ENTRIES])
    return _feed(head, "link", url, entries)


def _xml_entry(entry: Mapping[str, Any], base: str | None, latest: date) -> FeedEntry:
    keys = [key for key in _PUBLISHED if key in list(entry.keys())]  # .get would invent one from another
    published, _ = first_plausible(((_day(entry[key]), DateBasis.FEED) for key in keys), latest)
    contents = entry.get("content") or []
    bodies = [str(content.get("value") or "") for content in contents] or [str(entry.get("summary") or "")]
    author = _word(entry, "author")
    return FeedEntry(
        absolute_url(_word(entry, "link") or "", base),
        _word(entry, "title"),
        published,
        (author,) if author is not None else (),
        max(bodies, key=len),
    )


def _read_json(payload: bytes, url: str | None, latest: date) -> Feed:
    """A JSON feed, version 1 or 1.1 (https://www.jsonfeed.org/version/1.1/)."""
    try:
        head = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise InputError(Reason.DOCUMENT_DAMAGED, url or "the payload", "the JSON feed is no JSON") from error
    items = head.get("items") if isinstance(head, dict) else None
    if not isinstance(items, list):
        raise InputError(Reason.DOCUMENT_DAMAGED, url or "the payload", "the JSON feed has no items")
    entries = tuple(_json_entry(item, url, latest) for item in items[:MAX_ENTRIES] if isinstance(item, dict))
    return _feed(head, "home_page_url", url, entries)


def _feed(head: Mapping[str, Any], link: str, url: str | None, entries: tuple[FeedEntry, ...]) -> Feed:
    own = absolute_url(_word(head, link) or "", url)
    return Feed(_word(head, "title"), own, read_language(_word(head, "language")), entries)


def _json_entry(item: Mapping[str, Any], base: str | None, latest: date) -> FeedEntry:
    published, _ = first_plausible([(read_date(_word(item, "date_published")), DateBasis.FEED)], latest)
    authors = item.get("authors")
    named = (
        [_word(author, "name") for author in authors if isinstance(author, dict)] if isinstance(authors, list) else []
    )
    body = item.get("content_html") or item.get("content_text") or item.get("summary") or ""
    return FeedEntry(
        absolute_url(_word(item, "url") or "", base),
        _word(item, "title"),
        published,
        tuple(name for name in named if name is not None),
        body if isinstance(body, str) else "",
    )


def _word(record: Mapping[str, Any], key: str) -> str | None:
    value = record.get(key)
    return clean_line(value) or None if isinstance(value, str) else None


def _day(stated: object) -> date | None:
    try:
        return date(*stated[:3]) if isinstance(stated, tuple) else None
    except ValueError:
        return None
