"""The committed facts of what was read: `documents.csv` and `claims.csv`, a reading a line. Pure but for `load_read`.

Only facts stand there: what is claimed, where in which text (by its digest), and how sure the reader was. The texts are
their authors'. A row is graded, named and dated at every build by the rules that a fresh reading passes.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pipelines.claims.row import Carrier, mention_row
from pipelines.claims.speakers import Speakers
from pipelines.frozen import frozen
from pipelines.ledger.fields import (
    FieldError,
    read_date,
    read_number,
    read_period,
    read_qualifiers,
    read_records,
    read_words,
)
from pipelines.ledger.row import UNKNOWN, check_url, metric_of, refusal, word_of
from pipelines.model.claim import ExtractedClaim, Method, Modality, Span
from pipelines.model.claim_row import MentionRow
from pipelines.problems import Problem
from pipelines.registry.printers import page_tag, printed_by
from pipelines.registry.spellings import subject_of

READ_SOURCE = "hand_added"  # the source of documents that belong to no other
DOCUMENTS, CLAIMS = "documents.csv", "claims.csv"
PAGE_KINDS = ("maker", "operator", "analyst", "press", "standards", "aggregator", "generated", "benchmark", "example")
DOCUMENT_COLUMNS = ("document", "sha256", "url", "publisher", "page_kind", "published_on", "read_on")
CLAIM_COLUMNS = (
    "document", "document_id", "subject", "subject_id", "subject_kind", "metric", "value", "value_low", "value_high",
    "unit", "period", "qualifiers", "modality", "claimant", "marks", "caveats", "printed", "start", "end",
    "context_start", "context_end", "method", "confidence", "doubt", "reader",
)  # fmt: skip
_T = TypeVar("_T")
UNSTATED = "unstated"
RELAYED, EXAMPLE, CONFIRMED = "relayed", "example", "confirmed"  # words of `marks`


@frozen
class ReadDocument:
    """A page that was read: the digest of its file, its address, who published it, as what kind of page, and when.

    `published_on` is as precise as the page is ('2025-09' is a month); empty where it gives no date.
    """

    document: str
    sha256: str
    url: str
    publisher: str
    page_kind: str
    published_on: str
    read_on: dt.date


@frozen
class ReadFacts:
    """What the two files say, and what was refused in them; `names` has the file's name of each document id."""

    documents: Mapping[str, ReadDocument]
    names: Mapping[str, str]
    rows: tuple[MentionRow, ...]
    problems: tuple[Problem, ...]


def load_read(folder: Path) -> ReadFacts:
    """All readings of `folder`; an absent folder holds none. A row that does not fit is refused by line and field."""
    problems: list[Problem] = []

    def each(file: str, columns: Sequence[str], read: Callable[[int, Mapping[str, str]], _T]) -> tuple[_T, ...]:
        path = folder / file
        return tuple(read_records(path, columns, columns, read, refusal(path, problems))) if path.exists() else ()

    documents = {document.document: document for document in each(DOCUMENTS, DOCUMENT_COLUMNS, _document)}
    speakers = Speakers.load()

    names: dict[str, str] = {}

    def mention(_: int, record: Mapping[str, str]) -> MentionRow:
        document = documents.get(record["document"])
        if document is None:
            raise FieldError("document", f"{record['document']!r} is not in {DOCUMENTS}")
        names[record["document_id"]] = document.document
        return row_of(record, document, speakers)

    rows = each(CLAIMS, CLAIM_COLUMNS, mention)
    return ReadFacts(documents, names, rows, tuple(problems))


def record_of(claim: ExtractedClaim, document: ReadDocument, document_id: str, reader: str) -> dict[str, str]:
    """The line of a reading; `reader` is the version of the way of reading."""
    is_date = claim.value is None and not claim.value_text
    period = ""
    if claim.period_start is not None and claim.period_end is not None:
        period = f"{claim.period_start}..{claim.period_end}"
    said = ((RELAYED, claim.is_attributed), (EXAMPLE, claim.is_illustrative), (CONFIRMED, claim.is_confirmed))
    marks = [word for word, holds in said if holds]
    cells = (
        document.document, document_id, claim.subject, claim.subject_id, claim.subject_kind, claim.metric,
        period if is_date else _number(claim.value) or claim.value_text, _number(claim.value_low),
        _number(claim.value_high), claim.unit, "" if is_date else period,
        "; ".join(f"{name}={word}" for name, word in claim.qualifiers), str(claim.modality), claim.claimant,
        "; ".join(marks), "; ".join(claim.caveats), " ".join(claim.printed.split()), str(claim.value_at.start),
        str(claim.value_at.end), str(claim.context.start), str(claim.context.end), str(claim.method),
        f"{claim.confidence:.3f}", claim.doubt, reader,
    )  # fmt: skip
    return dict(zip(CLAIM_COLUMNS, cells, strict=True))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.9g}"


