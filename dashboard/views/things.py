"""All things: every accelerator and system of the registry, by any name it bears or bore."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.columns import columns
from dashboard.components import Filter, open_page, rows_table
from dashboard.components.state import Choices, choose_in, fitting, holding, names_of, search_words
from dashboard.components.tables import Rows
from dashboard.navigation import Page
from dashboard.queries import Ledger, once

PAGE = Page("Racks", 2, "All things", "memory", "Every accelerator and system, by any name it bears or bore.")

KINDS = ("accelerator", "system")
COLUMNS = columns("name subject_id thing vendor_name generation_name kind claims claimants conflicts last_stated_on")


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "All things",
        "Everything the ledger knows by name, those with most statements first. Open one for its sheet.",
        needs=("marts.accelerators", "marts.systems"),
    )
    _catalog(ledger, ledger.frame_of("things.catalog"))


def _rows(ledger: Ledger, chosen: Choices, words: str) -> Rows:
    return Rows.of(holding(fitting(ledger.frame_of("things.catalog"), chosen), words, ("name", "spellings")), COLUMNS)


def _catalog(ledger: Ledger, listed: pd.DataFrame) -> None:
    first, *places = st.columns([2, 1, 1])
    words = search_words("Search", key="q", placeholder="any name it bears or bore", where=first)
    names = names_of(listed, "vendor", "vendor_name")
    vendors = Filter("vendor", "Vendor", options=list(names), names=names)
    chosen = choose_in(listed, Filter("thing", "Thing", options=KINDS), vendors, places=places)
    rows = once(ledger, _rows, chosen, words)
    if rows.frame.empty:
        st.info("Nothing bears that name. Names that match nothing are in evidence.unmatched.")
        return
    st.caption(f"{len(rows.frame):,} of {len(listed):,}, those with most claims first. Open one with its link.")
    rows_table(rows, COLUMNS, key="catalog_rows", alt="Accelerators and systems")
