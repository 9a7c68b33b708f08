"""Charts of roadmaps: promises as spans, revisions as steps, actuals as marks; slips; figures per die. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts.theme import by_evidence, by_vendor, legend
from dashboard.columns import tips

ROW = 26
PROMISE, ACTUAL, REPORT = "promise", "actual", "report of others"
KIND = alt.Scale(domain=[PROMISE, ACTUAL, REPORT], range=["#0072B2", "#D55E00", "#7A7A7A"])


def _tooltip() -> list[alt.Tooltip]:
    return tips("subject milestone_words period_words claimant evidence stated_on modality")


def timeline(frame: pd.DataFrame) -> alt.LayerChart:
    """A line a product: bars are the periods that were said, newest on top; marks stand in their middle.

    `frame` has line ('product, milestone'), promised_start/end, middle,
    kind (promise, actual or report of others) and the statement's columns.
    """
    order = list(dict.fromkeys(frame.sort_values(["vendor", "first_start", "line"])["line"]))
    y = alt.Y("line:N", sort=order, title=None, axis=alt.Axis(labelLimit=230))
    x = alt.X("promised_start:T", title=None)
    colour = alt.Color("kind:N", scale=KIND, legend=legend())
    base = alt.Chart(frame)
    spans = base.mark_bar(height=9, opacity=0.28, cornerRadius=3).encode(y=y, x=x, x2="promised_end:T", color=colour)
    steps = (
        base.transform_filter("datum.kind == 'promise'")
        .mark_line(strokeWidth=1.5, opacity=0.8, color="#7A7A7A", point=False)
        .encode(y=y, x=alt.X("middle:T"), order="stated_on:T", detail="line:N")
    )
    marks = base.mark_point(filled=True, size=90, opacity=0.95).encode(
        y=y, x=alt.X("middle:T"), color=colour, shape=by_evidence(shown=frame["evidence"]), tooltip=_tooltip()
    )
    chart: alt.LayerChart = (spans + steps + marks).properties(height=ROW * len(order) + 120)
    return chart


def slip_bars(frame: pd.DataFrame) -> alt.LayerChart:
    """A line a milestone: the slip in days from middle to middle, with the bounds that the periods' widths allow."""
    order = list(frame.sort_values("slip_days", ascending=False)["line"])
    y = alt.Y("line:N", sort=order, title=None, axis=alt.Axis(labelLimit=230))
    colour, _ = by_vendor("vendor", sorted(set(frame["vendor"].dropna())))
    tooltip = tips(
        "subject milestone_words slip_days slip_low_days slip_high_days state first_words now_words evidence stated_on",
    )
    base = alt.Chart(frame)
    bounds = base.mark_rule(strokeWidth=3, opacity=0.4).encode(
        y=y, x=alt.X("slip_low_days:Q", title="Slip (days, later is right)"), x2="slip_high_days:Q", color=colour
    )
    zero = alt.Chart(pd.DataFrame({"x": [0]})).mark_rule(color="#7A7A7A", strokeDash=[3, 3]).encode(x="x:Q")
    marks = base.mark_point(filled=True, size=100).encode(
        y=y, x=alt.X("slip_days:Q"), color=colour, shape=by_evidence(shown=frame["evidence"]), tooltip=tooltip
    )
    chart: alt.LayerChart = (zero + bounds + marks).properties(height=ROW * len(order) + 120)
    return chart


def per_die(frame: pd.DataFrame, column: str, title: str) -> alt.LayerChart:
    """A mark an accelerator model at its release: one figure per die, joined along each vendor's line."""
    colour, _ = by_vendor("vendor", sorted(set(frame["vendor"])))
    x = alt.X("released_start:T", title="Released")
    y = alt.Y(f"{column}:Q", title=title, axis=alt.Axis(format=",.4~r"))
    tooltip = tips(f"name {column} dies_per_package evidence stated_on", name="Accelerator")
    base = alt.Chart(frame).encode(x=x, y=y, color=colour)
    chart: alt.LayerChart = (
        base.mark_line(opacity=0.4, strokeWidth=2)
        + base.mark_point(filled=True, size=110).encode(shape=by_evidence(shown=frame["evidence"]), tooltip=tooltip)
    ).properties(height=330)
    return chart
