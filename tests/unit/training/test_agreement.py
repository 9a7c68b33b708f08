"""How the qualifiers of readings stand to those of their labels: by name, and only at the label's own place."""

from __future__ import annotations

import datetime as dt

import pytest

from pipelines.extract.link.proposal import Proposal
from pipelines.model.claim import Origin
from pipelines.parse.document import parse_document
from pipelines.registry.mentions import NameFinder
from pipelines.training.agreement import agreement, compared
from pipelines.training.cases import case_of
from pipelines.training.labels import Label, Labelled


@pytest.mark.parametrize(
    ("name", "wanted", "read", "kind"),
    [
        ("accelerator", "NVIDIA A100", "A100", "same"),
        ("accelerator", "NVIDIA A100", "NVIDIA H100", "other"),
        ("accelerator", "NVIDIA A100", "unstated", "missing"),
        ("accelerator", "", "NVIDIA A100", "extra"),
        ("accelerator", "", "unstated", ""),
        ("baseline", "NVIDIA H100", "H100", "same"),
        ("workload", "Llama 2 70B, MLPerf Server", "llama 2 70B", "same"),
        ("workload", "GPT-3 pre-training", "GPT-3 training", "same"),
        ("workload", "GPT-3 training", "GPT-3 inference", "other"),
        ("precision", "bf16/fp16", "fp16/bf16", "same"),
        ("direction", "bidirectional", "both-ways", "same"),
        ("memory_type", "HBM3E", "HBM3e", "same"),
        ("memory_type", "HBM3E", "HBM", "other"),
    ],
)
def test_compared(name: str, wanted: str, read: str, kind: str) -> None:
    assert compared(name, wanted, read) == kind


def test_a_reading_is_compared_with_the_labels_of_its_place() -> None:
    text = "The NVIDIA A100 has 80 GB of HBM2e.\n\nLater: the NVIDIA A100 with its 80 GB.\n"
    document = parse_document(
        text.encode(), media_type=None, charset=None, url="a.md", captured_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    )
    told = (("memory_type", "HBM2e"), ("bound", "max"))
    label = Label("a.md", ("NVIDIA A100",), ("memory_capacity",), (80.0,), "80 GB of HBM2e", qualifiers=told)
    case = case_of(Labelled("a.md", "a", document, Origin("a.md"), [label]), NameFinder.load())
    readings = [
        Proposal(at, item.place, "memory_capacity", 80.0, item.place.candidates[0], confidence=confidence)
        for confidence in (0.9, 0.5)  # the second is not told
        for at, item in enumerate(case.items)
        if item.place.figure.number == 80
    ]
    assert len(readings) == 4
    found = agreement([(case, readings)])
    assert {name: dict(kinds) for name, kinds in found.items() if set(kinds) != {""}} == {
        "memory_type": {"same": 1}, "bound": {"missing": 1},
    }  # fmt: skip
