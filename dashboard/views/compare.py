"""Side by side: up to six things of any makers, cell by cell."""

from __future__ import annotations

import datetime as dt

import streamlit as st

from dashboard.components import as_of, open_page, rows_table
from dashboard.navigation import Page
from dashboard.queries import Ledger
from dashboard.queries import things as queries
from dashboard.views.thing import sheet

PAGE = Page("Racks", 3, "Compare", "compare", "Up to six systems or accelerators side by side.")
MOST_COMPARED = 6


def show() -> None:
    """Draw the page."""
    ledger = open_page("Side by side", "Up to six things of any makers.", needs=("marts.accelerators", "marts.systems"))
    listed = queries.catalog(ledger)
    titles = dict(zip(listed["subject_id"], listed["name"], strict=True))
    wanted = tuple(name for name in st.query_params.get_all("thing") if name in titles)[:MOST_COMPARED]
    day = as_of(ledger)
    if wanted:
        _compare(ledger, wanted, titles, day)
    else:
        st.info("Find a thing above and choose “compare” beside it, or press Shift and Enter; then add the next.")


def _compare(ledger: Ledger, wanted: tuple[str, ...], titles: dict[str, str], day: dt.date) -> None:
    frame = sheet(queries.cells(ledger, wanted, day))
    if frame.empty:
        st.info("Nothing had been stated about them by this day.")
        return
    frame = frame.assign(
        thing=[titles.get(str(name), str(name)) for name in frame["subject_id"]],
        cell=frame["value_words"] + "  " + frame["evidence"].str[:3] + " " + frame["stated_on"].astype(str).str[:10],
    )
    table = frame.pivot_table(index=["metric_title", "qualifiers"], columns="thing", values="cell", aggfunc="first")
    table = table.reset_index().fillna("")
    order = [titles[name] for name in wanted if titles[name] in table.columns]
    shown = {"metric_title": "Metric", "qualifiers": "Counts"} | {name: name for name in order}
    rows_table(table, shown, key="side_by_side", alt=f"{', '.join(order)} side by side")
    st.caption("Value, then the first letters of its tag, then the day it was stated. Open a thing for its claims.")
