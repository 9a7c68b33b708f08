"""An HTML page's text: blocks in reading order, lists and tables, without the furniture of the page.

Works on the flat event record of `page`; what is left out is decided in `boilerplate`, what the page says about
itself is read in `metadata`. Linear in the size of the page and free of recursion.
"""

from __future__ import annotations

import re
from datetime import date

from pipelines.model.document import BlockKind, Document, DocumentFormat
from pipelines.parse.assemble import DocumentBuilder, clean_line
from pipelines.parse.boilerplate import Furniture, content_root
from pipelines.parse.drawn import write_code
from pipelines.parse.media import of_text
from pipelines.parse.metadata import read_facts
from pipelines.parse.page import Node, Page, read_page
from pipelines.parse.tables import RawCell

_SCRIPT_MARKS = frozenset({"sup", "sub"})
_NUMERIC = re.compile(r"[+\-−–]?\d{1,3}")


class InlineText:
    """Collects characters inside a block: where elements meet without white space, numbers must not run together."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.is_verbatim = False
        self._links = 0
        self._has_plain = False
        self._has_link = False
        self._script = ""
        self._is_edge = False

    def add(self, text: str) -> None:
        """Characters of the page; its own line ends are spaces, except in verbatim text."""
        if not self.is_verbatim:
            text = text.replace("\n", " ").replace("\r", " ")
        if self._links:
            self._has_link = True
        elif not self._has_plain and not text.isspace():
            self._has_plain = True
        if self._script == "sup" and _NUMERIC.fullmatch(text.strip()) and self.parts:
            text = "^" + text.strip()
        elif self._is_edge and self.parts and not self.is_verbatim:
            before = self.parts[-1][-1:]
            if before.isalnum() and text[:1].isalnum() and self._script != "sub":
                self.parts.append(" ")
        self._is_edge = False
        self.parts.append(text)

    def add_gap(self) -> None:
        """Something was left out here."""
        if self.parts and not self.is_verbatim:
            self.parts.append(" ")

    def add_break(self) -> None:
        """A line break."""
        if self.parts:
            self.parts.append("\n")

    def mark(self, node: Node, *, is_start: bool) -> None:
        """An inline element begins or ends."""
        if node.tag == "a":
            self._links += 1 if is_start else -1
        if node.tag in _SCRIPT_MARKS:
            self._script = node.tag if is_start else ""
        elif is_start:
            self._is_edge = True

    def is_only_link(self) -> bool:
        """Whether all that was collected stands in links."""
        return self._has_link and not self._has_plain

    def take(self) -> str:
        """The collected text, which is then forgotten; verbatim text keeps its lines and indents."""
        text = "".join(self.parts)
        self.parts.clear()
        self._has_plain = self._has_link = self._is_edge = False
        if self.is_verbatim:
            return "\n".join(line.rstrip() for line in text.expandtabs(4).splitlines()).strip("\n")
        lines = (" ".join(line.split()) for line in text.split("\n"))
        return "\n".join(line for line in lines if line)


_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_BLOCKS = (
    "address article blockquote body caption center dd details div dl dt fieldset figcaption figure form h1 h2 h3 "
    "h4 h5 h6 header hgroup hr html legend li main ol p pre section summary table tbody td tfoot th thead tr "
    "ul dir listing xmp"
)
_BLOCK_TAGS = frozenset(_BLOCKS.split())
_LISTS = frozenset({"ul", "ol", "dir"})
_SHORT_LINK = 80
_LONG_CELL = 1500
_LONG_VALUE = 200
_CARD_SIZE = 120
_CARD_PARTS = 6
_NO_CARD = frozenset({*_HEADINGS, "table", "ul", "ol", "pre", "blockquote", "dl"})


def parse_html(text: str, url: str | None, latest: date, notes: tuple[str, ...] = ()) -> Document:
    """The document of one page; `latest` is the last day a published date may have."""
    page = read_page(text)
    root = content_root(page)
    builder = DocumentBuilder()
    if root is not None:
        walker = PageWalker(page, root, builder)
        walker.write_title_above()
        walker.walk(root.event, root.event_end + 1)
    facts = read_facts(page, url, latest, builder, notes)
    return builder.build(DocumentFormat.HTML, url, facts)


parse = of_text(parse_html)


def write_fragment(builder: DocumentBuilder, markup: str) -> None:
    """Write a piece of HTML (a feed's entry, HTML inside markdown) into a document that is being built."""
    page = read_page(markup)
    if page.nodes:
        PageWalker(page, page.nodes[0], builder).walk(0, len(page.events))


class PageWalker:
    """Walks the events once, collecting inline text until a block begins or ends."""

    def __init__(self, page: Page, root: Node, builder: DocumentBuilder) -> None:
        self.page = page
        self.root = root
        self.builder = builder
        self.furniture = Furniture(page, root)
        self._inline = InlineText()
        self._blocks: list[str] = []
        self._quotes = 0
        self._markers: list[str] = []  # of the open items, empty once an item's first block is written
        self._card: Node | None = None

    def write_title_above(self) -> None:
        """Write the page's first h1 when it stands before the content, as it does above many articles."""
        for node in self.page.by_tag.get("h1", ()):
            if node.event >= self.root.event:
                return
            title = self.text_of(node)
            if title:
                self.builder.add_heading(1, title)
                return

    def walk(self, position: int, stop: int) -> None:
        """Write what lies between two events."""
        events, nodes = self.page.events, self.page.nodes
        while position < stop:
            event = events[position]
            position += 1
            if isinstance(event, str):
                self._inline.add(event)
                continue
            if event < 0:
                self._end(nodes[~event])
                continue
            node = nodes[event]
            if node is not self.root and self.furniture.is_furniture(node):
                self._inline.add_gap()
                position = node.event_end + 1
            elif node.tag == "table" and (rows := self._read_table(node)) is not None:
                self._flush()
                self.builder.add_table(rows, caption=self._caption_of(node))
                position = node.event_end + 1
            elif node.tag == "dl" and (rows := self._read_terms(node)) is not None:
                self._flush()
                self.builder.add_table(rows, header_rows=0, header_columns=1)
                position = node.event_end + 1
            else:
                self._start(node)

    def text_of(self, node: Node) -> str:
        """The text of one element, furniture left out, block ends as line breaks."""
        inline = InlineText()
        events, nodes = self.page.events, self.page.nodes
        position = node.event + 1
        while position < node.event_end:
            event = events[position]
            position += 1
            if isinstance(event, str):
                inline.add(event)
                continue
            inner = nodes[event if event >= 0 else ~event]
            if event >= 0 and self.furniture.is_furniture(inner):
                position = inner.event_end + 1
            elif inner.tag in _BLOCK_TAGS or inner.tag == "br":
                inline.add_break()
            else:
                inline.mark(inner, is_start=event >= 0)
        return inline.take()

    def _start(self, node: Node) -> None:
        tag = node.tag
        if tag == "br":
            self._inline.add_break()
        elif tag not in _BLOCK_TAGS:
            self._inline.mark(node, is_start=True)
        elif self._card is not None:
            self._inline.add_break()
        else:
            self._flush()
            self._blocks.append(tag)
            if tag in ("div", "li") and self._is_card(node):
                self._card = node
            if tag in _LISTS:
                self.builder.open_list(is_ordered=tag == "ol")
            elif tag == "li":
                self._markers.append("-")
            elif tag == "blockquote":
                self._quotes += 1
            elif tag == "pre":
                self._inline.is_verbatim = True

    def _end(self, node: Node) -> None:
        tag = node.tag
        if tag not in _BLOCK_TAGS:
            self._inline.mark(node, is_start=False)
            return
        if self._card is not None and self._card is not node:
            self._inline.add_break()
            return
        self._card = None
        self._flush()
        if self._blocks:
            self._blocks.pop()
        if tag in _LISTS:
            self.builder.close_list()
        elif tag == "li" and self._markers:
            self._markers.pop()
        elif tag == "blockquote":
            self._quotes -= 1
        elif tag == "pre":
            self._inline.is_verbatim = False

    def _flush(self) -> None:
        """Write the collected inline text as a block of the innermost kind."""
        inline = self._inline
        if not inline.parts:
            return
        is_only_link = inline.is_only_link()
        text = inline.take()
        if not text:
            return
        tag = self._blocks[-1] if self._blocks else "div"
        if tag in _HEADINGS:
            self.builder.add_heading(_HEADINGS[tag], text)
        elif is_only_link and len(text) <= _SHORT_LINK and text[-1] not in ".!?:":
            return
        elif tag == "pre":
            write_code(self.builder, text)
        elif tag in ("figcaption", "caption"):
            self.builder.add(BlockKind.CAPTION, text)
        elif self._markers and tag not in ("td", "th", "dd", "dt"):
            self.builder.add_item(text, marker=self._markers[-1])
            self._markers[-1] = ""
        else:
            self.builder.add(BlockKind.QUOTE if self._quotes else BlockKind.PARAGRAPH, text)

    def _is_card(self, node: Node) -> bool:
        """Whether a container is one figure in pieces ('10x', 'per megawatt'), which belong in one block."""
        if not 0 < node.size <= _CARD_SIZE or node is self.root or node.index_end - node.index > 40:
            return False
        inside = [inner.tag for inner in self.page.nodes[node.index + 1 : node.index_end]]
        parts = sum(1 for tag in inside if tag in _BLOCK_TAGS)
        return 2 <= parts <= _CARD_PARTS and not any(tag in _NO_CARD for tag in inside)

    def _caption_of(self, node: Node) -> str:
        for index in range(node.index + 1, node.index_end):
            inner = self.page.nodes[index]
            if inner.tag == "caption":
                return clean_line(self.text_of(inner))
            if inner.tag in ("tr", "td", "th"):
                return ""
        return ""

    def _read_table(self, table: Node) -> list[list[RawCell]] | None:
        """The rows of a table of data; None for a table that only lays out the page."""
        if table.attrs.get("role") in ("presentation", "none"):
            return None
        if self._holds_layout(table):
            return None
        rows: list[list[RawCell]] = []
        is_head = False
        nodes, index = self.page.nodes, table.index + 1
        while index < table.index_end:
            node = nodes[index]
            index += 1
            if node.tag in ("thead", "tbody", "tfoot"):
                is_head = node.tag == "thead"
            elif node.tag == "tr":
                rows.append([])
            elif node.tag in ("td", "th"):
                if not rows:
                    rows.append([])
                rows[-1].append(self._read_cell(node, is_header=is_head or node.tag == "th"))
                index = node.index_end
        rows = [row for row in rows if row]
        is_small = len(rows) < 2 and not (rows and len(rows[0]) > 2)
        return None if is_small or max(map(len, rows), default=0) < 2 else rows

    def _read_terms(self, terms: Node) -> list[list[RawCell]] | None:
        """The rows of a list of two or more terms with short values, which is a table; None for any other."""
        rows: list[list[RawCell]] = []
        nodes, index = self.page.nodes, terms.index + 1
        while index < terms.index_end:
            node = nodes[index]
            index += 1
            if node.tag in ("dt", "dd"):
                if (
                    node.size > _LONG_VALUE
                    or node.event_end - node.event > _LONG_VALUE
                    or (node.tag == "dd" and not rows)
                ):
                    return None
                if node.tag == "dt":
                    rows.append([])
                rows[-1].append(RawCell(self.text_of(node), is_header=node.tag == "dt"))
                index = node.index_end
            elif node.tag != "div":
                return None
        return rows if len(rows) >= 2 and all(len(row) >= 2 for row in rows) else None

    def _holds_layout(self, table: Node) -> bool:
        """Whether a table holds a table, a main heading or a cell as long as prose: then it lays out the page."""
        nodes = self.page.nodes
        for index in range(table.index + 1, table.index_end):
            node = nodes[index]
            if node.tag in ("table", "h1", "h2"):
                return True
            if node.tag in ("td", "th") and node.size > _LONG_CELL:
                return True
        return False

    def _read_cell(self, node: Node, *, is_header: bool) -> RawCell:
        attrs = node.attrs
        return RawCell(
            self.text_of(node), _span(attrs.get("rowspan"), 65534), _span(attrs.get("colspan"), 1000), is_header
        )


def _span(value: str | None, limit: int) -> int:
    if value is None or not value.strip().isdecimal() or len(value) > 6:
        return 1
    return min(int(value), limit)
