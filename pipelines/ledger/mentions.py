"""A row of the ledger as a mention, so that hand-entered and extracted claims are one table. Pure."""

from __future__ import annotations

from pipelines.extract.identity import claim_id, qualifiers_json
from pipelines.extract.speakers import Speakers
from pipelines.model.claim import Method
from pipelines.model.claim_row import MentionRow
from pipelines.model.ledger_row import LedgerRow

EXTRACTOR, VERSION = "ledger", "1"


def ledger_mention(row: LedgerRow, speakers: Speakers) -> MentionRow:
    """The mention that a ledger row stands for. Its tag stands; `own_product` follows from who speaks."""
    claimant = speakers.speaker(row.claimant)
    is_own = claimant.is_one_of(speakers.makers(row.subject_id, row.subject))
    value_period, period = (row.value_start, row.value_end), (row.period_start, row.period_end)
    return MentionRow(
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
        subject=row.subject,
        subject_id=row.subject_id,
        subject_kind=row.subject_kind,
        metric=row.metric,
        value=row.value,
        value_text=row.value_text,
        value_start=row.value_start,
        value_end=row.value_end,
        value_low=row.value_low,
        value_high=row.value_high,
        unit=row.unit,
        qualifiers=qualifiers_json(dict(row.qualifiers)),
        modality=row.modality,
        claimant=row.claimant,
        claimant_id=claimant.organisation_id,
        evidence=row.evidence,
        stated_on=row.stated_on,
        stated_on_precision=row.stated_on_precision,
        period_start=row.period_start,
        period_end=row.period_end,
        caveats=tuple(sorted({*row.caveats, *(("own_product",) if is_own else ())})),
        doubt="",
        document_id="",
        source_id="ledger",
        url=row.url,
        publisher=row.publisher,
        locator=f"{row.file} {row.ref}",
        locator_start=None,
        locator_end=None,
        context_start=None,
        context_end=None,
        printed=row.printed,
        method=Method.HAND,
        extractor=EXTRACTOR,
        extractor_version=VERSION,
        confidence=1.0,
        first_seen=None,
        last_seen=None,
        ref=row.ref,
        origin_ref=row.origin_ref,
        due_on=row.due_on,
        criterion=row.criterion,
        state=row.state,
        arithmetic="",
        formula="",
        note=row.note,
    )
