"""Racks: what a rack takes and holds, now and next, who says so, and what nobody has said."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from dashboard.charts import density as charts
from dashboard.columns import columns
from dashboard.components import CardParts, ChartMeta, Filter, as_of, choose_one, kept_card, later, open_page
from dashboard.components.state import Choices, choose_in, fitting, names_of, now_word
from dashboard.headlines import racks, words
from dashboard.navigation import Page
from dashboard.queries import Ledger, first_row
from pipelines.frozen import frozen

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

PAGE = Page("Racks", 1, "Racks", "view_module", "Power, accelerators and memory of a rack, by claim.")
CHARTS = ("density_over_time", "density_accelerators", "density_memory", "density_said", "density_by_system")

COLUMNS = columns(
    "system value value_low value_high bound per counted_as evidence claimant stated_on available_start "
    "modality is_measured formula claim_id url",
    value="Value",
)
POWER = columns(
    "system value value_low value_high bound evidence claimant stated_on available_start modality claim_id url",
    value="Power [kW]",
)
SAID = columns(
    "system metric_title value value_text unit evidence claimant printed_by stated_on claim_id url", value="Value"
)
CELLS = {
    "power": "Power",
    "accelerator_count": "Accelerators",
    "memory_capacity": "Memory",
    "compute": "Compute",
    "scale_up_bandwidth": "Scale-up",
    "cooling": "Cooling",
    "weight": "Mass",
    "price": "Price",
}


@frozen
class View:
    """One question: which rows answer it, and in which unit."""

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
QUESTION = "How much power does one AI rack take? Kilowatts per rack, placed at the day the rack can be had. Log scale."


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "Racks",
        "How much power, how many accelerators and how much memory stand in a rack, now and next, and who says so.",
        needs=("marts.density", "marts.density_trend"),
    )
    bar, day_at = st.columns([4, 1])
    day = as_of(ledger, where=day_at)
    with bar:
        chosen = _choices(ledger.frame_of("market.density", day=day))
    kept_card(ledger, _power, day, chosen)
    later(partial(_below, ledger, day, chosen))


def _below(ledger: Ledger, day: dt.date, chosen: Choices) -> None:
    for where, held in zip(st.columns(2), HELDS, strict=True):
        with where:
            kept_card(ledger, _held, day, chosen, held.id)
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
    bands = None if marks.empty else racks.bands(marks)
    meta = ChartMeta(
        id="density_over_time",
        title=racks.power_title(marks) or VIEWS["Power per rack"].title,
        subtitle=QUESTION,
        how_to_read="A mark is a statement; its colour is the maker. A filled disc is what a rack draws as stated, a "
        "triangle what was measured, a bar a stated range, a cap a limit; hollow is promised, struck out withdrawn, "
        "a hollow diamond an analyst's estimate, a cross computed here. All statements on one rack stand above each "
        "other, joined by a hairline. The bands are drawn by the racks' own cooling.",
        lesson="density",
        as_of=day,
        columns=POWER,
        footnotes=_left_out(ledger, rows, dated, marks, day),
        caveats=(
            "Most figures are announced by makers; few are measured.",
            "Each rack model counts once, however many were built.",
        ),
        empty="No claim on a dated rack fits these choices. Remove a filter, or choose a later day.",
    )
    air_to, liquid_from = (None, None) if bands is None else (bands.air_to, bands.liquid_from)
    draw = partial(charts.over_time, day=day, now=now_word(ledger, day), air_to=air_to, liquid_from=liquid_from)
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


HELD = (
    "One line is one rack; the firmest and newest statement on it is drawn. A sign before the figure is a limit. The "
    "year is when the rack can be had."
)


@frozen
class Held:
    """What a rack holds: the view that answers it, what is counted in which unit and share of the stated one, words."""

    id: str
    view: str
    noun: str
    unit: str
    share: float
    lesson: str
    says: str


HELDS = (
    Held(
        id="density_accelerators", view="Accelerators per rack", noun="accelerators", unit="", share=1,
        lesson="counting",
        says="Accelerators (packages) in one rack, by the year it can be had; hollow: promised.",
    ),
    Held(
        id="density_memory", view="Memory per rack", noun="TB", unit="TB", share=1 / 1000, lesson="memory",
        says="Accelerator memory in one rack, terabytes; hollow: promised.",
    ),
)  # fmt: skip


def _held(ledger: Ledger, day: dt.date, chosen: Choices, which: str) -> CardParts:
    held = next(each for each in HELDS if each.id == which)
    rows = _of_view(_rows(ledger, day, chosen), VIEWS[held.view])
    rows = rows[~rows["counted_as"].fillna("").str.startswith("die")].reset_index(drop=True)
    table = racks.held(rows.assign(value=rows["value"] * held.share), day)
    meta = ChartMeta(
        id=held.id,
        title=racks.held_title(table, held.noun) or VIEWS[held.view].title,
        subtitle=held.says,
        how_to_read=HELD,
        lesson=held.lesson,
        as_of=day,
        columns=COLUMNS,
        empty="No claim answers this question for these choices.",
    )
    return CardParts(partial(charts.held, unit=held.unit), table, meta, rows)


def _said(ledger: Ledger, day: dt.date) -> CardParts:
    statements = ledger.frame_of("market.rack_statements", day=day)
    statements = statements[statements["metric"].isin(CELLS)].reset_index(drop=True)
    table = racks.said(ledger.frame_of("market.racks"), statements, CELLS)
    if statements.empty:  # a map of nothing but gaps has no row behind it
        table = table.head(0)
    meta = ChartMeta(
        id="density_said",
        title=racks.said_title(table) or "What has nobody said of the racks?",
        subtitle="What is stated of each maker's racks, and what by nobody? Racks with a statement of those on record.",
        how_to_read="One row is a maker, one column a figure that buyers ask for. 'Nothing stated' is about the "
        "record: somebody may have said it where nobody here has read.",
        lesson="claims",
        as_of=day,
        columns=SAID,
    )
    return CardParts(charts.said_map, table, meta, statements)


def _by_system(ledger: Ledger, day: dt.date, chosen: Choices, question: str, counted: str = "") -> CardParts:
    view = VIEWS[question]
    frame = _counted(_of_view(_rows(ledger, day, chosen), view), counted)
    meta = ChartMeta(
        id="density_by_system",
        title=view.title,
        subtitle=f"Systems side by side, oldest first; one mark a statement: {view.says}.",
        how_to_read="A long grey bar means that sources disagree about the system: open a mark to see who says what.",
        lesson="density",
        as_of=day,
        columns=COLUMNS,
        empty="No claim answers this question for these choices. Remove a filter, or ask another question.",
    )
    return CardParts(partial(charts.side_by_side, unit=view.unit), frame, meta)


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page with its first choices."""
    day = ledger.built_at.date()
    if chart == "density_over_time":
        kept_card(ledger, _power, day)
    elif chart in {held.id for held in HELDS}:
        kept_card(ledger, _held, day, (), chart)
    elif chart == "density_said":
        kept_card(ledger, _said, day)
    else:
        kept_card(ledger, _by_system, day, (), next(iter(VIEWS)))
