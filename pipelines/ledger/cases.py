"""Cases for the rule of what stands: statements that disagree, the cell asked for, a day. Pure reading, no judgement.

A case is one JSON object: `id`, `subject`, `metric`, `qualifiers`, `as_of` and `statements`, each with `value` or
`value_low`/`value_high`, `unit`, `modality`, `claimant`, `printed_by`, `printed_by_kind`, `stated_on` and
`qualifiers`.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pipelines.claims.identity import qualifiers_json
from pipelines.frozen import frozen
from pipelines.ledger.fields import FieldError, read_date, read_period
from pipelines.ledger.row import metric_of
from pipelines.model.claim_row import StatementRow
from pipelines.registry import load_registry
from pipelines.registry.entries import OrganisationEntry, first_day
from pipelines.registry.metric_entries import MetricEntry
from pipelines.registry.names import name_key, name_tokens
from pipelines.registry.spellings import subject_of
from pipelines.units import to_canonical

PRINTER_KINDS = ("measured", "maker", "operator", "filing", "standards", "analyst", "press", "aggregator")
_EPOCH = dt.date(1970, 1, 1)
_UNNAMED = re.compile(
    r"\b(insiders?|sources?|rumou?rs?|leak(?:s|er|ers)?|anonymous|unnamed|authors?|people|posts?|users?)\b", re.I
)
_PARENTHESIS = re.compile(r"\s*\([^)]*\)")


def read_cases(lines: Iterable[str]) -> Iterator[tuple[Mapping[str, Any], tuple[StatementRow, ...]]]:
    """Each case as given, and its statements as rows. Raises ValueError with line and reason.

    The file is read as of its latest day: a statement dated to a month or year is known at its end or on that day.
    """
    cases = [(number, _object(number, line)) for number, line in enumerate(lines, start=1) if line.strip()]
    days: list[dt.date] = []
    seen: set[str] = set()
    for number, case in cases:
        try:
            days.append(_day(case))
            if _text(case, "id") in seen:
                raise FieldError("id", f"{case['id']!r} stands twice")
        except FieldError as error:
            raise ValueError(f"line {number}: {error}") from error
        seen.add(case["id"])
    for number, case in cases:
        try:
            yield case, tuple(_rows(case, read_on=max(days)))
        except FieldError as error:
            raise ValueError(f"line {number} {case['id']}: {error}") from error


def _object(number: int, line: str) -> Mapping[str, Any]:
    try:
        case = json.loads(line)
    except json.JSONDecodeError as error:
        raise ValueError(f"line {number}: no JSON: {error}") from error
    if not isinstance(case, dict):
        raise ValueError(f"line {number}: expected a JSON object, found {type(case).__name__}")
    return case


def _day(case: Mapping[str, Any]) -> dt.date:
    text = _text(case, "as_of")
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise FieldError("as_of", f"expected a day such as 2026-11-22, found {text!r}") from error


@frozen
class _Asked:
    """What the statements of one case share."""

    thing: str
    subject: str
    metric: MetricEntry
    qualifiers: str
    as_of: dt.date
    read_on: dt.date


def _rows(case: Mapping[str, Any], *, read_on: dt.date) -> Iterator[StatementRow]:
    metric = metric_of(_text(case, "metric"))
    qualifiers = qualifiers_json(_pairs(case, "qualifiers"))
    asked = _Asked(_text(case, "id"), _text(case, "subject"), metric, qualifiers, _day(case), read_on)
    statements = case.get("statements")
    if not isinstance(statements, list):
        raise FieldError("statements", "expected a list of statements")
    for place, statement in enumerate(statements):
        try:
            if not isinstance(statement, dict):
                raise FieldError("statement", f"expected an object, found {statement!r}")
            yield _row(asked, place, statement)
        except FieldError as error:
            raise FieldError(f"statements[{place}].{error.field}", str(error).partition(": ")[2]) from error


def _row(asked: _Asked, place: int, statement: Mapping[str, Any]) -> StatementRow:
    told = metric_of(str(statement.get("metric") or asked.metric.id))
    low, value, high, text = _value(statement, told)
    claimant, printer = _text(statement, "claimant"), _text(statement, "printed_by")
    printer_kind = _text(statement, "printed_by_kind")
    if printer_kind not in PRINTER_KINDS:
        raise FieldError("printed_by_kind", f"expected one of {', '.join(PRINTER_KINDS)}, found {printer_kind!r}")
    stated_from, stated_to, known_from = _dates(statement, asked.read_on)
    qualifiers = _pairs(statement, "qualifiers")
    if asked.metric.kind != "date" and statement.get("period"):
        qualifiers["period"] = str(statement["period"])  # a figure of another quarter is another figure
    return StatementRow(
        thing=asked.thing,
        asked=asked.qualifiers,
        as_of=asked.as_of,
        subject_id=None,
        statement_id=str(place),
        place=place,
        metric=told.id,
        kind=asked.metric.kind,
        tolerance=asked.metric.tolerance,
        requires=asked.metric.requires,
        related=told.id == asked.metric.id,
        value=value,
        low=low,
        high=high,
        value_text=text,
        qualifiers=qualifiers_json(qualifiers),
        modality=_text(statement, "modality"),
        claimant_key=party_key(claimant),
        claimant_kind=claimant_kind(claimant, printer, printer_kind),
        printer_key=party_key(printer),
        printer_kind=printer_kind,
        is_owner=owns(claimant, asked.subject),
        stated_from=stated_from,
        stated_to=stated_to,
        known_from=known_from,
        is_doubtful=qualifiers.get("disputed") == "yes",
        variants=_variants(asked.subject, told.id, value, qualifiers),
    )


def _variants(subject: str, metric: str, value: float | None, qualifiers: Mapping[str, str]) -> tuple[str, ...]:
    """Of the variants of an accelerator those whose memory in the registry is this figure."""
    known = subject_of(subject)
    entry = load_registry().accelerator(known.subject_id) if known is not None else None
    if metric != "memory_capacity" or qualifiers.get("per") != "accelerator" or known is None or entry is None:
        return ()
    own = next((variant for variant in entry.variants if variant.id == known.subject_id), entry)
    return tuple(
        variant.id
        for variant in entry.variants
        if own.memory_gb is None and variant.memory_gb == value and own.form_factor in (None, variant.form_factor)
    )


def _value(
    statement: Mapping[str, Any], metric: MetricEntry
) -> tuple[float | None, float | None, float | None, str | None]:
    """Lower end, value, upper end in the metric's unit, or days since 1970; a text where the metric is one."""
    given = {name: statement.get(name) for name in ("value", "value_low", "value_high")}
    if metric.kind == "text":
        return None, None, None, None if given["value"] is None else str(given["value"])
    if metric.kind == "date":
        periods = {name: read_period(name, str(text)) for name, text in given.items() if text is not None}
        low = periods.get("value") or periods.get("value_low")
        high = periods.get("value") or periods.get("value_high")
        return low and _days(low[0]), None, high and _days(high[1]), None
    unit = _text(statement, "unit")
    numbers = {name: _number(name, number, unit, metric) for name, number in given.items()}
    return numbers["value_low"], numbers["value"], numbers["value_high"], None


