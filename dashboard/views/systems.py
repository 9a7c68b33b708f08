"""Systems and accelerators: a catalog, a sheet for each where every cell is a claim, and up to four side by side."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.columns import columns
from dashboard.components import Filter, as_of, choose_many, chosen_key, filtered, open_page, pick_key, rows_table
from dashboard.components.page import link_to
from dashboard.components.state import holding, names_of
from dashboard.navigation import Page
from dashboard.queries import Ledger, first_row
from dashboard.queries import things as queries
from warehouse.answers import claim_words, formats

PAGE = Page("Market", 6, "Systems", "memory", "Every accelerator and system, cell by cell.")

MOST_COMPARED = 4
THINGS = ("accelerator", "system")
COLUMNS = columns("name thing vendor_name generation_name kind claims claimants conflicts last_stated_on")
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
    ledger = open_page(
        "Systems and accelerators",
        "Everything the ledger knows by name. Each cell of a sheet is a claim, with its tag, date and how many agree.",
        needs=("marts.accelerators", "marts.systems"),
    )
    listed = queries.catalog(ledger)
    wanted = chosen_key("subject")
    first, second = st.columns([4, 1])
    titles = dict(zip(listed["subject_id"], listed["name"], strict=True))
    with first:
        compared = choose_many(
            "Compare up to four", list(titles), key="compare", names=titles, help="Choose two to four things."
        )
    day = as_of(ledger, where=second)
    if len(compared) >= 2:
        _compare(ledger, compared[:MOST_COMPARED], titles, day)
        if len(compared) > MOST_COMPARED:
            st.caption(f"The first {MOST_COMPARED} are compared.")
    elif wanted:
        _one(ledger, listed, wanted, day)
    _catalog(listed)


def _catalog(listed: pd.DataFrame) -> None:
    st.header("Catalog", anchor="catalog")
    first, *places = st.columns([2, 1, 1])
    words = first.text_input("Search", key="q", bind="query-params", placeholder="any name it bears or bore") or ""
    names = names_of(listed, "vendor", "vendor_name")
    vendors = Filter("vendor", "Vendor", options=list(names), names=names)
    found = filtered(listed, Filter("thing", "Thing", options=THINGS), vendors, places=places)
    shown = holding(found, words, ("name", "spellings"))
    if shown.empty:
        st.info("Nothing bears that name. Names that match nothing are in evidence.unmatched.")
        return
    st.caption(f"{len(shown):,} of {len(listed):,}, those with most claims first. Choose a row for its sheet.")
    chosen = rows_table(shown, COLUMNS, key="catalog_rows", alt="Accelerators and systems", is_selectable=True)
    if chosen is not None and str(shown.iloc[chosen]["subject_id"]) != chosen_key("subject"):
        pick_key("subject", str(shown.iloc[chosen]["subject_id"]))
        st.rerun()


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
        link_to("systems", text, icon=":material/memory:", subject=str(subject_id))
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


def _compare(ledger: Ledger, wanted: tuple[str, ...], titles: dict[str, str], day: dt.date) -> None:
    frame = sheet(queries.cells(ledger, wanted, day))
    st.header("Side by side", anchor="compare")
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
