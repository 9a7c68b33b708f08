"""What the charts with labels at their marks are made of: lettering, leaders, today's line, the hatched future. Pure.

Such a chart has two layouts in one specification. It is narrow below `BREAK` pixels; expressions of Vega choose between
the columns of a frame that end in `_wide` and `_narrow`. Its heights stand in `usermeta`, so that the page can keep the
place free before anything is drawn.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import altair as alt
import pandas as pd

from dashboard.charts.lettering import Box, Label, place_labels
from dashboard.charts.theme import ink

BREAK = 640
NARROW = f"(width < {BREAK})"
LABEL, SMALL = 13.0, 12.0
WIDE_AT, NARROW_AT = 1000.0, 296.0  # the widths that labels are placed for
HEIGHTS = "heights"
TODAY = "today"  # the word of the newest day; an earlier one is named by its date
HATCH, REACH = 9, 900


PLAIN: dict[str, Any] = {"baseline": "middle", "aria": False}  # words without a halo, silent for screen readers


def at(expression: str) -> alt.Value[Any]:
    """A place in pixels that Vega works out."""
    return alt.value({"expr": expression})


def tips(**titles: str) -> list[alt.Tooltip]:
    """Tooltips of columns that hold words already."""
    return [alt.Tooltip(f"{name}:N", title=title) for name, title in titles.items()]


def either(wide: object, narrow: object) -> dict[str, str]:
    """An expression that is one or the other by the chart's width."""
    return {"expr": f"{NARROW} ? ({narrow}) : ({wide})"}


def by_layout(column: str) -> dict[str, str]:
    """The value of `column_wide` or `column_narrow` of a row."""
    return either(f"datum.{column}_wide", f"datum.{column}_narrow")


def in_layout(base: alt.Chart, column: str) -> alt.Chart:
    """Only the rows that have a place in the layout shown: what stood outside would widen the chart."""
    shown: alt.Chart = base.transform_filter(
        f"{NARROW} ? isValid(datum.{column}_narrow) : isValid(datum.{column}_wide)"
    )
    return shown


def heights(wide: float, narrow: float) -> dict[str, list[int]]:
    """The heights of a chart's two layouts, for `usermeta`."""
    return {HEIGHTS: [round(wide), round(narrow)]}


def layered(layers: list[Any], wide: float, narrow: float) -> alt.LayerChart:
    """The layers as one chart of two heights; each keeps its own colours, for words are darker than marks."""
    chart: alt.LayerChart = alt.LayerChart(layer=layers, usermeta=heights(wide, narrow)).resolve_scale(
        color="independent", fill="independent", stroke="independent"
    )
    return chart


def lettered(base: alt.Chart, field: str, *, halo: bool = True, weight: int = 400, **mark: Any) -> list[alt.Chart]:
    """Text with a halo of the card's colour below it, silent for screen readers; `mark` are its properties."""
    shown: dict[str, Any] = {"baseline": "middle", "fontSize": LABEL, "fontWeight": weight, "aria": False} | mark
    text = base.mark_text(**shown).encode(text=f"{field}:N")
    if not halo:
        return [text]
    below: dict[str, Any] = shown | {
        "stroke": ink("card"),
        "strokeWidth": 4,
        "strokeJoin": "round",
        "color": ink("card"),
    }
    return [base.mark_text(**below).encode(text=f"{field}:N"), text]


def with_places(
    told: pd.DataFrame, layout: str, labels: Sequence[Label], ground: Box, taken: Sequence[Box]
) -> pd.DataFrame:
    """The rows with the place of their label in a layout, without one where there is no room or no label."""
    places = place_labels(labels, ground, taken)
    found = [*zip(places, (label.width for label in labels), strict=True), *[(None, 0.0)] * (len(told) - len(labels))]
    columns: dict[str, Any] = {
        f"dx_{layout}": [each.dx if each else None for each, _ in found],
        f"dy_{layout}": [each.dy if each else 0.0 for each, _ in found],
        f"leads_{layout}": [each is not None and each.has_leader for each, _ in found],
        f"reach_{layout}": [
            0.0 if each is None else each.dx if each.dx > 0 else min(each.dx + width, max(each.dx, 0.0))
            for each, width in found
        ],
    }
    return told.assign(**columns)


