"""Cards of a page at a state of its address, drawn for nobody: the page's own script runs, and only its cards are kept.

Streamlit gives a script its state by a context of the thread it runs in. Here the context is made of the address alone:
there is no visitor, no session outlives the call, and nothing is sent.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlencode

from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext, add_script_run_ctx
from streamlit.runtime.state import SafeSessionState, SessionState

from dashboard.addresses import PLAIN
from dashboard.cards import KnownCard
from dashboard.components.card import collected_cards
from dashboard.components.page import AS_OF
from dashboard.components.state import begin_page, is_refused
from dashboard.navigation import PageEntry, charts, page_entries
from dashboard.turns import turn
from pipelines.frozen import frozen

SCRIPT = str(Path(__file__).with_name("app.py"))
SHARED = frozenset(PLAIN) - {"embed"}
MOST_PAIRS, MOST_LETTERS = 20, 200
State = tuple[tuple[str, str], ...]


@frozen
class StatedCard:
    """A card at a state, None where nothing fits; `refused` is what the address asks for and the page does not show."""

    card: KnownCard | None
    state: State = ()
    refused: State = ()

    def said(self) -> tuple[str, ...]:
        """Sentences on what is shown and what is not."""
        taken = [pair for pair in self.state if pair not in self.refused]
        lines = (f"Shown {_words(taken)}.", f"This chart cannot be shown {_words(self.refused)}.")
        return tuple(line for line, pairs in zip(lines, (taken, self.refused), strict=True) if pairs)


def _words(pairs: Sequence[tuple[str, str]]) -> str:
    """'as known on 2026-03-01, with basis “measured”'."""
    return ", ".join(
        f"as known on {value}" if key == AS_OF else f"with {key.rpartition('.')[2].replace('_', ' ')} “{value}”"
        for key, value in pairs
    )


def state_of(name: str, asked: Sequence[tuple[str, str]]) -> State:
    """What an address asks of the page of a chart, in one order: its own filters and what means the same everywhere.

    Raises KeyError for a chart that is none, ValueError for more than an address of a page ever holds.
    """
    page = charts()[name].page
    found = sorted((key, value) for key, value in asked if key in SHARED or key.startswith(f"{page}."))
    if len(found) > MOST_PAIRS or any(len(key) > MOST_LETTERS or len(value) > MOST_LETTERS for key, value in found):
        raise ValueError(f"at most {MOST_PAIRS} filters of {MOST_LETTERS} letters each")
    return tuple(found)


def stated_card(name: str, state: State) -> StatedCard:
    """The card as its page shows it at this state. Raises KeyError for a chart that is none."""
    path = charts()[name].page
    (entry,) = [entry for entry in page_entries() if entry.path == path]
    with ThreadPoolExecutor(1) as thread, turn():
        return thread.submit(_drawn, entry, name, state).result()


def _drawn(entry: PageEntry, name: str, state: State) -> StatedCard:
    session = _enter(urlencode(state))
    begin_page(entry.path)
    with collected_cards() as found, suppress(StopException):  # a page that has nothing to show says why and stops
        entry.show()
    with session.query_params() as held:
        missed = [
            (key, value) for key, value in state if is_refused(key, value) or ("." in key and not held.is_bound(key))
        ]
    card = next((KnownCard(entry.path, prepared, meta) for prepared, meta in found if meta.id == name), None)
    return StatedCard(card, state, tuple(missed))


def _enter(query: str) -> SafeSessionState:
    """Give this thread a session of its own that begins with an address."""
    session = SafeSessionState(SessionState(), lambda: None)
    context = ScriptRunContext(
        session_id="card",
        _enqueue=lambda message: None,
        query_string=query,
        session_state=session,
        uploaded_file_mgr=MemoryUploadedFileManager("/none"),
        main_script_path=SCRIPT,
        user_info={},
        fragment_storage=MemoryFragmentStorage(),
        pages_manager=PagesManager(SCRIPT),
    )
    add_script_run_ctx(threading.current_thread(), context)
    context.reset(query_string=query)
    with session.query_params() as held:
        held.populate_from_query_string(query)
        held.set_initial_query_params_from_current()
    return session
