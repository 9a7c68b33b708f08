"""Sources: each one's health, how often it is looked at, when it last came, what it gave, and on what terms."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dashboard.components import Filter, chosen_key, pick_key, rows_table, words_of
from dashboard.components.state import Choices, choose_in, fitting, holding, search_words
from dashboard.components.tables import Rows
from dashboard.queries import Ledger, first_row, once
from dashboard.queries import sources as queries
from pipelines.settings import current_settings
from warehouse.answers import evidence, formats
from warehouse.answers.health import FAILING
from warehouse.outcome import last

WORDS = words_of(__file__)


MOST_NAMED = 8
ASIDE = "Claims, rows, documents and tables that failed a check or could not be read. All else is published."
# Each verdict has a shape and a word, so that nobody needs colour to tell them apart.
MARKS, MEANINGS = WORDS.names["marks"], WORDS.names["meanings"]
SEARCHED = ("source_id", "title", "publisher", "producer")


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    listed = once(ledger, _listed)
    _say_refused()
    _counts(listed)
    _warn(listed)
    rows = once(ledger, _rows, *_chosen(listed))
    shown = rows.frame
    if shown.empty:
        st.info("No source fits. Remove a filter or a word of the search.")
    else:
        st.caption(
            f"{len(shown):,} of {len(listed):,} sources, failing ones first. Choose a row for terms and captures."
        )
        chosen = rows_table(
            rows, WORDS.tables["rows"], key="sources_rows", alt="Sources and their health", is_selectable=True
        )
        if chosen is not None:
            pick_key("source", str(shown.iloc[chosen]["source_id"]))
    wanted = chosen_key("source")
    if wanted:
        found = listed[listed["source_id"] == wanted]
        if found.empty:
            st.info("The link names a source that is not listed in this version.")
        else:
            _one(ledger, first_row(found))


def cadence(hours: int) -> str:
    """'every 6 h', 'daily', 'weekly', 'every 30 days'."""
    named = {24: "daily", 168: "weekly"}
    if hours in named:
        return named[hours]
    return f"every {hours} h" if hours < 48 else f"every {hours // 24} days"


def _say_refused() -> None:
    """A run that did not publish leaves no trace in the published file: it is told from beside it."""
    ending = last(current_settings().warehouse)
    if ending is not None and not ending.is_well:
        words = f"The run of {formats.day(ending.at)} was refused: what is shown is the version before."
        st.error(words, icon=":material/block:")
        with st.expander("Why it was refused"):
            st.markdown("\n".join(f"- {formats.escape_markdown(line)}" for line in ending.says.splitlines()))


def _counts(listed: pd.DataFrame) -> None:
    counts = listed["verdict"].value_counts()
    tiles = st.container(horizontal=True)
    for verdict, meaning in MEANINGS.items():
        if verdict in ("current", "not collected") or counts.get(verdict, 0):
            tiles.metric(MARKS[verdict], f"{int(counts.get(verdict, 0)):,}", help=meaning, border=True)
    tiles.metric("Set aside", f"{int(listed['aside_count'].sum()):,}", help=ASIDE, border=True)


def _warn(listed: pd.DataFrame) -> None:
    """Sources that fail by name and why, in amber."""
    failing = listed[listed["verdict"].isin(FAILING)]
    if failing.empty:
        return
    named = "; ".join(f"{row.source_id} ({row.says})" for row in failing.head(MOST_NAMED).itertuples())
    more = f"; and {len(failing) - MOST_NAMED} more" if len(failing) > MOST_NAMED else ""
    st.warning(formats.escape_markdown(f"{len(failing)} fail: {named}{more}."), icon=":material/history:")


def _listed(ledger: Ledger) -> pd.DataFrame:
    listed = queries.health(ledger)
    return listed.assign(
        state=[MARKS[verdict] for verdict in listed["verdict"]],
        state_says=listed["says"],
        last_on=listed["last_capture_at"],
        cadence=[cadence(int(hours)) for hours in listed["cadence_hours"]],
    )


def _rows(ledger: Ledger, chosen: Choices, words: str) -> Rows:
    found = holding(fitting(once(ledger, _listed), chosen), words, SEARCHED)
    return Rows.of(found, WORDS.tables["rows"], chosen_by=("source", "source_id"))


def _chosen(listed: pd.DataFrame) -> tuple[Choices, str]:
    first, *places = st.columns([2, 1, 1, 1])
    words = search_words("Search", key="q", placeholder="id, title or publisher", where=first)
    filters = (
        Filter("state", "State", options=tuple(MARKS.values())),
        Filter("layer", "Layer"),
        Filter("kind", "Kind"),
    )
    return choose_in(listed, *filters, places=places), words


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
        for statement, told in WORDS.parts["lists"].items():
            frame = ledger.frame_of(f"sources.one_{statement}", source=row["source_id"])
            if not frame.empty:
                st.subheader(told["title"], anchor=False)
                if "says" in told:
                    st.caption(told["says"])
                key, alt = told["key"], told["alt"].format(row["source_id"])
                rows_table(frame, WORDS.tables[key], key=key, alt=alt)


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
