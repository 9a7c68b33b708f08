"""Roadmap: what was promised for when, what was said later, what came; slips; what one die brings."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.charts import roadmap as charts
from dashboard.columns import columns
from dashboard.components import ChartMeta, as_of, chart_card, choose_many, choose_one, open_page, rows_table
from dashboard.components.state import names_of
from dashboard.navigation import Page
from dashboard.queries import Ledger
from dashboard.queries import market as queries
from warehouse.answers import claim_words, formats

PAGE = Page("Market", 4, "Roadmap", "timeline", "What was promised, what came, and how far it slipped.")
CHARTS = ("roadmap_timeline", "roadmap_slips", "roadmap_per_die")

MILESTONES = {
    "available_from": "available",
    "production_from": "in production",
    "deployed_on": "deployed",
    "announced_on": "announced",
}
COLUMNS = columns(
    "subject milestone_words period_words evidence claimant stated_on modality is_revision shift_days "
    "note claim_id url",
    subject="Product",
    period_words="Period said",
)
SLIPS = columns(
    "subject milestone_words outcome slip_days slip_low_days slip_high_days first_words now_words "
    "revisions names evidence stated_on claim_id first_url url",
    subject="Product",
)
VENDORS = columns("vendor_name promised measured median_slip_days least_slip_days largest_slip_days late early is_thin")
PER_DIE = {
    "Dense FP4 rate per die": ("dense_fp4_per_die_pflops", "PFLOP/s per die, dense FP4"),
    "Memory per die": ("memory_per_die_gb", "GB per die"),
    "Dies per package": ("dies_per_package", "dies per package"),
    "Dies per scale-up domain": ("dies_per_domain", "dies per scale-up domain"),
}
DIE_COLUMNS = columns(
    "name vendor_name dies_per_package dense_fp4_per_die_pflops memory_per_die_gb memory_type "
    "dies_per_domain released_words dense_fp4_formula evidence stated_on claim_id url",
    name="Accelerator",
)


def show() -> None:
    """Draw the page."""
    ledger = open_page(
        "Roadmaps and slips",
        "What was promised for when, what was said later, and what came. Choose an earlier day to replay the roadmap "
        "as it was known then.",
        needs=("marts.roadmap", "marts.slips", "marts.per_die"),
    )
    first, second, third = st.columns([2, 2, 1])
    day = as_of(ledger, where=third, first=queries.first_day(ledger))
    frame = _with_words(queries.roadmap(ledger, day))
    names = names_of(frame, "vendor", "vendor_name")
    vendors = choose_many("Vendor", list(names), key="vendor", names=names, where=first)
    milestones = choose_many("Milestone", list(MILESTONES), key="milestone", names=MILESTONES, where=second)
    frame = _kept(frame, vendors, milestones)
    _timeline(ledger, frame, day)
    _slips(ledger, _kept(_slip_words(queries.slips(ledger, day)), vendors, milestones), day)
    _vendors(ledger)
    _dies(ledger)


def _kept(frame: pd.DataFrame, vendors: tuple[str, ...], milestones: tuple[str, ...]) -> pd.DataFrame:
    keep = frame["milestone"].isin(milestones or MILESTONES) & frame["vendor"].notna()
    if vendors:
        keep &= frame["vendor"].isin(vendors)
    return frame[keep].reset_index(drop=True)


def _with_words(frame: pd.DataFrame) -> pd.DataFrame:
    milestone = frame["milestone"].map(MILESTONES)
    starts, ends = pd.to_datetime(frame["promised_start"]), pd.to_datetime(frame["promised_end"])
    line = frame["subject"] + ", " + milestone
    return frame.assign(
        milestone_words=milestone,
        line=line,
        period_words=[claim_words.period_words(a, b) for a, b in zip(starts, ends, strict=True)],
        middle=starts + (ends - starts) / 2,
        kind=frame["is_actual"].map({True: charts.ACTUAL, False: charts.PROMISE}),
        first_start=starts.groupby(line).transform("min"),
    )


def _slip_words(frame: pd.DataFrame) -> pd.DataFrame:
    records = frame.to_dict("records")
    return frame.assign(
        milestone_words=frame["milestone"].map(MILESTONES),
        line=frame["subject"] + ", " + frame["milestone"].map(MILESTONES),
        first_words=[_said(record, "first") for record in records],
        now_words=[_said(record, "actual") or _said(record, "latest") for record in records],
    )


def _said(record: Any, which: str) -> str:
    period = claim_words.period_words(record[f"{which}_start"], record[f"{which}_end"])
    return f"{period} (said {formats.day(record[f'{which}_stated_on'])})" if period else ""


def _timeline(ledger: Ledger, frame: pd.DataFrame, day: dt.date) -> None:
    revised = int(frame["is_revision"].sum())
    meta = ChartMeta(
        id="roadmap_timeline",
        title="What is promised, and what came",
        subtitle=f"One bar a statement, as wide as the period it names; {len(frame):,} statements, {revised} of them "
        "revisions.",
        how_to_read="A line is one milestone of one product. Blue bars are promises, orange ones say that it came; the "
        "grey line joins the promises in the order they were said, so a step to the right is a slip. The shape is the "
        "evidence tag.",
        lesson="roadmap",
        as_of=day,
        columns=COLUMNS,
        caveats=("A revision is only seen when both statements are in the ledger.",),
        empty="Nothing had been stated by this day for these choices. Choose a later day, or remove a filter.",
    )
    chart_card(charts.timeline, frame, meta, ledger=ledger)


def _slips(ledger: Ledger, frame: pd.DataFrame, day: dt.date) -> None:
    decided = frame[frame["slip_days"].notna() & (frame["actual_claim_id"].notna() | (frame["revisions"] > 0))]
    late = int(decided["outcome"].isin(["late", "slipping"]).sum())
    meta = ChartMeta(
        id="roadmap_slips",
        title="How far did promises slip?",
        subtitle=f"{len(decided)} milestones that came or were revised, {late} of them late: days from the first "
        "promise to the actual, or to the latest promise.",
        how_to_read="The mark is the slip from the middle of the first period to the middle of the last; the bar is "
        "what the widths of the two periods allow. Right of zero is late. A bar across zero may not be a slip at all.",
        lesson="roadmap",
        as_of=day,
        columns=SLIPS,
        empty="No milestone of these choices had come or been revised by this day.",
    )
    chart_card(charts.slip_bars, decided.reset_index(drop=True), meta, ledger=ledger)
    renamed = frame[[hasattr(names, "__len__") and len(names) > 1 for names in frame["names"]]]
    for row in renamed.drop_duplicates("subject_key").itertuples():
        text = f"Renamed: {' → '.join(map(str, list(row.names)))}"  # type: ignore[arg-type]
        st.caption(formats.escape_markdown(text))


def _vendors(ledger: Ledger) -> None:
    frame = queries.slips_by_vendor(ledger)
    st.header("Slips by vendor", anchor="vendors")
    st.caption("All knowledge of this version. With fewer than three decided milestones a vendor's figures are thin.")
    rows_table(frame, VENDORS, key="vendors", alt="Slips by vendor")


def _dies(ledger: Ledger) -> None:
    frame = _released(queries.per_die(ledger))
    _die_chart(ledger, frame, choose_one("Per die", list(PER_DIE), key="die"))


def _die_chart(ledger: Ledger, frame: pd.DataFrame, wanted: str) -> None:
    column, title = PER_DIE[wanted]
    drawn = frame[frame[column].notna() & frame["released_start"].notna()].reset_index(drop=True)
    meta = ChartMeta(
        id="roadmap_per_die",
        title="What does one die bring?",
        subtitle=f"{title}, by release; a figure said per package is divided by its dies.",
        how_to_read="A generation can grow by a better die, by more dies in a package, or by more packages in a "
        "domain. This chart keeps them apart: what is left when the number of dies is taken out.",
        lesson="counting",
        columns=DIE_COLUMNS,
        caveats=("Dies of different makers are not of one size.",),
        empty="No accelerator of the ledger carries this figure with a release date.",
    )
    chart_card(partial(charts.per_die, column=column, title=title), drawn, meta, ledger=ledger)


def _released(frame: pd.DataFrame) -> pd.DataFrame:
    words = [
        claim_words.period_words(a, b) for a, b in zip(frame["released_start"], frame["released_end"], strict=True)
    ]
    return frame.assign(released_words=words)


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page with its first choices; the timeline of one maker, as it is long."""
    day = ledger.built_at.date()
    if chart == "roadmap_timeline":
        frame = _with_words(queries.roadmap(ledger, day))
        revised = set(frame[frame["is_revision"]]["line"])
        _timeline(ledger, frame[frame["line"].isin(revised)].reset_index(drop=True), day)
    elif chart == "roadmap_slips":
        _slips(ledger, _kept(_slip_words(queries.slips(ledger, day)), (), ()), day)
    else:
        _die_chart(ledger, _released(queries.per_die(ledger)), next(iter(PER_DIE)))
