"""Prices: what an accelerator hour is offered for, by source, layer and kind of price; unlike prices share no line."""

from __future__ import annotations

import datetime as dt
from functools import partial

import streamlit as st

from dashboard.charts import prices as charts
from dashboard.columns import columns
from dashboard.components import (
    CardParts,
    ChartMeta,
    as_of,
    choose_many,
    choose_one,
    kept_card,
    later,
    open_page,
    rows_table,
)
from dashboard.components.tables import Rows
from dashboard.headlines import prices as headlines
from dashboard.navigation import Page
from dashboard.queries import Ledger, once
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
    offered = ledger.frame_of("prices.offered")
    if offered.empty:
        st.info("This version holds no prices. Capture a source of prices with `rackledger run`, then reload.")
        return
    day = as_of(ledger)
    kept_card(ledger, _cheapest, day)
    later(partial(_below, ledger, day))


def _below(ledger: Ledger, day: dt.date) -> None:
    offered = ledger.frame_of("prices.offered")
    first, second, third = st.columns([2, 2, 2])
    names = dict(zip(offered["accelerator_model"], offered["name"], strict=True))
    model = choose_one("Accelerator", list(names), key="accelerator", names=names, where=first)
    of_model = offered[offered["accelerator_model"] == model]
    kinds = [kind for kind in KINDS if kind in set(of_model["price_type"])] or sorted(set(of_model["price_type"]))
    kind = choose_one("Kind of price", kinds, key="kind", names=KINDS, where=second)
    layers = sorted(set(of_model[of_model["price_type"] == kind]["layer"]) - {"all"})
    chosen = choose_many("Layers apart", layers, key="layer", where=third, help="Without a choice all layers together.")
    kept_card(ledger, _series, model, names[model], kind, chosen or ("all",), day)
    _offers(once(ledger, _offer_rows, model, kind, day), names[model])


def _cheapest(ledger: Ledger, day: dt.date) -> CardParts:
    offers = ledger.frame_of("prices.neocloud_offers", day=day)
    table = headlines.cheapest(offers, ledger.frame_of("prices.neocloud_medians", day=day))
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
    return CardParts(charts.cheapest, table, meta, shown)


def _series(ledger: Ledger, model: str, name: str, price_type: str, layers: tuple[str, ...], day: dt.date) -> CardParts:
    frame, kind = (
        ledger.frame_of("prices.series", model=model, price_type=price_type, layers=layers, day=day),
        KINDS.get(price_type, price_type),
    )
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
    return CardParts(charts.over_time, headlines.in_series(frame) if len(frame) else frame, meta)


def _offer_rows(ledger: Ledger, model: str, price_type: str, day: dt.date) -> Rows:
    return Rows.of(ledger.frame_of("prices.offers", model=model, price_type=price_type, day=day), OFFERS)


def _offers(rows: Rows, name: str) -> None:
    st.header("Offers", anchor="offers")
    if rows.frame.empty:
        st.info("No such offer was listed at the last look.")
        return
    st.caption(f"{len(rows.frame):,} offers listed at the last look of each source, cheapest first.")
    rows_table(rows, OFFERS, key="offers", alt=f"Offers of {name}")


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page; prices over time for the accelerator that most offers name."""
    day = ledger.built_at.date()
    if chart == "prices_cheapest":
        kept_card(ledger, _cheapest, day)
        return
    offered = ledger.frame_of("prices.offered")
    if offered.empty:
        return
    row = offered.iloc[0]
    kind = next(kind for kind in (*KINDS, str(row["price_type"])) if kind in set(offered["price_type"]))
    kept_card(ledger, _series, str(row["accelerator_model"]), str(row["name"]), kind, ("all",), day)
