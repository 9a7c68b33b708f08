"""Who speaks and who makes: names, parts of companies, variants, sites and names that nobody knows."""

from __future__ import annotations

import pytest

from pipelines.claims.grade import Speaker
from pipelines.claims.speakers import Speakers

SPEAKERS = Speakers.load()


@pytest.mark.parametrize(
    ("name", "organisation"),
    [("NVIDIA", "nvidia"), ("nvidia", "nvidia"), ("Amazon Web Services", "aws"), ("", ""), ("Zeta Works", "")],
)
def test_the_organisation_behind_a_name(name: str, organisation: str) -> None:
    assert SPEAKERS.speaker(name).organisation_id == organisation


def test_a_part_of_a_company_speaks_for_the_company_above_it() -> None:
    assert SPEAKERS.speaker("Microsoft Azure") == Speaker("azure", frozenset({"microsoft"}))


def test_two_names_at_once_are_no_speaker() -> None:
    assert SPEAKERS.speaker("NVIDIA, Meta").organisation_id == ""


@pytest.mark.parametrize(
    ("subject_id", "subject", "makers"),
    [
        ("nvidia-gb200-nvl72", "NVIDIA GB200 NVL72", {"nvidia"}),
        ("nvidia-h100", "NVIDIA H100", {"nvidia"}),
        ("nvidia-blackwell", "NVIDIA Blackwell", {"nvidia"}),
        ("", "Meta", {"meta"}),  # an organisation is its own
        ("", "Azure Standard_ND128isr_GB300_v6", {"azure", "microsoft"}),  # whose name it bears
        ("", "Zeta Z9", set()),
    ],
)
def test_who_makes_a_thing(subject_id: str, subject: str, makers: set[str]) -> None:
    assert SPEAKERS.makers(subject_id, subject) == makers
