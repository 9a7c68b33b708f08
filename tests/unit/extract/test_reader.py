"""The reader as a whole on small texts: what it keeps of readings that say the same, and in which order."""

from __future__ import annotations

import gc

from hypothesis import given
from hypothesis import strategies as st

from pipelines.extract.reader import ClaimReader, _distinct
from pipelines.model.claim import ExtractedClaim, Origin, Span
from tests.claim_kit import claim
from tests.scene_kit import markdown


def values(*claims: ExtractedClaim) -> list[tuple[float | None, float]]:
    return [(each.value, each.confidence) for each in _distinct(claims)]


def test_of_readings_that_say_the_same_the_surest_is_kept() -> None:
    assert values(claim(confidence=0.6), claim(confidence=0.9)) == [(120.0, 0.9)]
    assert values(claim(value=120.5, confidence=0.6), claim(confidence=0.9)) == [(120.0, 0.9)]  # within rounding
    assert values(claim(), claim(subject="Nvidia GB200-NVL72", confidence=0.5)) == [(120.0, 0.97)]


@given(st.floats(1e-9, 1e15), st.floats(0.97, 1.03))
def test_one_hundredth_of_the_larger_is_the_same_at_any_size(value: float, factor: float) -> None:
    one, two = claim(value=value, confidence=0.6), claim(value=value * factor)
    is_near = abs(value - value * factor) <= 0.01 * max(value, value * factor)
    assert len(_distinct([one, two])) == (1 if is_near else 2)
    assert len(_distinct([one, claim(value=0.0), claim(value=0.0, confidence=0.6)])) == 2


def test_other_values_subjects_and_qualifiers_are_other_claims() -> None:
    others = [
        claim(value=132.0),
        claim(subject="NVIDIA GB300 NVL72"),
        claim(metric="weight"),
        claim(qualifiers=(("per", "rack"),)),
        claim(qualifiers=(("per", "pod"),)),
    ]
    assert len(values(*others)) == len(others)


def test_what_is_left_open_agrees_with_anything() -> None:
    said, open_, unstated = (
        claim(qualifiers=(("precision", "fp8"),)),
        claim(confidence=0.8),
        claim(confidence=0.7, qualifiers=(("precision", "unstated"),)),
    )  # fmt: skip
    assert values(said, open_, unstated) == [(120.0, 0.97)]


def test_dates_and_texts_are_the_same_only_to_the_letter() -> None:
    text = claim(value=None, value_text="H200")
    assert len(_distinct([text, claim(value=None, value_text="H200", confidence=0.5)])) == 1
    assert len(_distinct([text, claim(value=None, value_text="H100")])) == 2


def test_a_program_has_a_time_of_training_but_no_power_and_no_price() -> None:
    document = markdown(
        "# Training Heron-70B\n\nWe trained Heron-70B on 2,048 H100s for 41 days. "
        "Heron-70B cost $2.10 per GPU hour, and an HGX H100 box drew 10.2 kW with Heron-70B.\n"
    )
    told = {each.metric: each.subject for each in ClaimReader().extract(document, Origin("page.md"))}
    assert told["train_time"] == "Heron-70B"
    chip = markdown("# Huawei Ascend 910B\n\nThe Huawei Ascend 910B draws 310 W.\n")
    assert [each.metric for each in ClaimReader().extract(chip, Origin("page.md"))] == ["power"]
    assert {told.get(metric, "") for metric in ("gpu_hour_price", "price", "power")}.isdisjoint({"Heron-70B", "Heron"})


def test_claims_come_in_the_order_of_the_text_and_lie_within_it() -> None:
    document = markdown(
        "# NVIDIA H200\n\nThe NVIDIA H200 has 141 GB of memory and 4.8 TB/s.\n\nIt draws up to 700 W.\n"
    )
    found = ClaimReader().extract(document, Origin("page.md", "NVIDIA"))
    assert [(each.metric, document.text[each.value_at.start : each.value_at.end]) for each in found] == [
        ("memory_capacity", "141"),
        ("memory_bandwidth", "4.8"),
        ("power", "700"),
    ]
    assert all(each.context.start <= each.value_at.start < each.value_at.end <= each.context.end for each in found)
    assert found == ClaimReader().extract(document, Origin("page.md", "NVIDIA"))


def test_words_without_a_figure_say_nothing_and_the_collector_of_garbage_is_as_it_was() -> None:
    assert gc.isenabled()
    assert ClaimReader().extract(markdown("The rack is heavy."), Origin("page.md")) == []
    assert gc.isenabled()
    gc.disable()
    try:
        ClaimReader().extract(markdown("The rack draws 120 kW."), Origin("page.md"))
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_span_is_ordered_by_where_it_begins() -> None:
    assert sorted([Span(5, 6), Span(1, 9), Span(1, 2)]) == [Span(1, 2), Span(1, 9), Span(5, 6)]
