"""API: the addresses that programs read: files of a version, feeds, search, and words for machines."""

from __future__ import annotations

import streamlit as st

from dashboard.components import open_page
from dashboard.navigation import Page

PAGE = Page("Data", 3, "API", "api", "Addresses for programs: files, feeds, search.")

# What each address gives; all are read-only and need no key.
ADDRESSES = (
    ("files/latest.json", "Which version is the newest, and where its files lie. They never change once published."),
    (
        "files/latest/rackledger.duckdb",
        "All tables of the newest version in one DuckDB file; Parquet and CSV beside it.",
    ),
    ("feeds/today.json", "What is new in thirty days, as JSON Feed; feeds/today.atom as Atom."),
    ("feeds/nvidia-gb200-nvl72/power.json", "One figure: an entry when the value or the evidence changes."),
    ("search.json?q=gb300+power", "What the search box offers: name, kind, tag and the page's address."),
    ("llms.txt", "Pages, files and rules in a form that language models read."),
)


def show() -> None:
    """Draw the page."""
    open_page(
        "API", "Everything here can be read by programs, without a key. Every figure has its source, day and tag."
    )
    root = (st.context.url or "").split("?", maxsplit=1)[0].rsplit("/", 1)[0]
    for address, says in ADDRESSES:
        st.markdown(says)
        st.code(f"{root}/{address}", language=None, wrap_lines=True)