def _days(day: dt.date) -> float:
    return float((day - _EPOCH).days)


def _number(name: str, given: object, unit: str, metric: MetricEntry) -> float | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise FieldError(name, f"expected a number, found {given!r}")
    try:
        return to_canonical(float(given), unit, metric)
    except ValueError as error:
        raise FieldError("unit", str(error)) from error


def _dates(statement: Mapping[str, Any], read_on: dt.date) -> tuple[dt.date | None, dt.date | None, dt.date]:
    """First and last day of the page's date, and the day it is known from: an undated one on reading."""
    text = statement.get("stated_on")
    if text is None:
        limit = statement.get("stated_not_after") or statement.get("read_on")
        return None, None, read_on if limit is None else read_date("stated_not_after", str(limit))[0]
    last, _ = read_date("stated_on", str(text))
    first = first_day(str(text))
    return first, last, max(first, min(last, read_on))


def _text(record: Mapping[str, Any], name: str) -> str:
    text = record.get(name)
    if not isinstance(text, str) or not text:
        raise FieldError(name, f"expected a text, found {text!r}")
    return text


def _pairs(record: Mapping[str, Any], name: str) -> dict[str, str]:
    pairs = record.get(name) or {}
    if not isinstance(pairs, dict):
        raise FieldError(name, f"expected an object, found {pairs!r}")
    return {str(key): str(value) for key, value in pairs.items()}


def _organisation(name: str) -> OrganisationEntry | None:
    """The organisation that a name is, spokesmen in brackets left out."""
    found = load_registry().submitter(_PARENTHESIS.sub("", name) or name)
    return load_registry().organisation(found.parts[0]) if len(found.parts) == 1 else None


def party_key(name: str) -> str:
    """Who speaks, as one key: the organisation's parent or id, else its folded name."""
    entry = _organisation(name)
    return "~" + name_key(_PARENTHESIS.sub("", name) or name) if entry is None else entry.parent or entry.id


def claimant_kind(claimant: str, printer: str, printer_kind: str) -> str:
    """What a claimant is: as his own page says, as the registry knows him, else a party; unnamed: nobody."""
    if party_key(claimant) == party_key(printer):
        return printer_kind
    entry = _organisation(claimant)
    if entry is not None and entry.publishes_as is not None:
        return entry.publishes_as
    return "aggregator" if entry is None and _UNNAMED.search(claimant) else "party"


def owns(claimant: str, subject: str) -> bool:
    """Whether the claimant makes or runs the subject: the registry says so, or the subject bears his name."""
    key = party_key(claimant)
    if _UNNAMED.search(claimant):
        return False
    known = subject_of(subject)
    if known is not None and known.vendor_id and party_key(known.vendor_id) == key:
        return True
    entry = load_registry().organisation(key)
    words = {*name_tokens(_PARENTHESIS.sub("", claimant)), *(entry.name_words if entry else ())}
    return bool(words & set(name_tokens(subject)))
