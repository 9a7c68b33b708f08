"""What is new in the forms that others read: Atom, JSON Feed 1.1, Markdown, and a page for mail readers.

Text of others is text in each. Sources of the forms: RFC 4287 and jsonfeed.org/version/1.1.
"""

from __future__ import annotations

import datetime as dt
import html
import json
import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

from pipelines.frozen import frozen
from warehouse.answers import formats
from warehouse.answers.news import NewsItem, by_day

MOST_ENTRIES = 100
ATOM, JSON = "application/atom+xml; charset=utf-8", "application/feed+json; charset=utf-8"
ATOM_NAMESPACE = "http://www.w3.org/2005/Atom"
AUTHOR = "rackledger"
_PAGE = Path(__file__).with_name("digest.html").read_text(encoding="utf-8")
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@frozen
class Feed:
    """What a feed is about. `root` is the dashboard's own address with a slash at its end; `path` the feed's in it."""

    title: str
    says: str
    root: str
    path: str
    page: str
    updated: dt.date


def atom(feed: Feed, entries: Sequence[NewsItem]) -> bytes:
    """The feed as Atom: every element that RFC 4287 requires of a feed and an entry, and nothing that is markup."""
    made = ElementTree.Element("feed", xmlns=ATOM_NAMESPACE)
    _add(made, "id", f"tag:rackledger,2026:feed:{feed.path.rsplit('.', 1)[0]}")
    _add(made, "title", feed.title)
    _add(made, "subtitle", feed.says)
    _add(made, "updated", _noon(max((entry.day for entry in entries), default=feed.updated)).isoformat())
    _add(_add(made, "author"), "name", AUTHOR)
    _add(made, "link", rel="self", type="application/atom+xml", href=feed.root + feed.path)
    _add(made, "link", rel="alternate", type="text/html", href=feed.root + feed.page)
    for entry in entries[:MOST_ENTRIES]:
        item, source = _add(made, "entry"), f" Source: {entry.url}" if entry.url else ""
        _add(item, "id", entry.id)
        _add(item, "title", entry.title)
        _add(item, "link", rel="alternate", href=feed.root + entry.path)
        _add(item, "category", term=entry.kind)
        _add(item, "published", _noon(entry.day).isoformat())
        _add(item, "updated", _noon(entry.day).isoformat())
        _add(item, "content", f"{entry.words} {entry.why}{source}", type="text")
    ElementTree.indent(made)
    content: bytes = ElementTree.tostring(made, encoding="utf-8", xml_declaration=True)
    return content


def _add(parent: ElementTree.Element, name: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    """A child with text; the writer escapes markup, and what XML cannot hold is replaced here."""
    kept = {key: _text(value) for key, value in attributes.items()}
    child = ElementTree.SubElement(parent, name, kept)
    child.text = None if text is None else _text(text)
    return child


def json_feed(feed: Feed, entries: Sequence[NewsItem]) -> bytes:
    """The feed as JSON Feed 1.1."""
    items = [
        {
            "id": entry.id,
            "url": feed.root + entry.path,
            **({"external_url": entry.url} if entry.url else {}),
            "title": entry.title,
            "content_text": f"{entry.words} {entry.why}",
            "date_published": _noon(entry.day).isoformat(),
            "tags": [entry.kind, entry.tag],
            "_rackledger": {"evidence": entry.tag, "claims": list(entry.claim_ids)},
        }
        for entry in entries[:MOST_ENTRIES]
    ]
    made = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "description": feed.says,
        "home_page_url": feed.root + feed.page,
        "feed_url": feed.root + feed.path,
        "authors": [{"name": AUTHOR}],
        "items": items,
    }
    return json.dumps(made, ensure_ascii=False, indent=1).encode("utf-8", "replace")


def nothing_new(day: dt.date, since: dt.date) -> NewsItem:
    """The entry of a brief without news: it says so."""
    words = f"Nothing new was stated from {since} to {day}."
    return NewsItem(
        f"tag:rackledger,2026:quiet:{day}", "no change", words, words, "A quiet time is also worth knowing.", day,
        "derived", "", "",
    )  # fmt: skip


def _noon(day: dt.date) -> dt.datetime:
    """A day as a moment: noon in UTC, since statements carry days and no hours."""
    return dt.datetime.combine(day, dt.time(12), dt.UTC)


def _text(text: str) -> str:
    """Text without the characters that XML cannot hold; never empty, as the standard asks for words."""
    return _NOT_XML.sub("\ufffd", text) or "(no words)"


def markdown(title: str, root: str, entries: Sequence[NewsItem]) -> str:
    """The entries by day, each with its tag, its page and its source."""
    lines = [f"# {formats.escape_markdown(title)}", ""]
    for day, found in by_day(entries).items():
        lines += [f"## {day}", ""]
        for entry in found:
            source = f" [source](<{entry.url}>)" if entry.url else ""
            said = formats.escape_markdown(f"{entry.title}. {entry.words}")
            lines.append(f"- **{formats.escape_markdown(entry.kind)}**: {said} [record](<{root}{entry.path}>){source}")
        lines.append("")
    return "\n".join([*lines, *([] if entries else ["Nothing new was stated.", ""])])


def page(title: str, root: str, entries: Sequence[NewsItem]) -> str:
    """The same as one HTML page without script; two pictures count the entries by kind and by evidence tag."""
    parts = [_picture("By kind", [entry.kind for entry in entries]), _picture("By evidence", [e.tag for e in entries])]
    for day, found in by_day(entries).items():
        items = "".join(_item(root, entry) for entry in found)
        parts.append(f"<h2>{day}</h2>\n<ul>{items}</ul>")
    body = "\n".join(parts) if entries else "<p>Nothing new was stated.</p>"
    return _PAGE.format(title=html.escape(title), body=body)


def _item(root: str, entry: NewsItem) -> str:
    links = [f'<a href="{html.escape(root + entry.path)}">record</a>']
    links += [f'<a href="{html.escape(entry.url)}" rel="noreferrer">source</a>'] if entry.url else []
    said = html.escape(f"{entry.title}. {entry.words}")
    return f"<li><b>{html.escape(entry.kind)}</b>: {said} {' · '.join(links)}</li>\n"


def _picture(title: str, words: Sequence[str]) -> str:
    """Bars that count words, the most frequent first, as SVG with its own text."""
    counted = sorted({word: words.count(word) for word in words}.items(), key=lambda each: (-each[1], each[0]))
    most, height = max((number for _, number in counted), default=1), 24
    rows = "".join(
        f'<text x="0" y="{place * height + 16}">{html.escape(word)}</text>'
        f'<rect x="140" y="{place * height + 4}" width="{360 * number / most:.1f}" height="16" fill="#3b6ea5"/>'
        f'<text x="{146 + 360 * number / most:.1f}" y="{place * height + 16}">{number}</text>'
        for place, (word, number) in enumerate(counted)
    )
    size = f'viewBox="0 0 560 {max(len(counted), 1) * height}"'
    label = html.escape(f"{title}: " + ", ".join(f"{word} {number}" for word, number in counted))
    return (
        f'<h2>{html.escape(title)}</h2>\n<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{label}" '
        f'width="100%" {size} font-size="13">{rows}</svg>'
    )
