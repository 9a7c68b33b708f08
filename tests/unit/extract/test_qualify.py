"""What stands beside a value and narrows it, and who speaks and makes, by the registry."""

from __future__ import annotations

import datetime as dt

import pytest

from pipelines.extract.link.meaning import canonical
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.qualify import qualifiers_of
from pipelines.extract.link.scene import Scene
from pipelines.extract.places import places_of
from pipelines.extract.speakers import Speakers
from pipelines.model.claim import Origin
from pipelines.parse.document import parse_document
from pipelines.registry.mentions import NameFinder

FINDER = NameFinder.load()
WHEN = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def qualifiers(text: str, number: float, metric: str, subject: str) -> dict[str, str]:
    """The qualifiers of the number in a page, read as this metric of this subject."""
    document = parse_document(text.encode(), media_type=None, charset=None, url="page.md", captured_at=WHEN)
    place = next(p for p in places_of(Scene(document, Origin("page.md"), FINDER)) if p.figure.number == number)
    candidate = next(each for each in place.candidates if each.name == subject)
    value = canonical(place.figure, metric)
    assert value is not None
    return qualifiers_of(Proposal(0, place, metric, value, candidate, 1, 0, 1, 0, 0, 0, 0, ""))


@pytest.mark.parametrize(
    ("text", "number", "metric", "subject", "found"),
    [
        (
            "The NVIDIA B200 delivers up to 9 PFLOP/s of dense FP4.\n", 9, "compute", "NVIDIA B200",
            {"bound": "max", "precision": "fp4", "sparsity": "dense", "per": "gpu"},
        ),
        (
            "The NVIDIA H100 has 80 GB of HBM3.\n", 80, "memory_capacity", "NVIDIA H100",
            {"memory_type": "HBM3", "per": "gpu"},
        ),
        (
            "The NVIDIA H100 has 80 GB.\n", 80, "memory_capacity", "NVIDIA H100",
            {"memory_type": "unstated", "per": "gpu"},
        ),
        (
            "| System | TDP per rack (kW) |\n|---|---|\n| NVIDIA GB200 NVL72 | 132 |\n", 132, "power",
            "NVIDIA GB200 NVL72", {"per": "rack"},
        ),
    ],
)  # fmt: skip
def test_what_narrows_a_value(text: str, number: float, metric: str, subject: str, found: dict[str, str]) -> None:
    assert {name: word for name, word in qualifiers(text, number, metric, subject).items() if name in found} == found


def test_a_rise_names_what_it_is_measured_against() -> None:
    text = "The NVIDIA B200 is 3x faster than the NVIDIA H100.\n"
    assert qualifiers(text, 3, "speedup", "NVIDIA B200")["baseline"] == "NVIDIA H100"


def test_who_speaks_is_an_organisation_with_those_above_it() -> None:
    speakers = Speakers.load()
    assert speakers.speaker("NVIDIA").organisation_id == "nvidia"
    assert speakers.speaker("").organisation_id == speakers.speaker("Nobody Ltd of Nowhere").organisation_id == ""


def test_who_makes_a_thing() -> None:
    speakers = Speakers.load()
    assert "nvidia" in speakers.makers("nvidia-gb200-nvl72", "NVIDIA GB200 NVL72")
    assert speakers.makers("", "Zeta R9") == frozenset()
