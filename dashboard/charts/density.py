"""Charts of rack density: claims against the availability of the system, ranges, trend and cooling limits. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from dashboard.charts.theme import by_evidence, by_vendor
from dashboard.columns import NUMBERS, tips

HEIGHT = 430


def _tooltip(unit: str) -> list[alt.Tooltip]:
    value = f"Value [{unit}]"
    return tips("system value per formula claimant evidence stated_on available_start modality", value=value)


def over_time(
    frame: pd.DataFrame, *, unit: str, trend: Mapping[str, Any] | None = None, limits: pd.DataFrame | None = None
) -> alt.LayerChart:
    """A mark a claim at its system's availability; colour is the vendor, shape the tag; a rule spans a printed range.

    `trend` has slope_per_year, intercept, first_year, last_year; `limits` has value,
    label and claim_id of cooling limits.
    """
    x = alt.X("available_start:T", title="Available from (announced or actual)")
    y = alt.Y("value:Q", title=unit, scale=alt.Scale(zero=True, nice=True), axis=alt.Axis(format=NUMBERS))
    colour, _ = by_vendor("vendor", sorted(set(frame["vendor"].dropna())))
    base = alt.Chart(frame)
    layers: list[Any] = []
    if limits is not None and not limits.empty:
        layers += _limits(limits)
    if trend is not None:
        layers.append(_trend(trend))
    layers.append(
        base.transform_filter("isValid(datum.value_low) && isValid(datum.value_high)")
        .mark_rule(strokeWidth=3, opacity=0.45)
        .encode(x=x, y=alt.Y("value_low:Q", title=unit), y2="value_high:Q", color=colour)
    )
    layers.append(
        base.mark_point(filled=True, size=110, opacity=0.85).encode(
            x=x, y=y, color=colour, shape=by_evidence(shown=frame["evidence"]), tooltip=_tooltip(unit)
        )
    )
    return alt.LayerChart(layer=layers).properties(height=HEIGHT)


def _trend(trend: Mapping[str, Any]) -> alt.Chart:
    years = [float(trend["first_year"]), float(trend["last_year"])]
    points = pd.DataFrame(
        {
            "available_start": [_day_of(year) for year in years],
            "value": [float(trend["intercept"]) + float(trend["slope_per_year"]) * year for year in years],
        }
    )
    chart: alt.Chart = (
        alt.Chart(points)
        .mark_line(strokeDash=[6, 4], color="#7A7A7A", strokeWidth=2)
        .encode(x=alt.X("available_start:T"), y=alt.Y("value:Q"))
    )
    return chart


def _day_of(year: float) -> pd.Timestamp:
    whole = int(year)
    return pd.Timestamp(year=whole, month=1, day=1) + pd.Timedelta(days=(year - whole) * 365.25)


def _limits(limits: pd.DataFrame) -> list[alt.Chart]:
    rule = alt.Chart(limits).mark_rule(color="#CC3311", strokeDash=[2, 3]).encode(y=alt.Y("value:Q"))
    text = (
        alt.Chart(limits)
        .mark_text(align="left", dx=4, dy=-6, color="#CC3311", fontSize=11)
        .encode(y=alt.Y("value:Q"), x=alt.value(0), text="label:N")
    )
    return [rule, text]


def side_by_side(frame: pd.DataFrame, *, unit: str) -> alt.LayerChart:
    """A line a system, a mark a claim: the spread of what is said of each."""
    order = list(dict.fromkeys(frame.sort_values(["available_start", "system"])["system"]))
    y = alt.Y("system:N", sort=order, title=None, axis=alt.Axis(labelLimit=220, labelOverlap=False))
    x = alt.X("value:Q", title=unit, axis=alt.Axis(format=NUMBERS, tickCount=6))
    colour, _ = by_vendor("vendor", sorted(set(frame["vendor"].dropna())))
    base = alt.Chart(frame)
    spread = (
        base.transform_aggregate(low="min(value)", high="max(value)", groupby=["system"])
        .mark_rule(strokeWidth=2, opacity=0.4, color="#7A7A7A")
        .encode(y=y, x=alt.X("low:Q", title=unit), x2="high:Q")
    )
    points = base.mark_point(filled=True, size=100, opacity=0.85).encode(
        y=y, x=x, color=colour, shape=by_evidence(shown=frame["evidence"]), tooltip=_tooltip(unit)
    )
    chart: alt.LayerChart = (spread + points).properties(height=24 * len(order) + 130)
    return chart
