"""MLPerf Inference charts: against accelerators, per accelerator over rounds, per watt where measured. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts import rounds
from dashboard.columns import tips

RESULT = "result"


def drawable(results: pd.DataFrame) -> pd.DataFrame:
    """The results that have a place on the charts."""
    return rounds.drawable(results, RESULT)


def _tips(unit: str, more: str = "") -> list[alt.Tooltip]:
    return tips(
        "submitter system_name accelerator_raw accelerators result result_per_accelerator round stated_on availability "
        f"weight_type evidence {more}",
        result=f"Result [{unit}]",
        result_per_accelerator=f"Per accelerator, derived [{unit}]",
    )


def against_count(results: pd.DataFrame, generations: pd.DataFrame, unit: str) -> alt.Chart:
    """Points: one result each; both axes logarithmic."""
    title = f"{unit} (log scale)"
    return rounds.against_count(results, generations, column=RESULT, title=title, tooltip=_tips(unit))


def best_over_rounds(best: pd.DataFrame, generations: pd.DataFrame, unit: str) -> alt.LayerChart:
    """Lines: the best result per accelerator of each generation from round to round, derived."""
    tooltip = tips(
        "generation_name round stated_on best_per_accelerator accelerators best_submitter best_availability warnings "
        "evidence",
        best_per_accelerator=f"Best per accelerator, derived [{unit}]",
    )
    title = f"{unit} per accelerator, derived (log scale)"
    return rounds.best_over_rounds(best, generations, column="best_per_accelerator", title=title, tooltip=tooltip)


def per_watt(results: pd.DataFrame, generations: pd.DataFrame, unit: str) -> alt.Chart:
    """Points: performance per watt against the round, only where the system's power was measured."""
    frame, colour, shape = rounds.by_generation(results, generations)
    y = rounds.log_axis(frame, "result_per_watt", f"{unit} per watt, derived (log scale)")
    points = alt.Chart(frame).mark_point(filled=True, size=70, opacity=0.8)
    chart: alt.Chart = points.encode(
        x=alt.X("stated_on:T", title="Round's publication"), y=y, color=colour, shape=shape,
        tooltip=_tips(unit, "power_w"),
    ).properties(height=340)  # fmt: skip
    return chart
