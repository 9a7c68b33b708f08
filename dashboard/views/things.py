"""All things: every accelerator and system of the registry, by any name it bears or bore."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard.components import Filter, rows_table, words_of
from dashboard.components.state import Choices, choose_in, fitting, holding, names_of, search_words
from dashboard.components.tables import Rows
from dashboard.queries import Ledger, once

WORDS = words_of(__file__)

KINDS = ("accelerator", "system")


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    _catalog(ledger, ledger.frame_of("things.catalog"))


def _rows(ledger: Ledger, chosen: Choices, words: str) -> Rows:
    return Rows.of(
        holding(fitting(ledger.frame_of("things.catalog"), chosen), words, ("name", "spellings")), WORDS.tables["rows"]
    )


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
    rows_table(rows, WORDS.tables["rows"], key="catalog_rows", alt="Accelerators and systems")
