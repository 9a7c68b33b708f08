"""Plain text as blocks: paragraphs, headings by their shape, list items, pipe tables, and the lines of page furniture.

A file whose lines are long holds one paragraph a line; a hard-wrapped one parts paragraphs by blank lines.
"""

from __future__ import annotations

import re
from datetime import date

from pipelines.model.document import BlockKind, DateBasis, Document, DocumentFormat, Facts
from pipelines.parse.assemble import DocumentBuilder
from pipelines.parse.dates import date_in_url, find_date, first_plausible
from pipelines.parse.drawn import is_row, write_rows
from pipelines.parse.media import of_text
from pipelines.parse.spaced import write_stretches

_ITEM = re.compile(r"([ \t]*)([-*•‣◦–·]|\d{1,3}[.)])[ \t]+(\S.*)")
_BLANK_LINES = re.compile(r"\n\s*\n")
_WRAPPED_AT = 100
_HEADING_LENGTH = 100
_SENTENCE_END = re.compile(r"[.!?:;,…]['\"”’)\]]*$")
_MARKER_LINE = re.compile(r"\[(?:URL|SOURCE|DATE|AUTHOR)\]\s\S+\s*$", re.IGNORECASE)
# Lines that a copied page leaves behind: its controls and its invitations. Whole short lines only.
_FURNITURE_LINE = re.compile(
    r"(?:[←→«»‹›↑]\s*.*|skip to .*|back to .{1,40}|share(?: this.*| on .*)?|tweet|print|email|subscribe(?: .*)?"
    r"|sign (?:up|in).*|log ?in|menu|search|home|close|accept(?: all)?(?: cookies)?"
    r"|.*\bcookies?\b.*(?:policy|settings|accept).*|read (?:more|next).*|learn more.*|download on the .*|get it on .*"
    r"|follow us.*|all rights reserved.*|(?:copyright )?©.*|copyright \(c\).*|advertisement|sponsored|loading\W*"
    r"|comments?|leave a (?:reply|comment).*|no comments.*|\d+ comments?|\d+(?:-\d+)? min(?:utes?)?(?: ?read.*)?"
    r"|privacy policy|terms of (?:use|service)|table of contents|on this page)",
    re.IGNORECASE,
)
_TAIL_TITLE = re.compile(
    r"(?:related|associated|recommended|more|latest|popular|similar|further|you may also)\b[\w ’'&-]{0,40}",
    re.IGNORECASE,
)


def parse_text(text: str, url: str | None, latest: date, notes: tuple[str, ...] = ()) -> Document:
    """The document of a plain text; its title is its first line where that is short enough to be one."""
    lines = _BLANK_LINES.sub("\n\n", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    builder = DocumentBuilder()
    write_lines(builder, _drop_furniture([line for line in lines if not _MARKER_LINE.match(line)]))
    stated = _published(lines, url, latest)
    facts = Facts(
        title=builder.title_in_text(longest=200),
        published_on=stated[0],
        published_basis=stated[1],
        notes=notes,
    )
    return builder.build(DocumentFormat.TEXT, url, facts)


parse = of_text(parse_text)


def write_lines(builder: DocumentBuilder, lines: list[str]) -> None:
    """Write lines of plain text as blocks, and columns of figures among them as tables."""
    is_wrapped = max((len(line) for line in lines), default=0) <= _WRAPPED_AT
    write_stretches(
        builder, lines, lambda rest, table: _write_blocks(builder, _group(rest, is_wrapped=is_wrapped), table)
    )


def _write_blocks(builder: DocumentBuilder, groups: list[list[str]], below: list[str]) -> None:
    """Write groups of lines as blocks; `below` are the lines behind the last one."""
    for position, group in enumerate(groups):
        following = groups[position + 1] if position + 1 < len(groups) else below
        if len(group) > 1 and is_row(group[0]):
            write_rows(builder, group)
        elif _ITEM.fullmatch(group[0]):
            _write_items(builder, group)
        elif _is_heading(group, following):
            builder.add_heading(1 if not builder.blocks else 2, group[0])
        else:
            builder.add(BlockKind.PARAGRAPH, " ".join(group))


def _group(lines: list[str], *, is_wrapped: bool) -> list[list[str]]:
    """Lines that make one block together: pipe rows, runs of list items, wrapped paragraphs."""
    groups: list[list[str]] = []
    kind = ""
    for line in lines:
        if not line.strip():
            kind = ""
            continue
        now = "item" if _ITEM.fullmatch(line) else "row" if is_row(line) else "line"
        is_continued = now == "line" and kind == "item" and line[:1] in " \t"
        if groups and (is_continued or (now == kind and (now != "line" or is_wrapped))):
            groups[-1].append(line)
        else:
            groups.append([line])
            kind = now
    return groups


def _write_items(builder: DocumentBuilder, group: list[str]) -> None:
    indents: list[int] = []
    for line in _join_continued(group):
        match = _ITEM.fullmatch(line)
        if match is None:
            continue
        indent = len(match[1].expandtabs(4))
        while indents and indents[-1] > indent:
            indents.pop()
            builder.close_list()
        if not indents or (indent > indents[-1] and len(indents) < 20):
            indents.append(indent)
            builder.open_list(is_ordered=match[2][0].isdigit())
        builder.add_item(match[3], marker=match[2])
    for _ in indents:
        builder.close_list()


def _join_continued(group: list[str]) -> list[str]:
    joined: list[list[str]] = []
    for line in group:
        if _ITEM.fullmatch(line) or not joined:
            joined.append([line.rstrip()])
        else:
            joined[-1].append(line.strip())
    return [" ".join(parts) for parts in joined]


def _is_heading(group: list[str], following: list[str]) -> bool:
    """A single short line without a sentence's end, above something longer."""
    if len(group) != 1 or not following:
        return False
    line = group[0].strip()
    if len(line) > _HEADING_LENGTH or _SENTENCE_END.search(line):
        return False
    if not (line[0].isupper() or line[0].isdigit() or line[0] in "\"'“‘¿¡"):
        return False
    below = following[0].strip()
    return len(below) > len(line) or _ITEM.fullmatch(following[0]) is not None


def _drop_furniture(lines: list[str]) -> list[str]:
    """The lines without those that only steer a reader, and without a closing list of other pages' titles."""
    kept = [line for line in lines if len(line) > 90 or _FURNITURE_LINE.fullmatch(line.strip()) is None]
    tail = len(kept)
    while tail and (not kept[tail - 1].strip() or not _SENTENCE_END.search(kept[tail - 1].strip())):
        tail -= 1
    for position in range(tail, len(kept)):
        if _TAIL_TITLE.fullmatch(kept[position].strip()) and len(kept) - position > 2:
            return kept[:position]
    return kept


def _published(lines: list[str], url: str | None, latest: date) -> tuple[date | None, DateBasis]:
    head = [line for line in lines[:12] if len(line) <= 200]
    marked = next((line for line in head if _MARKER_LINE.match(line)), "")
    visible = next((found for line in head if len(line) <= 80 and (found := find_date(line))), None)
    marked_on = date_in_url(marked.split(maxsplit=1)[-1]) if marked else None
    stated = ((date_in_url(url), DateBasis.URL), (marked_on, DateBasis.URL), (visible, DateBasis.VISIBLE))
    return first_plausible(stated, latest)
