"""Navigation. A new page is one import and one line in SECTIONS. Nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.components.page import SITE, footer, register_pages
from dashboard.views import training

# A file of our own: an icon by name would be fetched from a font service.
ICON = Path(__file__).parent / "icon.svg"
SECTIONS = {
    "Market": [],
    "Benchmarks": [
        st.Page(training.show, title="Training", url_path="training", icon=":material/timer:", default=True),
    ],
    "Evidence": [],
    "Learn": [],
    "Data": [],
}

st.set_page_config(page_title=SITE, page_icon=str(ICON), layout="wide")
pages = {section: listed for section, listed in SECTIONS.items() if listed}
register_pages([page for listed in pages.values() for page in listed])
st.navigation(pages, expanded=True).run()
footer()
