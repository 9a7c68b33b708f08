"""One candidate of an adoption event → a row for each organisation it names, or why it is refused. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pydantic import Field

from pipelines.candidates.review import (
    COMMIT,
    OWN_PAGES,
    Correction,
    RefusedCandidate,
    Reviewed,
    own_word,
    printer_kind,
    stated,
    tag,
)
from pipelines.ledger.fields import read_period
from pipelines.model.promise import AdoptionKind, AdoptionRow
from pipelines.registry import load_registry
from pipelines.registry.accelerators import AcceleratorNames

COLUMNS = frozenset(
    {"id", "organisation", "generation", "accelerator", "system", "event", "event_date_low", "event_date_high"}
    | {"count", "claimant", "printed_by", "printed_by_kind", "stated_on", "url"}
)
KINDS = {
    "announced_plan": AdoptionKind.PLAN,
    "preview": AdoptionKind.PREVIEW,
    "first_delivery": AdoptionKind.DELIVERY,
    "benchmark_only": AdoptionKind.BENCHMARK,
    "general_availability": AdoptionKind.GENERAL_AVAILABILITY,
    "in_service": AdoptionKind.IN_SERVICE,
    "training_run": AdoptionKind.TRAINING_RUN,
    "retired": AdoptionKind.RETIRED,
}
AHEAD = frozenset({AdoptionKind.PLAN, AdoptionKind.PREVIEW})  # may lie after the day of reading
SAME_EVENT = dt.timedelta(days=62)
NEEDED = ("organisation", "generation", "event", "claimant", "printed_by", "printed_by_kind", "url")
NAMED = {"accelerator", "claimant", "url", "printed_by", "printed_by_kind"}


class AdoptionCorrection(Correction):
    """What the reviewer sets of an adoption event."""

    organisation: str | None = None
    accelerator: str | None = None
    event: str | None = None
    low: str | None = None
    high: str | None = None
    count: str | None = None


class AdoptionReview(Reviewed):
    """The decisions of one review: what names mean, which rows are corrected or refused, and why."""

    generations: dict[str, str]
    elsewhere: tuple[str, ...]  # printers whose tables are read as tables here: their events must not count twice
    denied: tuple[str, ...]  # organisations whose terms forbid collection
    own_words: tuple[str, ...] = ()  # pages whose words are their own, whomever a row names as claimant
    not_counted: dict[str, str]  # a word in the accelerator's name → why such an event is no adoption of its generation
    rows: dict[str, AdoptionCorrection] = Field(default_factory=dict)


def read_adoption(record: Mapping[str, str], review: AdoptionReview) -> list[AdoptionRow]:
    """One candidate as a row for each organisation. Raises RefusedCandidate or FieldError: what was expected, found."""
    correction = review.rows.get(record["id"], AdoptionCorrection())
    given = correction.model_dump(include=NAMED, exclude_none=True)
    record = review.corrected(record, given)
    if record["printed_by"].startswith(review.elsewhere):
        raise RefusedCandidate(f"printed_by: the table of {record['printed_by']!r} is read as a table")
    record = review.cited(record, *NEEDED)
    for word, why in review.not_counted.items():
        if word.casefold() in record["accelerator"].casefold():
            raise RefusedCandidate(f"accelerator: {word} {why}")
    if correction.claimant is None and record["printed_by"] in review.own_words:
        record = {**record, "claimant": record["printed_by"]}
    return _rows(record, review, correction)


def _rows(record: Mapping[str, str], review: AdoptionReview, correction: AdoptionCorrection) -> list[AdoptionRow]:
    name = correction.organisation or record["organisation"]
    organisations = load_registry().submitter(name).parts
    if not organisations:
        raise RefusedCandidate(f"organisation: the registry knows no {name!r}")
    denied = sorted(set(organisations) & set(review.denied))
    if denied:
        raise RefusedCandidate(f"organisation: the terms of {', '.join(denied)} forbid collection")
    generation = review.generations.get(record["generation"])
    if generation is None:
        raise RefusedCandidate(f"generation: no meaning was decided for {record['generation']!r}")
    kind = _kind(correction.event or record["event"])
    text = correction.stated_on if correction.stated_on is not None else record["stated_on"]
    url = record["url"]
    own = record["printed_by_kind"] in OWN_PAGES and record["printed_by"].startswith(record["claimant"].split()[0])
    is_known = own or record["id"] in review.dated or correction.stated_on is not None
    said, _, not_after = stated(text, url, is_known, review.read_on)
    low, high = _days(record, correction, kind, not_after, review.read_on)
    count = _count(record, correction)
    row = AdoptionRow(
        ref=record["id"],
        organisation_id="",
        generation_id=generation,
        accelerator=record["accelerator"],
        system=record["system"],
        kind=kind,
        on_low=low,
        on_high=high,
        accelerators=int(float(count)) if count and len(organisations) == 1 else None,
        claimant=record["claimant"],
        printed_by=record["printed_by"],
        printed_by_kind=printer_kind(record["printed_by"], record["printed_by_kind"], url),
        evidence=own_word(record["printed_by_kind"], record["claimant"], url, record["printed_by"])
        if own
        else tag(record["printed_by"], record["printed_by_kind"], record["claimant"], url),
        stated_on=said,
        stated_not_after=not_after,
        read_on=review.read_on,
        url=url,
        other_urls=(),
    )
    return [replace(row, organisation_id=organisation) for organisation in organisations]


def _count(record: Mapping[str, str], correction: AdoptionCorrection) -> str:
    """The count as the page prints it; a product of nodes and what one holds is the reader's."""
    if correction.count is not None:
        return correction.count
    return "" if "derived" in record.get("note", "") else record["count"]


