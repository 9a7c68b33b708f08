"""Draws every card of a version before a visitor asks for it, in a thread of its own, one card a turn.

The first chart of a process costs a second and more (libraries, Altair's classes, queries), each later one a tenth to
half a second. Here nobody waits for that: neither after a start nor after a publication. SQL's process is started too.
A server says that it is ready when the first card of every page is drawn, after five seconds at the latest, so that its
very first visitor waits no longer.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from streamlit.runtime.scriptrunner_utils import script_run_context

from dashboard.cards import known_card
from dashboard.components.still import make_still
from dashboard.navigation import charts, page_entries
from dashboard.painter import Painter
from dashboard.queries import Ledger, once, open_ledger
from dashboard.queries.corrections import all_known
from dashboard.queries.search import search_index
from dashboard.sandboxed import shared_sandbox
from dashboard.turns import turn
from dashboard.views import today
from warehouse.read import WarehouseMissing, WarehouseUnreadable

LOOK_SECONDS = 5.0  # how often a new version is looked for
READY_SECONDS = 5.0  # a server is not held back for longer than that
FIRST_SECONDS = 4.0  # the first visitor after a start has the processor to himself
REST_SECONDS = 0.05  # between two cards, for those who wait: a turn that is taken again at once reaches nobody else
Made = TypeVar("Made")
_log = logging.getLogger(__name__)


def names_in_order() -> tuple[list[str], list[str]]:
    """Charts as visitors come to them: the first of every page in the order of the menu, and the others."""
    by_page: dict[str, list[str]] = {entry.path: [] for entry in page_entries()}
    for name, entry in charts().items():
        by_page[entry.page].append(name)
    pages = [names for names in by_page.values() if names]
    return [names[0] for names in pages], [name for names in pages for name in names[1:]]


def draw_all(ledger: Ledger, stop: threading.Event, ready: threading.Event) -> None:
    """Draw Today and the cards of a version, with a picture of the first of every page."""
    firsts, others = names_in_order()
    _drawn("Today", partial(today.board, ledger, ledger.built_at.date()), stop)
    cards = [_drawn(name, partial(known_card, ledger, name), stop) for name in firsts]
    ready.set()
    stop.wait(FIRST_SECONDS)
    with Painter() as painter:
        for card in filter(None, cards):
            if not stop.is_set():
                _tried(f"the picture of {card.id}", partial(make_still, card.prepared, painter))
    for name in others:
        stop.wait(REST_SECONDS)
        _drawn(name, partial(known_card, ledger, name), stop)
    if not stop.is_set():
        search_index(ledger)
        once(ledger, all_known)


def _drawn(name: str, draw: Callable[[], Made], stop: threading.Event) -> Made | None:
    if stop.is_set():
        return None
    with turn():
        return _tried(f"the card {name}", draw)


def _tried(what: str, make: Callable[[], Made]) -> Made | None:
    """What is made; None where it cannot be: that is told, and left to its page."""
    try:
        return make()
    except Exception:  # noqa: BLE001 - a fault of one card is told on its page; the others are drawn
        _log.exception("%s cannot be drawn ahead", what)
        return None


def start_sandbox() -> None:
    """Have a process ready for the first visitor's SQL: to start one and to copy what he may read takes seconds."""
    try:
        shared_sandbox().ask("SELECT 1")
    except Exception:  # noqa: BLE001 - told on the page of SQL where it concerns somebody
        _log.exception("the sandbox of SQL cannot be started ahead")


def keep_warm(path: Path, stop: threading.Event, ready: threading.Event) -> None:
    """Draw the cards of the published version, and of each later one, until `stop` is set."""
    drawn = ""
    while not stop.is_set():
        with suppress(WarehouseMissing, WarehouseUnreadable):
            ledger = open_ledger(path)
            if ledger.version != drawn:
                is_first, drawn = not drawn, ledger.version
                draw_all(ledger, stop, ready)
                if is_first and not stop.is_set():
                    start_sandbox()
        ready.set()
        stop.wait(LOOK_SECONDS)


@contextmanager
def warming(path: Path, *, is_wanted: bool = True) -> Iterator[None]:
    """While inside, cards of the published version are drawn ahead; begins when the first of every page are."""
    if not is_wanted:
        yield
        return
    stop, ready = threading.Event(), threading.Event()
    thread = threading.Thread(target=keep_warm, args=(path, stop, ready), name="warming", daemon=True)
    logging.getLogger(script_run_context.__name__).addFilter(lambda record: record.threadName != thread.name)
    thread.start()
    ready.wait(READY_SECONDS)
    try:
        yield
    finally:
        stop.set()
        thread.join(timeout=10)
