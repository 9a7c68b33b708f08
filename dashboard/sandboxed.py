"""The one sandbox of this server, in which visitors' SQL runs."""

from __future__ import annotations

import streamlit as st

from pipelines.settings import current_settings
from warehouse.sandbox import Limits, Sandbox

LIMITS = Limits()


def shared_sandbox() -> Sandbox:
    """The sandbox of the published file, for all sessions."""
    return _sandbox(str(current_settings().warehouse))


@st.cache_resource(show_spinner=False)
def _sandbox(path: str) -> Sandbox:
    return Sandbox(current_settings().warehouse, LIMITS)
