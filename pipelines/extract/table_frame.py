"""The frame of a table: whom each of its cells is about, and which labels stand over it. Pure.

Products stand in the columns' headers, in a column of the body, or nowhere: then the words above the table say whom it
is about. Which of the three holds is decided by where names of machines stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pipelines.extract.subjects import HARDWARE, Mention, find_mentions
from pipelines.model.document import Cell, Document, Table
from pipelines.registry import load_registry
from pipelines.registry.mentions import NameFinder

_KEY_COLUMN = re.compile(
    r"(?:(?:AI |GPU |data ?center )?(?:model|product|chip|gpu|accelerator|system|device|card|part|sku|processor|"
    r"platform|instance|machine|supercomputer|cluster|company|vendor|name|generation|rack|tpu|npu|hardware|server|site|operator|"
    r"customer))s?(?: name| size| type| version| generation| model)?",
    re.IGNORECASE,
)
_NO_NAME = re.compile(
    r"(?:total|sum|average|mean|median|others?|various|notes?|n/?a|all|overall|none|unknown|traditional|legacy|baseline|type|"
    r"model|value|spec\w*|metric|feature|parameter|item|description|use case|improvement.*|change|ratio|speed-?up.*|"
    r"comments?|source|link|unit|year|date|status)",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"\b(?:improvement|speed-?ups?|uplift|gain|vs\.?|versus|relative|compared|ratio|increase|factor|delta|multiplier|"
    r"change)\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"^~?\d[\d,.]*\s?[kKmM]?\s?[x×]?\s")
_LETTERS = re.compile(r"[A-Za-z]{2}|[A-Za-z]\d")
_UNIT_ONLY = re.compile(r"[(\[][A-Za-z$%/. ]{1,16}[)\]]|[kKMGTPE]i?(?:[Bb](?:/s|ps|it/s)?|W|FLOPS|OPS)|W|%|nm|USD|\$")
_PAIR = 2  # columns of a table of keys and values
_VERSION = re.compile(r"v?\d{1,3}[a-z]{0,2}")
_LONGEST_NAME = 6  # words
_DIGIT = re.compile(r"\d")
_FIRST_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_PROSE = 60  # characters: as long a cell is no header


@dataclass(frozen=True, slots=True)
class Axis:
    """One product's row or column: its subject, the cell that names it, and the words beside the name."""

    subject: Mention
    cell: Cell | None
    words: str


@dataclass(frozen=True, slots=True)
class Figure:
    """One body cell with its subject and the labels over it.

    `labels` are those of the attribute, outermost first; `sections` are titles of groups of rows or columns;
    `compared` is the other product where the cell compares two.
    """

    cell: Cell
    axis: Axis
    labels: tuple[str, ...]
    sections: tuple[str, ...]
    compared: Axis | None = None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands over a table: caption, the line that leads to it, headings (innermost first), title.

    `lead` is the paragraph before the table in any event; it may give a unit or a condition, never the subject.
    """

    caption: str
    intro: str
    headings: tuple[str, ...]
    title: str
    lead: str = ""

    @property
    def zones(self) -> tuple[str, ...]:
        """The texts that may name the table's subject, nearest first."""
        return tuple(zone for zone in (self.caption, self.intro, *self.headings, self.title) if zone)


