"""Roadmap: what was promised for when, what was said later, what came; slips; what one die brings."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.charts import roadmap as charts
from dashboard.columns import columns
from dashboard.components import CardParts, ChartMeta, as_of, choose_many, choose_one, kept_card, later, open_page
from dashboard.components.state import names_of, now_word
from dashboard.components.tables import short_table, show_short_table
from dashboard.headlines import promised, tracks, words
from dashboard.navigation import Page
from dashboard.queries import Ledger, once
from warehouse.answers import claim_words, evidence, formats

PAGE = Page("Roadmap", 1, "Roadmap", "timeline", "What was promised, what came, and how far it slipped.")
CHARTS = ("roadmap_timeline", "roadmap_odds", "roadmap_slips", "roadmap_forecasts", "roadmap_per_die")

MILESTONES = {
    "announced": "announced",
    "design_complete": "design complete",
    "sampling": "sampling",
    "qualification": "qualified",
    "specification": "specification",
    "production": "in production",
    "launch": "launched",
    "first_shipments": "first shipments",
    "volume_shipments": "volume shipments",
    "general_availability": "generally available",
    "construction": "construction",
    "delivery": "delivered",
    "installed": "installed",
    "energised": "energised",
    "in_service": "in service",
    "user_access": "open to users",
    "complete": "complete",
    "inauguration": "inaugurated",
    "programme": "programme",
}
COLUMNS = columns(
    "subject milestone_words period_words evidence claimant printed_by stated_on modality is_revision shift_days "
    "statement_id claim_id url",
    period_words="Period said",
)
SLIPS = columns(
    "subject milestone_words state slip_days slip_low_days slip_high_days first_words now_words "
    "revisions names evidence stated_on statement_id first_url url"
)
PARTIES = columns(
    "party_name promised delivered on_time late overdue given_up revised median_slip_days median_low_days "
    "median_high_days on_time_share is_thin",
    on_time_share="Share on time [%]",
)
FORECASTS = columns("criterion state due_on evidence stated_on claimant claim_id judged_by note url", state="Verdict")
Some = tuple[str, ...]  # what is chosen; nothing means all
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
        "Roadmap",
        "What was promised for when, what was said later, and what came. Choose an earlier day to replay the roadmap "
        "as it was known then.",
        needs=("marts.roadmap", "marts.milestones", "marts.slips", "marts.per_die"),
    )
    first, second, third = st.columns([2, 2, 1])
    day = as_of(ledger, where=third, first=ledger.rows("market.first_day")[0]["day"])
    names = once(ledger, _makers, day)
    vendors = choose_many("Maker", list(names), key="vendor", names=names, where=first)
    stages = choose_many("Milestone", list(MILESTONES), key="milestone", names=MILESTONES, where=second)
    kept_card(ledger, _tracks, day, vendors, stages)
    later(partial(_below, ledger, day, vendors, stages))


def _below(ledger: Ledger, day: dt.date, vendors: tuple[str, ...], stages: tuple[str, ...]) -> None:
    if renamed := once(ledger, _renames, day):
        st.header("Renamed", anchor="renamed")
        st.markdown(renamed)
    kept_card(ledger, _odds, day, vendors, stages)
    kept_card(ledger, _slips, day, vendors, stages)
    st.header("Slips by party", anchor="parties")
    st.caption(
        "Of all that came, the early too, from the middle of the first period to the middle of the arrival. A share is "
        "given from eight decided milestones on."
    )
    show_short_table(once(ledger, _parties, day))
    kept_card(ledger, _forecasts, day)
    kept_card(ledger, _dies, day, choose_one("Per die", list(PER_DIE), key="die"))


def _kept(frame: pd.DataFrame, vendors: tuple[str, ...], milestones: tuple[str, ...]) -> pd.DataFrame:
    keep = frame["milestone"].isin(milestones or MILESTONES) & frame["vendor"].notna()
    if vendors:
        keep &= frame["vendor"].isin(vendors)
    return frame[keep].reset_index(drop=True)


def _with_words(frame: pd.DataFrame) -> pd.DataFrame:
    milestone = frame["milestone"].map(MILESTONES)
    starts, ends = pd.to_datetime(frame["promised_start"]), pd.to_datetime(frame["promised_end"])
    return frame.assign(
        milestone_words=milestone,
        line=_lines(frame),
        period_words=[claim_words.period_words(a, b) for a, b in zip(starts, ends, strict=True)],
    )


def _lines(frame: pd.DataFrame) -> pd.Series[str]:
    part = frame["variant"].map(lambda variant: f" ({variant})" if variant else "")
    return frame["subject"] + ", " + frame["milestone"].map(MILESTONES) + part


def _slip_words(frame: pd.DataFrame) -> pd.DataFrame:
    records = frame.to_dict("records")
    return frame.assign(
        milestone_words=frame["milestone"].map(MILESTONES),
        line=_lines(frame),
        first_words=[_said(record, "first") for record in records],
        now_words=[_said(record, "actual") or _said(record, "latest") for record in records],
    )


def _said(record: Any, which: str) -> str:
    starts, ends = record[f"{which}_start"], record[f"{which}_end"]
    period = claim_words.period_words(ends if pd.isna(starts) else starts, starts if pd.isna(ends) else ends)
    said = record[f"{which}_stated_on"]
    when = "on a day nobody states" if pd.isna(said) else formats.day(said)
    return f"{period} (said {when})" if period else ""


def _tracks(ledger: Ledger, day: dt.date, vendors: Some = (), stages: Some = ()) -> CardParts:
    milestones = _kept(ledger.frame_of("market.milestones", day=day), vendors, stages)
    frame = _kept(_with_words(ledger.frame_of("market.roadmap", day=day)), vendors, stages)
    found = tracks.tracks(milestones, frame, day)
    folded = f" Folded away: {words.counted(found.folded, 'older or later track')}." if found.folded else ""
    meta = ChartMeta(
        id="roadmap_timeline",
        title=tracks.title(milestones, day) or "What is promised, and what came?",
        subtitle="What did each maker promise, what did it say later, and what came? Sorted by what is due next. "
        f"{tracks.told_since(milestones, day)}",
        how_to_read="One row is one promise, from left to right: a grey dot is the day it was first said, a dashed "
        "box an earlier window, a tinted box the one that stands, as wide as the words; a diamond says that it came, a "
        "cross that it was withdrawn. Red runs from the promised end to the arrival, or to today. A dotted grey box is "
        "what others say. Late is counted from the end of the first window the promiser gave.",
        lesson="roadmap",
        as_of=day,
        columns=COLUMNS,
        footnotes=(
            "Dot: first said. Dashed box: earlier date. Tinted box: standing promise. Diamond: came. Cross: withdrawn. "
            "Red: late or past due. Dotted grey box: others say later.",
            "Chips, racks and networks; processors, parts and sites stand in the table. “No outcome” is of the record: "
            f"the thing may have come where nobody here has read it.{folded}",
        ),
        caveats=(
            "A revision is only seen when both statements are in the ledger.",
            "Those that came flatter: what was withdrawn or is silent is not among them.",
        ),
        empty="Nothing had been stated by this day for these choices. Choose a later day, or remove a filter.",
    )
    draw = partial(charts.tracks, boxes=found.boxes, marks=found.marks, day=day, now=now_word(ledger, day))
    return CardParts(draw, found.rows, meta, frame)


def _odds(ledger: Ledger, day: dt.date, vendors: Some = (), stages: Some = ()) -> CardParts:
    milestones = _kept(ledger.frame_of("market.milestones", day=day), vendors, stages)
    table = tracks.odds(milestones)
    judged = milestones[milestones["state"].str.startswith("delivered") & milestones["url"].notna()]
    meta = ChartMeta(
        id="roadmap_odds",
        title=tracks.odds_title(table) or "How often do promises come late?",
        subtitle="How often did what came come late? Share of the promises that can be judged, with its 95 % "
        "interval; only groups with eight or more.",
        how_to_read="The dot is the share that came after the end of the first promised window, the bar its interval "
        "by Wilson. What is past due without an outcome, or was given up, is in neither count and stands beside it: "
        "so the share flatters.",
        lesson="roadmap",
        as_of=day,
        columns=SLIPS,
        empty="No group has eight promises whose outcome can be judged by this day.",
    )
    rows = _slip_words(judged).assign(group=judged["subject_kind"]).reset_index(drop=True)
    return CardParts(charts.odds, table.reset_index(drop=True), meta, rows)


def _slips(ledger: Ledger, day: dt.date, vendors: Some = (), stages: Some = ()) -> CardParts:
    frame = _kept(_slip_words(ledger.frame_of("market.slips", day=day)), vendors, stages)
    decided = frame[frame["slip_days"].notna()]
    late = int((decided["state"] == "delivered late").sum())
    meta = ChartMeta(
        id="roadmap_slips",
        title=promised.slips_title(decided) or "How far did promises slip?",
        subtitle=f"How far did promises slip? {len(decided)} milestones that came or were moved, {late} of them came "
        f"late: after the end of the first window. The {charts.SLIPS} largest: days from the first promise to the "
        "outcome, or to the period that stands.",
        how_to_read="The mark is the slip from the middle of the first period to the middle of the last; the bar is "
        "what the widths of the two periods allow. Right of zero is late. A bar across zero may not be a slip at all. "
        "What came without a promise, or was only reported late by others, is not here.",
        lesson="roadmap",
        as_of=day,
        columns=SLIPS,
        empty="No milestone of these choices had come or been moved by this day.",
    )
    return CardParts(charts.slip_bars, decided.reset_index(drop=True), meta)


def _makers(ledger: Ledger, day: dt.date) -> dict[str, str]:
    return names_of(ledger.frame_of("market.roadmap", day=day), "vendor", "vendor_name")


def _renames(ledger: Ledger, day: dt.date) -> str:
    """Which promised things bear another name now, since when, and who says each name."""
    lines = [
        " → ".join(_name_words(row) for row in group.to_dict("records"))
        for _, group in ledger.frame_of("market.renames", day=day).groupby("system_id", sort=False)
    ]
    return "\n\n".join(lines)


def _name_words(row: Any) -> str:
    """A name in bold with its first day and who says so, as a link to the page."""
    since = f" since {formats.day(row['valid_from'])}" if not pd.isna(row["valid_from"]) else ""
    said = formats.escape_markdown(f"{row['said_by']}, {evidence.mark(str(row['evidence']))}")
    url = formats.safe_url(row["url"])
    who = f"[{said}](<{url}>)" if url else said
    return f"**{formats.escape_markdown(str(row['name']))}**{since} ({who})"


def _parties(ledger: Ledger, day: dt.date) -> str:
    parties = ledger.frame_of("market.slips_by_party", day=day)
    return short_table(parties.assign(on_time_share=100 * parties["on_time_share"]), PARTIES, "Slips by party")


def _forecasts(ledger: Ledger, day: dt.date) -> CardParts:
    frame = promised.forecasts(ledger.frame_of("market.forecasts", day=day))
    meta = ChartMeta(
        id="roadmap_forecasts",
        title=promised.forecasts_title(frame) or "Which forecasts came true?",
        subtitle="Which forecasts came true? From the day one was stated to the day on which it is due.",
        how_to_read="One row is one forecast with the criterion by which it is judged. A verdict comes from later "
        "claims or from the prices of this ledger; the table leads to the claim.",
        lesson="roadmap",
        as_of=day,
        columns=FORECASTS,
        empty="No forecast had been stated by this day. Choose a later one.",
    )
    return CardParts(partial(charts.forecasts, day=day, now=now_word(ledger, day)), frame, meta)


def _dies(ledger: Ledger, day: dt.date, wanted: str) -> CardParts:
    frame = _released(ledger.frame_of("market.per_die", day=day))
    column, title = PER_DIE[wanted]
    unit = title.split(" ")[0]
    drawn = promised.per_die(frame[frame[column].notna() & frame["released_start"].notna()], column, unit)
    meta = ChartMeta(
        id="roadmap_per_die",
        title=promised.per_die_title(drawn, column, unit) or "What does one die bring?",
        subtitle=f"What does one die bring? {title} (log scale), by release; a figure said per package is "
        "divided by its dies.",
        how_to_read="A generation can grow by a better die, by more dies in a package, or by more packages in a "
        "domain. This chart keeps them apart: what is left when the number of dies is taken out.",
        lesson="counting",
        columns=DIE_COLUMNS,
        as_of=day,
        caveats=("Dies of different makers are not of one size.",),
        empty="No accelerator of the ledger carries this figure with a release date.",
    )
    return CardParts(partial(charts.per_die, column=column, title=title), drawn, meta)


def _released(frame: pd.DataFrame) -> pd.DataFrame:
    words = [
        claim_words.period_words(a, b) for a, b in zip(frame["released_start"], frame["released_end"], strict=True)
    ]
    return frame.assign(released_words=words)


def excerpt(ledger: Ledger, chart: str) -> None:
    """One chart of this page with its first choices."""
    day = ledger.built_at.date()
    if chart == "roadmap_per_die":
        kept_card(ledger, _dies, day, next(iter(PER_DIE)))
        return
    make = {"roadmap_timeline": _tracks, "roadmap_odds": _odds, "roadmap_slips": _slips}.get(chart, _forecasts)
    kept_card(ledger, make, day)