def _kind(event: str) -> AdoptionKind:
    if event not in KINDS:
        raise RefusedCandidate(f"event: expected one of {', '.join(KINDS)}, found {event!r}")
    return KINDS[event]


def _days(
    record: Mapping[str, str],
    correction: AdoptionCorrection,
    kind: AdoptionKind,
    not_after: dt.date,
    read_on: dt.date,
) -> tuple[dt.date | None, dt.date | None]:
    """First and last possible day of the event; what happened is known by the day it was told."""
    low_text = record["event_date_low"] if correction.low is None else correction.low
    high_text = record["event_date_high"] if correction.high is None else correction.high
    low = read_period("event_date_low", low_text)[0] if low_text else None
    high = read_period("event_date_high", high_text)[1] if high_text else None
    if kind == AdoptionKind.PLAN and high is not None:
        high = min(high, not_after)  # the day of a plan is that on which it was told
    if kind in AHEAD:
        return low, high
    if low is not None and low > read_on:
        raise RefusedCandidate(
            f"event_date_low: {low} lies after the day of reading, {read_on}, and is said to be done"
        )
    if low is not None and low > not_after:
        raise RefusedCandidate(f"event_date_low: {low} lies after the statement, {not_after}: a plan told as done")
    if COMMIT in record["url"]:  # what a repository took up may have been there before
        low = None
    high = min(high or not_after, not_after)
    if low is None and not_after == read_on and high == read_on:
        raise RefusedCandidate("event_date_high: nothing bounds the day of the event but the day of reading")
    return low, high


def merged_events(rows: Iterable[AdoptionRow]) -> list[AdoptionRow]:
    """One event of its tellings: the same organisation, generation, accelerator and kind, within two months."""
    found: list[AdoptionRow] = []
    for row in sorted(rows, key=_order):
        home = next((index for index, other in enumerate(found) if _is_same(other, row)), None)
        if home is None:
            found.append(row)
        else:
            best, other = sorted((found[home], row), key=lambda r: (r.evidence.rank, _width(r), r.ref))
            urls = {*best.other_urls, *other.other_urls, other.url} - {best.url}
            found[home] = replace(best, other_urls=tuple(sorted(urls)))
    return sorted(found, key=lambda row: (row.organisation_id, row.generation_id, row.kind, _order(row)))


def _is_same(first: AdoptionRow, second: AdoptionRow) -> bool:
    if (first.organisation_id, first.generation_id, first.kind) != (
        second.organisation_id,
        second.generation_id,
        second.kind,
    ):
        return False
    models = {_model(first), _model(second)} - {None}
    if len(models) > 1:  # one cloud's B200 and its GB200 are two offers
        return False
    days = (first.on_low or first.on_high, second.on_low or second.on_high)
    return None not in days and abs(days[0] - days[1]) <= SAME_EVENT  # type: ignore[operator]


def _model(row: AdoptionRow) -> str | None:
    """The model of accelerator that the row names; None where the registry does not know one."""
    found = AcceleratorNames.load().match(row.accelerator).accelerator_id
    entry = load_registry().accelerator(found) if found else None
    return entry.id if entry else None


def _width(row: AdoptionRow) -> int:
    return (row.on_high - row.on_low).days if row.on_low and row.on_high else 10_000


def _order(row: AdoptionRow) -> tuple[dt.date, str]:
    return row.on_low or row.on_high or row.stated_not_after, row.ref