class Frame:
    """One table ready to be read."""

    def __init__(self, document: Document, table: Table, finder: NameFinder, around: Surroundings) -> None:
        self._text = document.text
        self._finder = finder
        self.around = around
        self._context = " | ".join(around.zones)[:400]
        self.grid = table.grid()
        self.columns = table.column_count
        self._read: dict[str, list[Mention]] = {}
        self.has_accelerators = False  # whether a row or column is of an accelerator
        self.head = _header_rows(document, table, self.grid)

    def figures(self) -> Iterator[Figure]:
        """All filled body cells that have a subject."""
        by_column = self._column_axes()
        key, by_row = self._row_axes()
        axes = (*by_column.values(), *by_row.values())
        self.has_accelerators = any(axis.subject.kind == "accelerator" for axis in axes)
        if len(by_column) >= 1 and self._is_better(by_column, by_row):
            yield from self._in_columns(by_column)
        elif by_row:
            yield from self._in_rows(key, by_row)
        else:
            alone = self._alone()
            if alone is not None:
                yield from self._about(alone)

    def words(self, cell: Cell | None) -> str:
        """The text of a cell on one line."""
        return "" if cell is None else " ".join(self._text[cell.start : cell.end].split())

    def _is_better(self, by_column: dict[int, Axis], by_row: dict[int, Axis]) -> bool:
        body = max(1, len(self.grid) - self.head)
        across = len(by_column) / max(1, self.columns - 1)
        down = len(by_row) / body
        return across >= 0.5 and (across > down or (across == down and len(by_column) >= 2))

    def _column_axes(self) -> dict[int, Axis]:
        found: dict[int, Axis] = {}
        doubtful: dict[int, Axis] = {}
        for column in range(1, self.columns):
            cells = [row[column] for row in self.grid[: self.head] if row[column] is not None]
            for cell in reversed(cells):
                axis = self._axis(cell) or self._version(cell)
                if axis is not None:
                    found[column] = axis
                    break
            else:
                named = self._unknown(cells[-1] if cells else None)
                if named is not None:
                    doubtful[column] = named
        if found and len(found) >= len(doubtful):
            found |= doubtful
        return found

    def _row_axes(self) -> tuple[int, dict[int, Axis]]:
        """The column that names products, and the products by row."""
        found: list[tuple[bool, float, int, dict[int, Axis]]] = []
        body = range(self.head, len(self.grid))
        for column in range(self.columns):
            head = " ".join(self.words(row[column]) for row in self.grid[: self.head]).strip()
            axes = {row: axis for row in body if (axis := self._axis(self.grid[row][column])) is not None}
            is_key = _KEY_COLUMN.fullmatch(head) is not None
            if axes and (is_key or len(axes) * 2 >= len(body)):
                axes |= {
                    row: axis
                    for row in body
                    if row not in axes and is_key and (axis := self._unknown(self.grid[row][column])) is not None
                }
            if axes and len(axes) * 2 >= len(body):
                weight = sum(_weight(axis) for axis in axes.values()) - 0.01 * column
                found.append((is_key or column == 0, weight, column, axes))
        best = max(found, key=lambda each: each[:2], default=(False, 0.0, 0, {}))
        return best[2], best[3]

    def _axis(self, cell: Cell | None) -> Axis | None:
        words = self.words(cell)
        if cell is None or _LETTERS.search(words) is None or len(words) > 200 or _COMPARED.search(words) is not None:
            return None
        mentions = self._mentions(words)
        machine = next((m for m in mentions if m.kind in HARDWARE), None)
        if machine is not None and len(words) > 80 and (machine.start or machine.kind != "site"):
            return None
        if machine is None:
            maker = next((m for m in mentions if m.start == 0 and _may_name(m)), None)
            if maker is None:
                return None
            rest = words[maker.end :].strip()
            whole = words if rest and maker.kind == "organisation" else maker.name
            return Axis(replace(maker, name=_bare(whole)), cell, words)
        if machine.start > 30 or (machine.kind == "generation" and len(words) > 40):
            return None
        counted = _COUNTED.match(words)
        if counted is not None and counted.end() == machine.start:
            return _cluster(machine, cell, words, counted[0])
        if "superchip" in words.casefold() and "superchip" not in machine.name.casefold():
            machine = replace(machine, name=f"{machine.name} Superchip")
        return Axis(machine, cell, words)

    def _version(self, cell: Cell | None) -> Axis | None:
        """'v5e' under a heading on TPUs: a member of the family that the words above name."""
        words = self.words(cell)
        if cell is None or _VERSION.fullmatch(words) is None:
            return None
        for zone in (*self.around.zones, self.words(self.grid[0][0])):
            families = [m for m in self._mentions(zone) if m.kind == "accelerator" and _DIGIT.search(m.name) is None]
            for family in families[:1]:
                named = find_mentions(
                    f"{zone[family.start : family.end].removesuffix('s')} {words}", self._finder, zone
                )
                if len(named) == 1 and named[0].kind == "accelerator" and _DIGIT.search(named[0].name) is not None:
                    return Axis(named[0], cell, words)
        return None

    def _mentions(self, words: str) -> list[Mention]:
        if words not in self._read:
            self._read[words] = find_mentions(words, self._finder, self._context)
        return self._read[words]

    def _unknown(self, cell: Cell | None) -> Axis | None:
        """A name that the registry does not know, where names are to be expected."""
        words = _bare(self.words(cell))
        parts = words.split()
        if cell is None or not parts or len(parts) > _LONGEST_NAME or _NO_NAME.fullmatch(words) is not None:
            return None
        if _COMPARED.search(words) is not None or not words[0].isupper() or _DIGIT.search(words) is None:
            return None
        return Axis(Mention(0, len(words), words, "product"), cell, words)

    def _alone(self) -> Axis | None:
        """The one machine that the nearest words above speak of."""
        for zone in self.around.zones:
            mentions = [m for m in find_mentions(zone, self._finder, self._context) if m.kind in HARDWARE]
            exact = [m for m in mentions if m.kind != "generation"] or mentions
            if self.columns > _PAIR and any(m.kind == "accelerator" and _DIGIT.search(m.name) is None for m in exact):
                return None  # a family, of which the columns are members
            names = {mention.name: mention for mention in exact}
            if len(names) == 1:
                return Axis(next(iter(names.values())), None, "")
            if len(names) > 1:
                return None
        return self._alone_maker()

    def _alone_maker(self) -> Axis | None:
        """The one organisation that the nearest words above name, where they name no machine."""
        for zone in self.around.zones:
            makers = [m for m in find_mentions(zone, self._finder, self._context) if m.kind == "organisation"]
            if len({maker.name for maker in makers}) == 1:
                return Axis(makers[0], None, "")
        return None

    def _in_columns(self, axes: dict[int, Axis]) -> Iterator[Figure]:
        pair = list(axes.items())
        sections: tuple[str, ...] = ()
        for number in range(len(self.grid)):
            row = self.grid[number]
            if self._is_section(row):
                sections = (self.words(row[0]),)
                continue
            if number < self.head:
                continue
            labels = tuple(dict.fromkeys(self.words(row[c]) for c in range(min(axes))))
            seen: set[int] = set()
            for column in range(1, self.columns):
                cell = row[column]
                if cell is None or not self.words(cell) or cell.start in seen:
                    continue
                seen.add(cell.start)
                if column in axes:
                    tops = tuple(self.words(r[column]) for r in self.grid[: self.head])
                    beside = tuple(top for top in tops if top and top != axes[column].words)
                    yield Figure(cell, axes[column], labels, (*sections, *beside))
                elif len(pair) == 2 and self._compares(column):
                    older, newer = self._by_age(pair, row, self.words(cell))
                    yield Figure(cell, newer, labels, sections, compared=older)

    def _by_age(self, pair: Sequence[tuple[int, Axis]], row: Sequence[Cell | None], ratio: str) -> tuple[Axis, Axis]:
        """The older and the newer of two products: columns go forward in time, unless the row's own figures deny it."""
        (first, one), (second, two) = pair
        numbers = [_FIRST_NUMBER.search(self.words(cell)) for cell in (row[first], row[second])]
        said = _FIRST_NUMBER.search(ratio)
        if said is None or numbers[0] is None or numbers[1] is None:
            return one, two
        left, right, times = (float(n[0].replace(",", "")) for n in (numbers[0], numbers[1], said))
        if not (left and right and times):
            return one, two
        is_turned = abs(left / right - times) < 0.1 * times and abs(right / left - times) > 0.25 * times
        return (two, one) if is_turned else (one, two)

    def _compares(self, column: int) -> bool:
        return any(_COMPARED.search(self.words(row[column])) is not None for row in self.grid[: self.head])

    def _in_rows(self, key: int, axes: dict[int, Axis]) -> Iterator[Figure]:
        sections: tuple[str, ...] = ()
        for number in range(self.head, len(self.grid)):
            row = self.grid[number]
            if self._is_section(row) and number not in axes:
                sections = (self.words(row[0]),)
                continue
            if number not in axes:
                continue
            for column in range(self.columns):
                cell = row[column]
                if column == key or cell is None or not self.words(cell) or cell == row[key]:
                    continue
                labels = tuple(dict.fromkeys(self.words(r[column]) for r in self.grid[: self.head] if r[column]))
                yield Figure(cell, axes[number], labels, sections)

    def _about(self, axis: Axis) -> Iterator[Figure]:
        """A table about one product: rows are attributes, further columns their variants."""
        sections: tuple[str, ...] = ()
        for number in range(self.head, len(self.grid)):
            row = self.grid[number]
            if self._is_section(row):
                sections = (self.words(row[0]),)
                continue
            for column in range(1, self.columns):
                cell = row[column]
                if cell is None or not self.words(cell) or cell == row[0]:
                    continue
                tops = tuple(top for r in self.grid[: self.head] if (top := self.words(r[column])))
                yield Figure(cell, axis, tuple(dict.fromkeys((self.words(row[0]), *tops))), sections)

    def _is_section(self, row: Sequence[Cell | None]) -> bool:
        """A row that titles those below: one printed cell, or the first alone filled."""
        first = self.words(row[0])
        if not first or self.columns < 2 or len(first) > 60:
            return False
        others = [cell for cell in row[1:] if cell is not None and cell != row[0]]
        return all(not self.words(cell) for cell in others)


