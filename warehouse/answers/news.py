"""What is new: entries made from the published file, by the day on which something was stated. Asks, draws nothing.

An entry of a watched figure exists where what stands changes in value or tag, never because a page was seen again. All
of it is computed from the days in the ledger, so the same file always gives the same entries.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipelines.frozen import frozen
from warehouse.answers import Ask, claim_words, evidence, formats
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))
BRIEF_DAYS = 30
PRICE_STEP = 0.05  # a median has to move by so much to be news


@frozen
class NewsItem:
    """One piece of news: kind, words, why it matters, the day it was stated, its tag, and where it leads.

    `id` is made of what is new, not of when it was seen: the same news has one id in every version of the ledger.
    `path` is the page of the dashboard, relative to its root; `url` the source.
    """

    id: str
    kind: str
    title: str
    words: str
    why: str
    day: dt.date
    tag: str
    path: str
    url: str
    claim_ids: tuple[str, ...] = ()
    about: tuple[str, ...] = ()  # registry ids of the thing and of who makes or says it


@frozen
class Watched:
    """A figure that can be watched: the thing and the metric by name."""

    subject: str
    metric: str


def entry_id(*parts: object) -> str:
    """A stable id of what is new."""
    digest = hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).hexdigest()
    return f"tag:rackledger,2026:{digest[:24]}"


def watched(ask: Ask, subject_id: str, metric: str) -> Watched | None:
    """The names of a figure; None where the ledger says nothing about it."""
    row = ask(SQL["watchable"], (subject_id, metric))[0]
    return Watched(str(row["subject"]), str(row["title"])) if row["n"] else None


def watch(ask: Ask, subject_id: str, metric: str, day: dt.date) -> list[NewsItem]:
    """The changes of a figure up to a day, newest first: a new value, or the same value with another tag."""
    entries: list[NewsItem] = []
    last: dict[tuple[str, str], tuple[str, str]] = {}
    days = [row["day"] for row in ask(SQL["stood_days"], (subject_id, metric, day))]
    for row in (row for day in days for row in ask(SQL["stood"], (day, day, subject_id, metric))):
        kept = (row["topic"], row["bound"])
        now = (claim_words.value_words(row), str(row["evidence"]))
        if last.get(kept) != now:
            entries.append(_change(row, now, last.get(kept)))
        last[kept] = now
    return sorted(entries, key=lambda entry: (entry.day, entry.id), reverse=True)


def _change(row: Mapping[str, Any], now: tuple[str, str], before: tuple[str, str] | None) -> NewsItem:
    value, tag = now
    what = f"{row['subject']}, {row['metric_title']}" + (f" ({row['qualifiers']})" if row["qualifiers"] else "")
    if before is None:
        kind, was = "first value", ""
    elif before[0] != value:
        kind, was = "new value", f", before {before[0]} ({before[1]})"
    else:
        kind, was = "new evidence", f", before {before[1]}"
    return NewsItem(
        entry_id("watch", row["subject_id"], row["metric"], row["topic"], row["bound"], value, tag, row["day"]),
        kind,
        f"{what}: {value}",
        f"{value}, {evidence.mark(tag)}, says {row['claimant']}{was}.",
        "What stands for this figure changed by the rule in docs/method.md.",
        row["day"],
        tag,
        formats.page_address("evidence", claim=str(row["claim_id"])),
        formats.safe_url(row["url"]),
        (str(row["claim_id"]),),
    )


def brief(ask: Ask, since: dt.date, until: dt.date) -> list[NewsItem]:
    """Everything new from one day to another, both included, newest first and by weight within a day."""
    days = (since, until)
    made: list[tuple[Callable[[Mapping[str, Any]], NewsItem], Sequence[Mapping[str, Any]]]] = [
        (_revision, ask(SQL["revisions"], days)),
        (_rename, ask(SQL["renames"], days)),
        (_conflict, ask(SQL["conflicts"], days)),
        (_round, ask(SQL["rounds"], days)),
        (_price, ask(SQL["price_steps"], (*days, PRICE_STEP))),
        (_claim, [row for row in ask(SQL["claims"], days) if row["metric"] != "statement"]),
    ]
    order = {entry: place for place, entry in enumerate(entry for make, rows in made for entry in map(make, rows))}
    return sorted(order, key=lambda entry: (-entry.day.toordinal(), order[entry], entry.id))


def last_day(ask: Ask, until: dt.date) -> dt.date | None:
    """The last day up to one on which a claim was stated; None where there is none."""
    day: dt.date | None = ask(SQL["last_claim"], (until,))[0]["day"]
    return day


def only_about(entries: Iterable[NewsItem], ids: Iterable[str], topic: str = "") -> list[NewsItem]:
    """Entries on one of the ids (all where there are none) whose kind or title holds the words of the topic."""
    asked, words = frozenset(ids), topic.casefold().split()
    return [
        entry
        for entry in entries
        if (not asked or asked & set(entry.about))
        and all(word in f"{entry.kind} {entry.title}".casefold() for word in words)
    ]


def _revision(row: Mapping[str, Any]) -> NewsItem:
    milestone = str(row["milestone"]).replace("_", " ")
    period = claim_words.period_words(row["promised_start"], row["promised_end"])
    moved = f" ({row['shift_days']:+.0f} days)" if row["shift_days"] is not None else ""
    said = f"Says {row['claimant']}{', on this day at the latest' if row['is_at_the_latest'] else ''}."
    where: tuple[str, dict[str, str]] = ("roadmap", {})
    if row["claim_id"] is not None:
        where = ("evidence", {"claim": str(row["claim_id"])})
    return _entry(
        row, "promise moved", f"{row['subject']}, {milestone}: now {period}{moved}", said,
        "Plans that were built on the earlier period move with it.", *where,
    )  # fmt: skip


def _rename(row: Mapping[str, Any]) -> NewsItem:
    return _entry(
        row, "renamed", f"{row['system']} goes by {row['name']}", "The machine is the same.",
        "A name that vanishes from a slide may have become another one.", "thing",
        {"id": str(row["system_id"])},
    )  # fmt: skip


def _conflict(row: Mapping[str, Any]) -> NewsItem:
    cause = f" Likely cause: {row['likely_cause']}." if row["likely_cause"] else ""
    return _entry(
        row, "dispute", f"{row['subject']}, {row['metric_title'].lower()}: claims differ",
        f"{row['claims']} claims by {row['claimants']} claimants{_range(row)}.{cause}",
        "A figure in dispute should be quoted with its range.", "conflicts",
        {"conflict": str(row["conflict_id"])},
    )  # fmt: skip


def _range(row: Mapping[str, Any]) -> str:
    """', 120 to 132 kW' where figures differ, else nothing."""
    differ = row["low"] is not None and row["low"] != row["high"]
    return f", {claim_words.span(row['low'], row['high'], str(row['unit']))}" if differ else ""


def _round(row: Mapping[str, Any]) -> NewsItem:
    page = "benchmarks" if row["suite"] == "inference" else "training"
    return _entry(
        row, "benchmark round", f"MLPerf {str(row['suite']).capitalize()} {row['round']}",
        f"{row['n_results']:,} results by {row['n_submitters']} submitters.",
        "Reviewed results are the strongest performance figures there are.", page, {},
    )  # fmt: skip


def _price(row: Mapping[str, Any]) -> NewsItem:
    before, now = (formats.quantity(float(row[name]), "USD/h") for name in ("before", "median"))
    return _entry(
        {**row, "stated_on": row["day"]}, "price move", f"{row['name']}, on demand: {now}, before {before}",
        f"Median by {row['source_id']}.", "Offers of one source; other sources may not have moved.", "prices",
        {"accelerator": str(row["name"])},
    )  # fmt: skip


def _claim(row: Mapping[str, Any]) -> NewsItem:
    value, counted = claim_words.value_words(row), claim_words.counting_words(row["qualifiers"])
    what = f"{row['subject']}, {row['metric_title'].lower()}" + (f" ({counted})" if counted else "")
    return _entry(
        row, "claim", f"{what}: {value}",
        f"Says {row['claimant']}{claim_words.late_words(row)}.",
        "A new statement; what stands is on the page of the thing.", "evidence", {"claim": str(row["claim_id"])},
    )  # fmt: skip


def _entry(
    row: Mapping[str, Any], kind: str, title: str, words: str, why: str, page: str, state: Mapping[str, str]
) -> NewsItem:
    claim_id = row.get("claim_id")
    tag, path = str(row["evidence"]), formats.page_address(page, **state)
    return NewsItem(
        entry_id(kind, title, tag, row["stated_on"], path), kind, title, f"{words} {evidence.mark(tag)}.", why,
        row["stated_on"], tag, path, formats.safe_url(row["url"]),
        (str(claim_id),) if claim_id else (),
        tuple(str(row[name]) for name in ("subject_id", "vendor") if row.get(name)),
    )  # fmt: skip


def by_day(entries: Iterable[NewsItem]) -> dict[dt.date, list[NewsItem]]:
    """Entries by their day, in their order."""
    found: dict[dt.date, list[NewsItem]] = {}
    for entry in entries:
        found.setdefault(entry.day, []).append(entry)
    return found
