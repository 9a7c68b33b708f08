"""A row of the committed ledger: a claim that a person entered, with where it was read and what was corrected."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from pipelines.model.claim import Modality
from pipelines.model.evidence import Evidence


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One hand-entered claim; numbers are in the metric's canonical unit, `printed` is as the source has it.

    Exactly one of `value`, `value_text` and `value_start`/`value_end` is set. `origin_ref` names the row that this
    repeats or alters. `due_on`, `criterion` and `state` belong together and make it a forecast.
    """

    ref: str
    file: str
    line: int
    subject: str
    subject_id: str
    subject_kind: str
    metric: str
    value: float | None
    value_text: str
    value_start: dt.date | None
    value_end: dt.date | None
    value_low: float | None
    value_high: float | None
    unit: str
    qualifiers: tuple[tuple[str, str], ...]
    modality: Modality
    claimant: str
    evidence: Evidence
    stated_on: dt.date
    stated_on_precision: str
    period_start: dt.date | None
    period_end: dt.date | None
    url: str
    publisher: str
    document: str
    printed: str
    origin_ref: str
    caveats: tuple[str, ...]
    due_on: dt.date | None
    criterion: str
    state: str
    note: str
