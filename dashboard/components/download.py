"""A button whose file is made when it is asked for, and stays until it has been fetched.

Streamlit forgets such a file as soon as the scripts of two visitors have ended, often before the browser that asked for
it comes to fetch it: that download then fails. So the newest files are held here as if one more visitor showed them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

import streamlit as st
from streamlit import runtime

HELD = 64  # files, of all visitors
_places = cycle(range(HELD))


def download_button(
    label: str, make: Callable[[], bytes], name: str, mime: str, *, key: str | None = None, icon: str | None = None
) -> None:
    """Draw the button; `make` gives the bytes of the file `name` each time that it is clicked."""

    def made() -> bytes:
        data = make()
        if runtime.exists():
            files = runtime.get_instance().media_file_mgr
            files.add(data, mime, f"held {next(_places)}", name, is_for_static_download=True)
        return data

    st.download_button(label, made, name, mime, key=key, on_click="ignore", icon=icon)
