"""A statement as the rule of what stands reads it."""

from __future__ import annotations

import datetime as dt

from pipelines.frozen import frozen


@frozen
class StatementRow:
    """One statement as the rule reads it: macros/25_resolution.sql names the columns; qualifiers are JSON."""

    thing: str
    asked: str | None
    as_of: dt.date
    subject_id: str | None
    statement_id: str
    place: int
    metric: str
    kind: str
    tolerance: float
    requires: tuple[str, ...]
    related: bool
    value: float | None
    low: float | None
    high: float | None
    value_text: str | None
    qualifiers: str
    modality: str
    claimant_key: str
    claimant_kind: str
    printer_key: str
    printer_kind: str
    is_owner: bool
    stated_from: dt.date | None
    stated_to: dt.date | None
    known_from: dt.date | None
    is_doubtful: bool
    variants: tuple[str, ...]
