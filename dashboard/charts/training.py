"""Time-to-train charts: against accelerator count, and over rounds at one count. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts import rounds
from dashboard.columns import tips

SCORE, MINUTES = "score_minutes", "Minutes (log scale)"


def drawable(results: pd.DataFrame) -> pd.DataFrame:
    """The results that have a place on the chart."""
    return rounds.drawable(results, SCORE)


def time_against_count(results: pd.DataFrame, generations: pd.DataFrame) -> alt.Chart:
    """Points: one scored result each; both axes logarithmic."""
    tooltip = tips("submitter system accelerator_raw accelerators score_minutes round stated_on evidence availability")
    return rounds.against_count(results, generations, column=SCORE, title=MINUTES, tooltip=tooltip)


def best_over_rounds(best: pd.DataFrame, generations: pd.DataFrame) -> alt.LayerChart:
    """Lines: the best time of each generation from round to round, at one accelerator count."""
    tooltip = tips(
        "generation_name round stated_on best_minutes median_minutes n_results best_submitter "
        "speedup_over_previous_generation evidence"
    )
    return rounds.best_over_rounds(best, generations, column="best_minutes", title=MINUTES, tooltip=tooltip)


def describe_points(results: pd.DataFrame, benchmark: str) -> str:
    """What the first chart shows, for those who do not see it."""
    scored = drawable(results)
    if scored.empty:
        return f"No scored results of {benchmark}."
    best = scored.sort_values("score_minutes").iloc[0]
    return (
        f"Scatter chart of {len(scored)} results of {benchmark}: time to train from {best['score_minutes']:.4g} to "
        f"{scored['score_minutes'].max():.4g} minutes on {int(scored['accelerators'].min()):,} to "
        f"{int(scored['accelerators'].max()):,} accelerators. The fastest is {best['submitter']} with "
        f"{int(best['accelerators']):,} accelerators in round {best['round']}."
    )
