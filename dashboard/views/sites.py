"""Sites and chip sales: power and accelerators that run and that are planned, and chips sold by quarter."""

from __future__ import annotations

import datetime as dt
from functools import partial

from dashboard.charts import sites as charts
from dashboard.components import CardParts, as_of, choose_one, first_card, kept_card, later, words_of
from dashboard.components.state import now_word
from dashboard.headlines import sites as headlines
from dashboard.palette import palette_file
from dashboard.queries import Ledger

WORDS = words_of(__file__)

NAMES, TITLES = WORDS.names["counts"], WORDS.names["totals"]


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    day = as_of(ledger)
    column = choose_one("Count", list(NAMES), key="count", names=NAMES)
    kept_card(ledger, _total, day, column)
    later(partial(_below, ledger, day, column))


def _below(ledger: Ledger, day: dt.date, column: str) -> None:
    kept_card(ledger, _each, day, column)
    kept_card(ledger, _sales, day)


def _total(ledger: Ledger, day: dt.date, column: str) -> CardParts:
    timeline = ledger.frame_of("sites.timeline", day=day)
    frame = headlines.totals(timeline, column)
    meta = WORDS.card("sites_total", headlines.totals_title(frame, column), as_of=day, counted=TITLES[column])
    draw = partial(charts.totals, day=day, title=TITLES[column], now=now_word(ledger, day))
    return CardParts(draw, frame, meta, timeline)


def _each(ledger: Ledger, day: dt.date, column: str) -> CardParts:
    timeline = ledger.frame_of("sites.timeline", day=day)
    table = headlines.by_site(timeline, ledger.frame_of("sites.owners", day=day), column, day)
    shown = timeline[timeline["site"].isin(set(table["site"]))].reset_index(drop=True)
    meta = WORDS.card("sites_each", headlines.by_site_title(table, column), as_of=day, counted=headlines.COUNTS[column])
    return CardParts(charts.by_site, table, meta, shown)


def _sales(ledger: Ledger, day: dt.date) -> CardParts:
    rows = ledger.frame_of("sites.sales", day=day)
    frame = headlines.sales(rows, list(palette_file()["makers"]))
    meta = WORDS.card("chip_sales", headlines.sales_title(frame), as_of=day)
    return CardParts(charts.sales, frame, meta)


CHARTS = {
    "sites_total": first_card(_total, "power_mw"),
    "sites_each": first_card(_each, "power_mw"),
    "chip_sales": first_card(_sales),
}
