"""Lists that nest are told apart in every markup: each item's words, its level, and whether its list is numbered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from pipelines.model.document import Document
from pipelines.parse.markdown import parse_markdown
from pipelines.parse.rst import parse_rst
from pipelines.parse.text import parse_text

PLAIN = "- one\n  - two\n    goes on\n- three\n\n1. four\n"
RST = "* one\n  goes on\n\n  * two\n\n1. three\n"
MARKDOWN = "- one\n  - two\n\n  goes on\n- three\n"
Parse = Callable[[str, str | None, date], Document]


@pytest.mark.parametrize(
    ("parse", "text", "items", "numbered"),
    [
        (parse_text, PLAIN, [("one", 1), ("two goes on", 2), ("three", 1), ("four", 1)], [False, False, True]),
        (parse_rst, RST, [("one goes on", 1), ("two", 2), ("three", 1)], [False, False, True]),
        (parse_markdown, MARKDOWN, [("one", 1), ("two", 2), ("goes on", 1), ("three", 1)], [False, False]),
    ],
)
def test_lists_nest(parse: Parse, text: str, items: list[tuple[str, int]], numbered: list[bool]) -> None:
    document = parse(text, None, date(2025, 6, 1))
    assert [(document.text_of(block), block.level) for block in document.blocks] == items
    assert [one.is_ordered for one in document.lists] == numbered


def test_marks_of_items_stand_before_them_in_the_text() -> None:
    document = parse_markdown("- 192 GB\n  - 8 TB/s\n\n  More of it.\n- 1000 W\n", None, date(2025, 6, 1))
    assert document.text == "- 192 GB\n  - 8 TB/s\nMore of it.\n- 1000 W"
