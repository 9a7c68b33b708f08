"""The script Streamlit runs for every visitor: navigation, the page, the footer. Pages are found by navigation.py."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.components.page import SITE, footer, menu, register_pages
from dashboard.navigation import page_entries, sections
from dashboard.turns import turn

# A file of our own: an icon by name would be fetched from a font service.
ICON = Path(__file__).parent / "icon.svg"

WAITING = {"sql"}  # pages that wait for something slow; they take no turn, so that the others need not wait too

st.set_page_config(page_title=SITE, page_icon=str(ICON), layout="wide")
first = page_entries()[0].path
pages = {
    section: [
        st.Page(
            entry.show,
            title=entry.title,
            url_path=entry.path,
            icon=f":material/{entry.icon}:",
            default=entry.path == first,
        )
        for entry in entries
    ]
    for section, entries in sections().items()
}
register_pages([page for listed in pages.values() for page in listed])
# The menu is drawn here: Streamlit's own marks the names of its sections in a way that screen readers misread.
page = st.navigation(pages, position="hidden")
menu(pages)
if page.url_path in WAITING:
    page.run()
else:
    with turn():
        page.run()
footer()
