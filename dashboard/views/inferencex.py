"""Benchmarks: InferenceX runs, what one user sees against what an accelerator gives; apart from MLPerf."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import streamlit as st

from dashboard.charts import inference as charts
from dashboard.charts import series
from dashboard.components import CardParts, Chosen, as_of, choose_one, first_card_of, kept_card, words_of
from dashboard.headlines import rounds as headlines
from dashboard.queries import Ledger

WORDS = words_of(__file__)


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
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
    meta = WORDS.card("inferencex_front", headlines.fronts_title(front, model), as_of=day, model=model, wanted=wanted)
    return CardParts(charts.interactivity, series.few(front, order) if len(front) else front, meta, runs)


def _newest(ledger: Ledger) -> Chosen | None:
    """The newest model with the kind of run that it has most of."""
    day = ledger.built_at.date()
    offered = ledger.frame_of("inferencex.offered", day=day)
    if offered.empty:
        return None
    model = str(offered["model"].iloc[0])
    return model, *next(iter(_lengths(offered[offered["model"] == model]).items())), day


CHARTS = {"inferencex_front": first_card_of(_front, _newest)}
