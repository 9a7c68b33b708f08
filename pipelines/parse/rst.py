"""reStructuredText as blocks, read line by line: sections, lists, list tables, grid and simple tables, directives.

A reader for words and tables, not docutils: nothing is included, evaluated or fetched, unknown directives give
their body, and nesting beyond MAX_DEPTH is read as running text.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise

from pipelines.model.document import BlockKind, DateBasis, Document, DocumentFormat, Facts
from pipelines.parse.assemble import DocumentBuilder, TableStyle, clean_line
from pipelines.parse.dates import date_in_url, first_plausible, read_date
from pipelines.parse.drawn import write_code
from pipelines.parse.media import of_text
from pipelines.parse.tables import RawCell

MAX_DEPTH = 12
_LONG_VALUE = 300  # characters of a field beyond which its list is text, not a table

_ADORNMENT = re.compile(r"([=\-`:.'\"~^_*+#<>!$%&,/;?@\\|(){}\[\]])\1{2,}\s*")
_DIRECTIVE = re.compile(r"\.\. (?:\|[^|\n]*\| )?([\w:+.-]+)::[ \t]*(.*)")
_FIELD = re.compile(r":([^:\n`][^:\n]*):(?:[ \t]+(.*))?")
_ITEM = re.compile(r"([-*+•‣]|(?:\d{1,3}|#|[a-zA-Z])[.)]|\((?:\d{1,3}|#|[a-zA-Z])\))[ \t]+(\S.*)")
_SIMPLE_RULE = re.compile(r"=+(?: +=+)+\s*")
_BULLETS = frozenset("-*+•‣")
_LIST_ROW = TableStyle("* - ", "\n  - ", "")
_DROPPED = frozenset(
    {"meta", "toctree", "contents", "raw", "include", "index", "highlight", "math", "image", "replace", "unicode"}
    | {"currentmodule", "default-role", "role", "sectnum", "tags", "autosummary", "automodule", "graphviz", "mermaid"}
)
_CODE = frozenset({"code", "code-block", "sourcecode", "parsed-literal", "literalinclude", "prompt", "highlight"})

_RUNS = re.compile(r"\s+")
_ROLE = re.compile(r"(?<!\w):[\w:+.-]{1,60}:`([^`<]*?) ?(?:<[^`>]*>)?`")
_LINK = re.compile(r"`([^`<]+?) ?<[^`>]*>`__?|`([^`]+)`__?")
_MARKED = re.compile(r"(?<![\w*])(\*\*|\*)(?=\S)([^*\n]+?)(?<=\S)\1(?!\w)")
_LITERAL = re.compile(r"``([^`]+)``")
_NOTE_MARK = re.compile(r"(\[[\w#*]+\])_(?!\w)")


def parse_rst(text: str, url: str | None, latest: date, notes: tuple[str, ...] = ()) -> Document:
    """The document of a reStructuredText file."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(8).split("\n")
    builder = DocumentBuilder()
    reader = RstReader(builder)
    reader.read([line.rstrip() for line in lines], 0)
    stated = reader.fields.get("date") or reader.fields.get("published")
    published, basis = first_plausible(((read_date(stated), DateBasis.META), (date_in_url(url), DateBasis.URL)), latest)
    facts = Facts(
        title=builder.first_heading,
        authors=tuple(reader.fields[key] for key in ("author", "authors") if reader.fields.get(key)),
        published_on=published,
        published_basis=basis,
        notes=notes,
    )
    return builder.build(DocumentFormat.RST, url, facts)


parse = of_text(parse_rst)


def inline_words(text: str) -> str:
    """Running text without its inline marks: roles and links give their words, targets go."""
    text = _ROLE.sub(r"\1", _RUNS.sub(" ", text))
    text = _LITERAL.sub(r"\1", text)
    text = _LINK.sub(lambda match: match[1] or match[2], text)
    text = _MARKED.sub(r"\2", text)
    return _NOTE_MARK.sub(r"\1", text).replace("\\ ", "")