def named_at_marks(
    told: pd.DataFrame, x: alt.X, y: alt.Y, fields: tuple[str, str], name: str, *, colour: alt.Color | None = None,
    is_short: bool = False,
) -> list[alt.Chart]:  # fmt: skip
    """Name and value (`told`) at a mark of each row of `with_places`, with a leader where the place was taken.

    `fields` are where the marks stand; on a phone a chart that `is_short` has the name alone.
    """
    base = in_layout(alt.Chart(told), "dx").encode(x=x, y=y)
    leaders = [
        alt.Chart(told[told[f"leads_{layout}"]])
        .mark_rule(color=ink("rule"), strokeWidth=1, aria=False, opacity=either(wide, 1 - wide))
        .encode(
            x=x, y=y, x2=at(f"scale('x', datum.{fields[0]}) + datum.reach_{layout}"),
            y2=at(f"scale('y', datum.{fields[1]}) + datum.dy_{layout}"),
        )
        for layout, wide in (("wide", 1), ("narrow", 0)) if bool(told[f"leads_{layout}"].any())
    ]  # fmt: skip
    place: dict[str, Any] = {"align": "left", "dy": by_layout("dy"), "limit": 0}
    after = either("datum.dx_wide + datum.name_width", "datum.dx_narrow + datum.name_width")
    halo, names = lettered(base, name, weight=600, dx=by_layout("dx"), **place)
    valued = base.transform_filter(f"!{NARROW}") if is_short else base
    below, values = lettered(valued, "told", color=ink("second"), dx=after, **place)
    return [*leaders, halo, below, names if colour is None else names.encode(color=colour), values]


def instant(day: dt.date) -> str:
    """A day as Vega's expressions write it."""
    return f"datetime({day.year}, {day.month - 1}, {day.day})"


def future(
    day: dt.date, height: float, *, now: str = TODAY, end: str = "width", at_top: bool = False
) -> list[alt.Chart]:
    """Diagonal lines over all that lies after a day, and the day's own red line with its word at the foot or on top.

    For charts whose x scale is of time. `height` in pixels bounds the hatching, the expression `end` its
    right edge.
    """
    on = f"scale('x', {instant(day)})"
    beyond = f"max({on} + datum.offset - ({end}), 0)"  # what is cut off at the right edge
    room = f"(({end}) - {on})"
    marks = pd.DataFrame({"offset": list(range(HATCH, round(height + REACH), HATCH))})
    hatching = (
        alt.Chart(marks)
        .mark_rule(color=ink("hatch"), strokeWidth=1, aria=False, clip=True)
        .encode(
            x=at(f"{on} + datum.offset - {beyond}"),
            x2=at(f"{on} + min(max(datum.offset - height, 0), {room})"),
            y=at(f"min({beyond}, height)"),
            y2=at("min(datum.offset, height)"),
        )
    )
    return [hatching, *today_line(day, now, at_top=at_top)]


def today_line(day: dt.date, now: str = TODAY, *, at_top: bool = False) -> list[alt.Chart]:
    """The red line of the day up to which the record is known, with its word `now`."""
    one = alt.Chart(pd.DataFrame({"word": [now]}))
    on = at(f"scale('x', {instant(day)})")
    line = one.mark_rule(color=ink("late"), strokeWidth=1.3, aria=False).encode(
        x=on, y=alt.value(-2 if at_top else 0), y2=at("height")
    )
    place: dict[str, Any] = {"dx": 0, "dy": -10, "align": "center"} if at_top else {"dx": 5, "dy": -10, "align": "left"}
    base = one.encode(x=on, y=alt.value(0) if at_top else at("height"))
    return [line, *lettered(base, "word", weight=600, color=ink("late"), fontSize=SMALL, aria=False, **place)]
