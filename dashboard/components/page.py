"""The frame of every page: opening the ledger, title, notice of a newer version, footer, links between pages.

What cannot be shown says what to run; nothing is written, ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st
from pydantic import ValidationError

from dashboard.addresses import FIRST
from dashboard.queries import Ledger, open_ledger, tables
from dashboard.queries.search import nearest_named
from pipelines.settings import current_settings
from warehouse.answers.formats import day, escape_markdown
from warehouse.read import WarehouseMissing, WarehouseUnreadable

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator
    from streamlit.navigation.page import Page

SITE = "rackledger"
LOOK_AGAIN = "20s"
AS_OF = "as_of"
SPOT = "_day_spot"  # where a page says that the day of the address does not apply to it
_SHOWN = "_shown_version"
_pages: dict[str, Page] = {}  # url path → page, the same for all sessions


def open_page(title: str, says: str, *, needs: Sequence[str] = ()) -> Ledger:
    """Draw title and description and return the published version.

    `needs` are the tables the page cannot do without. Without a warehouse that can be read, or without one of these
    tables in it, the page says what to run and ends here.
    """
    ledger = ledger_or_stop()
    head_of(ledger, title, says, needs=needs)
    return ledger


def head_of(ledger: Ledger, title: str, says: str, *, needs: Sequence[str] = ()) -> None:
    """Draw title and description of a page whose title comes from the ledger itself."""
    st.set_page_config(page_title=f"{title} · {SITE}")
    _notice(ledger.version)
    st.title(escape_markdown(title), anchor=False)
    st.markdown(escape_markdown(says))
    st.session_state[SPOT] = st.empty() if st.query_params.get(AS_OF) else None
    missing = sorted(set(needs) - tables(ledger))
    if missing:
        st.info(
            f"This version holds no {escape_markdown(', '.join(missing))}. It was built by an older program: "
            "build it anew with `make run`."
        )
        st.stop()


def nothing_of_that_name(ledger: Ledger, kind: str, asked: str) -> None:
    """Draw the page of an address that names none of the `kind`, with the names that are most like it."""
    says = f"“{asked}” names none in this version." if asked else "The address names none."
    head_of(ledger, f"No such {kind}", f"{says} Find it in the box above.")
    near = nearest_named(ledger, kind, asked) if asked else []
    if near:
        st.markdown("Did you mean " + ", ".join(f"[{escape_markdown(name)}](<{href}>)" for name, href in near) + "?")


def ledger_or_stop() -> Ledger:
    """The published version; without one the page says what to run and ends."""
    try:
        ledger = open_ledger(current_settings().warehouse)
    except WarehouseMissing as error:
        _say("There is no warehouse yet", error)
    except WarehouseUnreadable as error:
        _say("The warehouse cannot be read", error)
    except ValidationError as error:
        st.title("A setting is wrong", anchor=False)
        st.text(str(error))
        st.stop()
    st.session_state[_SHOWN] = (ledger.version, ledger.built_at)
    return ledger


def _say(title: str, error: Exception) -> None:
    st.title(title, anchor=False)
    st.text(str(error))
    st.code("make run", language="sh")
    st.stop()


@st.fragment(run_every=LOOK_AGAIN)
def _notice(shown: str) -> None:
    """Look now and then whether a newer version was published; until the reader asks, the page stays as it is."""
    try:
        newest = open_ledger(current_settings().warehouse).version
    except (WarehouseMissing, WarehouseUnreadable):
        return
    if newest == shown:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="new_version"):
        st.text("A new version was published. This page still shows the one before.")
        if st.button("Reload", key="reload_version"):
            st.rerun()


def footer() -> None:
    """The last line of every page: version, terms, and that there is no tracking."""
    shown = st.session_state.get(_SHOWN)
    if shown is not None:
        st.caption(
            f"Version {shown[0]}, built {day(shown[1])}. The compilation is CC BY 4.0; each source's own terms hold "
            "for its figures. No tracking; nothing is loaded from elsewhere."
        )


def register_pages(pages: Sequence[Page]) -> None:
    """Remember the pages of the navigation, so that pages can lead to each other."""
    for page in pages:
        _pages[page.url_path] = page


def link_to(
    path: str, label: str, *, icon: str | None = None, where: DeltaGenerator | None = None, **state: str
) -> None:
    """A link to a page by its address, with its state and the as-of day; plain text while there is no such page."""
    page = _pages.get("" if path == FIRST else path)
    if page is None:
        (where or st).caption(escape_markdown(label))
        return
    carried = {AS_OF: str(day_shown)} if (day_shown := st.query_params.get(AS_OF)) else {}
    (where or st).page_link(page, label=escape_markdown(label), icon=icon, query_params=(carried | state) or None)


def watch_this(subject_id: str, metric: str, what: str, *, key: str) -> None:
    """The addresses of a figure's feed, to be copied into a reader of feeds."""
    root = (st.context.url or "").split("?", maxsplit=1)[0].rsplit("/", 1)[0]
    with st.popover("Watch this", icon=":material/rss_feed:", type="tertiary", key=key):
        st.markdown(f"A feed that has an entry when the value or the evidence changes: {escape_markdown(what)}.")
        for form in ("atom", "json"):
            st.code(f"{root}/feeds/{subject_id}/{metric}.{form}", language=None, wrap_lines=True)
