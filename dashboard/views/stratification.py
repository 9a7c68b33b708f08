"""Stratification: which layer of the market runs, offers or submits which generation, and how old it was then."""

from __future__ import annotations

import datetime as dt
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.charts import layers as charts
from dashboard.columns import columns
from dashboard.components import (
    ChartMeta,
    Filter,
    as_of,
    chart_card,
    choose_one,
    filtered,
    open_page,
    rows_table,
)
from dashboard.navigation import Page
from dashboard.queries import Ledger
from dashboard.queries import layers as queries
from warehouse.answers import formats

PAGE = Page("Who has it", 1, "Who has it", "layers", "Which layer runs which generation, since when.")
CHARTS = ("stratification_by_quarter", "stratification_age", "stratification_stock", "stratification_revenue")

KINDS = {
    "benchmark submission": "Benchmark submissions",
    "list entry": "TOP500 entries",
    "cloud offer": "Cloud offers",
    "announced deployment": "Announced deployments",
}
WARNINGS = {
    "benchmark submission": "Submitters are not the market: makers submit most, hyperscalers little.",
    "list entry": "The TOP500 shows science and sovereign systems, hardly the hyperscalers.",
    "cloud offer": "A catalogue shows offers, not deployments; offers seen at a source's first look tell no age.",
    "announced deployment": "What is announced is not all that is deployed.",
}
STACKS = {"share": "Shares", "count": "Counts"}
COLUMNS = columns("observed_on organisation layer generation_name records accelerators what evidence caveats url")
AGES = columns(
    "generation_name layer organisations known_by_only median_months low_months high_months first_organisation "
    "first_on is_young is_thin available_on evidence url"
)
THESIS = columns(
    "generation_name earlier_layer later_layer verdict lag_months low_months high_months earlier_organisations "
    "later_organisations is_young evidence"
)
STOCK = columns("owner layer generation_name units units_low units_high calendar_quarter evidence url")
REVENUE = columns("company segment calendar_quarter value_usd form evidence stated_on caveats url")
MEASURE = "cumulative"


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "Stratification of the market",
        "Which layer of the market runs, offers or submits which generation of accelerators, since when, and how old "
        "the generation was by then. Kinds of observation stand apart and are never added up.",
        needs=("marts.stratification", "marts.age_at_adoption", "marts.ageing_verdict"),
    )
    first, second, third = st.columns([3, 2, 1])
    kind = choose_one("Kind of observation", list(KINDS), key="kind", names=KINDS, where=first)
    stack = choose_one("Show", list(STACKS), key="stack", names=STACKS, where=second)
    day = as_of(ledger, where=third)
    frame = queries.observations(ledger, day)
    frame = frame[frame["kind"] == kind]
    frame = _filtered(frame)
    _by_quarter(ledger, frame, kind, stack, day)
    _ages(ledger)
    _thesis(ledger)
    _stock(ledger)
    _revenue(ledger)


def _filtered(frame: pd.DataFrame) -> pd.DataFrame:
    return filtered(
        frame,
        Filter("layer", "Layer"),
        Filter("generation", "Generation", names=dict(zip(frame["generation"], frame["generation_name"], strict=True))),
        Filter("organisation", "Organisation"),
    )


def _by_quarter(ledger: Ledger, frame: pd.DataFrame, kind: str, stack: str, day: dt.date) -> None:
    summed = frame.groupby(["layer", "quarter", "generation", "vendor", "ordinal"], as_index=False).agg(
        records=("records", "sum"),
        organisations=("organisation", "nunique"),
        evidence=("evidence", "max"),
        generation_name=("generation_name", "first"),
    )
    generations = charts.generations_of(frame)
    few = [str(layer) for layer, group in frame.groupby("layer") if group["organisation"].nunique() < 5]
    thin = f" Thin, with fewer than five organisations: {', '.join(few)}." if few else ""
    meta = ChartMeta(
        id="stratification_by_quarter",
        title="Which layer shows which generation?",
        subtitle=f"{KINDS[kind]} by quarter and layer, {'shares' if stack == 'share' else 'counts'} of "
        f"{int(frame['records'].sum()) if not frame.empty else 0:,} observations.{thin}"
        + ("" if stack == "share" else " A row is as high as its own largest quarter."),
        how_to_read="A row is a layer of the market, a bar a quarter, a colour a generation; within a vendor's colour "
        "the darkest shade is the newest. Look how long a shade takes to arrive in the next row.",
        lesson="layers",
        as_of=day,
        columns=COLUMNS,
        caveats=(WARNINGS[kind], "An organisation's layer is dated: it may stand in another layer later."),
        empty="No observation of this kind for these choices by this day.",
    )
    draw = partial(charts.by_quarter, generations=generations, is_share=stack == "share")
    chart_card(draw, summed, meta, ledger=ledger, behind=frame)


