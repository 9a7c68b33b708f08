"""Benchmarks: InferenceX runs, what one user sees against what an accelerator gives; apart from MLPerf."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import streamlit as st

from dashboard.charts import inference as charts
from dashboard.charts import series
from dashboard.columns import columns
from dashboard.components import CardParts, ChartMeta, as_of, choose_one, kept_card, open_page
from dashboard.headlines import rounds as headlines
from dashboard.navigation import Page
from dashboard.queries import Ledger

PAGE = Page("Benchmarks", 3, "InferenceX", "stacked_line_chart", "Measured runs: speed for one user against output.")
CHARTS = ("inferencex_front",)

COLUMNS = columns(
    "series per_user per_gpu concurrency framework precision speculation evidence stated_on url",
    series="Accelerator", stated_on="Run on",
)  # fmt: skip
ASKS = "How much does an accelerator give at the speed that one user sees?"


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "InferenceX: speed for one user against output",
        "Runs that SemiAnalysis measures by a public method and repeats with new software. They are no MLPerf results "
        "and are never set beside them.",
        needs=("facts.inferencex",),
    )
    first, second, third = st.columns([2, 2, 1])
    day = as_of(ledger, where=third)
    offered = ledger.frame_of("inferencex.offered", day=day)
    if offered.empty:
        st.info("No run had been published by this day. Choose a later one.")
        return
    model = choose_one("Model", list(dict.fromkeys(offered["model"])), key="model", where=first)
    kinds = _lengths(offered[offered["model"] == model])
    wanted = choose_one("Question and answer", list(kinds), key="length", where=second)
    kept_card(ledger, _front, model, wanted, kinds[wanted], day)


def _lengths(offered: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """'8,192 in, 1,024 out' with its two counts of tokens, those with most runs first."""
    pairs = zip(offered["input_tokens"], offered["output_tokens"], strict=True)
    return {f"{given:,} in, {out:,} out": (int(given), int(out)) for given, out in pairs}


def _front(ledger: Ledger, model: str, wanted: str, lengths: tuple[int, int], day: dt.date) -> CardParts:
    runs = ledger.frame_of("inferencex.runs", model=model, input_tokens=lengths[0], output_tokens=lengths[1], day=day)
    front = headlines.fronts(runs)
    order = list(front.sort_values("per_gpu", ascending=False)["series"])
    meta = ChartMeta(
        id="inferencex_front",
        title=headlines.fronts_title(front, model) or ASKS,
        subtitle=f"{ASKS} {model}, {wanted} tokens: the best runs of each accelerator, output tokens a second.",
        how_to_read="Right is faster for the one who asks, up is more for the one who pays. A mark is a run that no "
        "other run of the same accelerator beats in both; software, precision and speculation differ from run to run "
        "and stand in the table with all runs.",
        lesson="factory",
        as_of=day,
        columns=COLUMNS,
        caveats=("Software is improved between runs: an older accelerator may be measured with older software.",),
        empty="No run with both rates fits these choices.",
    )
    return CardParts(charts.interactivity, series.few(front, order) if len(front) else front, meta, runs)


def excerpt(ledger: Ledger, chart: str) -> None:
    """The chart of the newest model with the kind of run that it has most of."""
    day = ledger.built_at.date()
    offered = ledger.frame_of("inferencex.offered", day=day)
    if chart in CHARTS and not offered.empty:
        model = str(offered["model"].iloc[0])
        kinds = _lengths(offered[offered["model"] == model])
        wanted = next(iter(kinds))
        kept_card(ledger, _front, model, wanted, kinds[wanted], day)
