"""A claim as one flat record for printing: value or period string, qualifiers, locator. Pure."""

from __future__ import annotations

from typing import Any

from pipelines.extract.values.periods import period_label
from pipelines.model.claim import ExtractedClaim


def record_of(claim: ExtractedClaim, doc: str, text: str) -> dict[str, Any]:
    """The fields of one line; `value` is the period string ('2026-H2', '2025-07') for dates, a text for names."""
    first, last = (day.isoformat() if day is not None else None for day in (claim.period_start, claim.period_end))
    # a number format that nobody said is left out; the other marks say what a reader must not assume
    qualifiers = {name: word for name, word in claim.qualifiers if (name, word) != ("precision", "unstated")}
    return {
        "doc": doc, "subject": claim.subject, "subject_id": claim.subject_id, "metric": claim.metric,
        "value": value_of(claim), "unit": claim.unit, "qualifiers": qualifiers, "modality": str(claim.modality),
        "claimant": claim.claimant, "period_start": first, "period_end": last, "printed": claim.printed,
        "locator": [claim.value_at.start, claim.value_at.end], "method": str(claim.method),
        "confidence": claim.confidence, "state": claim.state, "doubt": claim.doubt,
        "quote": " ".join(text[claim.context.start : claim.context.end].split())[:200],
    }  # fmt: skip


def value_of(claim: ExtractedClaim) -> float | str | None:
    """What is claimed, as one value."""
    if claim.value is not None or claim.value_text:
        return claim.value if claim.value is not None else claim.value_text
    if claim.period_start is None or claim.period_end is None:
        return None
    return period_label(claim.period_start, claim.period_end)
