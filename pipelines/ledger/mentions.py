"""A row of the ledger as a mention, so that hand-entered and extracted claims are one table. Pure."""

from __future__ import annotations

from typing import Any

from pipelines.extract.identity import claim_id, qualifiers_json
from pipelines.extract.speakers import Speakers
from pipelines.model.claim import Method
from pipelines.model.claim_row import MentionRow
from pipelines.model.ledger_row import LedgerRow
from pipelines.registry import load_registry

SOURCE_ID = EXTRACTOR = "ledger"
VERSION = "1"
_SAME = (
    "subject", "subject_id", "subject_kind", "metric", "value", "value_text", "value_start", "value_end", "value_low",
    "value_high", "unit", "modality", "claimant", "evidence", "stated_on", "stated_on_precision", "period_start",
    "period_end", "url", "publisher", "printed", "ref", "origin_ref", "due_on", "criterion", "state", "note",
)  # fmt: skip
_NOT_OF_A_DOCUMENT: dict[str, Any] = {
    "document_id": "", "locator_start": None, "locator_end": None, "context_start": None,
    "context_end": None, "first_seen": None, "last_seen": None, "arithmetic": "", "formula": "",
}  # fmt: skip


def _doubt(row: LedgerRow) -> str:
    """Why a figure waits for review: outside what is believable for its metric and kind of subject."""
    metric = load_registry().metric(row.metric)
    per = dict(row.qualifiers).get("per", "")
    if row.value is None or metric.is_plausible(row.value, row.subject_kind, per):
        return ""
    return f"{row.value:g} {row.unit} is outside what is believable for {row.subject_kind} per {per or '?'}"


def ledger_mention(row: LedgerRow, speakers: Speakers) -> MentionRow:
    """The mention that a ledger row stands for. Its tag stands; `own_product` follows from who speaks."""
    claimant = speakers.speaker(row.claimant)
    is_own = claimant.is_one_of(speakers.makers(row.subject_id, row.subject))
    value_period, period = (row.value_start, row.value_end), (row.period_start, row.period_end)
    same: dict[str, Any] = {name: getattr(row, name) for name in _SAME}
    return MentionRow(
        **same,
        **_NOT_OF_A_DOCUMENT,
        doubt=_doubt(row),
        claim_id=claim_id(
            subject=row.subject,
            metric=row.metric,
            value=row.value if row.value is not None else row.value_text,
            value_period=value_period,
            unit=row.unit,
            qualifiers=dict(row.qualifiers),
            period=period,
            claimant=row.claimant,
        ),
        qualifiers=qualifiers_json(dict(row.qualifiers)),
        claimant_id=claimant.organisation_id,
        caveats=tuple(sorted({*row.caveats, *(("own_product",) if is_own else ())})),
        source_id=SOURCE_ID,
        locator=f"{row.file} {row.ref}",
        method=Method.HAND,
        extractor=EXTRACTOR,
        extractor_version=VERSION,
        confidence=1.0,
    )
