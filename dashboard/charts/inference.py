"""Inference charts: against accelerators, over rounds, per watt where measured, and what a user sees. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts import rounds, series
from dashboard.charts.series import Axis
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


def against_count(frame: pd.DataFrame, unit: str) -> alt.LayerChart:
    """Points: one result each; both axes logarithmic. `frame` is of `rounds.in_series`."""
    return rounds.against_count(frame, column=RESULT, title=f"{unit} (log scale)", tooltip=_tips(unit))


def best_over_rounds(frame: pd.DataFrame, unit: str) -> alt.LayerChart:
    """Lines: the best result per accelerator of each generation from round to round, derived."""
    tooltip = tips(
        "generation_name round stated_on best_per_accelerator accelerators best_submitter best_availability warnings "
        "evidence",
        best_per_accelerator=f"Best per accelerator, derived [{unit}]",
    )
    title = f"{unit} per accelerator, derived (log scale)"
    return rounds.over_rounds(frame, column="best_per_accelerator", title=title, tooltip=tooltip)


def per_watt(frame: pd.DataFrame, unit: str) -> alt.LayerChart:
    """Points: performance per watt against the round, only where the system's power was measured."""
    y = Axis("result_per_watt", f"{unit} per watt, derived (log scale)", "log")
    rows, across = rounds.by_round(frame)
    return series.of_series(rows, x=across, y=y, tooltip=_tips(unit, "power_w"))


def interactivity(frame: pd.DataFrame) -> alt.LayerChart:
    """Lines: tokens a second per accelerator against tokens a second that one user sees, the best runs of each."""
    tooltip = tips(
        "series per_user per_gpu concurrency framework precision speculation stated_on evidence",
        series="Accelerator", per_user="One user sees [tokens/s]", per_gpu="Per accelerator [tokens/s]",
        concurrency="Users at once [count]", precision="Precision", speculation="Speculative decoding",
    )  # fmt: skip
    x = Axis("per_user", "Tokens a second that one user sees (median)", "linear", ",.0f")
    y = Axis("per_gpu", "Output tokens a second per accelerator (log scale)", "log")
    return series.of_series(frame, x=x, y=y, tooltip=tooltip, is_joined=True)
