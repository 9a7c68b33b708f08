"""Tables that are drawn with signs, in plain text or as code: pipes between cells, and rules of dashes and crosses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest

from pipelines.model.document import BlockKind
from pipelines.parse.assemble import PIPES, DocumentBuilder, clean_line
from pipelines.parse.spaced import write_stretches
from pipelines.parse.tables import RawCell, split_pipes

_SIGNS = {  # the signs of boxes (https://www.unicode.org/charts/PDF/U2500.pdf) as the ones of a keyboard
    **dict.fromkeys(range(0x2500, 0x2580), "+"), **dict.fromkeys(map(ord, "│┃║┆┇┊┋╎╏"), "|"),
    **dict.fromkeys(map(ord, "─━═┄┅┈┉╌╍"), "-"),
}  # fmt: skip
_RULE = re.compile(r"(?=.*\S)[\s|:+=*_~-]+")
_CROSSED = re.compile(r"\+[-=]{2}|[-=]{2}\+")


def is_row(line: str) -> bool:
    """Whether a line is one of a table: cells between pipes, or a rule that shows where the columns meet."""
    plain = line.translate(_SIGNS)
    return plain.count("|") > 1 or (_CROSSED.search(plain) is not None and _RULE.fullmatch(plain) is not None)


def write_rows(builder: DocumentBuilder, lines: Sequence[str]) -> None:
    """Write lines that are rows as a table; what stands above its first inner rule is its head."""
    groups = _between_rules(lines)
    rows = [row for group in groups for row in (_joined(group) if len(groups) > 2 else group)]
    cells = [[RawCell(clean_line(cell)) for cell in row] for row in rows]
    builder.add_table(cells, style=PIPES, header_rows=1 if len(groups) > 1 else None)


def write_code(builder: DocumentBuilder, text: str) -> None:
    """Write code as it stands, and as tables what is one in it: rows with a rule, each of as many cells, or columns."""

    def write(lines: list[str], _table: list[str]) -> None:
        if any(line.strip() for line in lines):
            builder.add(BlockKind.CODE, "\n".join(lines).strip("\n"), is_clean=True)

    for is_table, lines in _stretches(text.split("\n")):
        if is_table:
            write_rows(builder, lines)
        else:
            write_stretches(builder, lines, write)


def _stretches(lines: Sequence[str]) -> Iterator[tuple[bool, list[str]]]:
    """Tables and what stands between them; rows that make no table stay with the lines around them."""
    code: list[str] = []
    for may_be_table, group in groupby(lines, is_row):
        found = list(group)
        if may_be_table and _is_table(found):
            yield False, code
            yield True, found
            code = []
        else:
            code += found
    yield False, code


def _is_table(lines: Sequence[str]) -> bool:
    groups = _between_rules(lines)
    rows = [row for group in groups for row in group]
    return len(rows) > 1 and len(rows) < len(lines) and len({len(row) for row in rows}) == 1 < len(rows[0])


def _between_rules(lines: Sequence[str]) -> list[list[list[str]]]:
    """The rows of each stretch between rules, as cells."""
    plain = [line.translate(_SIGNS) for line in lines]
    stretches = groupby(plain, lambda line: _RULE.fullmatch(line) is None)
    return [[split_pipes(line) for line in group] for has_cells, group in stretches if has_cells]


def _joined(rows: Sequence[list[str]]) -> list[list[str]]:
    """Rows where a rule stands between any two: a line whose first cell is empty goes on with the row above it."""
    joined: list[list[str]] = []
    for row in rows:
        if joined and not row[0]:
            joined[-1] = [f"{above} {more}".strip() for above, more in zip_longest(joined[-1], row, fillvalue="")]
        else:
            joined.append(row)
    return joined
