"""Names whose parts stand side by side in a table: 'Gaudi' and '3', 'TPU' and 'v5p', 'MI300' and 'X'. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from pipelines.extract.names.mention import Mention
from pipelines.extract.names.short import NUMBERED_KINDS, whole_name
from pipelines.model.document import Cell, Document, Table
from pipelines.registry.mentions import NameFinder

_FIRST = 3  # columns or rows in which the parts of names stand
# a part of a name: 'v5p', '3', 'X', 'PCIe', 'Ultra'; no figure with a unit and no words
_PART = re.compile(r"[Vv]?\d{1,2}(?:\.\d)?[a-z]?|[A-Z][A-Za-z\d]{0,7}")
_BASE = re.compile(r"[A-Z][\w-]{2,20}")  # 'Ridge', a name that nobody knows
_AGAIN = 2  # times that a first part stands with another second part
_HEAD = re.compile(r"(?:\w+ ){0,2}(?:version|gen(?:eration)?|variant|revision|rev|edition|suffix)\.?", re.IGNORECASE)


Lines = Sequence[Sequence[Cell | None]]


class _Pair(NamedTuple):
    """Two cells beside each other, with their words."""

    first: Cell
    second: Cell
    base: str
    part: str


def with_parted(document: Document, found: Sequence[Mention], finder: NameFinder) -> list[Mention]:
    """The names found in a document, with those of tables whose parts stand side by side; in order."""
    parted = [pair for table in document.tables for pair in _of_table(document.text, table, found, finder)]
    gone = {each for pair, _ in parted for cell in pair[:2] for each in _within(cell, found)}
    return sorted([*(each for each in found if each not in gone), *(name for _, name in parted)])


def _of_table(text: str, table: Table, found: Sequence[Mention], finder: NameFinder) -> Sequence[tuple[_Pair, Mention]]:
    """The pairs of cells that are a name's parts, each with the name: in rows, else in columns."""
    rows = table.grid()
    for lines, heads in ((rows, table.header_rows), (tuple(zip(*rows, strict=True)), 1)):
        for at in range(min(_FIRST, len(lines[0]) - 2) if lines else 0):
            names = _of_lines(text, lines, heads, at, found, finder)
            if names:
                return names
    return ()


def _of_lines(
    text: str, lines: Lines, heads: int, at: int, found: Sequence[Mention], finder: NameFinder
) -> Sequence[tuple[_Pair, Mention]]:
    """The names in parts that stand in two neighbours of each line; none unless a first part comes again."""
    head = " ".join(_words(text, line[at + 1]) for line in lines[:heads])
    pairs = [
        _Pair(one, two, _words(text, one), _words(text, two))
        for line in lines[heads:]
        if (one := line[at]) is not None and (two := line[at + 1]) is not None and one is not two
    ]
    is_told, times = _HEAD.fullmatch(head) is not None, Counter(pair.first for pair in pairs)
    names = [_joined(pair, _within(pair.first, found), finder, is_told=is_told) for pair in pairs]
    again = Counter(base for base, _ in {pair[2:] for pair, name in zip(pairs, names, strict=True) if name is not None})
    if max(again.values(), default=0) < _AGAIN:
        return ()
    places = [pair.first if times[pair.first] == 1 else pair.second for pair in pairs]
    return [
        (pair, name._replace(start=cell.start, end=cell.end))
        for pair, name, cell in zip(pairs, names, places, strict=True)
        if name is not None
    ]


def _joined(pair: _Pair, own: Sequence[Mention], finder: NameFinder, *, is_told: bool) -> Mention | None:
    """The name of two parts: the registry's, else the table's own where the head says that they are parts."""
    base = next((each for each in own if each.kind in (*NUMBERED_KINDS, "unknown")), None)
    is_new = base is None and not own and is_told and _BASE.fullmatch(pair.base) is not None
    is_part = _PART.fullmatch(pair.part) is not None and (is_told or not pair.part.isdecimal())
    if not is_part or (base is None and not is_new):
        return None
    hit = whole_name(f"{pair.base} {pair.part}", finder)
    if hit is not None:
        return Mention(0, 0, hit.name, hit.kind, hit.subject_id, hit.vendor_id)
    if base is None:
        return Mention(0, 0, f"{pair.base} {pair.part}", "product")
    kind = "product" if base.kind in ("accelerator", "generation") else base.kind
    return base._replace(name=f"{base.name} {pair.part}", kind=kind, subject_id="") if is_told else None


def _within(cell: Cell, found: Sequence[Mention]) -> Sequence[Mention]:
    """The names that begin in a cell; `found` is in order."""
    begin, end = (bisect_left(found, at, key=attrgetter("start")) for at in (cell.start, cell.end))
    return found[begin:end]


def _words(text: str, cell: Cell | None) -> str:
    return "" if cell is None else text[cell.start : cell.end].strip()
