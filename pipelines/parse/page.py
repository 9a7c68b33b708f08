"""An HTML page as a flat record of what libxml2's parser reports: elements in order, with text sizes.

No tree is built: a tree costs most of the time, and libxml2 cuts trees off at 2,048 levels while its event stream
has no such limit. BeautifulSoup's own lxml builder rides the same stream. What the elements mean is not known here.
"""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

# Their content is no text of the page. `title` and `script` are kept aside for the metadata.
_SILENT = frozenset({"script", "style", "title", "template", "textarea", "noframes", "svg", "math", "object"})
_KEPT_ASIDE = frozenset({"script", "title"})


class Node:
    """One element: where its events start and end, and how many characters of text and of links lie inside."""

    __slots__ = ("attrs", "event", "event_end", "index", "index_end", "links", "parent", "size", "size_links", "tag")

    def __init__(self, tag: str, attrs: Mapping[str, str], parent: int, index: int, event: int) -> None:
        self.tag = tag
        self.attrs = attrs
        self.parent = parent
        self.index = index
        self.index_end = index + 1
        self.event = event
        self.event_end = event
        self.size = 0
        self.size_links = 0
        self.links = 0


class Page:
    """The event record: `events` holds n for the start of node n, ~n for its end, and strings for text."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.events: list[int | str] = []
        self.by_tag: dict[str, list[Node]] = {}
        self.aside: dict[int, str] = {}
        self._open: list[Node] = []
        self._size = 0
        self._size_links = 0
        self._links = 0
        self._link_depth = 0
        self._silent_depth = 0

    def start(self, tag: str, attrs: Mapping[str, str]) -> None:
        """An element begins."""
        nodes = self.nodes
        node = Node(tag, attrs, self._open[-1].index if self._open else -1, len(nodes), len(self.events))
        if tag == "a":
            self._link_depth += 1
            self._links += 1
        elif tag in _SILENT:
            self._silent_depth += 1
        node.size, node.size_links, node.links = self._size, self._size_links, self._links
        self.events.append(node.index)
        nodes.append(node)
        self._open.append(node)
        self.by_tag.setdefault(tag, []).append(node)

    def end(self, tag: str) -> None:
        """An element ends; libxml2 reports every end, in order, also where the page leaves it out."""
        node = self._open.pop()
        if tag == "a":
            self._link_depth -= 1
        elif tag in _SILENT:
            self._silent_depth -= 1
        node.index_end = len(self.nodes)
        node.event_end = len(self.events)
        node.size = self._size - node.size
        node.size_links = self._size_links - node.size_links
        node.links = self._links - node.links
        self.events.append(~node.index)

    def data(self, text: str) -> None:
        """Characters between tags."""
        if self._silent_depth:
            node = self._open[-1]
            if node.tag in _KEPT_ASIDE:
                self.aside[node.index] = self.aside.get(node.index, "") + text
            return
        self.events.append(text)
        if not text.isspace():
            self._size += len(text)
            if self._link_depth:
                self._size_links += len(text)

    def close(self) -> Page:
        """The end of the page."""
        while self._open:
            self.end(self._open[-1].tag)
        return self

    def first(self, tag: str) -> Node | None:
        """The first element of a name, or None."""
        nodes = self.by_tag.get(tag)
        return nodes[0] if nodes else None


def read_page(text: str) -> Page:
    """The page's event record; broken markup is mended the way browsers' predecessor libxml2 mends it."""
    parser = etree.HTMLParser(target=Page(), encoding="utf-8", huge_tree=True)
    parser.feed(text.replace("\x00", "\ufffd").encode("utf-8", "replace"))
    page = parser.close()
    assert isinstance(page, Page)
    return page
