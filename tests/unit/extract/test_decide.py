"""What is decided from scores: one metric a value, and when a second subject has it too."""

from __future__ import annotations

import pytest

from pipelines.extract.link.figures import figures_in
from pipelines.extract.link.linker import decide
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.scene import Candidate, Place
from pipelines.extract.reader import places_of
from pipelines.model.claim import Span
from tests.scene_kit import markdown, scene_of


def proposal(item: int, metric: str, name: str, confidence: float) -> Proposal:
    found = figures_in("700 W", 0, 5, None)[0]
    place = Place(found, Span(0, 5), {}, {}, [])
    return Proposal(item, place, metric, 0.7, Candidate(name, "accelerator"), 0, 0, 0, 0, 0, 0, 0, "", confidence)


def test_a_value_has_one_metric_and_further_subjects_only_when_as_sure() -> None:
    offered = [
        proposal(0, "power", "A", 0.95),
        proposal(0, "power", "B", 0.88),
        proposal(0, "power", "C", 0.8),
        proposal(0, "site_power", "A", 0.7),
        proposal(1, "power", "D", 0.1),
    ]
    assert [(p.metric, p.candidate.name) for p in decide(offered)] == [("power", "A"), ("power", "B"), ("power", "D")]


@pytest.mark.parametrize(
    ("first", "second", "is_told"),
    [
        ("NVIDIA DGX H100", "DGX H100 System", False),
        ("AMD Instinct MI300X", "AMD Instinct MI300X OAM", False),
        ("Nvidia RTX 4090", "Custom PC (Nvidia RTX 4090)", False),
        ("NVIDIA H100 SXM5", "NVIDIA H200 SXM5", True),
        ("NCSA Delta", "NVIDIA A40", True),
        ("NVIDIA GPU", "NVIDIA H100", True),  # of the first no word is its own
    ],
)
def test_a_name_with_more_or_less_words_is_no_further_subject(first: str, second: str, is_told: bool) -> None:
    for one, two in ((first, second), (second, first)):
        told = [p.candidate.name for p in decide([proposal(0, "power", one, 0.97), proposal(0, "power", two, 0.95)])]
        assert told == ([one, two] if is_told else [one])


@pytest.mark.parametrize(
    ("kind", "share", "is_told"), [("accelerator", 0.26, False), ("accelerator", 0.34, True), ("system", 0.26, True)]
)
def test_a_rival_of_the_same_kind_is_no_companion(kind: str, share: float, is_told: bool) -> None:
    one, two = proposal(0, "power", "NVIDIA H200", 0.97), proposal(0, "power", "NVIDIA H100", 0.95)
    one.owner, two.owner, two.candidate.kind = 0.66, share, kind
    assert [p.candidate.name for p in decide([one, two])] == ["NVIDIA H200", *(["NVIDIA H100"] if is_told else [])]


@pytest.mark.parametrize(
    ("marks", "is_told"),
    [({}, False), ({"in_sentence": 1.0}, True), ({"head_name": 1.0}, True), ({"heading": 0.5}, True)],
)
def test_a_section_is_of_what_its_heading_names(marks: dict[str, float], is_told: bool) -> None:
    one, two = proposal(0, "power", "NVIDIA H200", 0.97), proposal(0, "power", "NVIDIA H100", 0.95)
    one.candidate.marks, two.candidate.marks = {"heading": 1.0}, marks
    assert [p.candidate.name for p in decide([one, two])] == ["NVIDIA H200", *(["NVIDIA H100"] if is_told else [])]


@pytest.mark.parametrize(("depth", "is_told"), [(1.0, False), (0.0, True)])
def test_of_heads_above_each_other_the_nearest_counts(depth: float, is_told: bool) -> None:
    one, two = proposal(0, "power", "NVIDIA A100", 0.97), proposal(0, "power", "NVIDIA Ampere", 0.95)
    one.candidate.marks = {"head_name": 1.0, "head_depth": 0.0}
    two.candidate.marks = {"head_name": 1.0, "head_depth": depth}
    two.candidate.kind = "generation"
    assert [p.candidate.name for p in decide([one, two])] == ["NVIDIA A100", *(["NVIDIA Ampere"] if is_told else [])]


@pytest.mark.parametrize(
    ("marks", "kind", "is_told"),
    [({"row_name": 1.0}, "label", False), ({"row_name": 1.0}, "accelerator", True), ({"title": 1.0}, "label", True)],
)
def test_of_a_row_the_card_has_a_figure_or_the_node_that_it_is_in(
    marks: dict[str, float], kind: str, is_told: bool
) -> None:
    one, two = proposal(0, "power", "NVIDIA H200", 0.97), proposal(0, "power", "gpu[1-8]", 0.95)
    one.candidate.marks, two.candidate.marks, two.candidate.kind = {"row_name": 1.0}, marks, kind
    assert [p.candidate.name for p in decide([one, two])] == ["NVIDIA H200", *(["gpu[1-8]"] if is_told else [])]


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [(0.94, 0.3, ["two", "two"]), (0.68, 0.3, ["two", "two"]), (0.94, 0.9, ["one", "one", "two", "two"])],
)
def test_both_ends_of_a_range_are_of_the_same_subjects(low: float, high: float, told: list[str]) -> None:
    places = list(places_of(scene_of(markdown("The GB200 NVL72 and the GB300 NVL72 draw 132-140 kW.\n"))))
    assert [place.figure.end for place in places] == ["low", "high"]
    confidences = {("one", "low"): 0.97, ("two", "low"): low, ("one", "high"): high, ("two", "high"): 0.95}
    proposals = [
        Proposal(at, place, "power", place.figure.number, Candidate(name, "system"), confidence=confidence)
        for name in ("one", "two")
        for at, place in enumerate(places)
        for confidence in [confidences[name, place.figure.end]]
    ]
    assert [each.candidate.name for each in decide(proposals)] == told
