"""Reviewed results beside a calculator's estimate: never on one axis and never divided by each other."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dashboard import evidence, formats
from dashboard.components.tables import rows_table
from dashboard.queries import Ledger, tables

COLUMNS = {
    "round": "Round",
    "benchmark": "Benchmark",
    "scenario": "Scenario",
    "submitter": "Submitter",
    "system": "System",
    "accelerators": "Accelerators [count]",
    "result": "Result [tokens/s]",
    "per_accelerator": "Per accelerator, derived [tokens/s]",
    "availability": "Availability",
    "evidence": "Evidence",
    "stated_on": "Published",
    "url": "Files",
}


CLAIMED = {
    "subject": "Subject",
    "value": "Claimed gain [ratio]",
    "baseline": "Over",
    "workload": "Doing what",
    "claimant": "Says",
    "evidence": "Evidence",
    "stated_on": "Stated",
    "note": "Note",
    "claim_id": "Claim",
    "url": "Where",
}


def claimed_gains(ledger: Ledger) -> None:
    """What makers claim their generations gain: statements of their own beside reviewed results."""
    if "marts.claimed_speedups" not in tables(ledger):
        return
    frame = ledger.frame(
        """SELECT subject, value, baseline, workload, claimant, evidence::VARCHAR AS evidence, stated_on, note,
                  claim_id, url, source_id
           FROM marts.claimed_speedups WHERE metric = 'speedup' ORDER BY stated_on DESC, subject, value DESC"""
    )
    if frame.empty:
        return
    st.header("What is claimed", anchor="claimed")
    st.caption(
        "Gains that makers and others state, each a claim with its own baseline and workload. They stand beside the "
        "reviewed results and are never put in one ratio with them: MLCommons' rules forbid it, and they compare other "
        "things."
    )
    rows_table(frame, CLAIMED, key="claimed", alt="Claimed gains over an earlier generation")


def mlperf_beside(ledger: Ledger) -> None:
    """The best closed Server results of the large language models in the newest round that has each."""
    frame = nearest_results(ledger)
    st.header("What was measured under rules", anchor="measured")
    st.markdown(
        "The best closed-division Server result of each language model in its newest round. Another model, another "
        "length of texts and other rules than above: it stands beside the estimate as a check of its size."
    )
    if frame.empty:
        st.info("This version holds no MLPerf Inference results.")
        return
    rows_table(frame, COLUMNS, key="mlperf_beside", alt="MLPerf Inference results of language models")
    rounds = ", ".join(sorted(set(frame["round"])))
    note = evidence.mlperf_footnote_of_many("inference", rounds, "language models", formats.day(ledger.built_at))
    st.caption(formats.escape_markdown(note))


def nearest_results(ledger: Ledger) -> pd.DataFrame:
    """One row a language model: its best Server result of the newest round, with tokens a second."""
    return ledger.frame(
        """SELECT f.round, f.benchmark, f.scenario, f.submitter, f.system, f.accelerators, f.result,
                  f.result / f.accelerators AS per_accelerator, f.availability, f.evidence::VARCHAR AS evidence,
                  f.stated_on, f.source_id, f.url, f.result_key
           FROM facts.mlperf_inference AS f
           WHERE f.division = 'closed' AND f.scenario = 'Server' AND f.unit = 'tokens/s' AND f.category = 'datacenter'
             AND f.accelerators > 0 AND f.result IS NOT NULL AND f.valid
           QUALIFY dense_rank() OVER (PARTITION BY f.benchmark ORDER BY f.stated_on DESC) = 1
               AND row_number() OVER (PARTITION BY f.benchmark, f.round ORDER BY f.result / f.accelerators DESC) = 1
           ORDER BY f.stated_on DESC, f.benchmark"""
    )
