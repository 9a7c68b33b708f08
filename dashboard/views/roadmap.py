"""Roadmap: what was promised for when, what was said later, what came; slips; what one die brings."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from dashboard.charts import roadmap as charts
from dashboard.components import CardParts, as_of, choose_many, choose_one, first_card, kept_card, later, words_of
from dashboard.components.state import names_of, now_word
from dashboard.components.tables import short_table, show_short_table
from dashboard.headlines import promised, tracks, words
from dashboard.queries import Ledger, once
from warehouse.answers import claim_words, evidence, formats

WORDS = words_of(__file__)

MILESTONES = WORDS.names["milestones"]


Some = tuple[str, ...]  # what is chosen; nothing means all
PER_DIE = WORDS.parts["per_die"]


def show() -> None:
    """Draw the page."""
    ledger = WORDS.open()
    first, second, third = st.columns([2, 2, 1])
    day = as_of(ledger, where=third, first=ledger.rows("market.first_day")[0]["day"])
    names = once(ledger, _makers, day)
    vendors = choose_many("Maker", list(names), key="vendor", names=names, where=first)
    stages = choose_many("Milestone", list(MILESTONES), key="milestone", names=MILESTONES, where=second)
    kept_card(ledger, _tracks, day, vendors, stages)
    later(partial(_below, ledger, day, vendors, stages))


def _below(ledger: Ledger, day: dt.date, vendors: Some, stages: Some) -> None:
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


def _kept(frame: pd.DataFrame, vendors: Some, milestones: Some) -> pd.DataFrame:
    keep = frame["milestone"].isin(milestones or MILESTONES) & frame["vendor"].notna()
    if vendors:
        keep &= frame["vendor"].isin(vendors)
    return frame[keep].reset_index(drop=True)


def _with_words(frame: pd.DataFrame) -> pd.DataFrame:
    starts, ends = pd.to_datetime(frame["promised_start"]), pd.to_datetime(frame["promised_end"])
    return _with_lines(frame).assign(period_words=_periods(starts, ends))


def _periods(starts: pd.Series, ends: pd.Series) -> list[str]:
    return [claim_words.period_words(start, end) for start, end in zip(starts, ends, strict=True)]


def _with_lines(frame: pd.DataFrame) -> pd.DataFrame:
    milestone = frame["milestone"].map(MILESTONES)
    part = frame["variant"].map(lambda variant: f" ({variant})" if variant else "")
    return frame.assign(milestone_words=milestone, line=frame["subject"] + ", " + milestone + part)


def _slip_words(frame: pd.DataFrame) -> pd.DataFrame:
    records = frame.to_dict("records")
    return _with_lines(frame).assign(
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
    since = tracks.told_since(milestones, day)
    meta = WORDS.card("roadmap_timeline", tracks.title(milestones, day), as_of=day, since=since, folded=folded)
    draw = partial(charts.tracks, boxes=found.boxes, marks=found.marks, day=day, now=now_word(ledger, day))
    return CardParts(draw, found.rows, meta, frame)


def _odds(ledger: Ledger, day: dt.date, vendors: Some = (), stages: Some = ()) -> CardParts:
    milestones = _kept(ledger.frame_of("market.milestones", day=day), vendors, stages)
    table = tracks.odds(milestones)
    judged = milestones[milestones["state"].str.startswith("delivered") & milestones["url"].notna()]
    meta = WORDS.card("roadmap_odds", tracks.odds_title(table), as_of=day)
    rows = _slip_words(judged).assign(group=judged["subject_kind"]).reset_index(drop=True)
    return CardParts(charts.odds, table.reset_index(drop=True), meta, rows)


def _slips(ledger: Ledger, day: dt.date, vendors: Some = (), stages: Some = ()) -> CardParts:
    frame = _kept(_slip_words(ledger.frame_of("market.slips", day=day)), vendors, stages)
    decided = frame[frame["slip_days"].notna()]
    late = int((decided["state"] == "delivered late").sum())
    meta = WORDS.card(
        "roadmap_slips", promised.slips_title(decided), as_of=day, n=len(decided), late=late, most=charts.SLIPS
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
    return short_table(
        parties.assign(on_time_share=100 * parties["on_time_share"]), WORDS.tables["parties"], "Slips by party"
    )


def _forecasts(ledger: Ledger, day: dt.date) -> CardParts:
    frame = promised.forecasts(ledger.frame_of("market.forecasts", day=day))
    meta = WORDS.card("roadmap_forecasts", promised.forecasts_title(frame), as_of=day)
    return CardParts(partial(charts.forecasts, day=day, now=now_word(ledger, day)), frame, meta)


def _dies(ledger: Ledger, day: dt.date, wanted: str) -> CardParts:
    frame = ledger.frame_of("market.per_die", day=day)
    frame = frame.assign(released_words=_periods(frame["released_start"], frame["released_end"]))
    column, title = PER_DIE[wanted]["column"], PER_DIE[wanted]["title"]
    unit = title.split(" ")[0]
    drawn = promised.per_die(frame[frame[column].notna() & frame["released_start"].notna()], column, unit)
    meta = WORDS.card("roadmap_per_die", promised.per_die_title(drawn, column, unit), as_of=day, title=title)
    return CardParts(partial(charts.per_die, column=column, title=title), drawn, meta)


CHARTS = {
    "roadmap_timeline": first_card(_tracks),
    "roadmap_odds": first_card(_odds),
    "roadmap_slips": first_card(_slips),
    "roadmap_forecasts": first_card(_forecasts),
    "roadmap_per_die": first_card(_dies, next(iter(PER_DIE))),
}
