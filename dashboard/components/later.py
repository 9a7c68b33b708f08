"""The lower part of a page: drawn when what is seen first has come to rest, and by itself when a choice in it changes.

A page of several charts took the browser twice as long as a plain one, most of it for what nobody saw yet.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dashboard.components.state import is_first_look, now_looked_at


def later(draw: Callable[[], None], *, meanwhile: str = "") -> None:
    """Draw the lower part of a page, or on the first look leave a button for it, which `frame.js` presses.

    Drawn at once where no browser would press. Whatever is above it changes the page as a whole, with this part.
    `meanwhile` is plain HTML as high as the part's beginning, which stands there until it comes.
    """
    if st.context.url:
        _lower_part(draw, meanwhile)
    else:
        draw()


@st.fragment
def _lower_part(draw: Callable[[], None], meanwhile: str) -> None:
    with st.container(key="lower_part"):  # its place is kept while it comes
        if is_first_look():
            if meanwhile:
                st.html(meanwhile)
            with st.container(key="rest_of_page"):
                st.button("Show the rest of the page", on_click=now_looked_at, type="tertiary")
        else:
            draw()
