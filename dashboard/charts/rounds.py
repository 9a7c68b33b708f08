"""What both MLPerf suites draw: results against accelerators, and the best of each round by generation. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts.theme import label_generations, legend, palette
from dashboard.columns import NUMBERS

HEIGHT = 440
PUBLISHED = alt.X("stated_on:T", title="Round's publication", axis=alt.Axis(format="%Y-%m", labelAngle=0, tickCount=6))


def drawable(results: pd.DataFrame, column: str) -> pd.DataFrame:
    """The results that have a place on log axes: with a figure, and not on CPUs alone."""
    return results[results[column].notna() & (results["accelerators"] > 0)]


def log_axis(frame: pd.DataFrame, column: str, title: str) -> alt.Y:
    """A log scale with a little air on both sides, so that no mark sits on the frame."""
    return alt.Y(f"{column}:Q", title=title, scale=_log(frame[column]), axis=alt.Axis(format=NUMBERS, tickCount=6))


def by_generation(frame: pd.DataFrame, generations: pd.DataFrame) -> tuple[pd.DataFrame, alt.Color, alt.Shape]:
    """The frame with the names of its generations, and their colours and shapes."""
    labels, colours, shapes = palette(generations, sorted(set(frame["generation"])))
    return (
        label_generations(frame, generations),
        alt.Color("generation_name:N", scale=alt.Scale(domain=labels, range=colours), legend=legend()),
        alt.Shape("generation_name:N", scale=alt.Scale(domain=labels, range=shapes), legend=legend()),
    )


def against_count(
    results: pd.DataFrame, generations: pd.DataFrame, *, column: str, title: str, tooltip: list[alt.Tooltip]
) -> alt.Chart:
    """Points: one result each; both axes logarithmic."""
    frame, colour, shape = by_generation(drawable(results, column), generations)
    counts = sorted(set(frame["accelerators"].astype(int)))
    ticks = [n for i, n in enumerate(counts) if i == 0 or n >= counts[i - 1] * 1.5]
    x = alt.X(
        "accelerators:Q",
        title="Accelerators (packages, log scale)",
        scale=_log(frame["accelerators"]),
        axis=alt.Axis(values=ticks[:12], format=",d", labelOverlap=True),
    )
    points = alt.Chart(frame).mark_point(filled=True, size=65, opacity=0.8)
    chart: alt.Chart = points.encode(
        x=x, y=log_axis(frame, column, title), color=colour, shape=shape, tooltip=tooltip
    ).properties(height=HEIGHT)
    return chart


def best_over_rounds(
    best: pd.DataFrame, generations: pd.DataFrame, *, column: str, title: str, tooltip: list[alt.Tooltip]
) -> alt.LayerChart:
    """Lines: the best of each generation from round to round."""
    frame, colour, shape = by_generation(best, generations)
    base = alt.Chart(frame).encode(x=PUBLISHED, y=log_axis(frame, column, title), color=colour)
    points = base.mark_point(filled=True, size=80).encode(shape=shape, tooltip=tooltip)
    chart: alt.LayerChart = (base.mark_line(strokeWidth=2, opacity=0.7) + points).properties(height=HEIGHT)
    return chart


def _log(values: pd.Series) -> alt.Scale:
    return alt.Scale(type="log", domain=[float(values.min()) * 0.8, float(values.max()) * 1.25], nice=False)
