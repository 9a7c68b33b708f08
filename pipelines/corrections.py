"""What a person corrects of a reading, checked as every claim is: metric, unit, value and subject. Pure."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

from pipelines.claims.identity import claim_id
from pipelines.decisions import Decision
from pipelines.ledger.fields import FieldError, read_number, read_period, read_qualifiers
from pipelines.ledger.row import metric_of
from pipelines.registry.metric_entries import MetricEntry
from pipelines.registry.spellings import subject_of
from pipelines.units import UnknownUnit, to_canonical


def corrected(
    row: Mapping[str, Any], read: Decision, subject: str, metric: str, value: str, unit: str, qualifiers: str = ""
) -> Decision:
    """The decision with what is given put right; `row` is the mention in the build. Raises FieldError.

    A figure that is not given anew keeps its number; another metric needs it in that metric's unit. Of the qualifiers
    those in `qualifiers` ('sparsity=dense; per=rack') replace what was read, and the others stay.
    """
    entry = metric_of(metric or read.metric)
    if entry.unit != read.unit and not value:
        raise FieldError("value", f"{entry.id} is kept in {entry.unit}, the reading is in {read.unit}: give the value")
    said = _said(entry, value, unit) if value or unit else read.value
    right = dataclasses.replace(read, metric=entry.id, unit=entry.unit, value=said)
    if subject:
        right = _of(right, subject)
    counted: dict[str, str] = json.loads(row["qualifiers"])
    if qualifiers:
        counted |= dict(read_qualifiers("qualifiers", qualifiers))
        right = dataclasses.replace(right, qualifiers="; ".join(f"{k}={v}" for k, v in sorted(counted.items())))
    becomes = _identity(row, right, entry, counted)
    if becomes == read.claim_id:
        raise FieldError("correct", "this is what the reading says already: accept it")
    return dataclasses.replace(right, becomes=becomes)


def _of(read: Decision, subject: str) -> Decision:
    """The decision about another subject, as the registry calls it or else as it is written."""
    known = subject_of(subject)
    if known is None:
        return dataclasses.replace(read, subject=subject, subject_id="")
    return dataclasses.replace(read, subject=known.name, subject_id=known.subject_id, subject_kind=known.kind)


def merged(read: Decision, into: str) -> Decision:
    """The decision that an unknown name is a thing of the registry. Raises FieldError."""
    if read.subject_id:
        raise FieldError("merge", f"{read.name} is known already, as {read.subject_id}; correct changes the subject")
    known = subject_of(into)
    if known is None:
        raise FieldError("into", f"{into!r} is no id or name of the registry")
    return dataclasses.replace(
        read, subject=known.name, subject_id=known.subject_id, subject_kind=known.kind, metric="", value="", unit=""
    )


def named(read: Decision, name: str, kind: str) -> Decision:
    """The decision that an unknown name is a thing of its own. Raises FieldError."""
    known = subject_of(name or read.name)
    if read.subject_id or known is not None:
        raise FieldError("new", f"{name or read.name} is known already: merge or correct")
    return dataclasses.replace(
        read, subject=name or read.name, subject_kind=kind or read.subject_kind, metric="", value="", unit=""
    )


def _said(entry: MetricEntry, value: str, unit: str) -> str:
    if not value:
        raise FieldError("value", "a unit needs its number")
    if entry.kind == "date":
        first, last = read_period("value", value)
        return f"{first}..{last}"
    if not entry.is_number:
        return value
    number = read_number("value", value)
    try:
        return f"{to_canonical(number or 0.0, unit or entry.unit, entry):.12g}"
    except UnknownUnit as error:
        raise FieldError("unit", str(error)) from None


def _identity(row: Mapping[str, Any], right: Decision, entry: MetricEntry, qualifiers: Mapping[str, str]) -> str:
    period = read_period("value", right.value) if entry.kind == "date" else (None, None)
    value: float | str | None = None if entry.kind == "date" else right.value
    return claim_id(
        subject=right.subject, metric=right.metric, value=float(right.value) if entry.is_number else value,
        value_period=period, unit=right.unit, qualifiers=qualifiers,
        period=(row["period_start"], row["period_end"]), claimant=row["claimant"],
    )  # fmt: skip
