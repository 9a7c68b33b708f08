"""A mention as the lake holds it, with the claim it carries; and the other rows that reading a document leaves."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from pipelines.model.claim import Method, Modality
from pipelines.model.evidence import Evidence


@dataclass(frozen=True, slots=True)
class MentionRow:
    """One document (or one row of the committed ledger) saying one claim.

    The claim's columns repeat on each of its mentions. Exactly one of `value`, `value_text` (non-empty) and
    `value_start`/`value_end` is set. `qualifiers` is a JSON object with sorted keys. `locator_start..locator_end` are
    characters of the document's text; both are None for a row of the ledger, whose `locator` names file and row.
    `first_seen`/`last_seen` are the first and last capture of the document, UTC; a ledger row has neither.
    """

    claim_id: str
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
    qualifiers: str
    modality: Modality
    claimant: str
    claimant_id: str
    evidence: Evidence
    stated_on: dt.date
    stated_on_precision: str  # 'day', 'month', 'year', or 'capture' where the document names no date
    period_start: dt.date | None
    period_end: dt.date | None
    caveats: tuple[str, ...]
    doubt: str  # why it waits for review; '' when published
    document_id: str
    source_id: str
    url: str
    publisher: str
    locator: str
    locator_start: int | None
    locator_end: int | None
    context_start: int | None
    context_end: int | None
    printed: str
    method: Method
    extractor: str
    extractor_version: str
    confidence: float
    first_seen: dt.datetime | None
    last_seen: dt.datetime | None
    ref: str  # the ledger's row; '' for an extracted mention
    origin_ref: str  # the ledger's row that this one repeats or alters
    due_on: dt.date | None
    criterion: str
    state: str  # of a forecast: open, met, missed, ambiguous; '' for what is no forecast
    arithmetic: str  # 'consistent' or 'inconsistent' where the text does the sum itself; else ''
    formula: str
    note: str


@dataclass(frozen=True, slots=True)
class UnmatchedRow:
    """A name in a document that looks like a product and that the registry does not know."""

    name: str
    name_key: str
    document_id: str
    source_id: str
    url: str
    locator_start: int
    locator_end: int


@dataclass(frozen=True, slots=True)
class CopyRow:
    """A document that repeats another, or that shows by its own signs that it was respun.

    `kind` is 'copy' (near-identical wording), 'spin' (the same names and figures in other words, or figures altered) or
    'suspect' (own signs only: then `origin_document_id` is empty). Similarities are Jaccard estimates from 0 to 1.
    """

    document_id: str
    origin_document_id: str
    kind: str
    word_similarity: float
    name_similarity: float
    signs: tuple[str, ...]
