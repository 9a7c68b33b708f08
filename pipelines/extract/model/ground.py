"""What of a model's answer stands in the document: quote, number, unit and name are looked for, one by one.

An answer that does not ground is dropped and counted by the first thing that is wrong with it; so whatever a document
makes a model say, nothing is told that does not stand there. What grounds is a candidate, never more.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pipelines.extract.model.question import FIELDS, Chunk
from pipelines.extract.values import Kind, Period, Value, find_values
from pipelines.model.claim import ExtractedClaim, Method, Modality, Origin, Span
from pipelines.model.document import Document
from pipelines.registry import load_registry
from pipelines.registry.metric_entries import MetricEntry
from pipelines.registry.spellings import subject_of

CONFIDENCE = 0.5  # no calibration knows a model's proposals: they wait for a person
PROPOSED = "proposed by a model, not weighed"
_NEAR = 600  # characters around a quote in which its subject's name must stand
_LONGEST = 1_000  # characters of a quote
_PER = re.compile(r"[a-z][a-z ]{0,20}")


class Dropped(StrEnum):
    """Why an answer, or one claim of it, is not told."""

    REFUSED = "the model refused"
    NO_JSON = "no JSON of the schema"
    NO_QUOTE = "the quote is not in the text"
    NO_NUMBER = "the number is not in the quote"
    NO_UNIT = "the unit is not in the text, or is none of this metric"
    NO_NAME = "the subject's name is not near the quote"
    NO_METRIC = "the metric is not known"
    NOT_BELIEVABLE = "the value is not believable"
    TWICE = "said before"


@dataclass(frozen=True, slots=True)
class Grounded:
    """The claims of a document's answers, and what was dropped by reason."""

    claims: tuple[ExtractedClaim, ...]
    dropped: Mapping[Dropped, int]


def ground(document: Document, origin: Origin, answers: Sequence[tuple[Chunk, str | None]]) -> Grounded:
    """The claims that stand in the document; an answer of None is a refusal. Each claim is told once."""
    claims: dict[tuple[object, ...], ExtractedClaim] = {}
    dropped: Counter[Dropped] = Counter()
    for chunk, answer in answers:
        for item in _items(answer):
            found = item if isinstance(item, Dropped) else _claim(document, origin, chunk, item)
            if not isinstance(found, Dropped):
                said = (found.subject.casefold(), found.metric, found.value, found.period_start, found.period_end)
                if claims.setdefault(said, found) is found:
                    continue
                found = Dropped.TWICE
            dropped[found] += 1
    in_order = sorted(claims.values(), key=lambda claim: (claim.value_at, claim.metric, claim.subject))
    return Grounded(tuple(in_order), dict(dropped))


def _items(answer: str | None) -> list[Mapping[str, str] | Dropped]:
    """The claims of an answer; one reason for an answer that has none of its form."""
    if answer is None:
        return [Dropped.REFUSED]
    try:
        listed = json.loads(answer)["claims"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return [Dropped.NO_JSON]
    if not isinstance(listed, list):
        return [Dropped.NO_JSON]
    whole = (isinstance(item, dict) and all(isinstance(item.get(name), str) for name in FIELDS) for item in listed)
    return [item if is_whole else Dropped.NO_JSON for item, is_whole in zip(listed, whole, strict=True)]


def _claim(document: Document, origin: Origin, chunk: Chunk, item: Mapping[str, str]) -> ExtractedClaim | Dropped:
    metric = next((entry for entry in load_registry().metrics() if entry.id == item["metric"]), None)
    if metric is None or metric.kind == "text":
        return Dropped.NO_METRIC
    quote = item["quote"]
    at = document.text.find(quote, chunk.start, chunk.end) if 0 < len(quote) <= _LONGEST else -1
    if at < 0:
        return Dropped.NO_QUOTE
    context = Span(at, at + len(quote))
    values = [value for value in find_values(quote, published=origin.published_on) if _is_printed(value, item["value"])]
    if not values:
        return Dropped.NO_NUMBER
    name = item["subject"].strip()
    if not _stands_near(document, chunk, context, name):
        return Dropped.NO_NAME
    unit = item["unit"].strip()
    unit = unit if unit in chunk.text(document) else ""  # one that does not stand beside it must stand in the piece
    read = next(((value, said) for value in values if (said := _read(value, metric, unit)) is not None), None)
    if read is None:
        return Dropped.NO_UNIT
    value, said = read
    known = subject_of(name)
    kind = known.kind if known is not None else "product"
    qualifiers = _qualifiers(document, context, item, value)
    number, period = (None, said) if isinstance(said, Period) else (said, None)
    if number is not None and not metric.is_plausible(number, kind, qualifiers.get("per", "")):
        return Dropped.NOT_BELIEVABLE
    return ExtractedClaim(
        subject=known.name if known is not None else name, subject_id=known.subject_id if known is not None else "",
        subject_kind=kind, metric=metric.id, value=number, unit=metric.unit,
        value_at=Span(at + value.digits[0], at + value.digits[1]), context=context,
        printed=value.text, modality=Modality.ANNOUNCED, claimant=origin.publisher, method=Method.MODEL,
        confidence=CONFIDENCE, qualifiers=tuple(sorted(qualifiers.items())),
        period_start=period.first if period is not None else None,
        period_end=period.last if period is not None else None, doubt=PROPOSED,
    )  # fmt: skip


def _qualifiers(document: Document, quote: Span, item: Mapping[str, str], value: Value) -> dict[str, str]:
    """What narrows the value: of the answer's words those that stand in or around the quote."""
    around = document.text[max(0, quote.start - _NEAR) : quote.end + _NEAR].casefold()
    per, precision = (item[name].strip().casefold() for name in ("per", "precision"))
    found = {"bound": value.bound, "per": per if _PER.fullmatch(per) else "", "precision": precision}
    return {name: word for name, word in found.items() if word and (name == "bound" or word in around)}


def _read(value: Value, metric: MetricEntry, unit: str) -> float | Period | None:
    """The value in the metric's unit, or its period."""
    if metric.kind == "date":
        return value.period
    found = value.in_metric(metric) or (value.in_metric(metric, unit) if unit else None)
    return found[1] if found is not None else None


def _is_printed(value: Value, said: str) -> bool:
    """Whether a value of the quote is the one that is said: the same words, or the same number."""
    if value.kind is Kind.PERIOD:
        return bool(said.strip()) and said.strip().casefold() in value.text.casefold()
    try:
        number = float(said.replace(",", "").strip())
    except ValueError:
        return False
    return number in (value.low, value.high)


def _stands_near(document: Document, chunk: Chunk, quote: Span, name: str) -> bool:
    """Whether a name stands around the quote, in its table, in the headings above or in the title."""
    if not 1 < len(name) <= 120 or not any(letter.isalnum() for letter in name):
        return False
    around = document.text[max(chunk.start, quote.start - _NEAR) : min(chunk.end, quote.end + _NEAR)]
    table = chunk.text(document) if chunk.is_table else ""
    places = (around, table, *chunk.headings, document.title or "")
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return any(whole.search(place) is not None for place in places)
