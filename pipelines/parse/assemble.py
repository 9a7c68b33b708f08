"""Puts a document's text together: every format's parser writes here, in reading order, and gets spans back.

Holds the white-space rules of the text and the layout of blocks, lists and tables in it. Knows no markup but the
formulas of TeX, which stand in pages of every format.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from pipelines.frozen import frozen
from pipelines.model.columns import common
from pipelines.model.document import (
    Block,
    BlockKind,
    Cell,
    Document,
    DocumentFormat,
    Facts,
    ItemList,
    Table,
)
from pipelines.parse.formulas import without_formulas
from pipelines.parse.tables import RawRow, place_cells

MAX_LIST_DEPTH = 24

# Characters that print as nothing: soft hyphen, zero-width marks, directional marks, byte order mark.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0e-\x1f\x7f]+")
_SPACES = re.compile(r"[^\S\n]+")
_LINE_EDGES = re.compile(r" ?\n[ \n]*")


@frozen
class TableStyle:
    """The characters around cells, which stand in the text but in no cell."""

    before: str = ""
    between: str = "\t"
    after: str = ""


TABS = TableStyle()
PIPES = TableStyle("| ", " | ", " |")


def clean(text: str) -> str:
    """The text with one kind of space, no invisible characters and no blank edges; line breaks stay single."""
    if not text.isascii() or not text.isprintable():
        text = _INVISIBLE.sub("", text)
    if "\\" in text or "^{" in text:
        text = without_formulas(text)
    return _LINE_EDGES.sub("\n", _SPACES.sub(" ", text)).strip()


def clean_line(text: str) -> str:
    """The text on one line, every run of white space being one space."""
    return " ".join(clean(text).split())


class DocumentBuilder:
    """Collects blocks, lists and tables and the one text they are spans of."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._parts: list[str] = []
        self._length = 0
        self._tables: list[Table] = []
        self._lists: list[tuple[bool, list[int]]] = []
        self._open_lists: list[int] = []
        self._too_deep = 0
        self.first_heading: str | None = None  # the first one of level 1
        self._headings: list[tuple[int, str]] = []
        self._path: tuple[str, ...] = ()

    def add(self, kind: BlockKind, text: str, *, page: int | None = None, is_clean: bool = False) -> bool:
        """Write one block of running text; code keeps its own white space. Says whether anything was there."""
        text = text if is_clean else clean(text)
        if not text:
            return False
        start = self._write("\n\n", text)
        self.blocks.append(Block(kind, start, self._length, 0, self._path, None, None, page))
        return True

    def add_heading(self, level: int, text: str, *, page: int | None = None) -> bool:
        """Write a heading; what follows stands under it until a heading of its level or above."""
        text = clean_line(text)
        if not text:
            return False
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._path = tuple(heading for _, heading in self._headings)
        start = self._write("\n\n", text)
        self.blocks.append(Block(BlockKind.HEADING, start, self._length, level, self._path, None, None, page))
        self._headings.append((level, text))
        if level == 1 and self.first_heading is None:
            self.first_heading = text
        self._path = (*self._path, text)
        return True

    def open_list(self, *, is_ordered: bool) -> None:
        """Start a list inside the one that is open, if any; below MAX_LIST_DEPTH the deepest one goes on."""
        if len(self._open_lists) >= MAX_LIST_DEPTH:
            self._too_deep += 1
            return
        self._lists.append((is_ordered, []))
        self._open_lists.append(len(self._lists) - 1)

    def close_list(self) -> None:
        """End the innermost open list."""
        if self._too_deep:
            self._too_deep -= 1
        elif self._open_lists:
            self._open_lists.pop()

    def add_item(self, text: str, *, marker: str = "-", page: int | None = None) -> bool:
        """Write a list item; its marker stands in the text before the block, not in it.

        A further block of the same item has the empty marker.
        """
        text = clean(text)
        if not text:
            return False
        if not self._open_lists:
            return self.add(BlockKind.PARAGRAPH, text, page=page, is_clean=True)
        depth, index = len(self._open_lists), self._open_lists[-1]
        separator = "\n" if self._lists[self._open_lists[0]][1] or depth > 1 else "\n\n"
        start = self._write(f"{separator}{'  ' * (depth - 1)}{marker and marker + ' '}", text)
        for outer in self._open_lists:
            self._lists[outer][1].append(len(self.blocks))
        self.blocks.append(Block(BlockKind.LIST_ITEM, start, self._length, depth, self._path, None, index, page))
        return True

    def add_table(
        self,
        rows: Sequence[RawRow],
        *,
        caption: str = "",
        style: TableStyle = TABS,
        page: int | None = None,
        header_rows: int | None = None,
        header_columns: int | None = None,
    ) -> bool:
        """Write a table, its caption first as a block of its own; says whether any cell had text."""
        if not any(clean(cell.text) for row in rows for cell in row):
            return False
        caption_span = None
        if self.add(BlockKind.CAPTION, clean_line(caption), page=page):
            caption_span = (self.blocks[-1].start, self.blocks[-1].end)
        placed = place_cells(rows, header_rows, header_columns)
        self._write("\n\n", "")
        start = self._length
        cells: list[Cell] = []
        for number, row in enumerate(placed.rows):
            self._write("\n" if number else "", style.before)
            for position, (cell, column, row_span, column_span) in enumerate(row):
                at = self._write(style.between if position else "", clean(cell.text))
                cells.append(
                    Cell(number, column, at, self._length, row_span, column_span, placed.is_header(number, column))
                )
            self._write("", style.after)
        table = Table(
            start,
            self._length,
            len(placed.rows),
            placed.column_count,
            placed.header_rows,
            placed.header_columns,
            tuple(cells),
            caption_span,
        )
        self._tables.append(table)
        number = len(self._tables) - 1
        self.blocks.append(Block(BlockKind.TABLE, start, self._length, 0, self._path, number, None, page))
        return True

    def title_in_text(self, longest: int = 0) -> str | None:
        """The heading of level 1, else the first block where it is a heading or no longer than `longest`."""
        if self.first_heading is not None or not self.blocks:
            return self.first_heading
        first = self.blocks[0]
        is_title = first.kind is BlockKind.HEADING or (len(self.blocks) > 1 and first.end - first.start <= longest)
        return self.head_texts(1)[0] if is_title else None

    def head_texts(self, count: int) -> list[str]:
        """The texts of the first blocks."""
        text = "".join(self._parts[: 8 * count])
        return [text[block.start : block.end] for block in self.blocks[:count]]

    def build(self, kind: DocumentFormat, url: str | None, facts: Facts) -> Document:
        """The finished document; its id hashes the URL, the title, the date and the text."""
        text = "".join(self._parts)
        said = "\x1f".join((url or "", facts.title or "", str(facts.published_on or ""), text))
        return Document(
            document_id=hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:32],
            format=kind,
            text=text,
            blocks=tuple(self.blocks),
            tables=tuple(self._tables),
            lists=tuple(ItemList(is_ordered, tuple(items)) for is_ordered, items in self._lists if items),
            url=url,
            **common(facts, Document),
        )

    def _write(self, separator: str, text: str) -> int:
        """Append and say where the text starts; nothing separates what stands first."""
        if self._length or separator not in ("\n", "\n\n"):
            separator = separator if self._length else separator.lstrip("\n")
            self._parts.append(separator)
            self._length += len(separator)
        start = self._length
        self._parts.append(text)
        self._length += len(text)
        return start
