"""Prices: what an accelerator hour is offered for, by source, layer and kind of price; unlike prices share no line."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import streamlit as st

from dashboard.charts import prices as charts
from dashboard.columns import columns
from dashboard.components import ChartMeta, as_of, chart_card, choose_many, choose_one, open_page, rows_table
from dashboard.headlines import prices as headlines
from dashboard.navigation import Page
from dashboard.queries import Ledger
from dashboard.queries import prices as queries
from pipelines.registry.comparability import rule
from warehouse.answers import formats

PAGE = Page("Prices", 1, "Prices", "payments", "What an accelerator hour is offered for, by source.")
CHARTS = ("prices_cheapest", "prices_over_time")

KINDS = {
    "on_demand": "On demand",
    "spot": "Spot",
    "reserved": "Reserved",
    "serverless": "Serverless",
    "inference": "Inference",
    "community": "Community",
}
SERIES = columns(
    "line stated_on median_usd_per_gpu_hour low_usd_per_gpu_hour high_usd_per_gpu_hour n_offers "
    "n_providers is_thin median_usd_per_gb_hour median_usd_per_dense_pflop_hour evidence url",
    stated_on="Day",
)
CHEAPEST = columns(
    "name provider gpu_hour_price_usd accelerators region evidence stated_on publisher_name caveats url",
    name="Accelerator",
)
OFFERS = columns(
    "provider gpu_hour_price_usd accelerators price_usd_per_hour memory_gb region layer term_months "
    "first_seen last_seen caveats publisher_name evidence url"
)


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "Prices of accelerator hours",
        "What providers offer an hour of one accelerator for. An offer is not a deal, and a list price is not what "
        "large buyers pay. Sources differ by up to a third on one day, so each source has its own line.",
        needs=("marts.prices", "facts.cloud_offers"),
    )
    offered = queries.offered(ledger)
    if offered.empty:
        st.info("This version holds no prices. Capture a source of prices with `rackledger run`, then reload.")
        return
    day = as_of(ledger)
    _cheapest(ledger, day)
    first, second, third = st.columns([2, 2, 2])
    names = dict(zip(offered["accelerator_model"], offered["name"], strict=True))
    model = choose_one("Accelerator", list(names), key="accelerator", names=names, where=first)
    of_model = offered[offered["accelerator_model"] == model]
    kinds = [kind for kind in KINDS if kind in set(of_model["price_type"])] or sorted(set(of_model["price_type"]))
    kind = choose_one("Kind of price", kinds, key="kind", names=KINDS, where=second)
    layers = sorted(set(of_model[of_model["price_type"] == kind]["layer"]) - {"all"})
    chosen = choose_many("Layers apart", layers, key="layer", where=third, help="Without a choice all layers together.")
    frame = queries.series(ledger, model, kind, chosen or ("all",), day)
    _series(ledger, frame, names[model], KINDS.get(kind, kind), day)
    _offers(ledger, queries.offers(ledger, model, kind, day), names[model])


def _cheapest(ledger: Ledger, day: dt.date) -> None:
    offers = queries.neocloud_offers(ledger, day)
    table = headlines.cheapest(offers, queries.neocloud_medians(ledger, day))
    shown = offers[offers["accelerator_model"].isin(set(table["accelerator_model"]))].reset_index(drop=True)
    meta = ChartMeta(
        id="prices_cheapest",
        title=headlines.title(table) or "What does an hour cost at a neocloud?",
        subtitle="What is the cheapest hour of each accelerator at a neocloud, and how did the median move? "
        "On demand, USD per accelerator hour; the line reaches to the dearest offer.",
        how_to_read="The dot is the cheapest on-demand offer at the last look; three neoclouds must offer it. "
        "The trend is that of the median over days with three providers or more, of the source with most days, over at "
        "most half a year.",
        lesson="prices",
        as_of=day,
        columns=CHEAPEST,
        caveats=("Offers, not deployments and not transactions.",),
        empty="No accelerator is offered on demand by three neoclouds at the last look.",
    )
    chart_card(charts.cheapest, table, meta, ledger=ledger, behind=shown)


def _series(ledger: Ledger, frame: pd.DataFrame, name: str, kind: str, day: dt.date) -> None:
    thin = int(frame["is_thin"].sum()) if not frame.empty else 0
    last = frame["stated_on"].max() if not frame.empty else None
    unchanged = formats.unchanged_since(last, day, 14) if last is not None else ""
    says = f" {unchanged.capitalize()}." if unchanged else ""
    unlike = rule("unlike-prices")
    meta = ChartMeta(
        id="prices_over_time",
        title=headlines.series_title(frame, name, kind) or f"What does an hour of {name} cost?",
        subtitle=f"What does an hour of {name} cost? {kind} offers, median USD per accelerator hour by "
        f"source; at its end the newest median and the range of offers.{says}",
        how_to_read="A line is one source; where fewer than three providers offered, the day is a point and no line "
        f"runs through it ({thin} such days). {unlike.says}",
        lesson="prices",
        as_of=day,
        columns=SERIES,
        caveats=("Offers, not deployments and not transactions.", unlike.says),
        empty="No source lists this accelerator at this kind of price in these layers.",
    )
    chart_card(charts.over_time, headlines.in_series(frame) if len(frame) else frame, meta, ledger=ledger)


def _offers(ledger: Ledger, frame: pd.DataFrame, name: str) -> None:
    st.header("Offers", anchor="offers")
    if frame.empty:
        st.info("No such offer was listed at the last look.")
        return
    st.caption(f"{len(frame):,} offers listed at the last look of each source, cheapest first.")
    rows_table(frame, OFFERS, key="offers", alt=f"Offers of {name}")


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page; prices over time for the accelerator that most offers name."""
    day = ledger.built_at.date()
    if chart == "prices_cheapest":
        _cheapest(ledger, day)
        return
    offered = queries.offered(ledger)
    if offered.empty:
        return
    row = offered.iloc[0]
    kind = next(kind for kind in (*KINDS, str(row["price_type"])) if kind in set(offered["price_type"]))
    frame = queries.series(ledger, str(row["accelerator_model"]), kind, ("all",), day)
    _series(ledger, frame, str(row["name"]), KINDS.get(kind, kind), day)
