"""Racks: what a rack takes and holds, now and next, who says so, and what nobody has said."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from dashboard.charts import density as charts
from dashboard.components import CardParts, Filter, as_of, choose_one, first_card, kept_card, later, words_of
from dashboard.components.state import Choices, choose_in, fitting, names_of, now_word
from dashboard.headlines import racks, words
from dashboard.queries import Ledger, first_row
from pipelines.frozen import frozen

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

WORDS = words_of(__file__)


CELLS = WORDS.names["figures"]


@frozen
class View:
    """One question: which rows answer it, and in which unit."""

    metric: str
    per: str
    title: str
    unit: str
    says: str
    is_derived: bool = False


VIEWS = {name: View(**view) for name, view in WORDS.parts["questions"].items()}
COUNTED = {"package": "packages", "die": "dies"}
BASES = ("announced", "measured")


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    bar, day_at = st.columns([4, 1])
    day = as_of(ledger, where=day_at)
    with bar:
        chosen = _choices(ledger.frame_of("market.density", day=day))
    kept_card(ledger, _power, day, chosen)
    later(partial(_below, ledger, day, chosen))


def _below(ledger: Ledger, day: dt.date, chosen: Choices) -> None:
    for where, held in zip(st.columns(2), HELDS, strict=True):
        with where:
            kept_card(ledger, _held, day, chosen, held)
    kept_card(ledger, _said, day)
    first, second = st.columns([2, 1])
    view = choose_one("Another question", list(VIEWS), key="question", where=first)
    kept_card(ledger, _by_system, day, chosen, view, _counting(VIEWS[view], second))


def _rows(ledger: Ledger, day: dt.date, chosen: Choices) -> pd.DataFrame:
    return fitting(_with_basis(ledger.frame_of("market.density", day=day)), chosen)


def _with_basis(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(basis=frame["is_measured"].map({True: "measured", False: "announced"}))


def _of_view(frame: pd.DataFrame, view: View) -> pd.DataFrame:
    keep = (frame["metric"] == view.metric) & (frame["is_derived"] == view.is_derived)
    if view.per:
        keep &= frame["per"] == view.per
    return frame[keep].reset_index(drop=True)


def _counting(view: View, where: DeltaGenerator) -> str:
    """Packages or dies, where accelerators are counted; '' for other questions."""
    if view.metric != "accelerator_count":
        return ""
    return choose_one("Count", list(COUNTED), key="count", names=COUNTED, where=where)


def _counted(frame: pd.DataFrame, counted: str) -> pd.DataFrame:
    """The rows that count so; a count that says neither is shown with the packages."""
    if not counted:
        return frame
    is_die = frame["counted_as"].fillna("").str.startswith("die")
    return frame[is_die if counted == "die" else ~is_die].reset_index(drop=True)


def _choices(frame: pd.DataFrame) -> Choices:
    return choose_in(
        frame,
        Filter("vendor", "Maker", names=names_of(frame, "vendor", "vendor_name")),
        Filter("system", "System"),
        Filter("basis", "Announced or measured", options=BASES),
        Filter("evidence", "Evidence", key="tag"),
    )


def _power(ledger: Ledger, day: dt.date, chosen: Choices = ()) -> CardParts:
    frame = _rows(ledger, day, chosen)
    rows = frame[(frame["metric"] == "power") & (frame["per"] == "rack")]
    dated = rows[rows["available_start"].notna()].reset_index(drop=True)
    marks = racks.marks(dated, day)
    meta = WORDS.card(
        "density_over_time",
        racks.power_title(marks),
        as_of=day,
        footnotes=_left_out(ledger, rows, dated, marks, day),
    )
    bands = None if marks.empty else racks.bands(marks)
    draw = partial(charts.over_time, day=day, now=now_word(ledger, day), bands=bands)
    return CardParts(draw, marks, meta, dated)


def _left_out(
    ledger: Ledger, rows: pd.DataFrame, dated: pd.DataFrame, marks: pd.DataFrame, day: dt.date
) -> tuple[str, ...]:
    """What is not drawn and why, what nobody measured, and the trend where it is told."""
    undated = sorted(set(rows.loc[rows["available_start"].isna(), "system"]))
    says = f"{words.counted(len(marks), 'statement')} on {words.counted(marks['system_id'].nunique(), 'rack')}."
    weak = len(dated) - len(marks)
    if weak:
        says += f" {words.sentence(words.counted(weak, 'statement'))} that nobody answers for stand in the table only."
    if undated:
        says += f" Without a date, in the table of statements below only: {words.listed(undated)}."
    if not marks.empty and not (marks["basis"] == racks.MEASURED).any():
        says += " Measured: no row yet."
    trend = _trend(ledger) if day == ledger.built_at.date() else ""
    return tuple(text for text in (words.sentence(says), trend) if text)


def _trend(ledger: Ledger) -> str:
    frame = ledger.frame_of("market.density_trend")
    keep = (frame["metric"] == "power") & (frame["per"] == "rack") & (frame["system_class"] == "rack-scale")
    found = frame[keep & frame["slope_per_year"].notna()]
    if found.empty:
        return ""
    row = first_row(found)
    if row["is_thin"]:
        return f"Not enough data for a trend: {row['systems']} systems with a date."
    slope, low, high = (float(row[name]) for name in ("slope_per_year", "slope_low", "slope_high"))
    return (
        f"Straight line through {row['systems']} dated racks: {slope:+,.3g} kW a year, 95 % interval {low:+,.3g} to "
        f"{high:+,.3g}."
    )


@frozen
class Held:
    """What a rack holds: the view that answers it, what is counted in which unit and share of the stated one."""

    view: str
    noun: str
    unit: str
    share: float


HELDS = {name: Held(**held) for name, held in WORDS.parts["held"].items()}


def _held(ledger: Ledger, day: dt.date, chosen: Choices, which: str) -> CardParts:
    held = HELDS[which]
    rows = _of_view(_rows(ledger, day, chosen), VIEWS[held.view])
    rows = rows[~rows["counted_as"].fillna("").str.startswith("die")].reset_index(drop=True)
    table = racks.held(rows.assign(value=rows["value"] * held.share), day)
    meta = WORDS.card(which, racks.held_title(table, held.noun), as_of=day, view=VIEWS[held.view])
    return CardParts(partial(charts.held, unit=held.unit), table, meta, rows)


def _said(ledger: Ledger, day: dt.date) -> CardParts:
    statements = ledger.frame_of("market.rack_statements", day=day)
    statements = statements[statements["metric"].isin(CELLS)].reset_index(drop=True)
    table = racks.said(ledger.frame_of("market.racks"), statements, CELLS)
    if statements.empty:  # a map of nothing but gaps has no row behind it
        table = table.head(0)
    meta = WORDS.card("density_said", racks.said_title(table), as_of=day)
    return CardParts(charts.said_map, table, meta, statements)


def _by_system(ledger: Ledger, day: dt.date, chosen: Choices, question: str, counted: str = "") -> CardParts:
    view = VIEWS[question]
    frame = _counted(_of_view(_rows(ledger, day, chosen), view), counted)
    meta = WORDS.card("density_by_system", as_of=day, view=view)
    return CardParts(partial(charts.side_by_side, unit=view.unit), frame, meta)


CHARTS = {
    "density_over_time": first_card(_power),
    **{held: first_card(_held, (), held) for held in HELDS},
    "density_said": first_card(_said),
    "density_by_system": first_card(_by_system, (), next(iter(VIEWS))),
}
