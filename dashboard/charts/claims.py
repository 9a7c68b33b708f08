"""Charts of claims: what was said about one thing over time, and the rival values of a conflict. Pure."""

from __future__ import annotations

import math
from typing import Any

import altair as alt
import pandas as pd

from dashboard.charts import kit
from dashboard.charts.lettering import text_width
from dashboard.charts.theme import ink
from dashboard.columns import NUMBERS, tips
from pipelines.model.evidence import Evidence

HEIGHT, ROW = 340, 38
NAMES_WIDE, NAMES_NARROW = 260.0, 150.0  # what names, padding and edges take of the width
CHOSEN = "datum.is_shown"


def _tooltip(unit: str) -> list[alt.Tooltip]:
    value = f"Value ({unit})" if unit else "Value"
    return tips("value_words claimant evidence stated_on qualifiers modality", value_words=value)


def _colour(test: str) -> Any:
    """The mark that is spoken of stands out; the others are grey."""
    return alt.condition(test, alt.value(ink("text")), alt.value(ink("quiet")))


def _shape(frame: pd.DataFrame) -> alt.Shape:
    tags = sorted(set(frame["evidence"]))
    scale = alt.Scale(domain=tags, range=[Evidence(tag).shape for tag in tags])
    return alt.Shape("evidence:N", scale=scale, legend=None)


def _named(base: alt.Chart, x: alt.X, y: Any) -> list[alt.Chart]:
    """Who says it, beside the mark that is spoken of."""
    chosen = base.transform_filter(CHOSEN).encode(x=x, y=y)
    return kit.lettered(chosen, "claimant", weight=600, align="right", dx=-11)


def values_over_time(frame: pd.DataFrame) -> alt.LayerChart:
    """A mark a claim: its number against the day it was stated; the shape is its tag, `is_shown` the one spoken of."""
    unit = str(frame["unit"].iloc[0])
    title = "" if unit == "count" else unit
    x = alt.X("stated_on:T", title=None, scale=alt.Scale(padding=24), axis=alt.Axis(format="%b %Y", tickCount=6))
    y = alt.Y(
        "value:Q", title=title or "Number", axis=alt.Axis(format=NUMBERS), scale=alt.Scale(zero=False, padding=12)
    )
    base = alt.Chart(frame)
    spans = base.transform_filter("isValid(datum.value_low) && isValid(datum.value_high)").mark_rule(
        strokeWidth=2, opacity=0.5, color=ink("quiet"), aria=False
    )
    points = base.mark_point(filled=True, size=100, opacity=0.9).encode(
        x=x, y=y, shape=_shape(frame), color=_colour(CHOSEN), tooltip=_tooltip(title)
    )
    layers = [spans.encode(x=x, y=alt.Y("value_low:Q"), y2="value_high:Q"), *_named(base, x, y), points]
    return kit.layered(layers, HEIGHT, HEIGHT)


def periods_over_time(frame: pd.DataFrame) -> alt.LayerChart:
    """A bar a claim: the period it names (upwards) against the day it was stated."""
    x = alt.X("stated_on:T", title=None, scale=alt.Scale(padding=24), axis=alt.Axis(format="%b %Y", tickCount=6))
    y = alt.Y("value_start:T", title="Period named", scale=alt.Scale(padding=12), axis=alt.Axis(format="%b %Y"))
    base = alt.Chart(frame)
    bars = base.mark_rule(strokeWidth=5, opacity=0.5, aria=False).encode(
        x=x, y=y, y2="value_end:T", color=_colour(CHOSEN)
    )
    points = base.mark_point(filled=True, size=90, opacity=0.9).encode(
        x=x, y=y, shape=_shape(frame), color=_colour(CHOSEN), tooltip=_tooltip("")
    )
    return kit.layered([bars, *_named(base, x, y), points], HEIGHT, HEIGHT)


def with_room(frame: pd.DataFrame, *, is_log: bool) -> pd.DataFrame:
    """The rows with `told_wide` and `told_narrow`: whether a claimant's line has room for the value in that layout.

    What stands is told first, then the least and the greatest values of each line.
    """
    at = frame["value"].map(math.log) if is_log else frame["value"].astype(float)
    span = float(at.max() - at.min()) or 1.0
    shares = (at - at.min()) / span
    inner = (shares - 0.5).abs()
    columns = {}
    for layout, width in (("wide", kit.WIDE_AT - NAMES_WIDE), ("narrow", kit.NARROW_AT - NAMES_NARROW)):
        kept: dict[str, list[tuple[float, float]]] = {}
        is_told = pd.Series(False, index=frame.index)
        for place in frame.assign(inner=inner).sort_values(["is_resolved", "inner"], ascending=False).index:
            half = text_width(str(frame.at[place, "value_words"]), kit.SMALL) / 2 + 3
            low, high = shares[place] * width - half, shares[place] * width + half
            line = kept.setdefault(str(frame.at[place, "claimant"]), [])
            if all(high <= other_low or low >= other_high for other_low, other_high in line):
                line.append((low, high))
                is_told[place] = True
        columns[f"told_{layout}"] = is_told
    return frame.assign(**columns)


def rivals(frame: pd.DataFrame) -> alt.LayerChart:
    """A mark a claim of a conflict, a line a claimant, the value beside it; what stands by the rule has a ring."""
    unit = str(frame["unit"].iloc[0])
    is_wide = frame["value"].min() > 0 and frame["value"].max() / frame["value"].min() > 20
    scale = alt.Scale(type="log", padding=30) if is_wide else alt.Scale(zero=False, padding=44)
    title = "Number" if unit == "count" else unit
    x = alt.X("value:Q", title=title, scale=scale, axis=alt.Axis(format=NUMBERS, tickCount=5))
    y = alt.Y(
        "claimant:N", title=None, sort=alt.EncodingSortField("place", op="min"),
        axis=alt.Axis(labelLimit=180, domain=False, ticks=False, labelFontWeight=600, labelColor=ink("text")),
    )  # fmt: skip
    base = alt.Chart(frame)
    ring = base.transform_filter("datum.is_resolved").mark_point(
        size=330, filled=False, strokeWidth=2, color=ink("text"), aria=False
    )
    points = base.mark_point(filled=True, size=110, opacity=0.9).encode(
        x=x, y=y, shape=_shape(frame), color=_colour("datum.is_resolved"), tooltip=_tooltip(title)
    )
    told = alt.Chart(with_room(frame, is_log=is_wide)).encode(x=x, y=y)
    words = [
        part
        for layout, seen in (("wide", kit.either(1, 0)), ("narrow", kit.either(0, 1)))
        for part in kit.lettered(
            told.transform_filter(f"datum.told_{layout}"), "value_words", dy=-17, align="center", fontSize=kit.SMALL,
            opacity=seen,
        )
    ]  # fmt: skip
    height = ROW * frame["claimant"].nunique() + 80
    return kit.layered([ring.encode(x=x, y=y), *words, points], height, height)
