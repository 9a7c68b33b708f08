"""One record of the ledger as a mention, through the checks that extracted claims pass; and all of its CSV files.

A row that does not fit is refused by file, line and field.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pipelines.claims.identity import claim_id, qualifiers_json
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
from pipelines.model.claim import Method
from pipelines.model.claim_row import MentionRow
from pipelines.model.columns import RowColumn, columns_of
from pipelines.model.evidence import Evidence
from pipelines.problems import Problem, Reason
from pipelines.registry import load_registry
from pipelines.registry.metric_entries import MetricEntry
from pipelines.registry.printers import Printed, allowed_tag, printed_by
from pipelines.registry.spellings import subject_of
from pipelines.units import UnknownUnit, to_canonical

SOURCE_ID = EXTRACTOR = "ledger"
VERSION = "1"
TYPED = tuple(column for column in columns_of(MentionRow) if column.column.is_typed)
# Columns that become other fields than they are called, or that need the metric or the registry to be read.
COMPOSED = (
    "subject", "subject_kind", "metric", "value", "value_low", "value_high", "unit", "qualifiers", "stated_on",
    "period", "document", "printed",
)  # fmt: skip
COLUMNS = (*COMPOSED, *(column.name for column in TYPED))
REQUIRED = ("ref", "subject", "metric", "value", "modality", "claimant", "evidence", "url", "publisher")
UNSTATED = "unstated"
SHORTENERS = frozenset(
    {
        "bit.ly",
        "buff.ly",
        "cutt.ly",
        "goo.gl",
        "ift.tt",
        "is.gd",
        "lnkd.in",
        "ow.ly",
        "rb.gy",
        "t.co",
        "tinyurl.com",
        "vo.la",
    }
)  # they lead elsewhere, or nowhere
_W = TypeVar("_W", bound=StrEnum)
UNKNOWN = "unknown"  # precision of the date of a page that names none
PERIOD = "period"  # required as the row's own column, not as a qualifier


def read_row(file: str, given: Mapping[str, str], speakers: Speakers) -> MentionRow:
    """The mention that a record stands for. Its tag stands; `own_product` follows from who speaks.

    Raises FieldError, which names the field and what was expected.
    """
    record = dict.fromkeys(COLUMNS, "") | dict(given)
    for name in REQUIRED:
        if not record[name]:
            raise FieldError(name, "is empty; a claim needs it")
    check_url(record["url"])
    printed = printed_by(record["url"], record["printed_by"] or record["publisher"], "")
    _check_forecast(record)
    metric = metric_of(record["metric"])
    qualifiers = read_qualifiers("qualifiers", record["qualifiers"])
    _check_required(metric, dict(qualifiers), record)
    typed: dict[str, Any] = {column.name: _read(column, record[column.name]) for column in TYPED}
    who, said, when = _who(record, speakers), _said(metric, record), _when(record, typed)
    _check_tag(typed["evidence"], record["claimant"], printed)
    caveats = {*typed["caveats"], *(("own_product",) if who.pop("is_own") else ())}
    computed: dict[str, Any] = {
        "metric": metric.id,
        "unit": metric.unit,
        "qualifiers": qualifiers_json(dict(qualifiers)),
        "caveats": tuple(sorted(caveats)),
        "printed_by": printed.name,
        "doubt": _doubt(metric, said["value"], who["subject_kind"], dict(qualifiers).get("per", "")),
        "printed": record["printed"] or f"{record['value']} {record['unit']}".strip(),
        "source_id": SOURCE_ID,
        "locator": f"{file} {record['ref']}",
        "method": Method.HAND,
        "extractor": EXTRACTOR,
        "extractor_version": VERSION,
        "confidence": 1.0,
    }
    identity = claim_id(
        subject=who["subject"],
        metric=metric.id,
        value=said["value"] if said["value"] is not None else said["value_text"],
        value_period=(said["value_start"], said["value_end"]),
        unit=metric.unit,
        qualifiers=dict(qualifiers),
        period=(when["period_start"], when["period_end"]),
        claimant=record["claimant"],
    )
    return MentionRow(**(typed | who | said | when | computed | {"claim_id": identity}))


def _who(record: Mapping[str, str], speakers: Speakers) -> dict[str, Any]:
    """The thing spoken of, who speaks, and whether it is his own."""
    subject, claimant = subject_of(record["subject"]), speakers.speaker(record["claimant"])
    name, subject_id = (subject.name, subject.subject_id) if subject else (record["subject"], "")
    return {
        "subject": name,
        "subject_id": subject_id,
        "subject_kind": record["subject_kind"] or (subject.kind if subject else "other"),
        "claimant_id": claimant.organisation_id,
        "is_own": claimant.is_one_of(speakers.makers(subject_id, name)),
    }


def _when(record: Mapping[str, str], typed: Mapping[str, Any]) -> dict[str, Any]:
    """When it was stated, by when it had been, when it was read, and for which period it holds."""
    stated_on, precision = read_date("stated_on", record["stated_on"]) if record["stated_on"] else (None, UNKNOWN)
    if stated_on is None and typed["stated_not_after"] is None:
        raise FieldError("stated_on", "is empty; say stated_not_after where the page gives no date")
    period = read_period("period", record["period"]) if record["period"] else (None, None)
    return {
        "stated_on": stated_on,
        "stated_on_precision": precision,
        "stated_not_after": typed["stated_not_after"],
        "read_on": typed["read_on"],
        "period_start": period[0],
        "period_end": period[1],
    }


def _said(metric: MetricEntry, record: Mapping[str, str]) -> dict[str, Any]:
    """What is claimed: a number in the metric's unit, a text, or a period."""
    dates = read_period("value", record["value"]) if metric.kind == "date" else (None, None)
    names = ("value", "value_low", "value_high") if metric.is_number else ("value_low", "value_high")
    numbers = {name: _number(metric, name, record[name], record["unit"]) for name in names}
    return (
        {"value": None}
        | numbers
        | {
            "value_text": record["value"] if metric.kind == "text" else "",
            "value_start": dates[0],
            "value_end": dates[1],
        }
    )


