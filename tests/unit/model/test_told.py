"""What is told of a document: sure and undoubted readings, and figures only where one of them is clear."""

from __future__ import annotations

from dataclasses import replace

from pipelines.model.claim import CLEAR, TOLD, ExtractedClaim, Method, Modality, Span, told

FIGURE = ExtractedClaim(
    subject="NVIDIA H100", subject_id="h100", subject_kind="accelerator", metric="power", value=0.7, unit="kW",
    value_at=Span(0, 3), context=Span(0, 5), printed="700 W", modality=Modality.ANNOUNCED, claimant="NVIDIA",
    method=Method.READER, confidence=TOLD,
)  # fmt: skip


def test_a_document_without_a_clear_figure_tells_none() -> None:
    clear, unsure = replace(FIGURE, confidence=CLEAR), replace(FIGURE, confidence=TOLD - 0.01)
    name = replace(FIGURE, value=None, value_text="H200", confidence=0.7)
    assert told([FIGURE, unsure, name]) == [name]
    assert told([FIGURE, clear, unsure]) == [FIGURE, clear]
    assert told([FIGURE, replace(clear, doubt="an example")]) == []
