"""All things: every accelerator and system of the registry, by any name it bears or bore."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.columns import columns
from dashboard.components import Filter, filtered, open_page, rows_table
from dashboard.components.state import holding, names_of, search_words
from dashboard.navigation import Page
from dashboard.queries import things as queries

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
    _catalog(queries.catalog(ledger))


def _catalog(listed: pd.DataFrame) -> None:
    first, *places = st.columns([2, 1, 1])
    words = search_words("Search", key="q", placeholder="any name it bears or bore", where=first)
    names = names_of(listed, "vendor", "vendor_name")
    vendors = Filter("vendor", "Vendor", options=list(names), names=names)
    found = filtered(listed, Filter("thing", "Thing", options=KINDS), vendors, places=places)
    shown = holding(found, words, ("name", "spellings"))
    if shown.empty:
        st.info("Nothing bears that name. Names that match nothing are in evidence.unmatched.")
        return
    st.caption(f"{len(shown):,} of {len(listed):,}, those with most claims first. Open one with its link.")
    rows_table(shown, COLUMNS, key="catalog_rows", alt="Accelerators and systems")
