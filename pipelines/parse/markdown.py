"""Markdown as blocks, by markdown-it-py (CommonMark with GFM tables), front matter first.

Wiki links become their words, footnote marks stay as written, templating marks go, admonitions are unfolded.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from pipelines.model.document import BlockKind, DateBasis, Document, DocumentFormat, Facts
from pipelines.parse.assemble import PIPES, DocumentBuilder, clean_line
from pipelines.parse.dates import date_in_url, find_date, first_plausible, read_date
from pipelines.parse.drawn import write_code
from pipelines.parse.html import write_fragment
from pipelines.parse.media import of_text
from pipelines.parse.metadata import absolute_url, read_language
from pipelines.parse.rst import RstReader
from pipelines.parse.tables import RawCell

_FRONT_MATTER = re.compile(r"\A\ufeff?(---|\+\+\+)[ \t]*\n(.*?)\n\1[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_MATTER_LIMIT = 64 * 1024
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ADMONITION = re.compile(r"""[!?]{3}\+?[ \t]+[\w ]+(?:"([^"]*)")?\s*|=== "([^"]*)"\s*""")
_RST_TABLE = re.compile(r"\{(list-table|csv-table|eval-rst)\}[ \t]*(.*)")
_FOOTNOTE = re.compile(r" {0,3}\[\^")
_LINKED_NAME = re.compile(r"\s*\(?\[[^\]]{0,200}\]\([^)]{0,300}\)\)?")
_WIKI_LINK = re.compile(r"!?\[\[(?:[^\]\[|]*\|)?([^\]\[|]*)\]\]")
_TEMPLATING = re.compile(
    r"\{%[^%\n]{0,300}%\}|\{\{[<%][^\n]{0,300}?[>%]\}\}|\{\{ [\w.| '\"]{1,80} \}\}|\{[:#.][^{}\n]{0,80}\}"
)
_RULE_MARKS = frozenset("|:- \t")
_MAX_NESTING = 40
_CREDIT = re.compile(
    r"(?:written|generated|translated|edited|published|posted|originally published|cross-?posted)"
    r" (?:using|with|by|on|in|at|via|from)\b.{0,180}",
    re.IGNORECASE,
)
_CONTAINERS = {"blockquote_open": 1, "blockquote_close": -1}


def parse_markdown(text: str, url: str | None, latest: date, notes: tuple[str, ...] = ()) -> Document:
    """The document of a markdown text."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    matter, body = split_front_matter(text)
    builder = DocumentBuilder()
    parser = MarkdownIt("commonmark", {"maxNesting": _MAX_NESTING}).enable(["table", "strikethrough"])
    tokens = parser.parse(_prepare(body))
    MarkdownWriter(builder).write(tokens)
    facts = _read_facts(matter, builder, url, latest, notes)
    return builder.build(DocumentFormat.MARKDOWN, url, facts)


parse = of_text(parse_markdown)


def split_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """The YAML or TOML head of a text and the rest; a head that cannot be read says nothing and is still a head."""
    match = _FRONT_MATTER.match(text[:_FRONT_MATTER_LIMIT])
    if match is None:
        return {}, text
    try:
        found = yaml.safe_load(match[2]) if match[1] == "---" else tomllib.loads(match[2])
    except (yaml.YAMLError, tomllib.TOMLDecodeError, ValueError, RecursionError):
        found = None
    if match[1] == "---" and not isinstance(found, dict) and ":" not in match[2]:
        return {}, text
    head = {str(key).lower(): value for key, value in found.items()} if isinstance(found, dict) else {}
    return head, text[match.end() :]


class MarkdownWriter:
    """Writes markdown-it's tokens into a document."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._quotes = 0
        self._markers: list[str] = []
        self._heading = 0
        self._rows: list[list[RawCell]] | None = None
        self._is_head = False

    def write(self, tokens: list[Token]) -> None:
        """Write all tokens in order, lists that are nothing but links left out."""
        dropped = {position for start, end in _link_lists(tokens) for position in range(start, end + 1)}
        for position, token in enumerate(tokens):
            if position in dropped:
                continue
            kind = token.type
            if kind == "inline":
                self._write_inline(token)
            elif kind in ("fence", "code_block"):
                self._write_fence(token)
            elif kind == "html_block":
                write_fragment(self._builder, token.content)
            elif kind.startswith(("table_", "thead_", "tbody_", "tr_")):
                self._step_table(kind)
            elif kind == "heading_open":
                self._heading = int(token.tag[1:])
            elif kind == "heading_close":
                self._heading = 0
            elif kind in _CONTAINERS:
                self._quotes += _CONTAINERS[kind]
            else:
                self._step_list(token)

    def _write_fence(self, token: Token) -> None:
        """Code; or, where a fence bears the name of a directive of tables, as MyST has them, what that holds."""
        content = token.content.strip("\n").expandtabs(4)
        directive = _RST_TABLE.fullmatch(token.info.strip())
        if directive is None:
            write_code(self._builder, content)
        else:
            lines = [line.rstrip() for line in content.split("\n")]
            RstReader(self._builder).read_directive(directive[1], directive[2], lines)

    def _step_list(self, token: Token) -> None:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self._builder.open_list(is_ordered=token.type == "ordered_list_open")
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._builder.close_list()
        elif token.type == "list_item_open":
            self._markers.append(f"{token.info}{token.markup}")
        elif token.type == "list_item_close":
            self._markers.pop()

    def _step_table(self, kind: str) -> None:
        if kind == "table_open":
            self._rows = []
        elif kind == "tr_open" and self._rows is not None:
            self._rows.append([])
        elif kind.startswith("thead_"):
            self._is_head = kind == "thead_open"
        elif kind == "table_close" and self._rows is not None:
            rows, self._rows = self._rows, None
            header_rows = 1 if any(cell.text for cell in rows[0]) or len(rows) == 1 else 0
            self._builder.add_table(rows, style=PIPES, header_rows=header_rows)

    def _write_inline(self, token: Token) -> None:
        text = inline_text(token)
        if self._rows is not None:
            self._rows[-1].append(RawCell(clean_line(text), is_header=self._is_head))
        elif self._heading:
            self._builder.add_heading(self._heading, text)
        elif self._markers:
            self._builder.add_item(text, marker=self._markers[-1])
            self._markers[-1] = ""
        elif _CREDIT.fullmatch(text.strip()) is None:
            self._builder.add(BlockKind.QUOTE if self._quotes else BlockKind.PARAGRAPH, text)


def _link_lists(tokens: list[Token]) -> list[tuple[int, int]]:
    """Where the outermost lists stand whose every item is a link and nothing else, two items at least."""
    found: list[tuple[int, int]] = []
    start, items, is_linked = -1, 0, True
    for position, token in enumerate(tokens):
        if token.level == 0 and token.type in ("bullet_list_open", "ordered_list_open"):
            start, items, is_linked = position, 0, True
        elif start >= 0 and token.type == "inline":
            items += 1
            is_linked = is_linked and _is_only_links(token)
        elif token.level == 0 and token.type in ("bullet_list_close", "ordered_list_close"):
            if items >= 2 and is_linked:
                found.append((start, position))
            start = -1
    return found


def _is_only_links(token: Token) -> bool:
    depth = 0
    for child in token.children or ():
        depth += (child.type == "link_open") - (child.type == "link_close")
        if not depth and child.type in ("text", "code_inline") and child.content.strip(" ,;|·"):
            return False
    return bool(token.children)


def inline_text(token: Token) -> str:
    """The words of an inline token: link texts without targets, images dropped, `<br>` as a line break."""
    parts: list[str] = []
    for child in token.children or ():
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type == "softbreak":
            parts.append(" ")
        elif child.type == "hardbreak" or (child.type == "html_inline" and child.content.lower().startswith("<br")):
            parts.append("\n")
        elif child.type == "html_inline" and child.content.lower() == "<sup>":
            parts.append("^")
    return _WIKI_LINK.sub(r"\1", _TEMPLATING.sub("", "".join(parts)))


def _prepare(body: str) -> str:
    """The body with what CommonMark would misread made plain: footnotes, admonitions, tables without a rule."""
    lines = body.split("\n")
    out: list[str] = []
    fence, depth = "", 0
    for position, line in enumerate(lines):
        if depth and line.strip() and not line.startswith("    "):
            depth = 0
        if depth:
            line = line[4:]
        mark = _FENCE.match(line)
        if mark is not None:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
        if fence or mark is not None:
            out.append(line)
            continue
        admonition = _ADMONITION.fullmatch(line) if len(line) <= 200 else None
        if admonition is not None:
            depth = 1
            title = admonition[1] or admonition[2]
            out.extend(["", f"**{title}**" if title else "", ""])
            continue
        if _FOOTNOTE.match(line):
            line = "\n" + line.replace("[^", "\\[^", 1)
        out.append(line)
        if _needs_rule(lines, position):
            out.append("|".join(["---"] * _pipe_cells(line)))
    return "\n".join(out)


def _needs_rule(lines: list[str], position: int) -> bool:
    """Whether a line is the head of a pipe table that was written without its rule."""
    count = lines[position].count("|")
    if count < 2 or position + 1 >= len(lines) or lines[position + 1].count("|") != count:
        return False
    if position and lines[position - 1].strip():
        return False
    return not _RULE_MARKS.issuperset(lines[position + 1]) and not lines[position].startswith(("    ", "\t", ">"))


def _pipe_cells(line: str) -> int:
    line = line.strip()
    return line.count("|") + 1 - line.startswith("|") - line.endswith("|")


def _read_facts(
    matter: dict[str, Any], builder: DocumentBuilder, url: str | None, latest: date, notes: tuple[str, ...]
) -> Facts:
    published, basis = first_plausible(_stated(matter, builder, url), latest)
    title = matter.get("title")
    authors = matter.get("author", matter.get("authors"))
    listed = authors if isinstance(authors, list) else [authors]
    canonical = next((matter[key] for key in ("canonical_url", "canonical", "url") if key in matter), None)
    language = matter.get("lang", matter.get("language"))
    publisher = matter.get("publisher", matter.get("site_name"))
    return Facts(
        title=clean_line(title) if isinstance(title, str) and title.strip() else builder.title_in_text(),
        publisher=clean_line(publisher) if isinstance(publisher, str) else None,
        authors=tuple(
            clean_line(_LINKED_NAME.sub("", name)) for name in listed[:20] if isinstance(name, str) and name.strip()
        ),
        published_on=published,
        published_basis=basis,
        language=read_language(language) if isinstance(language, str) else None,
        canonical_url=absolute_url(canonical, url) if isinstance(canonical, str) else None,
        notes=notes,
    )


def _stated(
    matter: dict[str, Any], builder: DocumentBuilder, url: str | None
) -> Iterator[tuple[date | None, DateBasis]]:
    for key in ("date", "published", "publishdate", "pubdate", "publish_date", "date_published", "created"):
        value = matter.get(key)
        found = value.date() if isinstance(value, datetime) else value if isinstance(value, date) else None
        yield read_date(value) if isinstance(value, str) else found, DateBasis.META
    yield date_in_url(url), DateBasis.URL
    for text in builder.head_texts(4):
        yield find_date(text) if len(text) <= 120 else None, DateBasis.VISIBLE
