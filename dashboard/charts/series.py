"""Charts of series: a line or a cloud of marks each, named at its own mark, at most seven in colour. Pure.

A frame has `series` (the name), `shade` (id of a generation or maker, or `series-0` to `series-5`), `told` (what is
written behind the name) and `is_told` (the row whose mark carries the label). Rows of the series `OTHERS` are grey.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import altair as alt
import pandas as pd

from dashboard.charts import kit
from dashboard.charts.lettering import GAP, Box, Label, text_width
from dashboard.charts.theme import colour_of, ink
from dashboard.columns import NUMBERS
from pipelines.frozen import frozen

MOST, OTHERS = 7, "others"
HEIGHT, NARROW_HEIGHT = 440, 380
END_ROOM, STEP = 0.2, 14.0
_AXIS_WIDE, _AXIS_NARROW, _FOOT = 64.0, 52.0, 46.0


@frozen
class Axis:
    """A column as an axis: its title, whether it is `log`, `linear`, `time` or `steps`, and how figures are written.

    `names` are the lines under each of the `steps` 0, 1, 2, …
    """

    field: str
    title: str
    kind: str = "linear"
    form: str = NUMBERS
    names: tuple[tuple[str, ...], ...] = ()


def few(frame: pd.DataFrame, order: Sequence[str]) -> pd.DataFrame:
    """The frame with all series beyond the first seven of an order as one grey series."""
    kept = list(dict.fromkeys(order))[:MOST]
    is_kept = frame["series"].isin(kept)
    return frame.assign(
        series=frame["series"].where(is_kept, OTHERS), shade=frame["shade"].where(is_kept, "other"),
        is_told=frame["is_told"] & is_kept,
    )  # fmt: skip


def of_series(
    frame: pd.DataFrame, *, x: Axis, y: Axis, tooltip: Sequence[alt.Tooltip], is_joined: bool = False,
    is_stepped: bool = False, joined: str = "true", below: Sequence[Any] = (),
) -> alt.LayerChart:  # fmt: skip
    """Marks of up to seven series with their names beside them; joined where they are lines.

    `joined` tells which rows a line runs through; `low` and `high` name columns of a range drawn as a thin rule;
    `below` are layers under the marks.
    """
    across, down = _Span.of(frame[x.field], x.kind, END_ROOM if is_joined else 0.04), _Span.of(frame[y.field], y.kind)
    channel_x, channel_y = _channel(alt.X, x, across), _channel(alt.Y, y, down)
    shades = sorted(set(frame["shade"]))
    colour = alt.Color(
        "shade:N", scale=alt.Scale(domain=shades, range=[colour_of(shade) for shade in shades]), legend=None
    )
    base = alt.Chart(frame).encode(x=channel_x, y=channel_y)
    layers: list[Any] = list(below)
    if is_joined:
        layers.append(
            base.transform_filter(joined)
            .mark_line(strokeWidth=2.4, interpolate="step-after" if is_stepped else "linear", aria=False)
            .encode(color=colour, detail="series:N")
        )
    layers += _labels(frame, channel_x, channel_y, (x.field, y.field), (across, down), is_joined)
    size = alt.condition("datum.is_told", alt.value(90), alt.value(36))
    layers.append(
        base.mark_point(filled=True, opacity=0.9, stroke=ink("card"), strokeWidth=0.6).encode(
            color=colour, size=size, tooltip=list(tooltip)
        )
    )
    return kit.layered(layers, HEIGHT, NARROW_HEIGHT)


@frozen
class _Span:
    """An axis from its least to its greatest value, with a little air, on a log, linear or time scale."""

    low: float
    high: float
    kind: str

    @classmethod
    def of(cls, values: pd.Series, kind: str, room: float = 0.08) -> _Span:
        """`room` is the share of the axis kept free behind its greatest value."""
        if kind == "time":
            days = pd.to_datetime(values)
            low, high = days.min().timestamp(), days.max().timestamp()
            span = max(high - low, 86_400 * 60)
            return cls(low - span * 0.03, high + span * max(room, 0.04), kind)
        low, high = float(values.min()), float(values.max())
        if kind == "steps":
            return cls(-0.15, high + max(high, 1.0) * max(room, 0.04), kind)
        if kind == "log":
            return cls(low * 0.8, high * max(high / low, 2.0) ** room * 1.1, kind)
        span = high - low or abs(high) * 0.5 or 1.0
        return cls(0.0 if 0 <= low < high * 0.5 else low - span * 0.06, high + span * room, kind)

    def scale(self) -> alt.Scale:
        ends: list[Any] = [self.low, self.high]
        if self.kind == "time":
            return alt.Scale(
                type="time", domain=[f"{pd.Timestamp(end, unit='s'):%Y-%m-%d}" for end in ends], nice=False
            )
        return alt.Scale(type="log" if self.kind == "log" else "linear", domain=ends, nice=False)

    def share(self, value: Any) -> float:
        """How far along a value lies, from 0 to 1."""
        at = pd.Timestamp(value).timestamp() if self.kind == "time" else float(value)
        if self.kind == "log":
            return math.log(at / self.low) / math.log(self.high / self.low)
        return (at - self.low) / (self.high - self.low)

    def ticks(self) -> list[float] | None:
        """1, 2 and 5 of each power of ten on a log scale, 1 and its powers where there are many; else Vega's own."""
        if self.kind != "log":
            return None
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        steps = (1, 2, 5) if len(powers) <= 4 else (1,)
        return [step * 10.0**power for power in powers for step in steps if self.low <= step * 10.0**power <= self.high]


