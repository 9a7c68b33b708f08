"""Sites and chip sales: power and accelerators that run and that are planned, and chips sold by quarter."""

from __future__ import annotations

import datetime as dt
from functools import partial

from dashboard.charts import sites as charts
from dashboard.columns import columns
from dashboard.components import CardParts, ChartMeta, as_of, choose_one, kept_card, later, open_page
from dashboard.components.state import now_word
from dashboard.headlines import sites as headlines
from dashboard.navigation import Page
from dashboard.palette import palette_file
from dashboard.queries import Ledger

PAGE = Page("Who has it", 2, "Sites and sales", "location_city", "Power and accelerators of sites, and chips sold.")
CHARTS = ("sites_total", "sites_each", "chip_sales")

NAMES = {"power_mw": "Power", "h100e": "Accelerators"}
TITLES = {"power_mw": "MW of all sites", "h100e": "H100 equivalents of all sites"}
SITES = columns("site milestone_on power_mw h100e evidence stated_on is_planned was_planned status url")
SALES = columns(
    "maker_name calendar_quarter units chips evidence stated_on url", units="Accelerators, estimated [count]"
)
EPOCH = "Epoch AI, CC BY 4.0"
ESTIMATED = "Estimated from permits, pictures and power; sites that nobody looked at are missing."

of_sites = partial(
    ChartMeta,
    columns=SITES,
    lesson="layers",
    caveats=(ESTIMATED,),
    empty="No site had been looked at by this day. Choose a later one.",
    licence=EPOCH,
)


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "Sites and chip sales",
        "What power and how many accelerators large sites run and plan, and how many chips were sold. One group's "
        "estimates, read beside the observations and never added to them.",
        needs=("facts.site_timeline", "facts.chip_sales"),
    )
    day = as_of(ledger)
    column = choose_one("Count", list(NAMES), key="count", names=NAMES)
    kept_card(ledger, _total, column, day)
    later(partial(_below, ledger, column, day))


def _below(ledger: Ledger, column: str, day: dt.date) -> None:
    kept_card(ledger, _each, column, day)
    kept_card(ledger, _sales, day)


def _total(ledger: Ledger, column: str, day: dt.date) -> CardParts:
    timeline = ledger.frame_of("sites.timeline", day=day)
    frame = headlines.totals(timeline, column)
    asks = "What do large sites run together, and what is planned?"
    meta = of_sites(
        id="sites_total",
        title=headlines.totals_title(frame, column) or asks,
        subtitle=f"{asks} {TITLES[column]} by the day on which it was energised or is to be.",
        how_to_read="The first line counts what was seen to run; the second adds each site's plan on its planned day. "
        "A plan whose day has passed stays a plan until somebody saw it run.",
        as_of=day,
    )
    draw = partial(charts.totals, day=day, title=TITLES[column], now=now_word(ledger, day))
    return CardParts(draw, frame, meta, timeline)


def _each(ledger: Ledger, column: str, day: dt.date) -> CardParts:
    timeline = ledger.frame_of("sites.timeline", day=day)
    table = headlines.by_site(timeline, ledger.frame_of("sites.owners", day=day), column, day)
    shown = timeline[timeline["site"].isin(set(table["site"]))].reset_index(drop=True)
    asks = "Which sites are the largest, now and as planned?"
    meta = of_sites(
        id="sites_each",
        title=headlines.by_site_title(table, column) or asks,
        subtitle=f"{asks} Filled: energised; outline: planned. {headlines.COUNTS[column]}.",
        how_to_read="One row is one site, the largest plan first; the colour is the owner's where he makes chips.",
        as_of=day,
    )
    return CardParts(charts.by_site, table, meta, shown)


def _sales(ledger: Ledger, day: dt.date) -> CardParts:
    rows = ledger.frame_of("sites.sales", day=day)
    frame = headlines.sales(rows, list(palette_file()["makers"]))
    asks = "How many accelerators does each maker sell?"
    meta = ChartMeta(
        id="chip_sales",
        title=headlines.sales_title(frame) or asks,
        subtitle=f"{asks} Estimated accelerators by calendar quarter, all models of a maker together.",
        how_to_read="A line is a maker. A package counts once, however large it is: one of a new generation does the "
        "work of several old ones. The medians of the models are added; their ranges are in the download of the table.",
        lesson="layers",
        as_of=day,
        columns=SALES,
        caveats=("A model's estimate from filings, not a count.",),
        empty="No estimate had been published by this day. Choose a later one.",
        licence=EPOCH,
    )
    return CardParts(charts.sales, frame, meta)


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page with its first choices."""
    day, column = ledger.built_at.date(), next(iter(NAMES))
    if chart == "chip_sales":
        kept_card(ledger, _sales, day)
    elif chart == "sites_total":
        kept_card(ledger, _total, column, day)
    else:
        kept_card(ledger, _each, column, day)
