"""The parts that every page is made of: page frame, chart card, filters bound to the address, downloads, citations.

A page is a file of `dashboard/views/` with a function `show()`, and beside it a file of its words: place among the
rooms, head, tables and cards. `dashboard/navigation.py` finds it:

    WORDS = words_of(__file__)

    def show() -> None:
        ledger = WORDS.open()
        kept_card(ledger, _power, as_of(ledger), choose_many("Vendor", options, key="vendor"))

    def _power(ledger: Ledger, day: dt.date, vendors: tuple[str, ...] = ()) -> CardParts:
        frame = ledger.frame_of("market.density", day=day, vendors=vendors)
        return CardParts(charts.over_time, frame, WORDS.card("density_over_time", finding(frame), as_of=day))

    CHARTS = {"density_over_time": first_card(_power)}  # what lessons, embeds and the site draw of it

A card is made of plain values, once a version for all visitors.

What a card may draw is ruled by `provenance.FigureSource`: a frame whose rows carry no tag, source and date raises.
Nothing here holds SQL or knows the figures of one page.
"""

from dashboard.components.card import CardParts, Chosen, chart_card, first_card, first_card_of, kept_card
from dashboard.components.figure import ChartMeta
from dashboard.components.later import later
from dashboard.components.page import open_page
from dashboard.components.provenance import FigureSource, UnsourcedFigure
from dashboard.components.state import Filter, as_of, choose_many, choose_one, chosen_key, pick_key
from dashboard.components.tables import rows_table
from dashboard.components.words import words_of

__all__ = [
    "CardParts",
    "ChartMeta",
    "Chosen",
    "FigureSource",
    "Filter",
    "UnsourcedFigure",
    "as_of",
    "chart_card",
    "choose_many",
    "choose_one",
    "chosen_key",
    "first_card",
    "first_card_of",
    "kept_card",
    "later",
    "open_page",
    "pick_key",
    "rows_table",
    "words_of",
]
