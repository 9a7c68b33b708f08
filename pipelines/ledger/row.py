"""One record of the ledger as a typed row, through the checks that extracted claims pass. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from pipelines.ledger.fields import FieldError, read_date, read_number, read_period, read_qualifiers, read_words
from pipelines.ledger.subjects import subject_of
from pipelines.model.claim import Modality
from pipelines.model.evidence import Evidence
from pipelines.model.ledger_row import LedgerRow
from pipelines.registry import load_registry
from pipelines.registry.metric_entries import MetricEntry
from pipelines.units import UnknownUnit, to_canonical

COLUMNS = (
    "ref", "subject", "subject_kind", "metric", "value", "value_low", "value_high", "unit", "qualifiers", "modality",
    "claimant", "evidence", "stated_on", "period", "url", "publisher", "document", "printed", "origin_ref", "caveats",
    "due_on", "criterion", "state", "note",
)  # fmt: skip
REQUIRED = ("ref", "subject", "metric", "value", "modality", "claimant", "evidence", "stated_on", "url", "publisher")
STATES = ("open", "met", "missed", "ambiguous")
UNSTATED = "unstated"
PERIOD = "period"  # required as the row's own column, not as a qualifier
Word = TypeVar("Word", bound=StrEnum)


def read_row(file: str, line: int, record: Mapping[str, str]) -> LedgerRow:
    """The typed row of a record. Raises FieldError, which names the field and what was expected."""
    for name in REQUIRED:
        if not record[name]:
            raise FieldError(name, "is empty; a claim needs it")
    if not record["url"].startswith(("https://", "http://")):
        raise FieldError("url", f"expected a web address, found {record['url']!r}")
    metric = _metric(record["metric"])
    qualifiers = read_qualifiers("qualifiers", record["qualifiers"])
    _check_required(metric, dict(qualifiers), record)
    stated_on, precision = read_date("stated_on", record["stated_on"])
    period = read_period("period", record["period"]) if record["period"] else (None, None)
    subject = subject_of(record["subject"])
    number = _number(metric, "value", record["value"], record["unit"]) if metric.is_number else None
    dates = read_period("value", record["value"]) if metric.kind == "date" else (None, None)
    return LedgerRow(
        ref=record["ref"],
        file=file,
        line=line,
        subject=subject.name if subject else record["subject"],
        subject_id=subject.subject_id if subject else "",
        subject_kind=record["subject_kind"] or (subject.kind if subject else "other"),
        metric=metric.id,
        value=number,
        value_text=record["value"] if metric.kind == "text" else "",
        value_start=dates[0],
        value_end=dates[1],
        value_low=_number(metric, "value_low", record["value_low"], record["unit"]),
        value_high=_number(metric, "value_high", record["value_high"], record["unit"]),
        unit=metric.unit,
        qualifiers=qualifiers,
        modality=_word(Modality, "modality", record["modality"]),
        claimant=record["claimant"],
        evidence=_word(Evidence, "evidence", record["evidence"]),
        stated_on=stated_on,
        stated_on_precision=precision,
        period_start=period[0],
        period_end=period[1],
        url=record["url"],
        publisher=record["publisher"],
        document=record["document"],
        printed=record["printed"] or f"{record['value']} {record['unit']}".strip(),
        origin_ref=record["origin_ref"],
        caveats=read_words(record["caveats"]),
        note=record["note"],
        **_forecast(record),  # type: ignore[arg-type]
    )


def _forecast(record: Mapping[str, str]) -> dict[str, object]:
    given = [name for name in ("due_on", "criterion", "state") if record[name]]
    if given and len(given) < 3:
        raise FieldError(given[0], "a forecast needs due_on, criterion and state together")
    if record["state"] and record["state"] not in STATES:
        raise FieldError("state", f"expected one of {', '.join(STATES)}, found {record['state']!r}")
    due_on = read_date("due_on", record["due_on"])[0] if record["due_on"] else None
    return {"due_on": due_on, "criterion": record["criterion"], "state": record["state"]}


def _metric(name: str) -> MetricEntry:
    try:
        return load_registry().metric(name)
    except KeyError:
        raise FieldError("metric", f"{name!r} is no metric of metrics.yaml") from None


def _check_required(metric: MetricEntry, qualifiers: Mapping[str, str], record: Mapping[str, str]) -> None:
    missing = [name for name in metric.requires if name not in qualifiers and not (name == PERIOD and record["period"])]
    if missing:
        raise FieldError("qualifiers", f"{metric.id} needs {', '.join(missing)}: state it or write '{UNSTATED}'")


def _number(metric: MetricEntry, field: str, text: str, unit: str) -> float | None:
    number = read_number(field, text)
    if number is None or not metric.is_number:
        return None
    try:
        return to_canonical(number, unit, metric)
    except UnknownUnit as error:
        raise FieldError("unit", f"{error}; {metric.id} is kept in {metric.unit}") from error


def _word(words: type[Word], field: str, text: str) -> Word:
    try:
        return words(text)
    except ValueError as error:
        raise FieldError(field, f"expected one of {', '.join(words)}, found {text!r}") from error