def _may_name(mention: Mention) -> bool:
    """Whether what is no machine may still be what a row or column is about: a maker, a processor, a switch."""
    return mention.kind in ("organisation", "cpu") or mention.subject_id in _switches()


@lru_cache(maxsize=1)
def _switches() -> frozenset[str]:
    networks = load_registry().entries.networks
    return frozenset(entry.id for entry in networks if entry.kind in ("switch", "nic", "dpu"))


def _cluster(machine: Mention, cell: Cell, words: str, counted: str) -> Axis | None:
    """'10K H100s' is a cluster of so many; '8 H100' in a cell is how many a machine holds, and names none."""
    count = counted.strip(" x×~")
    if not count[-1].isalpha() and len(count) < 4:
        return None
    return Axis(replace(machine, name=f"{count} {machine.name} cluster", kind="site", subject_id=""), cell, words)


def _weight(axis: Axis) -> float:
    """How surely a cell names what its row is about: a model more than a generation, a maker least."""
    return {"accelerator": 1.0, "system": 1.0, "site": 1.0, "product": 0.5, "generation": 0.4}.get(
        axis.subject.kind, 0.3
    )


def _bare(words: str) -> str:
    return re.sub(r"\[\^?\w+\]|[*†‡§]+|\s?\(\d\)$", "", words).strip(" :")


def _header_rows(document: Document, table: Table, grid: Sequence[Sequence[Cell | None]]) -> int:
    """How many rows are headers; a table whose parser saw none may still begin with one."""
    rows = [[document.text[cell.start : cell.end].strip() for cell in row if cell is not None] for row in grid]
    head = table.header_rows
    if head == 1 and table.column_count == 2 and rows[0] and len(rows[0][-1]) > _PROSE:
        head = 0  # keys and sentences; markdown makes the first row of any table its header
    if not head and len(grid) > 1 and table.column_count > 2:
        head = 1 if rows[0] and all(len(words) < 40 and not words[:1].isdigit() for words in rows[0]) else 0
    while 0 < head < len(rows) - 1 and _is_units(rows[head]):
        head += 1
    return head


def _is_units(row: Sequence[str]) -> bool:
    """Whether a row holds nothing but units: '(GB)', 'TB/s', '(W)'."""
    filled = [words for words in row if words]
    return len(filled) > 1 and all(_UNIT_ONLY.fullmatch(words) is not None for words in filled)
