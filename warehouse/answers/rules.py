"""Rules for alerts in plain words, and what of the record meets them. Asks, sends nothing.

    B200 hour under 3 USD · any slip of Helios · anything new on GB300 NVL72

A price is the newest median on demand of a source whose day is not thin; a slip is a promise that was moved back, is
past due, or came late.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pipelines.frozen import frozen
from warehouse.answers import Ask, claim_words, evidence, formats, news
from warehouse.answers.questions import AskNamed, ids_of, questions, read, rows

MOST = 1_000
_HOUR = re.compile(r"(?P<name>.+?) hour (?P<side>under|over) (?P<bound>\d+(?:\.\d+)?)(?: USD)?", re.IGNORECASE)
_SLIP = re.compile(r"any slip of (?P<name>.+)", re.IGNORECASE)
_NEWS = re.compile(r"anything new on (?P<name>.+)", re.IGNORECASE)
FORMS = "'B200 hour under 3 USD', 'any slip of Helios' or 'anything new on GB300 NVL72'"


class RuleError(ValueError):
    """A rule that cannot be read; says which forms there are."""


@frozen
class Rule:
    """A rule: its words, its kind (hour, slip or news), the thing's name; for a price the side and the bound in USD."""

    words: str
    kind: str
    name: str
    side: str = ""
    bound: float = 0.0


@frozen
class Alert:
    """What met a rule. `id` is the same as long as it is the same news; `page` is below the dashboard's root."""

    id: str
    rule: str
    words: str
    day: str
    tag: str
    page: str
    url: str


def parse(text: str) -> Rule:
    """A rule from its words. Raises RuleError."""
    words = " ".join(text.split())
    if found := _HOUR.fullmatch(words):
        return Rule(words, "hour", found["name"], found["side"].lower(), float(found["bound"]))
    if found := _SLIP.fullmatch(words):
        return Rule(words, "slip", found["name"])
    if found := _NEWS.fullmatch(words):
        return Rule(words, "news", found["name"])
    raise RuleError(f"a rule is {FORMS}; found {text!r}")


def alerts(rule: Rule, ask: Ask, ask_named: AskNamed, today: dt.date) -> list[Alert]:
    """What of the record meets a rule on a day. Raises Wrong where the thing is not known."""
    if rule.kind == "news":
        since = today - dt.timedelta(days=news.BRIEF_DAYS)
        found = news.only_about(news.brief(ask, since, today), ids_of("thing", rule.name, ask_named))
        return [
            Alert(each.id, rule.words, f"{each.title}. {each.words}", str(each.day), each.tag, each.path, each.url)
            for each in found
        ]
    return (_hours if rule.kind == "hour" else _slips)(rule, ask_named, today)


def _hours(rule: Rule, ask: AskNamed, today: dt.date) -> list[Alert]:
    given = {"thing": [rule.name], "layer": ["all"]}
    newest: dict[str, Mapping[str, Any]] = {}
    for row in rows(read(questions()["prices"], given, ask, today), ask, MOST):
        newest.setdefault(str(row["source_id"]), row)
    met = [row for row in newest.values() if not row["is_thin"] and _is_met(rule, row["median_usd_per_gpu_hour"])]
    return [
        Alert(
            news.entry_id("hour", rule.words.casefold(), row["source_id"]), rule.words,
            f"{row['subject']}, on demand: median {formats.quantity(row['median_usd_per_gpu_hour'], 'USD/h')} "
            f"by {row['claimant']}, {evidence.mark(row['evidence'])}.",
            str(row["period_start"]), str(row["evidence"]), str(row["page"]), formats.safe_url(row["url"]),
        )
        for row in met
    ]  # fmt: skip


def _is_met(rule: Rule, value: float | None) -> bool:
    return value is not None and (value < rule.bound if rule.side == "under" else value > rule.bound)


def _slips(rule: Rule, ask: AskNamed, today: dt.date) -> list[Alert]:
    found: Sequence[Mapping[str, Any]] = rows(
        read(questions()["promises"], {"thing": [rule.name]}, ask, today), ask, MOST
    )
    return [_slip(rule, row) for row in found if _has_slipped(row)]


def _has_slipped(row: Mapping[str, Any]) -> bool:
    moved = row["first_end"] and row["latest_end"] and row["latest_end"] > row["first_end"]
    return bool(moved) or (row["overdue_days"] or 0) > 0 or (row["slip_low_days"] or 0) > 0


def _slip(rule: Rule, row: Mapping[str, Any]) -> Alert:
    name = str(row["milestone"]).replace("_", " ") + (f", {row['variant']}" if row["variant"] else "")
    start, end = row["actual_start"] or row["latest_start"], row["actual_end"] or row["latest_end"]
    first = claim_words.period_words(row["first_start"] or row["first_end"], row["first_end"]) or "unknown"
    now = claim_words.period_words(start or end, end) or "unknown"
    mark = evidence.mark(row["evidence"])
    words = f"{row['subject']}, {name}: {row['state']}; first {first}, now {now}. {mark}."
    told = news.entry_id("slip", row["subject_id"], row["milestone"], row["variant"], row["state"], row["latest_end"])
    day = str(row["stated_on"] or row["stated_not_after"])
    return Alert(told, rule.words, words, day, str(row["evidence"]), str(row["page"]), formats.safe_url(row["url"]))
