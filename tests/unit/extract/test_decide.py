"""What is decided from scores: one metric of one subject a value."""

from __future__ import annotations

from pipelines.extract.link.figures import figures_in
from pipelines.extract.link.linker import decide
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.scene import Candidate, Place
from pipelines.model.claim import Span


def proposal(item: int, metric: str, name: str, confidence: float) -> Proposal:
    found = figures_in("700 W", 0, 5, None)[0]
    place = Place(found, Span(0, 5), {}, {}, [])
    return Proposal(item, place, metric, 0.7, Candidate(name, "accelerator"), 0, 0, 0, 0, 0, 0, 0, "", confidence)


def test_a_value_is_read_once_as_what_it_surest_is() -> None:
    offered = [
        proposal(0, "power", "B", 0.94),
        proposal(0, "power", "A", 0.95),
        proposal(0, "site_power", "A", 0.7),
        proposal(1, "power", "D", 0.1),
    ]
    assert [(p.metric, p.candidate.name) for p in decide(offered)] == [("power", "A"), ("power", "D")]


def test_of_two_that_are_as_sure_the_first_counts() -> None:
    assert [p.candidate.name for p in decide([proposal(0, "power", "A", 0.9), proposal(0, "power", "B", 0.9)])] == ["A"]
