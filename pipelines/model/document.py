"""A parsed document: one text, and blocks, lists and tables that are spans of it; and its row in lake and warehouse.

Positions are character offsets into `Document.text` (start inclusive, end exclusive), so a locator is a pair
of integers and never needs the markup it came from. Nothing here parses or knows what a figure means.
"""

from __future__ import annotations

import datetime as dt
from datetime import date
from enum import StrEnum

from pipelines.frozen import frozen


class DocumentFormat(StrEnum):
    """What the bytes turned out to be, which may differ from the media type they were served with."""

    HTML = "html"
    PDF = "pdf"
    FEED = "feed"
    MARKDOWN = "markdown"
    RST = "rst"
    TEXT = "text"


class BlockKind(StrEnum):
    """What a block is to a reader."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"
    CAPTION = "caption"
    CODE = "code"
    QUOTE = "quote"


class DateBasis(StrEnum):
    """Where the published date was read, strongest first; `given` by the person who added the document."""

    GIVEN = "given"
    JSON_LD = "json_ld"
    META = "meta"
    FEED = "feed"
    TIME = "time"
    URL = "url"
    VISIBLE = "visible"
    NONE = "none"


@frozen
class Cell:
    """One printed cell: its place in the grid, the area it covers, and its span of the document's text."""

    row: int
    column: int
    start: int
    end: int
    row_span: int = 1
    column_span: int = 1
    is_header: bool = False


@frozen
class Table:
    """A table as a grid.

    `cells` are the printed cells in reading order; one that spans rows or columns stands once, with its area.
    The first `header_rows` rows and `header_columns` columns are headers. `caption` is a span or None.
    `start..end` covers the cells. `row_count` x `column_count` is the grid after spans are resolved.
    """

    start: int
    end: int
    row_count: int
    column_count: int
    header_rows: int
    header_columns: int
    cells: tuple[Cell, ...]
    caption: tuple[int, int] | None = None

    def grid(self) -> tuple[tuple[Cell | None, ...], ...]:
        """The grid with spans resolved: each place holds the cell that covers it, or None where none does."""
        rows: list[list[Cell | None]] = [[None] * self.column_count for _ in range(self.row_count)]
        for cell in self.cells:
            for row in rows[cell.row : cell.row + cell.row_span]:
                width = len(row[cell.column : cell.column + cell.column_span])
                row[cell.column : cell.column + width] = [cell] * width
        return tuple(tuple(row) for row in rows)


@frozen
class Block:
    """One piece of the text in reading order.

    `level` is 1 to 6 for a heading, the nesting depth from 1 for a list item, else 0. `heading_path` holds the
    texts of the headings above, outermost first (for a heading: those above it). `table` and `list_index` point
    into the document's `tables` and `lists`; `page` counts from 1 where the format has pages.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    heading_path: tuple[str, ...] = ()
    table: int | None = None
    list_index: int | None = None
    page: int | None = None


@frozen
class ItemList:
    """A list: whether it is numbered, and its items as indices into the document's `blocks` (nested ones too)."""

    is_ordered: bool
    items: tuple[int, ...]


@frozen(kw_only=True)
class Facts:
    """What a document says about itself, each field None or empty where it says nothing."""

    title: str | None = None
    publisher: str | None = None
    authors: tuple[str, ...] = ()
    published_on: date | None = None
    published_basis: DateBasis = DateBasis.NONE
    language: str | None = None
    canonical_url: str | None = None
    notes: tuple[str, ...] = ()


@frozen(kw_only=True)
class Document(Facts):
    """What one capture says, without the furniture of its page.

    `document_id` hashes the parsed content and the URL: a re-capture of the same words is the same document.
    `published_on` is None exactly when `published_basis` is `none`. `canonical_url` is absolute or None.
    `language` is a lower-case BCP 47 tag as the document declares it. `notes` name what was odd but readable.
    """

    document_id: str
    format: DocumentFormat
    text: str
    blocks: tuple[Block, ...]
    tables: tuple[Table, ...] = ()
    lists: tuple[ItemList, ...] = ()
    url: str | None = None

    def text_of(self, part: Block | Cell | Table) -> str:
        """The characters of a block, cell or table."""
        return self.text[part.start : part.end]

    def rows_of(self, table: Table) -> tuple[tuple[str, ...], ...]:
        """The table as text, spans resolved by repeating the spanning cell; empty string where no cell is."""
        return tuple(
            tuple("" if cell is None else self.text[cell.start : cell.end] for cell in row) for row in table.grid()
        )


@frozen
class DocumentRow:
    """One capture read as a document.

    `document_id` is empty and `problem` says the reason where it could not be parsed. `text` is what its locators count
    in; it and `structure_json` (blocks, tables, lists as offsets into it) stay in the lake and are not published.
    `captured_at` is UTC. `claimant` is who asserts what it says, where the person who added it named somebody else than
    its publisher.
    """

    document_id: str
    capture_id: str
    source_id: str
    url: str
    captured_at: dt.datetime
    payload_sha256: str
    format: str
    title: str
    publisher: str
    claimant: str
    authors: tuple[str, ...]
    published_on: dt.date | None
    published_basis: str
    language: str
    canonical_url: str
    block_count: int
    table_count: int
    character_count: int
    notes: tuple[str, ...]
    problem: str
    detail: str
    text: str
    structure_json: str