def _read(column: RowColumn, text: str) -> Any:
    """A field by the type that the row declares for it."""
    if column.type == tuple[str, ...]:
        return read_words(text)
    if column.type is dt.date:
        return read_date(column.name, text)[0] if text else None
    if column.type is float:
        return read_number(column.name, text)
    if issubclass(column.type, StrEnum):
        return word_of(column.type, column.name, text)
    if column.column.known and text and text not in column.column.known:
        raise FieldError(column.name, f"expected one of {', '.join(column.column.known)}, found {text!r}")
    return text


def _doubt(metric: MetricEntry, value: float | None, kind: str, per: str) -> str:
    """Why a figure waits for review: outside what is believable for its metric and kind of subject."""
    if value is None or metric.is_plausible(value, kind, per):
        return ""
    return f"{value:g} {metric.unit} is outside what is believable for {kind} per {per or '?'}"


def check_url(url: str) -> None:
    """Raises FieldError for what is no address of a page."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise FieldError("url", f"expected a web address, found {url!r}")
    if not parts.path.strip("/") and not parts.query:
        raise FieldError("url", f"{url!r} leads to the root of a site, not to the page")
    if (parts.hostname or "").removeprefix("www.") in SHORTENERS:
        raise FieldError("url", f"{url!r} is a short link; give the address it leads to")


def _check_tag(tag: Evidence, claimant: str, printed: Printed) -> None:
    allowed = allowed_tag(tag, claimant, printed)
    if allowed is not tag:
        raise FieldError("evidence", f"{claimant} on a page of {printed.name} is {allowed} at most, found {tag}")


def _check_forecast(record: Mapping[str, str]) -> None:
    given = [name for name in ("due_on", "criterion", "state") if record[name]]
    if given and len(given) < 3:
        raise FieldError(given[0], "a forecast needs due_on, criterion and state together")


def metric_of(name: str) -> MetricEntry:
    """The metric under an id; raises FieldError."""
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


def word_of(words: type[_W], field: str, text: str) -> _W:
    """One of a closed set of words; raises FieldError."""
    try:
        return words(text)
    except ValueError as error:
        raise FieldError(field, f"expected one of {', '.join(words)}, found {text!r}") from error


@frozen
class LedgerReport:
    """Rows in the order of files and lines, and what was refused."""

    rows: tuple[MentionRow, ...]
    problems: tuple[Problem, ...]


def load_ledger(folder: Path) -> LedgerReport:
    """All rows of `folder/*.csv`. An absent folder is an empty ledger."""
    rows: dict[str, MentionRow] = {}
    places: dict[str, tuple[Path, int]] = {}
    problems: list[Problem] = []
    speakers = Speakers.load()
    for path in sorted(folder.glob("*.csv")):

        def read(line: int, record: Mapping[str, str], path: Path = path) -> MentionRow:
            row = read_row(path.name, record, speakers)
            if row.ref in rows:
                first, at = places[row.ref]
                raise FieldError("ref", f"{row.ref!r} stands already in {first.name} line {at}")
            places[row.ref] = (path, line)
            return row

        for row in read_records(path, REQUIRED, COLUMNS, read, refusal(path, problems)):
            rows[row.ref] = row
    return LedgerReport(tuple(rows.values()), (*problems, *_dangling(rows, places)))


def refusal(path: Path, problems: list[Problem]) -> Callable[[str, str], None]:
    """What notes a line of a file that does not fit."""
    return lambda place, detail: problems.append(
        Problem(SOURCE_ID, path.name, place, Reason.FACT_REFUSED, detail, is_fatal=True)
    )


def _dangling(rows: Mapping[str, MentionRow], places: Mapping[str, tuple[Path, int]]) -> list[Problem]:
    return [
        Problem(SOURCE_ID, path.name, f"line {line} {ref}", Reason.FACT_REFUSED, detail, is_fatal=False)
        for ref, (path, line) in places.items()
        if (origin := rows[ref].origin_ref) and origin not in rows
        for detail in (f"origin_ref: no row {origin!r}; the link is kept as it is",)
    ]