def _document(_: int, record: Mapping[str, str]) -> ReadDocument:
    check_url(record["url"])
    if record["page_kind"] not in PAGE_KINDS:
        raise FieldError("page_kind", f"expected one of {', '.join(PAGE_KINDS)}, found {record['page_kind']!r}")
    if not record["publisher"]:
        raise FieldError("publisher", "is empty; a claim needs one who says it")
    if record["published_on"]:
        read_date("published_on", record["published_on"])
    return ReadDocument(**{**record, "read_on": read_date("read_on", record["read_on"])[0]})  # type: ignore[arg-type]


def row_of(record: Mapping[str, str], document: ReadDocument, speakers: Speakers) -> MentionRow:
    """The row of a line, graded and named by the rules of today. Raises FieldError."""
    carrier = carrier_of(document, record["document_id"])
    return mention_row(_claim(record, document), carrier, _Read(record["reader"], str(record["method"])), speakers)


@dataclass(slots=True)
class _Read:
    """The way of reading that a row names."""

    version: str
    name: str  # its method: reader or model

    def extract(self, *_: object) -> tuple[ExtractedClaim, ...]:
        return ()


def carrier_of(document: ReadDocument, document_id: str) -> Carrier:
    """The page as a carrier of claims; a month or a year is known at its end, as in the ledger."""
    stated, precision = (None, UNKNOWN)
    if document.published_on:
        last, precision = read_date("published_on", document.published_on)
        stated = min(last, document.read_on)
    printed = printed_by(document.url, document.publisher, document.page_kind)
    is_unsigned = document.page_kind in ("aggregator", "generated")
    kind = "aggregator" if is_unsigned else printed.kind
    return Carrier(
        document_id=document_id, source_id=READ_SOURCE, url=document.url, publisher=document.publisher,
        evidence=page_tag(kind), stated_on=stated, stated_on_precision=precision,
        stated_not_after=None if stated else document.read_on, read_on=document.read_on, printed_by=printed.name,
        first_seen=None,
    )  # fmt: skip


def _claim(record: Mapping[str, str], document: ReadDocument) -> ExtractedClaim:
    """The reading of a line. The registry of today names the subject; what it had not known may be known now."""
    metric = metric_of(record["metric"])
    if record["unit"] != metric.unit:
        raise FieldError("unit", f"{metric.id} is kept in {metric.unit}, found {record['unit']!r}")
    numbers = {
        name: read_number(name, record[name]) for name in ("value", "value_low", "value_high") if metric.is_number
    }
    period = record["value"] if metric.kind == "date" else record["period"]
    first, last = read_period("period", period) if period else (None, None)
    known = subject_of(record["subject_id"]) or subject_of(record["subject"])
    marks = read_words(record["marks"])
    qualifiers = read_qualifiers("qualifiers", record["qualifiers"])
    return ExtractedClaim(
        subject=known.name if known else record["subject"], subject_id=known.subject_id if known else "",
        subject_kind=known.kind if known else record["subject_kind"], metric=metric.id,
        value=numbers.get("value"), value_low=numbers.get("value_low"), value_high=numbers.get("value_high"),
        value_text=record["value"] if metric.kind == "text" else "", unit=metric.unit,
        value_at=_span(record, "start", "end"), context=_span(record, "context_start", "context_end"),
        printed=record["printed"], modality=word_of(Modality, "modality", record["modality"]),
        claimant=record["claimant"], method=word_of(Method, "method", record["method"]),
        confidence=read_number("confidence", record["confidence"]) or 0.0,
        qualifiers=qualifiers, period_start=first, period_end=last,
        is_attributed=RELAYED in marks, is_illustrative=EXAMPLE in marks or document.page_kind == EXAMPLE,
        caveats=read_words(record["caveats"]), doubt=record["doubt"] or _standing(metric.id, qualifiers, document),
        is_confirmed=CONFIRMED in marks,
    )  # fmt: skip


def _standing(metric: str, qualifiers: tuple[tuple[str, str], ...], document: ReadDocument) -> str:
    """Why a page's word is no fact however well it was read: nobody wrote it, or it tells what was reached in a run.

    A figure that names its benchmark stands: it is a fact of that benchmark, and meets no figure of another kind.
    """
    if document.page_kind == "generated":
        return "a generated page: nobody says it"
    is_named = dict(qualifiers).get("benchmark", UNSTATED) != UNSTATED
    is_reached = document.page_kind == "benchmark" and metric in ("compute", "memory_bandwidth", "power")
    return "measured in a benchmark, not what the thing is built for" if is_reached and not is_named else ""


def _span(record: Mapping[str, str], start: str, end: str) -> Span:
    try:
        return Span(int(record[start]), int(record[end]))
    except ValueError:
        raise FieldError(start, f"expected two places, found {record[start]!r} and {record[end]!r}") from None
