"""The figures that lessons place: a directive asked of the published file, answered with value, day, tag and link.

What stands goes first. Where the rule picks none of rival values, the range is shown with who says what; a claim that
does not stand is placed only where the directive narrows down to it, and says why it does not.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dashboard.lesson_book import Directive, Kind
from dashboard.queries import lessons as queries
from pipelines.frozen import frozen
from warehouse.answers import Ask, claim_words, evidence, formats

MISSING = "no dated figure"
NARROWED_BY = {"claimant": ("claimant_id", "claimant"), "tag": ("evidence",)}
PLACES = ("stands", "disputed", "beside")


@frozen
class Side:
    """Who says one value, and where: tag, the claim's or source's address, and its day.

    `stated_on` is None where the page gives no day; `stated_not_after` is then the day by which it was said.
    """

    claimant: str
    words: str
    tag: str
    stated_on: dt.date | None
    href: str
    claim_id: str = ""
    stated_not_after: dt.date | None = None

    def linked(self) -> str:
        """Mark, tag and day as a Markdown link; 'by' a day where only that much is known."""
        by = f"by {formats.day(self.stated_not_after)}" if self.stated_not_after else "undated"
        told = formats.escape_markdown(f"{evidence.mark(self.tag)}, {formats.day(self.stated_on) or by}")
        return f"[{told}](<{self.href}>)" if self.href else told


@frozen
class LessonFigure:
    """One placed figure, in words, with the sides that carry it; more than one where nothing stands."""

    what: str
    words: str
    sides: tuple[Side, ...]
    is_disputed: bool = False
    note: str = ""

    def markdown(self) -> str:
        """The figure as Markdown: value, then mark and day as a link. All outside text is escaped."""
        if self.is_disputed:
            said = "; ".join(
                f"{formats.escape_markdown(f'{side.claimant} {side.words}')}, {side.linked()}" for side in self.sides
            )
            carried = f"disputed: {said}"
        else:
            carried = self.sides[0].linked()
        note = f", {formats.escape_markdown(self.note)}" if self.note else ""
        return f"**{formats.escape_markdown(self.words)}** ({carried}{note})"


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
    """The figure of a directive: of what stands, else of the first disputed cell, else of what yielded."""
    subject, metric = directive.words
    fitting = [
        claim
        for claim in claims
        if claim["subject_id"] == subject and claim["metric"] == metric and _fits(claim, directive.pairs)
    ]
    if not fitting:
        return None
    first = min(fitting, key=lambda claim: PLACES.index(claim["place"]))
    what = f"{first['subject']}, {first['metric_title']}"
    if first["place"] == "disputed":
        rivals = [claim for claim in fitting if claim["place"] == "disputed" and claim["pick_id"] == first["pick_id"]]
        return LessonFigure(what, _range_words(rivals), tuple(_side(claim) for claim in rivals), is_disputed=True)
    note = f"does not stand: {first['why']}" if first["place"] == "beside" else ""
    return LessonFigure(what, claim_words.value_words(first), (_side(first),), note=note)


def _side(claim: Mapping[str, Any]) -> Side:
    return Side(
        str(claim["claimant"]),
        claim_words.value_words(claim),
        str(claim["evidence"]),
        claim["stated_on"] if claim["is_dated"] else None,
        formats.page_address("evidence", claim=str(claim["claim_id"])),
        str(claim["claim_id"]),
        None if claim["is_dated"] else claim["stated_on"],
    )


def _range_words(rivals: Sequence[Mapping[str, Any]]) -> str:
    """From the least to the most of what rivals say, or their words one after the other where they are texts."""
    counted = [claim for claim in rivals if claim["low"] is not None]
    if not counted:
        return " or ".join(dict.fromkeys(claim_words.value_words(claim) for claim in rivals))
    low, high = min(claim["low"] for claim in counted), max(claim["high"] for claim in counted)
    return claim_words.value_words({"value": low, "value_low": low, "value_high": high, "unit": counted[0]["unit"]})


def _fits(claim: Mapping[str, Any], pairs: Iterable[tuple[str, str]]) -> bool:
    said = dict(zip(claim["keys"], claim["words"], strict=True))
    return all(
        value in [claim[field] for field in NARROWED_BY[name]] if name in NARROWED_BY else said.get(name) == value
        for name, value in pairs
    )


def _query(ask: Ask, day: dt.date, name: str) -> LessonFigure | None:
    """A named query: value, unit, evidence, stated_on, url, label, and claim_id where a claim stands behind it.

    None where it has no answer, or several that differ: which of them is meant cannot be known.
    """
    query = queries.named_queries()[name]
    rows = queries.run(ask, day, query)
    if len({row["value"] for row in rows}) != 1 or rows[0]["value"] is None:
        return None
    row = rows[0]
    claim_id = str(row.get("claim_id") or "")
    href = formats.page_address("evidence", claim=claim_id) if claim_id else formats.safe_url(row["url"])
    value, unit = row["value"], str(row["unit"] or "")
    words = formats.quantity(float(value), unit) if isinstance(value, int | float) else str(value)
    side = Side("", words, str(row["evidence"]), row["stated_on"], href, claim_id)
    return LessonFigure(query["title"], words, (side,), note=str(row["label"] or ""))
