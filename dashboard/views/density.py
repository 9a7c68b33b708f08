"""Density: what a rack takes and holds, by claim, against the day the system is available."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st

from dashboard.charts import density as charts
from dashboard.columns import columns
from dashboard.components import ChartMeta, Filter, as_of, chart_card, choose_one, filtered, open_page
from dashboard.components.state import names_of
from dashboard.navigation import Page
from dashboard.queries import Ledger, first_row
from dashboard.queries import market as queries

PAGE = Page("Racks", 1, "Racks", "view_module", "Power, accelerators and memory of a rack, by claim.")
CHARTS = ("density_over_time", "density_by_system")

COLUMNS = columns(
    "system value value_low value_high bound per counted_as evidence claimant stated_on available_start "
    "modality is_measured formula claim_id url",
    value="Value",
)


@dataclass(frozen=True, slots=True)
class View:
    """One question: which rows answer it, in which unit, and whether a fitted line exists."""

    metric: str
    per: str
    title: str
    unit: str
    says: str
    is_derived: bool = False


VIEWS = {
    "Power per rack": View("power", "rack", "How much power does a rack take?", "kW", "kW per rack"),
    "Power per rack width": View(
        "power", "rack width", "How much power per width of a standard rack?", "kW", "kW per rack width",
        is_derived=True
    ),
    "Power per accelerator": View(
        "power", "accelerator", "How much of a rack's power falls to one accelerator?", "kW",
        "kW per accelerator: the rack's power shared among its accelerators", is_derived=True,
    ),
    "Accelerators per rack": View(
        "accelerator_count", "rack", "How many accelerators stand in a rack?", "accelerators", "accelerators per rack"
    ),
    "Memory per rack": View("memory_capacity", "rack", "How much accelerator memory does a rack hold?", "GB", "GB per "
    "rack"),
    "Mass per rack": View("weight", "rack", "How heavy is a rack?", "t", "tonnes per rack"),
    "Liquid-cooled share": View(
        "liquid_cooled_share", "", "How much of the heat does liquid take?", "%", "percent of the heat"
    ),
}  # fmt: skip
COUNTED = {"package": "packages", "die": "dies"}
BASES = ("announced", "measured")


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "Rack density",
        "How much power, how many accelerators and how much memory stand in a rack, now and next, and who says so. One "
        "mark is one claim; what is computed here is tagged as derived and shows its formula.",
        needs=("marts.density", "marts.density_trend"),
    )
    first, second, third = st.columns([2, 1, 1])
    view = VIEWS[choose_one("Question", list(VIEWS), key="question", where=first)]
    day = as_of(ledger, where=third)
    frame = _of_view(queries.density(ledger, day), view)
    frame = _counted(frame, view, second)
    frame = _filtered(frame)
    _over_time(ledger, frame, view, day)
    _side_by_side(ledger, frame, view, day)


def _of_view(frame: pd.DataFrame, view: View) -> pd.DataFrame:
    keep = (frame["metric"] == view.metric) & (frame["is_derived"] == view.is_derived)
    if view.per:
        keep &= frame["per"] == view.per
    return frame[keep]


def _counted(frame: pd.DataFrame, view: View, where: object) -> pd.DataFrame:
    """Packages or dies: a count says which; one that does not is shown with the packages."""
    if view.metric != "accelerator_count":
        return frame
    with where:  # type: ignore[attr-defined]
        counted = choose_one("Count", list(COUNTED), key="count", names=COUNTED)
    is_die = frame["counted_as"].fillna("").str.startswith("die")
    return frame[is_die if counted == "die" else ~is_die]


def _filtered(frame: pd.DataFrame) -> pd.DataFrame:
    return filtered(
        frame.assign(basis=frame["is_measured"].map({True: "measured", False: "announced"})),
        Filter("vendor", "Vendor", names=names_of(frame, "vendor", "vendor_name")),
        Filter("system", "System"),
        Filter("basis", "Announced or measured", options=BASES),
        Filter("evidence", "Evidence", key="tag"),
    )


def _over_time(ledger: Ledger, frame: pd.DataFrame, view: View, day: dt.date) -> None:
    dated = frame[frame["available_start"].notna()]
    undated = len(frame) - len(dated)
    left_out = f" {undated} claims on systems without a known date stand below only." if undated else ""
    is_now = day == ledger.built_at.date()
    trend = _trend(ledger, view) if is_now else None
    drawn_trend = None if trend is None or trend["is_thin"] else trend
    limits = queries.cooling_limits(ledger, day) if (view.metric, view.per) == ("power", "rack") else None
    meta = ChartMeta(
        id="density_over_time",
        title=view.title,
        subtitle=f"One mark a claim: {view.says}, against the system's "
        f"availability.{_trend_words(trend, view)}{left_out}",
        how_to_read="The colour is the vendor, the shape the evidence tag; a vertical bar is a range that one claim "
        "gives. Marks above each other on one day are rival claims on one system. The dashed line is a least-squares "
        "fit through one value a system, the one that stands by the rule; red dotted lines are limits of cooling, each "
        "a claim.",
        lesson="density",
        as_of=day,
        columns=COLUMNS,
        caveats=(
            "Most figures are announced by makers; few are measured.",
            "Each rack model counts once, however many were built.",
        ),
        empty="No claim answers this question for these choices. Remove a filter, choose a later day or another "
        "question.",
    )
    draw = partial(charts.over_time, unit=view.unit, trend=drawn_trend, limits=limits)
    chart_card(draw, dated, meta, ledger=ledger)


def _trend(ledger: Ledger, view: View) -> dict[str, object] | None:
    frame = queries.density_trend(ledger)
    found = frame[(frame["metric"] == view.metric) & (frame["per"] == view.per) & frame["slope_per_year"].notna()]
    if found.empty:
        return None
    return first_row(found)


def _trend_words(trend: dict[str, object] | None, view: View) -> str:
    if trend is None:
        return ""
    if trend["is_thin"]:
        return f" Not enough data for a trend: {trend['systems']} systems with a date."
    slope, low, high = (float(str(trend[name])) for name in ("slope_per_year", "slope_low", "slope_high"))
    return (
        f" Trend over {trend['systems']} systems: {slope:+,.3g} {view.unit} a year, 95 % interval {low:+,.3g} to "
        f"{high:+,.3g}."
    )


def _side_by_side(ledger: Ledger, frame: pd.DataFrame, view: View, day: dt.date) -> None:
    meta = ChartMeta(
        id="density_by_system",
        title="Systems side by side",
        subtitle=f"One line a system, oldest first; one mark a claim: {view.says}.",
        how_to_read="A long grey bar means that sources disagree about the system: open a mark to see who says what.",
        lesson="density",
        as_of=day,
        columns=COLUMNS,
    )
    chart_card(partial(charts.side_by_side, unit=view.unit), frame, meta, ledger=ledger)


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page with its first choices."""
    day, view = ledger.built_at.date(), VIEWS["Power per rack"]
    draw = _over_time if chart == "density_over_time" else _side_by_side
    draw(ledger, _of_view(queries.density(ledger, day), view).reset_index(drop=True), view, day)
