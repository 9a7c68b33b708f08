"""To be decided: the readings that wait for a person, those first whose decision says most. Nothing is decided here."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.components import Filter, rows_table, words_of
from dashboard.components.state import Choices, choose_in, fitting
from dashboard.components.tables import Rows
from dashboard.queries import Ledger, once
from warehouse.answers import claim_words

WORDS = words_of(__file__)


EFFECTS = WORDS.names["effects"]


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    frame = once(ledger, _waiting)
    if frame.empty:
        st.info("Nothing waits in this version.")
        return
    _tiles(frame)
    chosen = choose_in(
        frame,
        Filter("metric", "Metric", names=dict(zip(frame["metric"], frame["metric_title"], strict=True))),
        Filter("would", "It would", options=list(EFFECTS)),
    )
    rows = once(ledger, _rows, chosen)
    if rows.frame.empty:
        st.info("No reading fits. Remove a filter.")
        return
    st.caption(
        f"{len(rows.frame):,} readings, those first whose decision is worth most: the cells it fills or changes, times "
        "the doubt. The place is counted in characters of the page's text. The command rackledger review shows the "
        "passage where the text is kept, and takes the decision."
    )
    rows_table(rows, WORDS.tables["rows"], key="queue", alt="Readings to be decided")


def _waiting(ledger: Ledger) -> pd.DataFrame:
    return claim_words.with_words(ledger.frame_of("queue.queue"))


def _rows(ledger: Ledger, chosen: Choices) -> Rows:
    return Rows.of(fitting(once(ledger, _waiting), chosen), WORDS.tables["rows"])


def _tiles(frame: pd.DataFrame) -> None:
    tiles = st.container(horizontal=True)
    for would, says in EFFECTS.items():
        tiles.metric(would.capitalize(), f"{int((frame['would'] == would).sum()):,}", help=says, border=True)
