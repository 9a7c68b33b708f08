"""reStructuredText's drawn tables: grid tables (+---+) and simple tables (=== ===), as rows of raw cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from pipelines.parse.tables import RawCell

_RULE = re.compile(r"\+[-=+]+\+?")


def read_grid_table(lines: Sequence[str]) -> tuple[list[list[RawCell]], int]:
    """The rows of a grid table and the number of header rows (those above a rule of '=').

    Cells that span columns are told by their missing bars; cells that span rows are read as one cell a row.
    """
    rows: list[list[RawCell]] = []
    edges = sorted({at for line in lines if _RULE.fullmatch(line) for at, mark in enumerate(line) if mark == "+"})
    waiting: list[str] = []
    header_rows = 0
    for line in lines:
        if not _RULE.match(line):
            waiting.append(line)
            continue
        if waiting:
            rows.append(_grid_row(waiting, edges))
            waiting = []
        if "=" in line and not header_rows:
            header_rows = len(rows)
    return rows, header_rows


def _grid_row(lines: Sequence[str], edges: Sequence[int]) -> list[RawCell]:
    bars = [at for at in edges if all(line[at : at + 1] in ("|", "+", "") for line in lines)]
    cells = []
    for left, right in pairwise(bars):
        text = " ".join(line[left + 1 : right].strip() for line in lines)
        cells.append(RawCell(" ".join(text.split()), 1, max(sum(1 for edge in edges if left <= edge < right), 1)))
    return cells


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
