"""The rooms, pages and charts that there are. A module in `views/` that holds `WORDS` is a page of the room they name.

The first page of a room opens with the room; the others are its tabs (`addresses.py` names both). `CHARTS` of a module
names the charts that can be drawn small elsewhere, and what draws each with its first choices.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dashboard.addresses import SECTIONS, address_of
from dashboard.components.words import Page
from pipelines.frozen import frozen

if TYPE_CHECKING:
    from dashboard.queries import Ledger

VIEWS = "dashboard.views"


@frozen
class PageEntry(Page):
    """A page with its address, what draws it, and the names that its view imports."""

    path: str
    show: Callable[[], None]
    uses: frozenset[str] = frozenset()


@frozen
class ChartEntry:
    """The page of a chart, what draws it with its first choices, and the lesson that its card leads to, if any."""

    page: str
    draw: Callable[[Ledger], None]
    lesson: str = ""


@lru_cache(maxsize=1)
def _views() -> dict[str, Any]:
    names = sorted(found.name for found in pkgutil.iter_modules([str(Path(__file__).with_name("views"))]))
    return {name: importlib.import_module(f"{VIEWS}.{name}") for name in names}


@lru_cache(maxsize=1)
def page_entries() -> list[PageEntry]:
    """All pages, room by room, tabs in their order, then what stands in no menu; the first opens without an address."""
    pages = {name: view for name, view in _views().items() if hasattr(view, "WORDS")}
    found = [
        PageEntry(**asdict(view.WORDS.page), path=address_of(name), show=view.show, uses=frozenset(vars(view)))
        for name, view in pages.items()
    ]
    return sorted(found, key=lambda entry: (SECTIONS.index(entry.section), not entry.place, entry.place, entry.path))


def sections() -> dict[str, list[PageEntry]]:
    """The pages of the menu by room; a room without pages is left out."""
    listed = {name: [each for each in page_entries() if each.section == name and each.place] for name in SECTIONS}
    return {name: entries for name, entries in listed.items() if entries}


@lru_cache(maxsize=1)
def charts() -> dict[str, ChartEntry]:
    """Every chart that can be drawn small elsewhere, by its id."""
    return {
        chart: ChartEntry(address_of(name), draw, view.WORDS.cards[chart].lesson if chart in view.WORDS.cards else "")
        for name, view in _views().items()
        for chart, draw in getattr(view, "CHARTS", {}).items()
    }
