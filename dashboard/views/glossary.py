"""Glossary: what is measured and in which unit, by which words it is found, and what layers of the market are."""

from __future__ import annotations

from dashboard.components import words_of
from dashboard.components.board import show_board
from dashboard.components.sheet import Cell, card, table_html
from dashboard.components.state import search_words
from warehouse.answers import formats

WORDS = words_of(__file__)
WORDS_SHOWN = 12


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    words = search_words("Search", key="q", placeholder="a word, for example TDP").lower().split()
    rows = [
        [
            Cell(row["title"], "", "", formats.page_address("evidence", **{"evidence.metric": row["title"]})),
            Cell("a day" if row["unit"] == "date" else "a number" if row["unit"] == "count" else row["unit"]),
            Cell(", ".join(row["words"][:WORDS_SHOWN]) or "no other word"),
            Cell(", ".join(row["requires"]).replace("_", " ") or "nothing more"),
        ]
        for row in ledger.rows("catalog.metrics")
        if all(any(word in text.lower() for text in (row["title"], *row["words"])) for word in words)
    ]
    heads = ["Figure", "Unit", "Also called", "Must say"]
    says = "“Must say” names what a statement has to tell so that it can be set beside another."
    show_board([card("Figures", says, table_html(heads, rows, kind="cards"), size="wide")], key="glossary")
