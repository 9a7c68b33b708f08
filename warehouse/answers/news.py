"""What is new: entries made from the published file, by the day on which something was stated. Asks, draws nothing.

An entry of a watched figure exists where what stands changes in value or tag, never because a page was seen again. All
of it is computed from the days in the ledger, so the same file always gives the same entries.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warehouse.answers import Ask, claim_words, evidence, formats

BRIEF_DAYS = 30
PRICE_STEP = 0.05  # a median has to move by so much to be news

# The claim that stands from each day on, by the rule of `evidence.resolved`: stronger tag, newer, more claimants.
_STOOD = """
WITH said AS (
    SELECT *, coalesce(qualifiers['bound'], '') AS bound FROM evidence.claims
    WHERE subject_id = ? AND metric = ? AND stated_on <= ? AND evidence <> 'illustrative' AND modality <> 'withdrawn'
),
days AS (
    SELECT DISTINCT topic, bound, period_start, period_end, stated_on AS day FROM said
),
stood AS (
    SELECT d.day, s.* EXCLUDE (stated_on), s.stated_on
    FROM days AS d JOIN said AS s
      ON s.topic = d.topic AND s.bound = d.bound AND s.period_start IS NOT DISTINCT FROM d.period_start
     AND s.period_end IS NOT DISTINCT FROM d.period_end AND s.stated_on <= d.day
    QUALIFY row_number() OVER (
        PARTITION BY d.topic, d.bound, d.period_start, d.period_end, d.day
        ORDER BY s.is_copied, s.evidence, s.stated_on DESC, s.claimants DESC, s.claim_id) = 1
)
SELECT s.day, s.claim_id, s.subject, s.subject_id, s.metric, lower(coalesce(m.title, s.metric)) AS metric_title,
       s.topic, s.bound, s.value, s.value_text, s.value_start, s.value_end, s.value_low, s.value_high, s.unit,
       s.qualifiers['approx'] AS approx, s.claimant, s.evidence::VARCHAR AS evidence, s.stated_on,
       s.stated_on_precision, s.url,
       array_to_string(list_transform(map_entries(s.qualifiers), lambda e: e.key || ' ' || e.value), ', ') AS qualifiers
FROM stood AS s LEFT JOIN registry.metrics AS m ON m.metric_id = s.metric
ORDER BY s.topic, s.bound, s.period_start NULLS FIRST, s.period_end NULLS FIRST, s.day"""

_IS_WATCHABLE = """
SELECT any_value(subject) AS subject, any_value(coalesce(m.title, c.metric)) AS title, count(*) AS n
FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE c.subject_id = ? AND c.metric = ? AND c.evidence <> 'illustrative'"""


@dataclass(frozen=True, slots=True)
class Entry:
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


@dataclass(frozen=True, slots=True)
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
    row = ask(_IS_WATCHABLE, (subject_id, metric))[0]
    return Watched(str(row["subject"]), str(row["title"])) if row["n"] else None


def watch(ask: Ask, subject_id: str, metric: str, day: dt.date) -> list[Entry]:
    """The changes of a figure up to a day, newest first: a new value, or the same value with another tag."""
    entries: list[Entry] = []
    last: dict[tuple[str, str], tuple[str, str]] = {}
    for row in ask(_STOOD, (subject_id, metric, day)):
        kept = (row["topic"], row["bound"])
        now = (claim_words.value_words(row), str(row["evidence"]))
        if last.get(kept) != now:
            entries.append(_change(row, now, last.get(kept)))
        last[kept] = now
    return sorted(entries, key=lambda entry: (entry.day, entry.id), reverse=True)


def _change(row: Mapping[str, Any], now: tuple[str, str], before: tuple[str, str] | None) -> Entry:
    value, tag = now
    what = f"{row['subject']}, {row['metric_title']}" + (f" ({row['qualifiers']})" if row["qualifiers"] else "")
    if before is None:
        kind, was = "first value", ""
    elif before[0] != value:
        kind, was = "new value", f", before {before[0]} ({before[1]})"
    else:
        kind, was = "new evidence", f", before {before[1]}"
    return Entry(
        entry_id("watch", row["subject_id"], row["metric"], row["topic"], row["bound"], value, tag, row["day"]),
        kind,
        f"{what}: {value}",
        f"{value}, {evidence.mark(tag)}, says {row['claimant']}{was}.",
        "What stands for this figure changed by the ledger's rule: stronger tag, then newer, then more claimants.",
        row["day"],
        tag,
        formats.page_address("evidence", claim=str(row["claim_id"])),
        formats.safe_url(row["url"]),
        (str(row["claim_id"]),),
    )


_REVISIONS = """
SELECT subject, milestone, promised_start, promised_end, shift_days, claimant, claim_id, evidence::VARCHAR AS evidence,
       stated_on, url
