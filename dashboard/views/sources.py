"""Sources: each one's health, how often it is looked at, when it last came, what it gave, and on what terms."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.columns import columns
from dashboard.components import Filter, chosen_key, filtered, open_page, pick_key, rows_table
from dashboard.components.state import holding, search_words
from dashboard.health import CURRENT, NEVER, NOT_COLLECTED, STALE, STATES, cadence, with_health
from dashboard.navigation import Page
from dashboard.queries import Ledger, first_row
from dashboard.queries import sources as queries
from warehouse.answers import evidence, formats

PAGE = Page("Evidence", 3, "Sources", "inventory_2", "What is collected, how often, on what terms.")

COLUMNS = columns(
    "state source_id title last_on state_says cadence figure_count document_count capture_count "
    "problem_count evidence layer kind licence url",
    url="Page",
)
CAPTURES = columns("captured_at kind scope byte_count url", url="Address")
PROBLEMS = columns("reason n place detail", reason="Reason")
MOST_NAMED = 8
SEARCHED = ("source_id", "title", "publisher", "producer")


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "Sources",
        "Everything that is collected, how often, on what terms, and what it gave. A source that missed two looks in a "
        "row is stale: what it said last is still shown, as unchanged since that day.",
        needs=("evidence.sources", "evidence.captures"),
    )
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
    listed = with_health(queries.health(ledger), now)
    listed = listed.assign(
        last_on=listed["last_capture_at"], cadence=[cadence(int(hours)) for hours in listed["cadence_hours"]]
    )
    _counts(listed)
    _warn(listed)
    shown = _filtered(listed)
    if shown.empty:
        st.info("No source fits. Remove a filter or a word of the search.")
    else:
        st.caption(f"{len(shown):,} of {len(listed):,} sources, stale ones first. Choose a row for terms and captures.")
        chosen = rows_table(shown, COLUMNS, key="sources_rows", alt="Sources and their health", is_selectable=True)
        if chosen is not None:
            pick_key("source", str(shown.iloc[chosen]["source_id"]))
    wanted = chosen_key("source")
    if wanted:
        found = listed[listed["source_id"] == wanted]
        if found.empty:
            st.info("The link names a source that is not listed in this version.")
        else:
            _one(ledger, first_row(found))


def _counts(listed: pd.DataFrame) -> None:
    counts = listed["state"].value_counts()
    tiles = st.container(horizontal=True)
    meanings = {
        CURRENT: "Looked at within twice its interval.",
        STALE: "Two looks in a row were missed: its figures say 'unchanged since'.",
        NEVER: "This version was built without a capture of it.",
        NOT_COLLECTED: "Known, but its terms or robots file do not allow collecting.",
    }
    for state in STATES:
        tiles.metric(state, f"{int(counts.get(state, 0)):,}", help=meanings[state], border=True)


def _warn(listed: pd.DataFrame) -> None:
    """Stale sources by name, in amber."""
    stale = listed[listed["state"] == STALE]
    if stale.empty:
        return
    named = "; ".join(f"{row.source_id} {row.state_says}" for row in stale.head(MOST_NAMED).itertuples())
    more = f"; and {len(stale) - MOST_NAMED} more" if len(stale) > MOST_NAMED else ""
    st.warning(formats.escape_markdown(f"{len(stale)} stale: {named}{more}."), icon=":material/history:")


def _filtered(listed: pd.DataFrame) -> pd.DataFrame:
    first, *places = st.columns([2, 1, 1, 1])
    words = search_words("Search", key="q", placeholder="id, title or publisher", where=first)
    filters = (Filter("state", "State", options=STATES), Filter("layer", "Layer"), Filter("kind", "Kind"))
    return holding(filtered(listed, *filters, places=places), words, SEARCHED)


def _one(ledger: Ledger, row: dict[str, Any]) -> None:
    with st.container(border=True, key="source"):
        st.header(formats.escape_markdown(row["title"]), anchor="source")
        tiles = st.container(horizontal=True)
        tiles.metric("State", row["state"], help=formats.escape_markdown(row["state_says"]))
        tiles.metric("Looked at", row["cadence"])
        tiles.metric("Last capture", formats.day(row["last_capture_at"]) or "none")
        tiles.metric("Figures", formats.count(row["figure_count"]))
        tiles.metric("Evidence", evidence.mark(row["evidence"]), help=evidence.meaning(row["evidence"]))
        left, right = st.columns(2, gap="large")
        with left:
            _terms(row)
        with right:
            _yield(ledger, row)
        frame = queries.captures(ledger, row["source_id"])
        if not frame.empty:
            st.subheader("Captures", anchor=False)
            rows_table(frame, CAPTURES, key="captures", alt=f"Captures of {row['source_id']}")
        frame = queries.problems(ledger, row["source_id"])
        if not frame.empty:
            st.subheader("Problems", anchor=False)
            rows_table(frame, PROBLEMS, key="problems", alt=f"Problems of {row['source_id']}")


def _terms(row: dict[str, Any]) -> None:
    st.subheader("Terms", anchor=False)
    for label, name in (("Publisher", "producer"), ("Licence", "licence"), ("Terms", "terms"), ("Cite as", "citation")):
        st.caption(label)
        st.text(str(row[name]) or "not stated")


def _yield(ledger: Ledger, row: dict[str, Any]) -> None:
    st.subheader("What it gave", anchor=False)
    counted = queries.figures(ledger, row["source_id"])
    if counted:
        rows_table(pd.DataFrame(counted), {"table": "Table", "rows": "Rows [count]"}, key="yield", alt="Rows by table")
    else:
        st.caption("No row of this version comes from it.")
    addresses = [formats.safe_url(url) for url in row["urls"]]
    frame = pd.DataFrame({"address": list(row["urls"]), "url": addresses})
    rows_table(frame, {"address": "Address", "url": "Open"}, key="addresses", alt="Addresses of the source")
