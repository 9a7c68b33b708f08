"""Charts of the calculators: what an answer is made of, what moves it, and what a model fits on. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts import theme
from dashboard.columns import tips
from warehouse.answers.formats import axis_format

ROW, MARGIN = 34, 60
ACCENT, LIMIT = theme.series_colours()[0], theme.ink("late")
FIT_SHAPES = {"one accelerator": "circle", "one 8-way node": "square", "one scale-up domain": "diamond"}


def parts(frame: pd.DataFrame, *, unit: str) -> alt.LayerChart:
    """One bar a part, in the order of the sum."""
    names = list(frame["part"])
    base = alt.Chart(frame).encode(
        y=alt.Y("part:N", sort=names, title=None, axis=alt.Axis(labelLimit=220, labelOverlap=False)),
        x=alt.X("value:Q", title=unit, axis=alt.Axis(format=axis_format(unit))),
        tooltip=tips("part value why", value=f"Value [{unit}]"),
    )
    bars = base.mark_bar(color=ACCENT)
    return alt.LayerChart(layer=[bars]).properties(height=ROW * len(frame) + MARGIN)


def tornado(frame: pd.DataFrame, *, unit: str, typical: float) -> alt.LayerChart:
    """One bar an input, from the answer at its low end to the one at its high end; the line is the typical answer."""
    names = list(frame["input"])
    rule = (
        alt.Chart(pd.DataFrame({"typical": [typical]}))
        .mark_rule(strokeDash=[4, 3], color=theme.other_colour())
        .encode(x="typical:Q")
    )
    bars = (
        alt.Chart(frame)
        .mark_bar(color=ACCENT, height=16)
        .encode(
            y=alt.Y("input:N", sort=names, title=None, axis=alt.Axis(labelLimit=220, labelOverlap=False)),
            x=alt.X("at_low:Q", title=unit, axis=alt.Axis(format=axis_format(unit)), scale=alt.Scale(zero=False)),
            x2="at_high:Q",
            tooltip=tips("input moved at_low at_high", at_low=f"At low end [{unit}]", at_high=f"At high end [{unit}]"),
        )
    )
    return alt.LayerChart(layer=[rule, bars]).properties(height=ROW * len(frame) + MARGIN)


def ladder(frame: pd.DataFrame, *, need: float) -> alt.LayerChart:
    """One line a machine, one mark for the memory of an accelerator, a node and a domain; the red line is the need."""
    machines = list(dict.fromkeys(frame["machine"]))
    rule = alt.Chart(pd.DataFrame({"need": [need]})).mark_rule(color=LIMIT, strokeWidth=2).encode(x=alt.X("need:Q"))
    spans = (
        alt.Chart(frame)
        .mark_line(color=theme.other_colour(), strokeWidth=1)
        .encode(y=alt.Y("machine:N", sort=machines), x="capacity:Q", detail="machine:N")
    )
    marks = (
        alt.Chart(frame)
        .mark_point(filled=True, size=130, opacity=1)
        .encode(
            y=alt.Y("machine:N", sort=machines, title=None, axis=alt.Axis(labelLimit=220, labelOverlap=False)),
            x=alt.X("capacity:Q", title="Memory, TB", scale=alt.Scale(type="log"), axis=alt.Axis(format=",~g")),
            color=alt.Color(
                "fits:N",
                title="Holds it",
                legend=theme.legend(),
                scale=alt.Scale(domain=["yes", "no"], range=[ACCENT, theme.other_colour()]),
            ),
            shape=alt.Shape(
                "level:N",
                title="Memory of",
                legend=theme.legend(1),
                scale=alt.Scale(domain=list(FIT_SHAPES), range=list(FIT_SHAPES.values())),
            ),
            tooltip=tips("machine level capacity fits evidence claimant stated_on"),
        )
    )
    return alt.LayerChart(layer=[rule, spans, marks]).properties(height=ROW * len(machines) + MARGIN)
