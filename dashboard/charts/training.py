"""Time-to-train charts: against accelerator count, and over rounds at one count."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts.theme import label_generations, legend, palette

HEIGHT = 440
MINUTES = "Minutes (log scale)"


def _scales(frame: pd.DataFrame, generations: pd.DataFrame) -> tuple[alt.Color, alt.Shape]:
    labels, colours, shapes = palette(generations, sorted(set(frame["generation"])))
    return (
        alt.Color("generation_name:N", scale=alt.Scale(domain=labels, range=colours), legend=legend()),
        alt.Shape("generation_name:N", scale=alt.Scale(domain=labels, range=shapes), legend=legend()),
    )


def _log(values: pd.Series) -> alt.Scale:
    """A log scale with a little air on both sides, so that no mark sits on the frame."""
    return alt.Scale(type="log", domain=[float(values.min()) * 0.8, float(values.max()) * 1.25], nice=False)


def drawable(results: pd.DataFrame) -> pd.DataFrame:
    """The results that have a place on log axes: with a score, and not on CPUs alone."""
    return results[results["score_minutes"].notna() & (results["accelerators"] > 0)]


def time_against_count(results: pd.DataFrame, generations: pd.DataFrame) -> alt.Chart:
    """Points: one scored result each; both axes logarithmic."""
    frame = label_generations(drawable(results), generations)
    colour, shape = _scales(frame, generations)
    counts = sorted(set(frame["accelerators"].astype(int)))
    ticks = [n for i, n in enumerate(counts) if i == 0 or n >= counts[i - 1] * 1.5]
    x_axis = alt.Axis(values=ticks[:12], format=",d", labelOverlap=True)
    chart: alt.Chart = (
        alt.Chart(frame)
        .mark_point(filled=True, size=70, opacity=0.8)
        .encode(
            x=alt.X(
                "accelerators:Q",
                title="Accelerators (packages, log scale)",
                scale=_log(frame["accelerators"]),
                axis=x_axis,
            ),
            y=alt.Y(
                "score_minutes:Q",
                title=MINUTES,
                scale=_log(frame["score_minutes"]),
                axis=alt.Axis(format="~g", tickCount=6),
            ),
            color=colour,
            shape=shape,
            tooltip=[
                alt.Tooltip("submitter:N", title="submitter"),
                alt.Tooltip("system:N", title="system"),
                alt.Tooltip("accelerator_raw:N", title="accelerator"),
                alt.Tooltip("accelerators:Q", title="accelerators", format=",d"),
                alt.Tooltip("score_minutes:Q", title="minutes", format=".4~g"),
                alt.Tooltip("round:N", title="round"),
                alt.Tooltip("stated_on:T", title="published", format="%Y-%m-%d"),
                alt.Tooltip("evidence:N", title="evidence"),
                alt.Tooltip("availability:N", title="availability"),
            ],
        )
        .properties(height=HEIGHT)
    )
    return chart


def best_over_rounds(best: pd.DataFrame, generations: pd.DataFrame) -> alt.LayerChart:
    """Lines: the best time of each generation from round to round, at one accelerator count."""
    frame = label_generations(best, generations)
    colour, shape = _scales(frame, generations)
    base = alt.Chart(frame).encode(
        x=alt.X("stated_on:T", title="Round's publication", axis=alt.Axis(format="%Y-%m", labelAngle=0, tickCount=6)),
        y=alt.Y(
            "best_minutes:Q", title=MINUTES, scale=_log(frame["best_minutes"]), axis=alt.Axis(format="~g", tickCount=6)
        ),
        color=colour,
    )
    points = base.mark_point(filled=True, size=80).encode(
        shape=shape,
        tooltip=[
            alt.Tooltip("generation_name:N", title="generation"),
            alt.Tooltip("round:N", title="round"),
            alt.Tooltip("stated_on:T", title="published", format="%Y-%m-%d"),
            alt.Tooltip("best_minutes:Q", title="best minutes", format=".4~g"),
            alt.Tooltip("median_minutes:Q", title="median minutes", format=".4~g"),
            alt.Tooltip("n_results:Q", title="results"),
            alt.Tooltip("best_submitter:N", title="submitter of the best"),
            alt.Tooltip(
                "speedup_over_previous_generation:Q", title="speed-up over the generation before", format=".3~g"
            ),
            alt.Tooltip("evidence:N", title="evidence"),
        ],
    )
    chart: alt.LayerChart = (base.mark_line(strokeWidth=2, opacity=0.7) + points).properties(height=HEIGHT)
    return chart


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
