"""One thing: what is known of it, cell by cell, what it is made of, where it runs."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.columns import columns
from dashboard.components import as_of, chosen_key, open_page, rows_table
from dashboard.components.page import link_to
from dashboard.navigation import Page
from dashboard.queries import Ledger, first_row
from dashboard.queries import things as queries
from warehouse.answers import claim_words, formats

PAGE = Page("Racks", 0, "Thing", "memory", "What is known of one accelerator or system, cell by cell.")

CELLS = columns(
    "metric_title qualifiers value_words evidence stated_on claimant claimants range_words said_in "
    "caveat_words claim_id url",
    value_words="Stands",
    claimants="Agree [claimants]",
    range_words="Range of all",
)
DEPLOYED = columns(
    "subject value_words metric evidence claimant stated_on claim_id url",
    subject="Where",
    value_words="What",
    url="Link",
)
NAMES = columns("name valid_from valid_to said_by evidence url")


def show() -> None:
    """Draw the page."""
    ledger = open_page("Thing", "One accelerator or system.", needs=("marts.accelerators", "marts.systems"))
    _one(ledger, queries.catalog(ledger), chosen_key("id"), as_of(ledger))


def _one(ledger: Ledger, listed: pd.DataFrame, wanted: str, day: dt.date) -> None:
    found = listed[listed["subject_id"] == wanted]
    if found.empty:
        st.info("The link names something that is not in this version's registry as a model or system. Search below.")
        return
    row = first_row(found)
    with st.container(border=True, key="sheet"):
        st.header(formats.escape_markdown(row["name"]), anchor="sheet")
        _tiles(row)
        if claim_words.words(row["counting_note"]):
            st.caption(formats.escape_markdown(f"Counting: {row['counting_note']}"))
        _made_of(ledger, row)
        frame = sheet(queries.cells(ledger, (wanted,), day))
        if frame.empty:
            st.info("Nothing had been stated about it by this day. Choose a later day.")
        else:
            st.subheader("What is known", anchor=False)
            rows_table(frame, CELLS, key="cells", alt=f"Sheet of {row['name']}")
            disputed = frame[frame["conflict_id"].notna()].drop_duplicates("conflict_id")
            for cell in disputed.itertuples():
                link_to(
                    "conflicts", f"In dispute: {cell.metric_title}", icon=":material/balance:",
                    conflict=str(cell.conflict_id),
                )  # fmt: skip
        _deployed(ledger, row)


def _tiles(row: dict[str, Any]) -> None:
    tiles = st.container(horizontal=True)
    tiles.metric("Vendor", formats.escape_markdown(claim_words.words(row["vendor_name"]) or "not stated"))
    tiles.metric("Kind", row["kind"])
    if claim_words.words(row["generation_name"]):
        tiles.metric("Generation", formats.escape_markdown(row["generation_name"]))
    tiles.metric("Claims", formats.count(row["claims"]))
    tiles.metric("In dispute", formats.count(row["conflicts"]))


def _made_of(ledger: Ledger, row: dict[str, Any]) -> None:
    if row["thing"] == "system":
        for part in queries.parts(ledger, row["subject_id"]).itertuples():
            _line(f"{part.count} × {part.part}", part.subject_id)
        frame = queries.names(ledger, row["subject_id"])
        if len(frame) > 1:
            st.subheader("Names", anchor=False)
            rows_table(frame, NAMES, key="names", alt=f"Names of {row['name']}")
        return
    for holder in queries.holders(ledger, row["subject_id"]).itertuples():
        _line(f"in {holder.name}: {holder.count}", holder.subject_id)
    ran = queries.benchmarks(ledger, row["subject_id"])
    if int(ran["n"]):
        text = f"{int(ran['n']):,} MLPerf Training results by {int(ran['submitters'])} submitters"
        st.caption(formats.escape_markdown(f"{text} since {formats.day(ran['since'])}."))


def _line(text: str, subject_id: Any) -> None:
    if claim_words.words(subject_id):
        link_to("thing", text, icon=":material/memory:", id=str(subject_id))
    else:
        st.caption(formats.escape_markdown(text))


def _deployed(ledger: Ledger, row: dict[str, Any]) -> None:
    frame = queries.deployments(ledger, row["name"], row["subject_id"])
    if not frame.empty:
        st.subheader("Where it runs", anchor=False)
        rows_table(
            claim_words.with_words(frame.assign(period_start=None, period_end=None)), DEPLOYED, key="runs", alt="Runs"
        )


def sheet(cells: pd.DataFrame) -> pd.DataFrame:
    """Cells with their value, range and caveats in words."""
    worded = claim_words.with_words(cells.assign(value_low=None, value_high=None))
    return worded.assign(
        range_words=[_range(record) for record in cells.to_dict("records")],
        caveat_words=["; ".join(claim_words.caveat_words(caveats)) for caveats in cells["caveats"]],
    )


def _range(cell: Any) -> str:
    if pd.notna(cell["range_low"]) and cell["range_low"] != cell["range_high"]:
        return f"{formats.quantity(cell['range_low'], '')} to {formats.quantity(cell['range_high'], cell['unit'])}"
    return ""
