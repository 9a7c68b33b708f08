"""The findings of the first page: sentences computed from rows, each with its number, tag, day and what to draw. Pure.

A finding whose rows do not carry it says what is not known instead; nothing here knows a name or a figure.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from dashboard.headlines import adoption as layers
from dashboard.headlines import due, words
from pipelines.frozen import frozen
from warehouse.answers import claim_words, formats

Row = Mapping[Any, Any]
STALE_DAYS = 14


class Strong(str):
    """A number that the sentence is about."""

    __slots__ = ()


@frozen
class Finding:
    """A sentence with its evidence: `said` is who or what and when, `notes` what bounds it, `page` where it is whole.

    `is_late` marks the last note as a warning.
    """

    id: str
    topic: str
    sentence: tuple[str, ...]
    tag: str
    said: str
    page: str
    room: str
    notes: tuple[str, ...] = ()
    is_late: bool = False
    href: str = ""


# What each finding is about, the page where it is whole, and that page's room.
PLACES = {
    "density": ("Density", "racks", "Racks"),
    "adoption": ("Who has the newest generation", "who-has-it", "Who has it"),
    "promises": ("Promises", "roadmap", "Roadmap"),
    "hour": ("Price of an hour", "prices", "Prices"),
    "audited": ("Audited record", "benchmarks", "Benchmarks"),
}


def _found(name: str, sentence: Sequence[str], tag: str = "", said: str = "", **more: Any) -> Finding:
    """A finding at its place; without a tag one that no row carries, which says what is not known."""
    topic, page, room = PLACES[name]
    return Finding(name, topic, tuple(sentence), tag, said, page, room, **more)


def two_racks(rows: Sequence[Row], today: dt.date) -> tuple[Row, Row] | None:
    """The densest rack promised, and the densest that its maker (or else anybody) delivered, both as they stand."""
    told = [row for row in rows if row["is_standing"] and not row["bound"]]
    promised = [row for row in told if row["available_end"] > today]
    came = [row for row in told if row["available_end"] <= today]
    if not promised or not came:
        return None
    top = max(promised, key=lambda row: float(row["value"]))
    own = [row for row in came if row["vendor"] == top["vendor"]] or came
    return _dated(rows, top), _dated(rows, max(own, key=lambda row: float(row["value"])))


def _dated(rows: Sequence[Row], told: Row) -> Row:
    """The same figure as the same claimant stated it with a day, where he did; else the row itself."""
    same = [
        row for row in rows
        if row["stated_on"] is not None and not row["bound"]
        and all(row[name] == told[name] for name in ("system", "claimant", "value"))
    ]  # fmt: skip
    return told if told["stated_on"] is not None else max(same, key=lambda row: row["stated_on"], default=told)


def density(rows: Sequence[Row], today: dt.date) -> Finding:
    """The densest rack promised against the densest delivered."""
    found = two_racks(rows, today)
    if found is None:
        says = "No two racks with a standing figure can be set side by side."
        return _found("density", [says])
    top, now = found
    whose = "its own" if now["vendor"] == top["vendor"] else f"{now['vendor_name']}'s"
    ratio = float(top["value"]) / float(now["value"])
    when = words.period(top["available_start"], top["available_end"])
    sentence = (
        f"The rack {top['vendor_name']} promises for {when} takes ",
        Strong(formats.quantity(top["value"], "kW")), f", {words.times(ratio)} the ",
        Strong(formats.quantity(now["value"], "kW")),
        f" of {whose} {bare_name(now['system'], now['vendor_name'])}.",
    )  # fmt: skip
    said = f"{top['claimant']}, {claim_words.when_words(top)}"
    rivals = [row for row in rows if row["system"] == top["system"] and row["value"] != top["value"]]
    others = tuple(dict.fromkeys(f"{row['claimant']}: {formats.quantity(row['value'], 'kW')}" for row in rivals))
    href = formats.page_address("evidence", claim=str(top["claim_id"]))
    return _found("density", sentence, top["evidence"], said, notes=others[:2], href=href)


def bare_name(name: str, vendor: str | None) -> str:
    """A product's name without its maker's in front."""
    return name.removeprefix(f"{vendor} ") if vendor else name


@frozen
class Shares:
    """Of how many organisations of a group how many have it by a day."""

    group: str
    known: int
    days: tuple[dt.date, ...]

    def by(self, day: dt.date) -> int:
        return sum(each <= day for each in self.days)


def shares(rows: Sequence[Row], known: Mapping[str, int], today: dt.date) -> list[Shares]:
    """Clouds and science centres: how many are known, and the day by which each had the generation.

    `rows` are the first services of the generation, `known` the organisations on record by layer.
    """
    found = []
    for group in ("clouds", "science centres"):
        held = [row for row in rows if row["layer"] in layers.GROUPS[group] and not _is_retired(row, today)]
        days = sorted(day for row in held if (day := words.day_of(row["on_high"])) is not None)
        found.append(Shares(group, sum(known.get(layer, 0) for layer in layers.GROUPS[group]), tuple(days)))
    return found


def _is_retired(row: Row, today: dt.date) -> bool:
    retired_on = words.day_of(row["retired_on"])
    return retired_on is not None and retired_on <= today


def adoption(generation: str, rows: Sequence[Row], known: Mapping[str, int], today: dt.date) -> Finding:
    """Who has the newest generation that at least five organisations have."""
    clouds, science = shares(rows, known, today)
    if not clouds.known or not rows:
        return _found("adoption", ["Nobody is known to have one."])
    before = today - dt.timedelta(days=365)
    counted = {layer for group in ("clouds", "science centres") for layer in layers.GROUPS[group]}
    mine = [row for row in rows if row["layer"] in counted] or rows
    tags = [str(row["evidence"]) for row in mine]
    sentence = (
        Strong(f"{clouds.by(today)} of {clouds.known}"), f" clouds on record have {generation} in service, and ",
        Strong(f"{science.by(today)} of {science.known}"), " science centres.",
    )  # fmt: skip
    newest = max(row["stated_not_after"] for row in mine)
    late = sum(bool(row["is_known_by_only"]) for row in mine)
    notes = (
        f"a year ago: {clouds.by(before)} and {science.by(before)}",
        f"{words.number(late)} of {words.number(len(mine))} only known to have it by the day somebody looked",
    )
    tag = max(set(tags), key=tags.count)
    said = f"mostly; known to {formats.day(newest)}"
    return _found("adoption", sentence, tag, said, notes=notes)


def promises(rows: Sequence[Row], today: dt.date) -> Finding:
    """What falls due in this quarter, what is past due, and how many came late."""
    mine = [row for row in rows if row["subject_kind"] in due.KINDS]
    coming, past = len(due.coming(mine, today)), len(due.past(mine))
    kept = sum(row["state"] == "delivered on time" for row in mine)
    slips = [float(row["slip_low_days"]) for row in mine if row["state"] == "delivered late"]
    last = due.quarter_end(today)
    sentence = (
        Strong(words.sentence(words.number(coming))),
        f" {'promise on chips and racks falls' if coming == 1 else 'promises on chips and racks fall'} due by "
        f"{last.day} {last:%B}, in {(last - today).days} days; ",
        Strong(words.number(past)), f" {'is' if past == 1 else 'are'} past due with no outcome on record.",
    )  # fmt: skip
    median = words.median_lateness(slips)
    middle = f", half of them by at least {median:,.0f} days" if median is not None else ""
    notes = (
        f"of those that came, {words.number(kept)} kept the first date and {words.number(len(slips))} did not{middle}",
    )
    newest = max((row["latest_stated_on"] for row in mine if row["latest_stated_on"]), default=None)
    said = f"from statements to {formats.day(newest)}" if newest else "from undated statements"
    return _found("promises", sentence, "derived", said, notes=notes)


def hour(rows: Sequence[Row], today: dt.date) -> Finding:
    """The median price of an hour of the accelerator that most neoclouds list, and its change since the first look."""
    if not rows:
        return _found("hour", ["No source lists an hour at three neoclouds."])
    first, last = rows[0], rows[-1]
    change = float(last["value"]) / float(first["value"]) - 1
    day = first["period_start"]
    name = str(last["name"]).split(" ", 1)[-1]
    moved = (
        f"{'up' if change > 0 else 'down'} {abs(change):.1%}".replace("%", " %")
        if abs(change) >= 0.0005
        else "unchanged"
    )
    sentence = (
        f"An hour of {name} costs ", Strong(f"${float(last['value']):,.2f}"), " at the median neocloud, ",
        Strong(moved), f" since {day.day} {day:%B %Y}.",
    )  # fmt: skip
    panel = f"on demand, {last['n_providers']} providers"
    if last["n_providers"] != first["n_providers"]:
        panel += f", {first['n_providers']} at first: part of the change may be theirs"
    newest = last["period_start"]
    gap = (today - newest).days
    steps = [b["period_start"] for a, b in pairwise(rows) if a["value"] != b["value"]]
    since = max(steps, default=day)
    stale = (
        f"not read since {formats.day(newest)}, {gap} days" if gap > STALE_DAYS else f"last moved {formats.day(since)}"
    )
    said = f"{last['publisher_name']}, {formats.day(newest)}"
    href, is_late = formats.safe_url(last["url"]), gap > STALE_DAYS
    return _found("hour", sentence, last["evidence"], said, notes=(panel, stale), is_late=is_late, href=href)


def audited(rows: Sequence[Row]) -> Finding:
    """The newest generation against the one before it in the newest round, at the same count of accelerators."""
    if len(rows) < 2:
        says = "The newest round sets no two generations side by side."
        return _found("audited", [says])
    top, before = rows[-1], rows[-2]
    ratio = float(top["value"]) / float(before["value"])
    sentence = (
        f"{system_name(top)} gives ", Strong(f"{float(top['value']):,.0f}"),
        f" {unit_words(top['unit'])} per accelerator on {top['title']}, ", Strong(words.times(ratio)),
        f" {system_name(before)}.",
    )  # fmt: skip
    published = formats.day(top["stated_on"]) or "publication date not stated"
    said = f"MLPerf Inference {top['round']}, {top['scenario']}, {published}"
    notes = (
        f"{top['accelerators']} accelerators each, closed division, submitted by {top['best_submitter']}",
        *(("the first is a preview",) if top["best_availability"] == "preview" else ()),
    )
    href = formats.page_address("benchmark", id=str(top["benchmark_id"]))
    return _found("audited", sentence, "audited", said, notes=notes, href=href)


def unit_words(unit: str) -> str:
    """A rate in a sentence: 'tokens a second'."""
    return unit.replace("/s", " a second")


def system_name(row: Row) -> str:
    """A submitted system's name as far as its bracket, without the maker's in front; else its generation's."""
    name = str(row["system"] or "").removeprefix(f"{row['best_submitter']} ").partition("(")[0].strip()
    return name or str(row["generation_name"])


def event_words(row: Row) -> str:
    """What happened, as a sentence without its day."""
    subject, what = str(row["subject"]), str(row["what"]).replace("_", " ")
    if row["kind"] == "taken":
        verb = {"general availability": "offered", "in service": "had in service", "delivery": "received"}.get(
            what, what
        )
        return f"{row['organisation']} {verb} {subject}"
    if row["kind"] == "retired":
        return f"{row['organisation']} retired its {subject} accelerators"
    if row["kind"] == "moved":
        return f"{row['claimant']} moved {subject}, {what}"
    return f"{subject}: {what}"


def event_size(row: Row) -> tuple[str, bool]:
    """How much it was, and whether that is lateness: '84 days late', 'first neocloud', 'moved by 9 months'."""
    if row["kind"] == "came" and row["late_days"] is not None and row["late_days"] > 0:
        return f"{row['late_days']:,.0f} days late", True
    if row["kind"] == "came" and row["state"] == "delivered on time":
        return "on time", False
    if row["kind"] == "moved" and row["late_days"]:
        return f"{row['late_days']:+,.0f} days", row["late_days"] > 0
    if row["kind"] == "taken" and row["place"] == 1:
        return f"first {row['state']} on record", False
    return "", False