def _channel(kind: type[Any], axis: Axis, span: _Span) -> Any:
    look: dict[str, Any] = {"domain": kind is alt.X, "ticks": kind is alt.X, "grid": kind is alt.Y}
    if axis.kind == "time":
        look |= {"format": "%Y" if span.high - span.low > 86_400 * 900 else "%b %Y", "tickCount": 6}
        return kind(f"{axis.field}:T", title=axis.title or None, scale=span.scale(), axis=alt.Axis(**look))
    if axis.kind == "steps":
        look |= {"values": list(range(len(axis.names))), "labelExpr": f"{json.dumps(axis.names)}[datum.value]"}
        return kind(f"{axis.field}:Q", title=None, scale=span.scale(), axis=alt.Axis(**look))
    ticks = span.ticks()
    look |= {"values": ticks} if ticks else {"tickCount": 6}
    if axis.form.startswith("$"):  # SI's G is nobody's word for a billion
        look["labelExpr"] = "replace(replace(datum.label, 'G', ' bn'), 'M', ' m')"
    return kind(
        f"{axis.field}:Q", title=axis.title or None, scale=span.scale(), axis=alt.Axis(format=axis.form, **look)
    )


def _labels(
    frame: pd.DataFrame, x: alt.X, y: alt.Y, fields: tuple[str, str], spans: tuple[_Span, _Span], is_joined: bool
) -> list[alt.Chart]:
    """Name and value at one mark of each series, with a leader where the place was taken; on a phone the name alone."""
    told = frame[frame["is_told"]].drop_duplicates("series").reset_index(drop=True)
    told = told.assign(name_width=[text_width(str(name), kit.LABEL, 600) + GAP for name in told["series"]])
    for layout, width, height in (
        ("wide", kit.WIDE_AT - _AXIS_WIDE, HEIGHT - _FOOT),
        ("narrow", kit.NARROW_AT - _AXIS_NARROW, NARROW_HEIGHT - _FOOT),
    ):
        told = _in_layout(told, frame, layout, fields, spans, (width, height), is_joined)
    return kit.named_at_marks(told, x, y, fields, "series", is_short=True)


def _in_layout(
    told: pd.DataFrame, frame: pd.DataFrame, layout: str, fields: tuple[str, str], spans: tuple[_Span, _Span],
    size: tuple[float, float], is_joined: bool,
) -> pd.DataFrame:  # fmt: skip
    def at(rows: pd.DataFrame) -> list[tuple[float, float]]:
        return [
            (spans[0].share(a) * size[0], (1 - spans[1].share(b)) * size[1])
            for a, b in zip(rows[fields[0]], rows[fields[1]], strict=True)
        ]

    taken = [Box(a - 5, b - 5, a + 5, b + 5) for a, b in at(frame)]
    if is_joined:
        taken += [box for _, group in frame.groupby("series") for box in _along(at(group.sort_values(fields[0])))]
    labels = [
        Label(a, b, float(name_width) + (text_width(str(words), kit.LABEL) if layout == "wide" else 0.0), 17)
        for (a, b), name_width, words in zip(at(told), told["name_width"], told["told"], strict=True)
    ]
    return kit.with_places(told, layout, labels, Box(0, 0, *size), taken)


def _along(points: Sequence[tuple[float, float]]) -> list[Box]:
    """Small boxes along a line, so that no label lies on it."""
    found = []
    for (a, b), (c, d) in pairwise(points):
        steps = max(int(math.hypot(c - a, d - b) / STEP), 1)
        found += [
            Box(x - 2, y - 2, x + 2, y + 2)
            for x, y in ((a + (c - a) * k / steps, b + (d - b) * k / steps) for k in range(1, steps))
        ]
    return found
