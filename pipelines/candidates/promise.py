"""One candidate of a promise or outcome → one row, or why it is refused; and one statement of its repeats. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pipelines.candidates.review import (
    PromiseCorrection,
    RefusedCandidate,
    Review,
    Subject,
    printer_kind,
    stated,
    tag,
)
from pipelines.ledger.fields import read_period, read_qualifiers
from pipelines.ledger.row import word_of
from pipelines.model.evidence import Evidence
from pipelines.model.promise import MilestoneKind, PromiseModality, PromiseRow
from pipelines.registry.spellings import subject_of

Record = Mapping[str, str]
DATED = frozenset({"announced_on", "available_from", "production_from", "deployed_on"})
NEEDED = ("subject", "maker", "claimant", "printed_by", "printed_by_kind", "url", "modality")
PAGE = {"url", "printed_by", "printed_by_kind"}
UNDATED_MODALITIES = frozenset({"revised", "confirmed", "delayed_report", "denied", "cancelled"})
FIRST, LAST = dt.date(2005, 1, 1), dt.date(2045, 12, 31)  # no milestone of this market lies outside
WIDEST_YEARS = 8


def read_promise(record: Record, review: Review) -> PromiseRow:
    """One candidate as a row. Raises RefusedCandidate or FieldError with what was expected and found."""
    correction = review.rows.get(record["id"], PromiseCorrection())
    given = correction.model_dump(include=PAGE, exclude_none=True)
    record = review.cited(review.corrected(record, given), *NEEDED)
    kind, variant = _stage(record, review, correction)
    name = correction.subject or record["subject"]
    subject = review.subjects.get(name) or _registered(name, record["maker"])
    modality = word_of(PromiseModality, "modality", correction.modality or record["modality"])
    claimant = _claimant(record, review, correction)
    claimant_id = organisation(claimant)
    is_own = claimant_id in (subject.party, *subject.voices)
    start, end = _period(record, correction, modality)
    text = correction.stated_on if correction.stated_on is not None else record["stated_on"]
    url = record["url"]
    known = record["id"] in review.dated or correction.stated_on is not None
    said, precision, not_after = stated(text, url, known, review.read_on)
    if modality == PromiseModality.ACTUAL:
        _check_happened(start, end, not_after, review.read_on)
        end = min(end, not_after) if end else None  # what happened is known by the day it was told
    return PromiseRow(
        ref=record["id"],
        subject=name,
        subject_id=subject.id,
        subject_kind=subject.kind,
        party_id=subject.party,
        milestone=kind,
        variant=variant,
        modality=modality,
        period_start=start,
        period_end=end,
        claimant=claimant,
        claimant_id=claimant_id,
        is_own_word=is_own,
        is_disputed=correction.disputed,
        superseded_by=correction.superseded_by,
        printed_by=record["printed_by"],
        printed_by_kind=printer_kind(record["printed_by"], record["printed_by_kind"], url),
        evidence=_tag(record, claimant, url, is_own),
        stated_on=said,
        stated_on_precision=precision,
        stated_not_after=not_after,
        read_on=review.read_on,
        url=url,
        other_urls=(),
    )


def _tag(record: Record, claimant: str, url: str, is_own: bool) -> Evidence:
    """The tag of its page; what one house tells on its own page of another's milestone is a report."""
    found = tag(record["printed_by"], record["printed_by_kind"], claimant, url)
    return found if is_own or found not in (Evidence.VENDOR, Evidence.OPERATOR) else Evidence.REPORTED


def organisation(name: str) -> str | None:
    """Registry id of an organisation by any of its names; None for one that the registry does not hold."""
    found = subject_of(name)
    return found.subject_id if found is not None and found.kind == "organisation" else None


def _stage(record: Record, review: Review, correction: PromiseCorrection) -> tuple[MilestoneKind, str]:
    """The stage of the milestone, and the part of the thing that it is of."""
    wording = dict(read_qualifiers("qualifiers", record["qualifiers"])).get("milestone", "")
    meaning = review.meaning(wording)
    worded, part = meaning or (None, "")
    kind = correction.kind or worded
    if kind is None:
        raise RefusedCandidate(f"milestone: no stage was decided for the wording {wording!r}")
    return kind, part if correction.variant is None else correction.variant


def _registered(name: str, maker: str) -> Subject:
    found, party = subject_of(name), organisation(maker)
    if found is None:
        raise RefusedCandidate(f"subject: the registry knows no {name!r}; add it with its aliases")
    if party is None:
        raise RefusedCandidate(f"maker: the registry knows no organisation {maker!r}")
    return Subject(id=found.subject_id, kind=found.kind, party=party)


