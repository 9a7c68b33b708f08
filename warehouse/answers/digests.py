"""What is new as Markdown and as a page for mail readers. Pure; text of others is escaped in both."""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path

from warehouse.answers import formats
from warehouse.answers.news import NewsItem, by_day

_PAGE = Path(__file__).with_name("digest.html").read_text(encoding="utf-8")


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
