"""What is told of a document: sure and undoubted readings, and figures only where one of them is clear."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

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


READINGS = st.lists(
    st.builds(
        lambda sure, doubt, text: replace(FIGURE, confidence=sure, doubt=doubt, value_text=text),
        st.sampled_from([0.1, TOLD - 0.01, TOLD, 0.7, CLEAR, 1.0]), st.sampled_from(["", "", "an example"]),
        st.sampled_from(["", "", "H200"]),
    ),
    max_size=8,
)  # fmt: skip


@given(READINGS)
def test_what_is_told_is_told_again_in_its_order_whatever_is_doubted_beside_it(readings: list[ExtractedClaim]) -> None:
    found = told(readings)
    assert told(found) == found == [each for each in readings if each in found]
    assert told([*readings, replace(FIGURE, confidence=1.0, doubt="an example")]) == found


@given(READINGS)
def test_a_clear_figure_never_makes_another_reading_untold(readings: list[ExtractedClaim]) -> None:
    clear = replace(FIGURE, confidence=1.0, metric="weight")
    with_it = told([*readings, clear])
    assert with_it[-1] == clear
    assert [each for each in told(readings) if each not in with_it] == []
