"""MLPerf Inference charts: against accelerators, per accelerator over rounds, per watt where measured. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts.theme import label_generations, legend, palette

HEIGHT = 440
NUMBERS = ",.4~r"


def _scales(frame: pd.DataFrame, generations: pd.DataFrame) -> tuple[alt.Color, alt.Shape]:
    labels, colours, shapes = palette(generations, sorted(set(frame["generation"])))
    return (
        alt.Color("generation_name:N", scale=alt.Scale(domain=labels, range=colours), legend=legend()),
        alt.Shape("generation_name:N", scale=alt.Scale(domain=labels, range=shapes), legend=legend()),
    )


def _log(values: pd.Series) -> alt.Scale:
    return alt.Scale(type="log", domain=[float(values.min()) * 0.8, float(values.max()) * 1.25], nice=False)


def _tooltip(unit: str) -> list[alt.Tooltip]:
    return [
        alt.Tooltip("submitter:N", title="submitter"),
        alt.Tooltip("system_name:N", title="system"),
        alt.Tooltip("accelerator_raw:N", title="accelerator"),
        alt.Tooltip("accelerators:Q", title="accelerators", format=",d"),
        alt.Tooltip("result:Q", title=unit, format=NUMBERS),
        alt.Tooltip("result_per_accelerator:Q", title=f"{unit} per accelerator, derived", format=NUMBERS),
        alt.Tooltip("round:N", title="round"),
        alt.Tooltip("stated_on:T", title="published", format="%Y-%m-%d"),
        alt.Tooltip("availability:N", title="availability"),
        alt.Tooltip("weight_type:N", title="weights"),
        alt.Tooltip("evidence:N", title="evidence"),
    ]


def drawable(results: pd.DataFrame) -> pd.DataFrame:
    """The results that have a place on log axes: with a figure, and not on CPUs alone."""
    return results[results["result"].notna() & (results["accelerators"] > 0)]


def against_count(results: pd.DataFrame, generations: pd.DataFrame, unit: str) -> alt.Chart:
    """Points: one result each; both axes logarithmic."""
    frame = label_generations(drawable(results), generations)
    colour, shape = _scales(frame, generations)
    counts = sorted(set(frame["accelerators"].astype(int)))
    ticks = [n for i, n in enumerate(counts) if i == 0 or n >= counts[i - 1] * 1.5]
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_point(filled=True, size=60, opacity=0.75)
        .encode(
            x=alt.X(
                "accelerators:Q",
                title="Accelerators (packages, log scale)",
                scale=_log(frame["accelerators"]),
                axis=alt.Axis(values=ticks[:12], format=",d", labelOverlap=True),
            ),
            y=alt.Y(
                "result:Q",
                title=f"{unit} (log scale)",
                scale=_log(frame["result"]),
                axis=alt.Axis(format=NUMBERS, tickCount=6),
            ),
            color=colour,
            shape=shape,
            tooltip=_tooltip(unit),
        )
        .properties(height=HEIGHT)
    )
    return chart


def best_over_rounds(best: pd.DataFrame, generations: pd.DataFrame, unit: str) -> alt.LayerChart:
    """Lines: the best result per accelerator of each generation from round to round, derived."""
    frame = label_generations(best, generations)
    colour, shape = _scales(frame, generations)
    title = f"{unit} per accelerator, derived (log scale)"
    base = alt.Chart(frame).encode(
        x=alt.X("stated_on:T", title="Round's publication", axis=alt.Axis(format="%Y-%m", labelAngle=0, tickCount=6)),
        y=alt.Y(
            "best_per_accelerator:Q",
            title=title,
            scale=_log(frame["best_per_accelerator"]),
            axis=alt.Axis(format=NUMBERS, tickCount=6),
        ),
        color=colour,
    )
    points = base.mark_point(filled=True, size=80).encode(
        shape=shape,
        tooltip=[
            alt.Tooltip("generation_name:N", title="generation"),
            alt.Tooltip("round:N", title="round"),
            alt.Tooltip("stated_on:T", title="published", format="%Y-%m-%d"),
            alt.Tooltip("best_per_accelerator:Q", title=f"{unit} per accelerator", format=NUMBERS),
            alt.Tooltip("accelerators:Q", title="accelerators", format=",d"),
            alt.Tooltip("best_submitter:N", title="submitter"),
            alt.Tooltip("best_availability:N", title="availability"),
            alt.Tooltip("warnings:N", title="mind"),
            alt.Tooltip("evidence:N", title="evidence"),
        ],
    )
    chart: alt.LayerChart = (base.mark_line(strokeWidth=2, opacity=0.7) + points).properties(height=HEIGHT)
    return chart


def per_watt(results: pd.DataFrame, generations: pd.DataFrame, unit: str) -> alt.Chart:
    """Points: performance per watt against the round, only where the system's power was measured."""
    frame = label_generations(results, generations)
    colour, shape = _scales(frame, generations)
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_point(filled=True, size=70, opacity=0.8)
        .encode(
            x=alt.X("stated_on:T", title="Round's publication"),
            y=alt.Y(
                "result_per_watt:Q",
                title=f"{unit} per watt, derived (log scale)",
                scale=_log(frame["result_per_watt"]),
                axis=alt.Axis(format=NUMBERS),
            ),
            color=colour,
            shape=shape,
            tooltip=[*_tooltip(unit), alt.Tooltip("power_w:Q", title="measured system power (W)", format=NUMBERS)],
        )
        .properties(height=340)
    )
    return chart
