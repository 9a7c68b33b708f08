"""Reviewed results beside a calculator's estimate: never on one axis and never divided by each other."""

from __future__ import annotations

import datetime as dt

import streamlit as st

from dashboard.components.tables import Rows, rows_table
from dashboard.components.words import cards_words_of
from dashboard.queries import Ledger, once, tables
from warehouse.answers import evidence, formats

WORDS = cards_words_of(__file__)


def claimed_gains(ledger: Ledger, day: dt.date) -> None:
    """What makers claim their generations gain: statements of their own beside reviewed results."""
    if "marts.claimed_speedups" not in tables(ledger):
        return
    rows = once(ledger, _claimed, day)
    if rows.frame.empty:
        return
    st.header("What is claimed", anchor="claimed")
    st.caption(
        "Gains that makers and others state, each a claim with its own baseline and workload. They stand beside the "
        "reviewed results and are never put in one ratio with them: MLCommons' rules forbid it, and they compare other "
        "things."
    )
    rows_table(rows, WORDS.tables["claimed"], key="claimed", alt="Claimed gains over an earlier generation")


def _claimed(ledger: Ledger, day: dt.date) -> Rows:
    return Rows.of(ledger.frame_of("inference.claimed_speedups", day=day), WORDS.tables["claimed"])


def mlperf_beside(ledger: Ledger) -> None:
    """The best closed Server results of the large language models in the newest round that has each."""
    frame = ledger.frame_of("inference.nearest_results")
    st.header("What was measured under rules", anchor="measured")
    st.markdown(
        "The best closed-division Server result of each language model in its newest round. Another model, another "
        "length of texts and other rules than above: it stands beside the estimate as a check of its size."
    )
    if frame.empty:
        st.info("This version holds no MLPerf Inference results.")
        return
    rows_table(frame, WORDS.tables["results"], key="mlperf_beside", alt="MLPerf Inference results of language models")
    rounds = ", ".join(sorted(set(frame["round"])))
    note = evidence.mlperf_footnote_of_many("inference", rounds, "language models", formats.day(ledger.built_at))
    st.caption(formats.escape_markdown(note))