def _ages(ledger: Ledger) -> None:
    frame = queries.ages(ledger)
    told = frame[~frame["is_thin"]].reset_index(drop=True)
    meta = ChartMeta(
        id="stratification_age",
        title="How old was a generation when half of a layer's adopters had it?",
        subtitle="Months from a generation's first availability until half of the organisations of a layer that took "
        f"it had it; the bar is the 90 % interval. {len(frame) - len(told)} pairs of layer and generation have fewer "
        "than five organisations with a dated event and no median.",
        how_to_read="The layer whose mark lies further right took the generation up later. Deliveries, offers, "
        "service, training runs and benchmarks count, plans and previews do not. Of a young generation the late "
        "adopters are still to come.",
        lesson="layers",
        columns=AGES,
        caveats=("Only what somebody published is known; many first sightings are 'known by' days.",),
        empty="No generation has five organisations with a dated event in a layer.",
    )
    chart_card(charts.ages, told, meta, ledger=ledger, behind=frame)


def _thesis(ledger: Ledger) -> None:
    st.header("Do generations age down through the layers?", anchor="thesis")
    st.markdown(formats.escape_markdown(queries.verdict(ledger)))
    rows_table(queries.thesis(ledger), THESIS, key="thesis", alt="Lags between layers")


def _stock(ledger: Ledger) -> None:
    frame = queries.stock(ledger, MEASURE)
    if frame.empty:
        return
    quarters = sorted(set(frame["period_end"]), reverse=True)
    latest = frame[frame["period_end"] == quarters[0]].reset_index(drop=True)
    generations = charts.generations_of(latest.assign(ordinal=latest.groupby("vendor").cumcount()))
    meta = ChartMeta(
        id="stratification_stock",
        title="What do the owners hold?",
        subtitle=f"Share of each owner's estimated accelerators by generation at the end of "
        f"{latest['calendar_quarter'].iloc[0]}.",
        how_to_read="This is a model's estimate with ranges of 5 to 95 percent (in the table), not a count; it stands "
        "beside the observations above and is never added to them.",
        lesson="layers",
        columns=STOCK,
        caveats=("Estimated; retirements of chips are not modelled.",),
        licence="Epoch AI, CC BY 4.0",
    )
    chart_card(partial(charts.stock, generations=generations), latest, meta, ledger=ledger)


def _revenue(ledger: Ledger) -> None:
    frame = queries.revenue_split(ledger)
    if frame.empty:
        return
    meta = ChartMeta(
        id="stratification_revenue",
        title="Who pays for it, by audited revenue?",
        subtitle="Revenue by segment and quarter as filed, USD.",
        how_to_read="Filed revenue is audited, but its segments are the filer's own; a customer may buy through "
        "another.",
        lesson="layers",
        columns=REVENUE,
    )
    chart_card(charts.revenue, frame, meta, ledger=ledger)


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page with its first choices."""
    if chart == "stratification_by_quarter":
        kind, stack, day = next(iter(KINDS)), next(iter(STACKS)), ledger.built_at.date()
        frame = queries.observations(ledger, day)
        _by_quarter(ledger, frame[frame["kind"] == kind].reset_index(drop=True), kind, stack, day)
    elif chart == "stratification_age":
        _ages(ledger)
    elif chart == "stratification_stock":
        _stock(ledger)
    else:
        _revenue(ledger)
