"""The pages and charts that there are, found by file: a module in `views/` that holds a `PAGE` is a page.

A page's address is its module's name. `CHARTS` of a module names the charts that its `excerpt` draws small elsewhere.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dashboard.queries import Ledger

VIEWS = "dashboard.views"
SECTIONS = ("Market", "Benchmarks", "Evidence", "Learn", "Data")


@dataclass(frozen=True, slots=True)
class Page:
    """What a view says of its page: section and place in the menu, title, icon, one sentence for link previews."""

    section: str
    place: int
    title: str
    icon: str
    says: str


@dataclass(frozen=True, slots=True)
class PageEntry(Page):
    """A page in the menu: also its address, and what draws it."""

    path: str
    show: Callable[[], None]


@dataclass(frozen=True, slots=True)
class ChartEntry:
    """The page of a chart, and the page's function that draws it by id with its first choices."""

    page: str
    draw: Callable[[Ledger, str], None]


@lru_cache(maxsize=1)
def _views() -> dict[str, Any]:
    names = sorted(found.name for found in pkgutil.iter_modules([str(Path(__file__).with_name("views"))]))
    return {name: importlib.import_module(f"{VIEWS}.{name}") for name in names}


@lru_cache(maxsize=1)
def page_entries() -> list[PageEntry]:
    """All pages in the order of the menu; the first is the one that opens without an address."""
    pages = {name: view for name, view in _views().items() if hasattr(view, "PAGE")}
    found = [PageEntry(**asdict(view.PAGE), path=name, show=view.show) for name, view in pages.items()]
    return sorted(found, key=lambda entry: (SECTIONS.index(entry.section), entry.place, entry.path))


def sections() -> dict[str, list[PageEntry]]:
    """The pages by section; a section without pages is left out."""
    listed = {name: [entry for entry in page_entries() if entry.section == name] for name in SECTIONS}
    return {name: entries for name, entries in listed.items() if entries}


@lru_cache(maxsize=1)
def charts() -> dict[str, ChartEntry]:
    """Every chart that can be drawn small elsewhere, by its id."""
    return {
        chart: ChartEntry(name, view.excerpt)
        for name, view in _views().items()
        for chart in getattr(view, "CHARTS", ())
    }
