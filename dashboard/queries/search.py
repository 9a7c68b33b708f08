"""The index of the search box, made once a version for all visitors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboard.lesson_book import lessons
from dashboard.queries import Ledger, once
from dashboard.search import Entry, SearchIndex
from warehouse.answers import claim_words, evidence, formats
from warehouse.answers.questions import SQL as QUESTIONS

PAGES = {"organisation": "org", "benchmark": "benchmark"}
Spoken = Mapping[str, tuple[str, ...]]  # the words that point to each thing or metric
METRIC_WEIGHT = 30  # metrics stand before things that merely have the word in their name
NOT_COMPARED = {"organisation", "benchmark", "metric", "site"}


def search_index(ledger: Ledger) -> SearchIndex:
    """What can be found in a version."""
    return once(ledger, _index)


def nearest_named(ledger: Ledger, kind: str, text: str) -> list[tuple[str, str]]:
    """Name and address of the things, organisations or benchmarks whose names are most like a text."""
    found = ledger.records(QUESTIONS["nearest"], {"family": kind, "name": text})
    return [(str(row["name"]), formats.page_address(PAGES.get(kind, "thing"), id=str(row["id"]))) for row in found]


def _index(ledger: Ledger) -> SearchIndex:
    named = ledger.records(QUESTIONS["named"])
    names = {str(row["id"]): (str(row["name"]), *row["names"]) for row in named}
    spoken = {name: (*words, name) for name, words in names.items()}
    weights = {str(row["id"]): int(row["weight"]) for row in named}
    figures = [_figure(row, names, spoken, weights) for row in ledger.rows("search.figures") if str(row["id"]) in names]
    return SearchIndex([*(_named(row, spoken) for row in named), *figures, *_lessons()])


def _named(row: Mapping[str, Any], spoken: Spoken) -> Entry:
    kind, known = str(row["kind"]), int(row["weight"])
    if kind == "metric":
        href = formats.page_address("evidence", **{"evidence.metric": str(row["name"])})
        return Entry(str(row["name"]), kind, href, names=spoken.get(str(row["id"]), ()), weight=METRIC_WEIGHT)
    maker = f"{kind} of {row['vendor_name']}" if row["vendor_name"] else kind
    says = str(row["says"]) or ("" if known else "nothing stated yet")
    href = formats.page_address(PAGES.get(kind, "thing"), id=str(row["id"]))
    thing = "" if kind in NOT_COMPARED else str(row["id"])
    return Entry(str(row["name"]), maker, href, says, tuple(row["names"]), weight=known, thing=thing)


def _figure(row: Mapping[str, Any], names: Spoken, spoken: Spoken, weights: Mapping[str, int]) -> Entry:
    """A figure itself: what stands, its tag and date."""
    counted = claim_words.counting_words(row["qualifiers"])
    qualifiers = f", {counted}" if counted else ""
    name = f"{names[row['id']][0]}, {str(row['metric_title']).lower()}{qualifiers}: {claim_words.standing_words(row)}"
    says = f"{evidence.mark(str(row['evidence']))}, {row['claimant']}, {claim_words.when_words(row)}"
    href = formats.page_address("evidence", claim=str(row["claim_id"]))
    words = spoken.get(str(row["metric"]), (str(row["metric_title"]),))
    return Entry(name, "figure", href, says, names[row["id"]], words, weights[row["id"]])


def _lessons() -> list[Entry]:
    return [
        Entry(
            lesson.front.title, "lesson", formats.page_address("learn", lesson=lesson.id), lesson.front.gist,
            (*lesson.front.tags, lesson.id), weight=3,
        )
        for lesson in lessons().values()
    ]  # fmt: skip
