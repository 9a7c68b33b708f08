"""The parts that every page is made of: page frame, chart card, filters bound to the address, downloads, citations.

A page is a file of `dashboard/views/` with a `PAGE` and a function `show()`; `dashboard/navigation.py` finds it:

    PAGE = Page("Racks", 1, "Racks", "view_module", "Power, accelerators and memory of a rack, by claim.")

    def show() -> None:
        ledger = open_page("Rack density", "How much a rack takes, and who says so.", needs=("marts.density",))
        day = as_of(ledger)
        vendors = choose_many("Vendor", options, key="vendor")
        frame = queries.density(ledger, day, vendors)
        chart_card(charts.power_over_time, frame, META, ledger=ledger)

A page that many open makes its cards of plain values, `kept_card(ledger, make, day, vendors)`: once a version for all.

What a card may draw is ruled by `provenance.FigureSource`: a frame whose rows carry no tag, source and date raises.
Nothing here holds SQL or knows the figures of one page.
"""

from dashboard.components.card import CardParts, chart_card, kept_card
from dashboard.components.figure import ChartMeta
from dashboard.components.later import later
from dashboard.components.page import open_page
from dashboard.components.provenance import FigureSource, UnsourcedFigure
from dashboard.components.state import Filter, as_of, choose_many, choose_one, chosen_key, pick_key
from dashboard.components.tables import rows_table

__all__ = [
    "CardParts",
    "ChartMeta",
    "FigureSource",
    "Filter",
    "UnsourcedFigure",
    "as_of",
    "chart_card",
    "choose_many",
    "choose_one",
    "chosen_key",
    "kept_card",
    "later",
    "open_page",
    "pick_key",
    "rows_table",
]
