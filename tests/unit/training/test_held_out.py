"""Figures of held-out readings: one label is said once, restatements and borderline facts count no way."""

from __future__ import annotations

import datetime as dt

import pytest

from pipelines.extract.link.figures import figures_in
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.scene import Candidate, Place
from pipelines.model.claim import Origin, Span
from pipelines.parse.document import parse_document
from pipelines.training.cases import Case
from pipelines.training.held_out import Reading, figures
from pipelines.training.labels import Label, Labelled


def case() -> Case:
    document = parse_document(
        b"x", media_type=None, charset=None, url="page.md", captured_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    )
    source = Labelled("page.md", "group", document, Origin("page.md"))
    source.labels = [
        Label("page.md", ("NVIDIA H100",), ("power",), (0.7,), ""),
        Label("page.md", ("NVIDIA H200",), ("power",), (0.6,), ""),
    ]
    source.borderline = [Label("page.md", ("",), ("power",), (0.35,), "", is_borderline=True)]
    return Case(source, [], [])


def reading(name: str, watts: int, confidence: float) -> Proposal:
    (figure,) = figures_in(f"{watts} W", 0, len(f"{watts} W"), None)
    candidate = Candidate(name, "accelerator")
    place = Place(figure, Span(0, 5), {"before": "", "after": ""}, {}, [candidate])
    return Proposal(0, place, "power", watts / 1000, candidate, 0, 0, 0, 0, 0, 0, 0, "", confidence)


def test_precision_and_recall_of_what_is_told() -> None:
    found = Reading(
        case(),
        [
            reading("NVIDIA H100", 700, 0.9),
            reading("NVIDIA H100", 700, 0.8),  # says it again
            reading("NVIDIA L4", 350, 0.9),  # borderline
            reading("NVIDIA H100", 600, 0.8),  # another's
            reading("NVIDIA H200", 600, 0.6),
        ],
    )
    assert found.count(0.85) == (1, 0, 2)
    assert found.count(0.7) == (1, 1, 2)
    assert found.count(0.5) == (2, 1, 2)
    assert figures([found], 0.5) == pytest.approx((2 / 3, 1.0))
