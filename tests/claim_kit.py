"""One figure as an extractor states it; tests say what is different about theirs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pipelines.model.claim import ExtractedClaim, Method, Modality, Span

POWER = ExtractedClaim(
    subject="NVIDIA GB200 NVL72", subject_id="nvidia-gb200-nvl72", subject_kind="system", metric="power", value=120.0,
    unit="kW", value_at=Span(12, 15), context=Span(0, 30), printed="120 kW", modality=Modality.ANNOUNCED,
    claimant="NVIDIA", method=Method.READER, confidence=0.97,
)  # fmt: skip


def claim(**other: Any) -> ExtractedClaim:
    """120 kW of a rack, said surely by its maker, but for what is given."""
    return replace(POWER, **other)
