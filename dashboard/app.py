"""The script Streamlit runs for every visitor: a page and its footer; menu and search stand in the frame around it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.addresses import FIRST
from dashboard.components.page import SITE, footer, register_pages
from dashboard.components.state import begin_page, say_unapplied_day
from dashboard.navigation import page_entries
from dashboard.turns import turn

# A file of our own: an icon by name would be fetched from a font service.
ICON = Path(__file__).parent / "icon.svg"

WAITING = {"sql"}  # pages that wait for something slow; they take no turn, so that the others need not wait too

st.set_page_config(page_title=SITE, page_icon=str(ICON), layout="wide")

pages = [
    st.Page(entry.show, title=entry.title, url_path=entry.path, default=entry.path == FIRST) for entry in page_entries()
]
register_pages(pages)
page = st.navigation(pages, position="hidden")
begin_page(page.url_path or FIRST)
if page.url_path in WAITING:
    page.run()
else:
    with turn():
        page.run()
say_unapplied_day()
footer()
