"""To be decided: the readings that wait for a person, those first whose decision says most. Nothing is decided here."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.columns import columns
from dashboard.components import Filter, open_page, rows_table
from dashboard.components.state import Choices, choose_in, fitting
from dashboard.components.tables import Rows
from dashboard.navigation import Page
from dashboard.queries import Ledger, once
from warehouse.answers import claim_words

PAGE = Page("Evidence", 4, "To be decided", "rule", "Readings that wait for a decision, and what each would change.")

COLUMNS = columns(
    "subject metric_title value_words qualifiers would confidence doubt worth evidence claimant printed locator "
    "claim_id url"
)
EFFECTS = {
    "fills": "a cell that no claim fills",
    "changes": "a cell in which no claim says the same",
    "agrees": "one more that says the same",
}


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "To be decided",
        "What was read and is not sure enough to be a claim, or has something against it. Nothing here is in a chart, "
        "a standing value or a conflict. Confidence is the share of readings with that score that were right on "
        "documents that the reader had not seen.",
        needs=("evidence.queue",),
    )
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
    rows_table(rows, COLUMNS, key="queue", alt="Readings to be decided")


def _waiting(ledger: Ledger) -> pd.DataFrame:
    return claim_words.with_words(ledger.frame_of("queue.queue"))


def _rows(ledger: Ledger, chosen: Choices) -> Rows:
    return Rows.of(fitting(once(ledger, _waiting), chosen), COLUMNS)


def _tiles(frame: pd.DataFrame) -> None:
    tiles = st.container(horizontal=True)
    for would, says in EFFECTS.items():
        tiles.metric(would.capitalize(), f"{int((frame['would'] == would).sum()):,}", help=says, border=True)
