"""Time-to-train charts: against accelerator count, over rounds at one count, and what scaling keeps. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts import rounds, series
from dashboard.charts.series import Axis
from dashboard.columns import tips

SCORE, MINUTES = "score_minutes", "Minutes (log scale)"


def drawable(results: pd.DataFrame) -> pd.DataFrame:
    """The results that have a place on the chart."""
    return rounds.drawable(results, SCORE)


def time_against_count(frame: pd.DataFrame) -> alt.LayerChart:
    """Points: one scored result each; both axes logarithmic. `frame` is of `rounds.in_series`."""
    tooltip = tips("submitter system accelerator_raw accelerators score_minutes round stated_on evidence availability")
    return rounds.against_count(frame, column=SCORE, title=MINUTES, tooltip=tooltip)


def best_over_rounds(frame: pd.DataFrame) -> alt.LayerChart:
    """Lines: the best time of each generation from round to round, at one accelerator count."""
    tooltip = tips(
        "generation_name round stated_on best_minutes median_minutes n_results best_submitter "
        "speedup_over_previous_generation evidence"
    )
    return rounds.over_rounds(frame, column="best_minutes", title=MINUTES, tooltip=tooltip)


def scaling(frame: pd.DataFrame) -> alt.LayerChart:
    """Lines: the share of perfect speed-up that is left at each count, a line an accelerator and round.

    `frame` has `headlines.rounds.scaling`'s columns.
    """
    tooltip = tips(
        "series accelerators scaling_efficiency base_accelerators best_submitter round stated_on evidence",
        series="Line", scaling_efficiency="Kept of perfect speed-up", base_accelerators="Against [count]",
    )  # fmt: skip
    y = Axis("scaling_efficiency", "Kept of perfect speed-up", "linear", ".0%")
    return series.of_series(frame, x=rounds.COUNT, y=y, tooltip=tooltip, is_joined=True)
