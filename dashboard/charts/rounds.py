"""What both MLPerf suites draw: results against accelerators, the best of each round, what scaling keeps. Pure."""

from __future__ import annotations

import altair as alt
import pandas as pd

from dashboard.charts import series
from dashboard.charts.series import Axis
from dashboard.charts.theme import label_generations
from warehouse.answers import formats

COUNT = Axis("accelerators", "Accelerators (packages, log scale)", "log", ",d")


def drawable(results: pd.DataFrame, column: str) -> pd.DataFrame:
    """The results that have a place on log axes: with a figure, and not on CPUs alone."""
    return results[results[column].notna() & (results["accelerators"] > 0)]


def in_series(
    frame: pd.DataFrame,
    generations: pd.DataFrame,
    column: str,
    *,
    unit: str,
    is_less_better: bool,
    at_end: bool = False,
) -> pd.DataFrame:
    """The frame with a series a generation, those with the best figures first; the rest are one grey series.

    Each series is named at its best mark, or `at_end` at its newest.
    """
    named = label_generations(frame, generations).reset_index(drop=True)
    ordered = named.sort_values(column, ascending=is_less_better)
    heads = (named.sort_values("known_on", ascending=False) if at_end else ordered).drop_duplicates("generation_name")
    told = named.assign(
        series=named["generation_name"],
        shade=named["generation"].fillna(""),
        told=[formats.quantity(float(value), unit) if pd.notna(value) else "" for value in named[column]],
        is_told=named.index.isin(heads.index),
    )
    return series.few(told, list(ordered["generation_name"]))


def against_count(frame: pd.DataFrame, *, column: str, title: str, tooltip: list[alt.Tooltip]) -> alt.LayerChart:
    """Points: one result each; both axes logarithmic. `frame` is of `in_series`."""
    return series.of_series(frame, x=COUNT, y=Axis(column, title, "log"), tooltip=tooltip)


def over_rounds(frame: pd.DataFrame, *, column: str, title: str, tooltip: list[alt.Tooltip]) -> alt.LayerChart:
    """Lines: the best of each generation from round to round. `frame` is of `in_series`."""
    rows, across = by_round(frame)
    return series.of_series(rows, x=across, y=Axis(column, title, "log"), tooltip=tooltip, is_joined=True)


def by_round(frame: pd.DataFrame) -> tuple[pd.DataFrame, Axis]:
    """The frame with the place of each row's round (`at_round`), and the axis of rounds, each with its month.

    Rounds stand at equal steps: one whose day of publication nobody states has no place on an axis of time.
    """
    rounds = frame.sort_values("known_on").drop_duplicates("round")
    names = tuple(
        (str(name), "no date" if pd.isna(day) else f"{pd.Timestamp(day):%b %Y}")
        for name, day in zip(rounds["round"], rounds["stated_on"], strict=True)
    )
    places = {name: at for at, (name, _) in enumerate(names)}
    return frame.assign(at_round=frame["round"].map(places)), Axis("at_round", "", "steps", names=names)
