"""A chart of any page, drawn small elsewhere: in a lesson or on the first page."""

from __future__ import annotations

from dashboard.components.card import Excerpt, small_cards
from dashboard.navigation import charts
from dashboard.queries import Ledger


def small_chart(ledger: Ledger, chart: str) -> None:
    """Draw a chart small, with its sources and a link to its page."""
    entry = charts()[chart]
    with small_cards(Excerpt(entry.page)):
        entry.draw(ledger)
