"""Navigation, and what to say when the warehouse cannot be opened. Nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard.views import training

# A file of our own: an icon by name would be fetched from a font service.
ICON = Path(__file__).parent / "icon.svg"
PAGES = [
    st.Page(training.show, title="Benchmarks: training", url_path="training", icon=":material/timer:", default=True)
]

st.set_page_config(page_title="rackledger", page_icon=str(ICON), layout="wide")
st.navigation(PAGES).run()
