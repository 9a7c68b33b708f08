"""Method: what a tag means, which statement stands and why, what is never compared, what the days mean."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.components import words_of
from dashboard.components.board import show_board
from dashboard.components.sheet import Cell, rows_card
from pipelines.model.evidence import Evidence
from warehouse.answers import evidence
from warehouse.answers.claim_words import CAVEATS

WORDS = words_of(__file__)
TEXT = Path(__file__).parents[1] / "method.md"


def show() -> None:
    """Draw the page."""
    WORDS.open()
    st.markdown(TEXT.read_text(encoding="utf-8"))
    tags = [[Cell(evidence.mark(tag)), Cell(evidence.meaning(tag))] for tag in Evidence]
    caveats = [[Cell(name.replace("_", " ")), Cell(says)] for name, says in CAVEATS.items()]
    show_board(
        [
            rows_card("Evidence, strongest first", "", ["Tag", "Meaning"], tags),
            rows_card("Caveats that travel with a figure", "", ["Caveat", "Meaning"], caveats),
        ],
        key="method",
    )