FROM marts.roadmap WHERE is_revision AND stated_on BETWEEN ? AND ?"""
_CONFLICTS = """
SELECT k.conflict_id, k.subject, lower(coalesce(m.title, k.metric)) AS metric_title, k.claims, k.claimants,
       k.likely_cause, k.resolved_claim_id AS claim_id, r.evidence::VARCHAR AS evidence, k.opened_on AS stated_on, r.url
FROM evidence.conflicts AS k JOIN evidence.claims AS r ON r.claim_id = k.resolved_claim_id
LEFT JOIN registry.metrics AS m ON m.metric_id = k.metric
WHERE k.opened_on BETWEEN ? AND ?"""
_RENAMES = """
SELECT n.name, s.name AS system, s.system_id, n.valid_from AS stated_on, n.evidence::VARCHAR AS evidence, n.url
FROM registry.system_names AS n JOIN registry.systems AS s USING (system_id)
WHERE n.valid_from BETWEEN ? AND ?"""
_ROUNDS = """
SELECT suite, round, stated_on, count(*) AS n, count(DISTINCT submitter) AS submitters,
       min(evidence)::VARCHAR AS evidence, min(url) AS url
FROM (SELECT suite, round, stated_on, submitter, evidence, url FROM facts.mlperf_training
      UNION ALL SELECT suite, round, stated_on, submitter, evidence, url FROM facts.mlperf_inference)
WHERE stated_on BETWEEN ? AND ? GROUP BY suite, round, stated_on"""
_CLAIMS = """
SELECT c.claim_id, c.subject, lower(coalesce(m.title, c.metric)) AS metric_title, c.value, c.value_text, c.value_start,
       c.value_end, c.value_low, c.value_high, c.unit, c.qualifiers['bound'] AS bound, c.qualifiers['approx'] AS approx,
       c.claimant, c.evidence::VARCHAR AS evidence, c.stated_on, c.url
