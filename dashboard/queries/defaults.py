"""What calculators and lessons ask: the figures that stand, once a version for all visitors."""

from __future__ import annotations

import datetime as dt

import streamlit as st

from dashboard.queries import Ledger
from warehouse.answers.defaults import Known, know
from warehouse.calculators import CALCULATORS


def known_figures(ledger: Ledger, day: dt.date | None = None) -> Known:
    """The claims behind machines and calculators as known on a day, by default the version's own."""
    return _known(ledger.version, day or ledger.built_at.date(), ledger)


@st.cache_resource(max_entries=20, show_spinner=False)
def _known(version: str, day: dt.date, _ledger: Ledger) -> Known:
    return know(_ledger.records, day, CALCULATORS.values())
