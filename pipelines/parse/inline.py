"""Running text inside one block of a page: white space, line breaks, superscripts, and where elements meet.

Knows inline elements alone; what a block is, is decided in `html`.
"""

from __future__ import annotations

import re

from pipelines.parse.page import Node

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
