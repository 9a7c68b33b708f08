"""Conflicts: where claims disagree, by how much, why when the data shows it, and which value stands by the rule."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.charts import claims as charts
from dashboard.components import Filter, chart_card, chosen_key, later, rows_table, words_of
from dashboard.components.state import Choices, choose_in, fitting
from dashboard.components.tables import choice_table, show_short_table
from dashboard.headlines import words
from dashboard.queries import Ledger, first_row, once
from warehouse.answers import claim_words, formats

WORDS = words_of(__file__)


KINDS = ("contradiction", "qualified")
NO_CAUSE = "real disagreement"


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    frame = ledger.frame_of("claims.conflicts", claim="")
    if frame.empty:
        st.info("No two claims of this version differ by more than their metric's tolerance.")
        return
    st.markdown(_counted(frame))
    chosen = _chosen(frame)
    shown = once(ledger, _rows, chosen)
    if shown.empty:
        st.info("No conflict fits. Remove a filter.")
        return
    st.caption(
        f"{len(shown):,} sets; contradictions on accelerators and systems first, those with most claimants before "
        "others. Choose one to see all sides."
    )
    wanted = chosen_key("conflict") or str(shown.iloc[0]["conflict_id"])
    with st.container(key="sets_rows"):
        show_short_table(once(ledger, _table, chosen, wanted))
    found = frame[frame["conflict_id"] == wanted]
    if found.empty:
        st.info("The link names a conflict that this version does not hold: it may be settled.")
    else:
        _one(ledger, first_row(found))


def _counted(frame: pd.DataFrame) -> str:
    """'76 sets contradict each other, 9 differ in a qualifier. 54 have a cause, 31 are real disagreements.'"""
    kinds = frame["kind"].value_counts()
    is_real = frame["likely_cause"].eq(NO_CAUSE) | frame["likely_cause"].isna()
    return (
        f"**{int(kinds.get('contradiction', 0)):,}** contradict each other on the same thing, "
        f"**{int(kinds.get('qualified', 0)):,}** differ in a stated qualifier. The words show why in "
        f"**{int((~is_real).sum()):,}**; **{int(is_real.sum()):,}** are real disagreements."
    )


def _chosen(frame: pd.DataFrame) -> Choices:
    return choose_in(
        frame,
        Filter("metric", "Metric", names=dict(zip(frame["metric"], frame["metric_title"], strict=True))),
        Filter("likely_cause", "Likely cause", key="cause"),
        Filter("kind", "Kind", options=list(KINDS)),
    )


def _rows(ledger: Ledger, chosen: Choices) -> pd.DataFrame:
    frame = fitting(ledger.frame_of("claims.conflicts", claim=""), chosen)
    records = frame.to_dict("records")
    return frame.assign(
        range_words=[_range(record) for record in records],
        stands=[claim_words.value_words(record) for record in records],
    )


def _table(ledger: Ledger, chosen: Choices, wanted: str) -> str:
    rows = once(ledger, _rows, chosen)
    return choice_table(
        rows, WORDS.tables["rows"], "Sets of rival claims", by=("conflict", "conflict_id"), chosen=wanted
    )


def _range(row: Mapping[Any, Any]) -> str:
    if pd.notna(row["low"]):
        return f"{formats.quantity(row['low'], '')} to {formats.quantity(row['high'], row['unit'])}"
    return f"{formats.day(row['earliest'])} to {formats.day(row['latest'])}"


def _one(ledger: Ledger, row: dict[str, Any], *, with_table: bool = True) -> None:
    frame = claim_words.with_words(ledger.frame_of("claims.sides", conflict=row["conflict_id"]))
    cause = claim_words.words(row["likely_cause"])
    because = f" Likely cause: {cause}." if cause else " The data shows no cause."
    causes = [str(other) for other in row["causes"] if other != cause]
    also = f" Also possible: {', '.join(causes)}." if causes else ""
    meta = WORDS.card(
        "conflict_sides",
        _title(row, frame),
        metric=row["metric_title"] or row["metric"],
        day=formats.day(row["opened_on"]),
        latest=" at the latest" if row["is_undated"] else "",
        because=because,
        also=also,
    )
    numbers = frame[frame["value"].notna()]
    if len(numbers) == len(frame):
        chart_card(charts.rivals, numbers, meta, ledger=ledger)
    else:
        dated = frame.assign(is_shown=frame["is_resolved"])
        chart_card(charts.periods_over_time, dated, meta, ledger=ledger)
    if with_table:
        later(partial(_sides, frame))


def _sides(frame: pd.DataFrame) -> None:
    rows_table(frame, WORDS.tables["sides"], key="sides", alt="Sides of the conflict")


def _title(row: Mapping[str, Any], frame: pd.DataFrame) -> str:
    """'Who says what: NVIDIA GB200 NVL72, electric power 70 to 120 kW by four claimants'."""
    metric = str(row["metric_title"] or row["metric"]).lower()
    said = words.counted(frame["claimant"].nunique(), "claimant")
    return f"Who says what: {row['subject']}, {metric} {_range(row)} by {said}"


def _first(ledger: Ledger) -> None:
    row = ledger.first("claims.conflicts", claim="")
    if row is not None:
        _one(ledger, row, with_table=False)


CHARTS = {"conflict_sides": _first}
