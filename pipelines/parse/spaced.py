"""Tables without signs, in plain text or as code: columns that spaces keep apart, and records of fields."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from itertools import groupby, pairwise

from pipelines.parse.assemble import DocumentBuilder, clean_line
from pipelines.parse.tables import RawCell, begins_with_number

_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_ITEM = re.compile(r"\s*(?:[-*•‣◦–·+]|\d{1,3}[.)])\s")
_RULE = re.compile(r"\s*[-=_─━]{2}[\s=_─━-]*")
_PART = re.compile(r"[-=_─━]+")  # of a rule
_STATEMENT = re.compile(r"[#=\\<>&]|//|--")  # how a cell begins that is none: a comment, an option, an assignment
_OPENED = re.compile(r"\s*[\[({<'$>#]")
_LEAST_ROWS = 3
_LEAST_FIELDS = 3
_LONGEST_FIELD, _FOR_NOTES = 40, 6  # characters of a field; of so many one may be longer
_MOST_LINES = 2_000
_WIDEST = 400  # characters of a line


def write_stretches(
    builder: DocumentBuilder, lines: Sequence[str], write_rest: Callable[[list[str], list[str]], object]
) -> None:
    """Write the tables among lines; what stands before each goes to `write_rest`, with the lines of the table."""
    rest: list[str] = []
    for shape, group in groupby(lines, _shape):
        own = list(group)
        rows = _rows_of(shape, own) if len(own) <= _MOST_LINES else []
        if rows:
            write_rest(rest, own)
            rest = []
            builder.add_table([[RawCell(clean_line(cell)) for cell in row] for row in rows])
        else:
            rest += own
    write_rest(rest, [])


def _shape(line: str) -> str:
    """What a line may be a row of: columns ('spaces'), or records of so many fields; '' for neither."""
    if _RULE.fullmatch(line) is not None:
        return "spaces"
    if len(line) > _WIDEST or _ITEM.match(line) is not None:
        return ""
    if _GAP.search(line.strip()) is not None:
        return "spaces"
    delimiter = _delimiter(line)
    fields = _fields([line], delimiter)[0] if delimiter in line and _OPENED.match(line) is None else []
    is_record = sum(len(field) > _LONGEST_FIELD for field in fields) <= len(fields) // _FOR_NOTES and any(fields[1:])
    return f"fields {delimiter}{len(fields)}" if is_record and len(fields) >= _LEAST_FIELDS else ""


def _delimiter(line: str) -> str:
    return "\t" if "\t" in line else max(",;", key=line.count)


def _rows_of(shape: str, lines: Sequence[str]) -> list[list[str]]:
    """The cells of lines of one shape; none where they are no table."""
    if not shape:
        return []
    rows = _columns(lines) if shape == "spaces" else _fields(lines, _delimiter(lines[0]))
    return rows if len(rows) >= _LEAST_ROWS and _is_table(rows, has_head=shape != "spaces") else []


def _fields(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)) or [[]]
    except csv.Error:
        return [[]]


def _columns(lines: Sequence[str]) -> list[list[str]]:
    """The cells of lines whose columns lie under each other.

    As a rule in parts draws them, or as the spaces part each line, else where all lines have some.
    """
    worded = [line for line in lines if _RULE.fullmatch(line) is None]
    rules = ([part.span() for part in _PART.finditer(line)] for line in lines[1:] if _RULE.fullmatch(line) is not None)
    parts = next((own for own in rules if len(own) > 1), [])
    if parts:
        is_labelled = any(line[: parts[0][0]].strip() for line in worded)  # before the first part
        return [_ruled(line, [(0, 0), *parts] if is_labelled else parts) for line in worded]
    rows = [_GAP.split(line.strip()) for line in worded]
    if len({len(row) for row in rows}) == 1:
        return rows
    width = max(map(len, worded), default=0)
    padded = [line.ljust(width) for line in worded]
    is_blank = [all(line[at] == " " for line in padded) for at in range(width)]
    edges = [0, *(at for at in range(2, width) if is_blank[at - 1] and is_blank[at - 2] and not is_blank[at]), width]
    return [[line[start:end].strip() for start, end in pairwise(edges)] for line in padded]


def _ruled(line: str, parts: Sequence[tuple[int, int]]) -> list[str]:
    """The cells below the parts of a rule; a word that goes on below the next part stays in its own."""
    cuts = [0]
    for (_, end), (start, _) in pairwise(parts):
        begin = line.rfind(" ", 0, start) + 1 if line[start - 1 : start].strip() else start
        cuts.append(begin if begin >= end else -1)
    kept = [*(cut for cut in cuts if cut >= 0), len(line)]
    cells = {start: line[start:end].strip() for start, end in pairwise(kept)}
    return [cells.get(cut, "") for cut in cuts]


def _is_table(rows: Sequence[Sequence[str]], *, has_head: bool) -> bool:
    """Whether rows hold figures in a column beside their labels, below a head if they must have one, and no code."""
    if len(rows[0]) < 2 or any(_STATEMENT.match(cell) is not None for row in rows for cell in row):
        return False
    if has_head and (begins_with_number(rows[0][0]) or 2 * sum(map(begins_with_number, rows[0])) > len(rows[0])):
        return False
    columns = zip(*(row[1:] for row in rows[1:]), strict=True)
    figures = max(sum(map(begins_with_number, column)) for column in columns)
    return 2 * figures >= len(rows) - 1
