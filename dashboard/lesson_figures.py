"""The figures that lessons place: a directive asked of the published file, answered with value, day, tag and link."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dashboard.lesson_book import Directive, Kind
from dashboard.queries import lessons as queries
from warehouse.answers import Ask, claim_words, evidence, formats

MISSING = "no dated figure"
NARROWED_BY = {"claimant": "claimant_id", "tag": "evidence"}


@dataclass(frozen=True, slots=True)
class LessonFigure:
    """One placed figure, in words; `href` leads to its claim or its source, relative to the site or on the web."""

    what: str
    words: str
    tag: str
    stated_on: dt.date
    href: str
    claim_id: str = ""
    note: str = ""

    def markdown(self) -> str:
        """The figure as Markdown: value, then mark and day as a link. All outside text is escaped."""
        day = f"{evidence.mark(self.tag)}, {formats.day(self.stated_on)}"
        linked = f"[{formats.escape_markdown(day)}](<{self.href}>)" if self.href else formats.escape_markdown(day)
        note = f", {formats.escape_markdown(self.note)}" if self.note else ""
        return f"**{formats.escape_markdown(self.words)}** ({linked}{note})"


def resolve(ask: Ask, day: dt.date, directives: Iterable[Directive]) -> dict[Directive, LessonFigure]:
    """The figure of each inline directive that has one, as known on a day."""
    wanted = [directive for directive in directives if directive.kind in (Kind.FIGURE, Kind.QUERY)]
    subjects = sorted({directive.words[0] for directive in wanted if directive.kind is Kind.FIGURE})
    claims = queries.claims_of(ask, day, subjects) if subjects else []
    found = {}
    for directive in wanted:
        figure = _claim(claims, directive) if directive.kind is Kind.FIGURE else _query(ask, day, directive.words[0])
        if figure is not None:
            found[directive] = figure
    return found


def _claim(claims: Iterable[Mapping[str, Any]], directive: Directive) -> LessonFigure | None:
    subject, metric = directive.words
    for claim in claims:
        if claim["subject_id"] == subject and claim["metric"] == metric and _fits(claim, directive.pairs):
            return LessonFigure(
                f"{claim['subject']}, {claim['metric_title']}",
                claim_words.value_words(claim),
                str(claim["evidence"]),
                claim["stated_on"],
                formats.page_address("evidence", claim=str(claim["claim_id"])),
                str(claim["claim_id"]),
            )
    return None


def _fits(claim: Mapping[str, Any], pairs: Iterable[tuple[str, str]]) -> bool:
    said = dict(zip(claim["keys"], claim["words"], strict=True))
    return all(
        claim[NARROWED_BY[name]] == value if name in NARROWED_BY else said.get(name) == value for name, value in pairs
    )


def _query(ask: Ask, day: dt.date, name: str) -> LessonFigure | None:
    """A named query: value, unit, evidence, stated_on, url, label, and claim_id where a claim stands behind it."""
    query = queries.named_queries()[name]
    rows = queries.run(ask, day, query)
    if not rows or rows[0]["value"] is None or rows[0]["stated_on"] is None:
        return None
    row = rows[0]
    claim_id = str(row.get("claim_id") or "")
    href = formats.page_address("evidence", claim=claim_id) if claim_id else formats.safe_url(row["url"])
    value, unit = row["value"], str(row["unit"] or "")
    words = formats.quantity(float(value), unit) if isinstance(value, int | float) else str(value)
    return LessonFigure(
        query["title"], words, str(row["evidence"]), row["stated_on"], href, claim_id, str(row["label"] or "")
    )