def _claimant(record: Record, review: Review, correction: PromiseCorrection) -> str:
    printer = record["printed_by"].split(" (")[0]
    own = record["printed_by_kind"] == "aggregator" or printer in review.own_words
    return correction.claimant or (printer if own and printer in review.own_words else record["claimant"])


def _period(
    record: Record, correction: PromiseCorrection, modality: PromiseModality
) -> tuple[dt.date | None, dt.date | None]:
    if correction.period is None and record["metric"] not in DATED:
        raise RefusedCandidate(f"metric: {record['metric']} is no date of a milestone")
    text = correction.period or record["value"] or f"{record['value_low']}..{record['value_high']}"
    low, _, high = text.partition("..") if ".." in text else (text, "", text)
    start = read_period("value", low)[0] if low else None
    end = read_period("value", high)[1] if high else None
    if start is None and end is None and modality not in UNDATED_MODALITIES:
        raise RefusedCandidate(f"value: {modality} needs a date")
    for day in filter(None, (start, end)):
        if not FIRST <= day <= LAST:
            raise RefusedCandidate(f"value: {day} is outside the believable years {FIRST.year} to {LAST.year}")
    if start and end and (start > end or end.year - start.year > WIDEST_YEARS):
        raise RefusedCandidate(f"value: {text!r} is no believable period")
    return start, end


def _check_happened(start: dt.date | None, end: dt.date | None, not_after: dt.date, read_on: dt.date) -> None:
    """What happened lies before the day of reading, and nobody tells it before it begins."""
    begins = start or end
    if begins is not None and begins > read_on:
        raise RefusedCandidate(
            f"value: {begins} lies after the day of reading, {read_on}, and is said to have happened"
        )
    if start is not None and start > not_after:
        raise RefusedCandidate(f"value: {start} lies after the statement, {not_after}: a plan told as done")


SAME_OCCASION = dt.timedelta(days=45)


def dated_by_page(rows: Iterable[PromiseRow]) -> list[PromiseRow]:
    """Rows with a bound only take the day of their page if another row gives it, unless the bound lies before it."""
    rows = list(rows)
    days = {row.url: row for row in rows if row.stated_on is not None}
    return [_dated(row, days[row.url]) if _lacks_day(row, days.get(row.url)) else row for row in rows]


def _lacks_day(row: PromiseRow, other: PromiseRow | None) -> bool:
    return other is not None and row.stated_on is None and row.stated_not_after >= other.stated_not_after


def _dated(row: PromiseRow, other: PromiseRow) -> PromiseRow:
    return replace(
        row,
        stated_on=other.stated_on,
        stated_on_precision=other.stated_on_precision,
        stated_not_after=other.stated_not_after,
    )


def merged(rows: Iterable[PromiseRow]) -> list[PromiseRow]:
    """Rows with the repeats of one occasion folded into the best page; the others' addresses stay with it.

    Pages repeat an announcement for some weeks. A statement told again later is a confirmation with its own date, so
    only rows within 45 days of each other are one; an undated row joins the dated one, as it adds nothing.
    """
    groups: dict[tuple[object, ...], list[list[PromiseRow]]] = {}
    for row in sorted(rows, key=_order):
        key = (row.subject_id, row.milestone, row.variant, row.modality, row.claimant, row.period_start, row.period_end)
        occasions = groups.setdefault(key, [])
        home = next((occasion for occasion in occasions if _same_occasion(occasion[0], row)), None)
        if home is None:
            occasions.append([row])
        else:
            home.append(row)
    found = [_one(occasion) for occasions in groups.values() for occasion in occasions]
    return sorted(found, key=lambda row: (row.subject_id, row.milestone, row.variant, _said(row), row.ref))


def _said(row: PromiseRow) -> dt.date:
    return row.stated_on or row.stated_not_after


def _order(row: PromiseRow) -> tuple[bool, dt.date, str]:
    return row.stated_not_after == row.read_on, _said(row), row.ref


def _same_occasion(first: PromiseRow, row: PromiseRow) -> bool:
    return row.stated_not_after == row.read_on or _said(row) - _said(first) <= SAME_OCCASION


def _one(occasion: list[PromiseRow]) -> PromiseRow:
    best = min(occasion, key=lambda row: (row.evidence.rank, row.stated_on is None, _said(row), row.ref))
    others = sorted({row.url for row in occasion} - {best.url})
    disputed = any(row.is_disputed for row in occasion)
    return replace(best, other_urls=tuple(others), is_disputed=disputed)