class RstReader:
    """Reads lines into a document; heading levels are given in order of appearance, as the format demands."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self.fields: dict[str, str] = {}
        self._builder = builder
        self._levels: list[tuple[str, bool]] = []

    def read(self, lines: list[str], depth: int) -> None:
        """Read lines of one indentation level; deeper ones are read by recursion, MAX_DEPTH deep at most."""
        at = 0
        while at < len(lines):
            line = lines[at]
            if not line:
                at += 1
            elif line.startswith(".. ") or line == "..":
                at = self._read_explicit(lines, at, depth)
            elif depth == 0 and (taken := self._read_title(lines, at)):
                at += taken
            elif line.startswith(("+-", "+=")):
                at = self._read_table_lines(lines, at, is_grid=True)
            elif _SIMPLE_RULE.fullmatch(line):
                at = self._read_table_lines(lines, at, is_grid=False)
            elif _ITEM.fullmatch(line) and depth < MAX_DEPTH:
                at = self._read_list(lines, at, depth)
            elif _FIELD.fullmatch(line):
                at = self._read_fields(lines, at)
            elif line.startswith(" "):
                end = _body_end(lines, at, 1)
                if depth < MAX_DEPTH:
                    self.read(_dedent(lines[at:end]), depth + 1)
                else:
                    self._builder.add(BlockKind.PARAGRAPH, inline_words(" ".join(lines[at:end])))
                at = end
            else:
                at = self._read_paragraph(lines, at)

    def _read_title(self, lines: list[str], at: int) -> int:
        """Write the section title at a line, if there is one; how many lines it took."""
        line = lines[at]
        below = lines[at + 1] if at + 1 < len(lines) else ""
        under = lines[at + 2] if at + 2 < len(lines) else ""
        mark = _ADORNMENT.fullmatch(line)
        if mark is not None and below and under.strip() == line.strip():
            self._write_title(below, mark[1], has_overline=True)
            return 3
        mark = _ADORNMENT.fullmatch(below)
        if mark is not None and _ADORNMENT.fullmatch(line) is None and len(below) >= min(len(line), 4):
            self._write_title(line, mark[1], has_overline=False)
            return 2
        return 1 if _ADORNMENT.fullmatch(line) is not None and not below else 0

    def _write_title(self, line: str, character: str, *, has_overline: bool) -> None:
        style = (character, has_overline)
        if style not in self._levels:
            self._levels.append(style)
        self._builder.add_heading(min(self._levels.index(style) + 1, 6), inline_words(line.strip()))

    def _read_explicit(self, lines: list[str], at: int, depth: int) -> int:
        """Read a directive, or pass over a comment, target or substitution."""
        end = _body_end(lines, at + 1, 1)
        match = _DIRECTIVE.fullmatch(lines[at])
        if match is None:
            if re.match(r"\.\. \[[\w#*]+\] ", lines[at]):
                self._builder.add(BlockKind.PARAGRAPH, inline_words(" ".join([lines[at][3:], *lines[at + 1 : end]])))
            return end
        self.read_directive(match[1].lower().rsplit(":", 1)[-1], match[2].strip(), lines[at + 1 : end], depth)
        return end

    def read_directive(self, name: str, argument: str, lines: Sequence[str], depth: int = 0) -> None:
        """Read what a directive of a name holds: its argument, and the lines of its options and body."""
        options, body = _split_options(_dedent(lines))
        if name == "meta":
            self.fields.update({key.lower(): value.strip('"') for key, value in options.items()})
        elif name in _CODE:
            write_code(self._builder, "\n".join(body))
        elif name == "list-table":
            self._write_list_table(argument, options, body)
        elif name == "csv-table":
            self._write_csv_table(argument, options, body)
        elif name not in _DROPPED and depth < MAX_DEPTH:
            if argument and name not in ("figure", "only", "container", "grid", "tab-set", "card", "list"):
                self._builder.add(BlockKind.PARAGRAPH, inline_words(argument))
            self.read(body, depth + 1)

    def _write_list_table(self, caption: str, options: dict[str, str], body: list[str]) -> None:
        rows: list[list[RawCell]] = []
        for item in _items(body, "*-"):
            rows.append([RawCell(_cell_text(cell)) for cell in _items(item, "-*")])
        self._builder.add_table(
            rows,
            caption=inline_words(caption),
            style=_LIST_ROW,
            header_rows=_count(options.get("header-rows")),
            header_columns=_count(options.get("stub-columns")),
        )

    def _write_csv_table(self, caption: str, options: dict[str, str], body: list[str]) -> None:
        header = [options["header"]] if "header" in options else []
        delimiter = options.get("delim", ",")
        delimiter = {"tab": "\t", "space": " "}.get(delimiter, delimiter)[:1] or ","
        try:
            records = list(csv.reader([*header, *filter(None, body)], delimiter=delimiter, skipinitialspace=True))
        except csv.Error:
            records = []
        rows = [[RawCell(inline_words(cell)) for cell in record] for record in records]
        count = _count(options.get("header-rows")) or len(header)
        stubs = _count(options.get("stub-columns"))
        self._builder.add_table(rows, caption=inline_words(caption), header_rows=count, header_columns=stubs)

    def _read_table_lines(self, lines: list[str], at: int, *, is_grid: bool) -> int:
        end = at
        if is_grid:
            while end < len(lines) and lines[end][:1] in ("+", "|"):
                end += 1
            rows, header_rows = read_grid_table(lines[at:end])
        else:
            rules = 0
            while end < len(lines) and (lines[end] or rules < 2 or _has_rule_below(lines, end)):
                rules += _SIMPLE_RULE.fullmatch(lines[end]) is not None
                end += 1
                if rules >= 2 and (end >= len(lines) or not lines[end]) and not _has_rule_below(lines, end):
                    break
            rows, header_rows = read_simple_table(lines[at:end])
        worded = [[RawCell(inline_words(cell.text), cell.row_span, cell.column_span) for cell in row] for row in rows]
        self._builder.add_table(worded, header_rows=header_rows)
        return end

    def _read_list(self, lines: list[str], at: int, depth: int) -> int:
        first = _ITEM.fullmatch(lines[at])
        self._builder.open_list(is_ordered=first is not None and first[1] not in _BULLETS)
        while at < len(lines) and (match := _ITEM.fullmatch(lines[at])) is not None:
            if first is not None and (match[1] in _BULLETS) != (first[1] in _BULLETS):
                break
            end = _body_end(lines, at + 1, 1)
            body = _dedent(lines[at + 1 : end])
            stop = next((n for n, line in enumerate(body) if not line or _ITEM.fullmatch(line)), len(body))
            self._builder.add_item(inline_words(" ".join([match[2], *body[:stop]])), marker=match[1])
            self.read(body[stop:], depth + 1)
            at = end
        self._builder.close_list()
        return at

    def _read_fields(self, lines: list[str], at: int) -> int:
        """Read a field list: under the title it tells of the document, elsewhere it is a table of names and values."""
        pairs: list[tuple[str, str]] = []
        while at < len(lines) and (field := _FIELD.fullmatch(lines[at])) is not None:
            end = _body_end(lines, at + 1, 1)
            value = clean_line(" ".join([field[2] or "", *lines[at + 1 : end]]))
            pairs += [(field[1], value)] if value else []
            at = end
        blocks = self._builder.blocks
        if not blocks or (len(blocks) == 1 and blocks[0].kind is BlockKind.HEADING):
            for name, value in pairs:
                self.fields.setdefault(name.lower(), value)
        elif len(pairs) > 1 and all(len(value) <= _LONG_VALUE for _, value in pairs):
            rows = [[RawCell(inline_words(part)) for part in pair] for pair in pairs]
            self._builder.add_table(rows, header_rows=0, header_columns=1)
        else:
            for name, value in pairs:
                self._builder.add(BlockKind.PARAGRAPH, inline_words(f"{name}: {value}"))
        return at

    def _read_paragraph(self, lines: list[str], at: int) -> int:
        end = at
        while end < len(lines) and lines[end] and (end == at or not lines[end].startswith(".. ")):
            end += 1
        text = " ".join(line.removeprefix("| ") for line in lines[at:end])
        is_literal = text.endswith("::")
        if is_literal:
            text = text[:-1].rstrip(": ") + ":" if text.strip(": ") else ""
        self._builder.add(BlockKind.PARAGRAPH, inline_words(text))
        if not is_literal:
            return end
        stop = _body_end(lines, end, 1)
        write_code(self._builder, "\n".join(_dedent(lines[end:stop])))
        return stop


def _body_end(lines: Sequence[str], at: int, indent: int) -> int:
    """Where the lines that are blank or indented by at least `indent` end, trailing blanks included."""
    while at < len(lines) and (not lines[at] or lines[at][:indent].isspace()):
        at += 1
    return at


def _dedent(lines: Sequence[str]) -> list[str]:
    margin = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    return [line[margin:] for line in lines]


def _split_options(body: list[str]) -> tuple[dict[str, str], list[str]]:
    options: dict[str, str] = {}
    at = 0
    while at < len(body) and (match := _FIELD.fullmatch(body[at])) is not None:
        options[match[1].strip()] = (match[2] or "").strip()
        at += 1
    return options, body[at:]


def _items(body: Sequence[str], bullets: str) -> list[list[str]]:
    """The bodies of the bullet items at the margin, marks removed, each dedented."""
    items: list[list[str]] = []
    for line in body:
        if line[:1] and line[0] in bullets and (len(line) == 1 or line[1] == " "):
            items.append([" " + line[1:]])
        elif items:
            items[-1].append(line)
    return [_dedent([line.rstrip() for line in item]) if len(item) > 1 else [item[0].strip()] for item in items]


def _cell_text(lines: Sequence[str]) -> str:
    """The words of a cell: its wrapped lines joined, a new line for each paragraph or list item."""
    out: list[str] = [""]
    for line in lines:
        item = _ITEM.fullmatch(line.strip())
        if item is not None and len(item[1]) == 1 and item[1] in "-*+•":
            out.append(item[2])
        elif line.strip():
            out[-1] = f"{out[-1]} {line.strip()}"
        else:
            out.append("")
    return "\n".join(inline_words(part.strip()) for part in out if part.strip())


def _count(value: str | None) -> int | None:
    return int(value) if value is not None and value.isdecimal() and len(value) < 4 else None


def _has_rule_below(lines: Sequence[str], at: int) -> bool:
    """Whether a simple table goes on after a blank line: a rule follows before the next blank one."""
    for line in lines[at + 1 : at + 40]:
        if not line:
            return False
        if _SIMPLE_RULE.fullmatch(line):
            return True
    return False


_RULE = re.compile(r"\+[-=+]+\+?")
_PART_OF_RULE = re.compile(r"\+[-=]{2,}[-=+]*\+")


@dataclass(slots=True)
class _Growing:
    """A cell of a grid table, which goes on below while no rule ends it."""

    columns: int
    rows: int = 0
    words: list[str] = field(default_factory=list)

    def cell(self) -> RawCell:
        return RawCell(" ".join(" ".join(self.words).split()), self.rows, self.columns)


def read_grid_table(lines: Sequence[str]) -> tuple[list[list[RawCell]], int]:
    """The rows of a grid table and the number of header rows (those above a rule of '=').

    Cells that span columns are told by their missing bars, those that span rows by the gaps in the rules.
    """
    edges = sorted({at for line in lines if _RULE.fullmatch(line) for at, mark in enumerate(line) if mark == "+"})
    rows: list[list[_Growing]] = []
    header_rows = 0
    going_on: dict[tuple[int, int], _Growing] = {}  # cells of the row above that the rule does not end, by their edges
    waiting: list[str] = []
    for line in lines:
        if not _PART_OF_RULE.search(line) and not _RULE.fullmatch(line):
            waiting.append(line)
            continue
        if waiting:
            cells = {at: going_on.get(at) or _Growing(columns) for at, columns in _grid_cells(waiting, edges)}
            rows.append([cell for at, cell in cells.items() if at not in going_on])
            going_on = {}
            for (left, right), cell in cells.items():
                is_ended = not line[left + 1 : right].strip("-=+")
                cell.words += [each[left + 1 : right] for each in (waiting if is_ended else [*waiting, line])]
                cell.rows += 1
                going_on |= {} if is_ended else {(left, right): cell}
            waiting = []
        if "=" in line and not header_rows:
            header_rows = len(rows)
    return [[each.cell() for each in row] for row in rows], header_rows


def _grid_cells(lines: Sequence[str], edges: Sequence[int]) -> list[tuple[tuple[int, int], int]]:
    """The edges of the cells of a row, and how many columns each spans."""
    bars = [at for at in edges if all(line[at : at + 1] in ("|", "+", "") for line in lines)]
    return [((left, right), sum(left <= edge < right for edge in edges)) for left, right in pairwise(bars)]


def read_simple_table(lines: Sequence[str]) -> tuple[list[list[RawCell]], int]:
    """The rows of a simple table and the number of header rows; a row with an empty first cell goes on the last."""
    columns = [(match.start(), match.end()) for match in re.finditer(r"=+", lines[0])] if lines else []
    rows: list[list[str]] = []
    header_rows = rules = 0
    for line in lines:
        if re.fullmatch(r"[=\- ]+", line) and "=" in line:
            rules += 1
            header_rows = len(rows) if rules == 2 else header_rows
            continue
        if not line.strip() or re.fullmatch(r"[- ]+", line):
            continue
        ends = [start for start, _ in columns[1:]] + [None]
        cells = [line[start:end].strip() for (start, _), end in zip(columns, ends, strict=True)]
        if rows and not cells[0] and len(rows) > header_rows:
            rows[-1] = [f"{above} {cell}".strip() for above, cell in zip(rows[-1], cells, strict=True)]
        else:
            rows.append(cells)
    header_rows = header_rows if rules > 2 else 0
    return [[RawCell(cell) for cell in row] for row in rows], header_rows
