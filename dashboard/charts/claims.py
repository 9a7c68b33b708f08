"""Charts of claims: what was said about one thing over time, and the rival values of a conflict. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts.theme import by_evidence
from dashboard.columns import NUMBERS, tips

HEIGHT = 320
HUE = "#0072B2"
CHOSEN = "#D55E00"


def _tooltip(unit: str) -> list[alt.Tooltip]:
    value = f"Value ({unit})" if unit else "Value"
    return tips("value_words claimant evidence stated_on qualifiers modality", value_words=value)


def values_over_time(frame: pd.DataFrame) -> alt.LayerChart:
    """A mark a claim: its number against the day it was stated; the tag is the shape, `is_shown` is the colour."""
    unit = str(frame["unit"].iloc[0])
    title = "" if unit == "count" else unit
    x = alt.X("stated_on:T", title="Stated on")
    axis = alt.Axis(format=NUMBERS)
    y = alt.Y("value:Q", title=title or "Number", axis=axis, scale=alt.Scale(zero=False, padding=12))
    colour = alt.condition("datum.is_shown", alt.value(CHOSEN), alt.value(HUE))
    base = alt.Chart(frame)
    spans = base.transform_filter("isValid(datum.value_low) && isValid(datum.value_high)").mark_rule(
        strokeWidth=2, opacity=0.5, color=HUE
    )
    points = base.mark_point(filled=True, size=90, opacity=0.9).encode(
        x=x, y=y, shape=by_evidence(shown=frame["evidence"]), color=colour, tooltip=_tooltip(title)
    )
    chart: alt.LayerChart = (spans.encode(x=x, y=alt.Y("value_low:Q"), y2="value_high:Q") + points).properties(
        height=HEIGHT
    )
    return chart


def periods_over_time(frame: pd.DataFrame) -> alt.LayerChart:
    """A bar a claim: the period it names (upwards) against the day it was stated."""
    x = alt.X("stated_on:T", title="Stated on")
    y = alt.Y("value_start:T", title="Period named", scale=alt.Scale(padding=12))
    colour = alt.condition("datum.is_shown", alt.value(CHOSEN), alt.value(HUE))
    base = alt.Chart(frame)
    bars = base.mark_rule(strokeWidth=5, opacity=0.5).encode(x=x, y=y, y2="value_end:T", color=colour)
    points = base.mark_point(filled=True, size=80, opacity=0.9).encode(
        x=x, y=y, shape=by_evidence(shown=frame["evidence"]), color=colour, tooltip=_tooltip("")
    )
    chart: alt.LayerChart = (bars + points).properties(height=HEIGHT)
    return chart


def rivals(frame: pd.DataFrame) -> alt.LayerChart:
    """A mark a claim of a conflict, a line a claimant; the value that stands has a ring and another colour."""
    unit = str(frame["unit"].iloc[0])
    is_wide = frame["value"].min() > 0 and frame["value"].max() / frame["value"].min() > 20
    scale = alt.Scale(type="log") if is_wide else alt.Scale(zero=False, padding=16)
    title = "Number" if unit == "count" else unit
    x = alt.X("value:Q", title=title, scale=scale, axis=alt.Axis(format=NUMBERS, tickCount=5))
    y = alt.Y("claimant:N", title=None, sort=alt.EncodingSortField("place", op="min"), axis=alt.Axis(labelLimit=180))
    colour = alt.condition("datum.is_resolved", alt.value(CHOSEN), alt.value(HUE))
    base = alt.Chart(frame)
    ring = base.transform_filter("datum.is_resolved").mark_point(size=320, filled=False, strokeWidth=2, color=CHOSEN)
    points = base.mark_point(filled=True, size=110, opacity=0.9).encode(
        x=x, y=y, shape=by_evidence(shown=frame["evidence"]), color=colour, tooltip=_tooltip(title)
    )
    height = 36 * frame["claimant"].nunique() + 140
    chart: alt.LayerChart = (ring.encode(x=x, y=y) + points).properties(height=height)
    return chart