FROM evidence.claims AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
WHERE c.stated_on BETWEEN ? AND ? AND NOT c.is_copied AND c.evidence <> 'illustrative' AND c.metric <> 'statement'"""
_PRICES = """
WITH held AS (
    SELECT accelerator_model, source_id, period_start AS day, median_usd_per_gpu_hour AS median,
           lag(median) OVER (PARTITION BY accelerator_model, source_id ORDER BY period_start) AS before,
           evidence::VARCHAR AS evidence, url
    FROM marts.prices
    WHERE period = 'day' AND accelerator_grain = 'model' AND layer = 'all' AND price_type = 'on_demand' AND NOT is_thin
)
SELECT h.*, coalesce(a.name, h.accelerator_model) AS name
FROM held AS h LEFT JOIN registry.accelerators AS a ON a.accelerator_id = h.accelerator_model
WHERE h.day BETWEEN ? AND ? AND abs(h.median / h.before - 1) >= ?"""


def brief(ask: Ask, since: dt.date, until: dt.date) -> list[Entry]:
    """Everything new from one day to another, both included, newest first and by weight within a day."""
    days = (since, until)
    made: list[tuple[Callable[[Mapping[str, Any]], Entry], Sequence[Mapping[str, Any]]]] = [
        (_revision, ask(_REVISIONS, days)),
        (_rename, ask(_RENAMES, days)),
        (_conflict, ask(_CONFLICTS, days)),
        (_round, ask(_ROUNDS, days)),
        (_price, ask(_PRICES, (*days, PRICE_STEP))),
        (_claim, ask(_CLAIMS, days)),
    ]
    order = {entry: place for place, entry in enumerate(entry for make, rows in made for entry in map(make, rows))}
    return sorted(order, key=lambda entry: (-entry.day.toordinal(), order[entry], entry.id))


def _revision(row: Mapping[str, Any]) -> Entry:
    milestone = str(row["milestone"]).replace("_", " ")
    period = claim_words.period_words(row["promised_start"], row["promised_end"])
    moved = f" ({row['shift_days']:+.0f} days)" if row["shift_days"] is not None else ""
    return _entry(
        row, "promise moved", f"{row['subject']}, {milestone}: now {period}{moved}", f"Says {row['claimant']}.",
        "Plans that were built on the earlier period move with it.", "evidence", {"claim": str(row["claim_id"])},
    )  # fmt: skip


def _rename(row: Mapping[str, Any]) -> Entry:
    return _entry(
        row, "renamed", f"{row['system']} goes by {row['name']}", "The machine is the same.",
        "A name that vanishes from a slide may have become another one.", "systems",
        {"subject": str(row["system_id"])},
    )  # fmt: skip


def _conflict(row: Mapping[str, Any]) -> Entry:
    cause = f" Likely cause: {row['likely_cause']}." if row["likely_cause"] else ""
    return _entry(
        row, "dispute", f"{row['subject']}, {row['metric_title']}: claims differ",
        f"{row['claims']} claims by {row['claimants']} claimants.{cause}",
        "A figure in dispute should be quoted with its range.", "conflicts",
        {"conflict": str(row["conflict_id"])},
    )  # fmt: skip


def _round(row: Mapping[str, Any]) -> Entry:
    page = "inference" if row["suite"] == "inference" else "training"
    return _entry(
        row, "benchmark round", f"MLPerf {str(row['suite']).capitalize()} {row['round']}",
        f"{row['n']:,} results by {row['submitters']} submitters.",
        "Reviewed results are the strongest performance figures there are.", page, {},
    )  # fmt: skip


def _price(row: Mapping[str, Any]) -> Entry:
    before, now = (formats.quantity(float(row[name]), "USD/h") for name in ("before", "median"))
    return _entry(
        {**row, "stated_on": row["day"]}, "price move", f"{row['name']}, on demand: {now}, before {before}",
        f"Median by {row['source_id']}.", "Offers of one source; other sources may not have moved.", "prices",
        {"accelerator": str(row["accelerator_model"])},
    )  # fmt: skip


def _claim(row: Mapping[str, Any]) -> Entry:
    value = claim_words.value_words(row)
    return _entry(
        row, "claim", f"{row['subject']}, {row['metric_title']}: {value}", f"Says {row['claimant']}.",
        "A new statement; what stands is on the page of the thing.", "evidence", {"claim": str(row["claim_id"])},
    )  # fmt: skip


def _entry(
    row: Mapping[str, Any], kind: str, title: str, words: str, why: str, page: str, state: Mapping[str, str]
) -> Entry:
    claim_id = row.get("claim_id")
    tag, path = str(row["evidence"]), formats.page_address(page, **state)
    return Entry(
        entry_id(kind, title, tag, row["stated_on"], path), kind, title, f"{words} {evidence.mark(tag)}.", why,
        row["stated_on"], tag, path, formats.safe_url(row["url"]),
        (str(claim_id),) if claim_id else (),
    )  # fmt: skip


def by_day(entries: Iterable[Entry]) -> dict[dt.date, list[Entry]]:
    """Entries by their day, in their order."""
    found: dict[dt.date, list[Entry]] = {}
    for entry in entries:
        found.setdefault(entry.day, []).append(entry)
    return found
