"""Names that followed one another, and where sentences end."""

from __future__ import annotations

import pytest

from pipelines.extract.names.mention import Mention
from pipelines.extract.reading import naming_claims
from pipelines.extract.sentences import LONGEST, sentences
from pipelines.model.claim import Span


def named(text: str, *names: str, kind: str = "system") -> list[tuple[str, str, str]]:
    """(metric, old name, new name) of a sentence, in which these names stand in this order."""
    things, at = [], 0
    for name in names:
        start = text.index(name, at)
        at = start + len(name)
        things.append(Mention(start, at, name, kind))
    found = naming_claims(text, Span(0, len(text)), things, "NVIDIA")
    return [(claim.metric, claim.subject, claim.value_text) for claim in found]


@pytest.mark.parametrize(
    ("text", "metric", "old", "new"),
    [
        ("Vera Rubin NVL144 was renamed to Vera Rubin NVL72.", "renamed_to", "Vera Rubin NVL144", "Vera Rubin NVL72"),
        ("Alps2, formerly known as Alps1, runs.", "renamed_to", "Alps1", "Alps2"),
        ("NVIDIA renamed the Zeta R9 to Zeta R10.", "renamed_to", "Zeta R9", "Zeta R10"),
        ("Zeta R9, now called the Zeta R10, ships.", "renamed_to", "Zeta R9", "Zeta R10"),
        ("Zeta R9 will be succeeded by the Zeta R10.", "superseded_by", "Zeta R9", "Zeta R10"),
    ],
)
def test_a_name_that_followed_another(text: str, metric: str, old: str, new: str) -> None:
    names = sorted((old, new), key=text.index)
    assert named(text, *names) == [(metric, old, new)]


@pytest.mark.parametrize("text", ["Zeta R9 and Zeta R10 ship.", "Zeta R9 was compared to Zeta R10."])
def test_names_that_stand_together_say_nothing(text: str) -> None:
    assert named(text, "Zeta R9", "Zeta R10") == []


def test_an_organisations_new_name_is_no_claim_on_a_product() -> None:
    assert named("Twitter, now called X Corp", "Twitter", "X Corp", kind="organisation") == []


def split(text: str) -> list[str]:
    return [text[at.start : at.end] for at in sentences(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It draws 1.2 kW. It ships.", ["It draws 1.2 kW.", "It ships."]),
        ("See Fig. 3 for e.g. NVIDIA Inc. Systems.", ["See Fig. 3 for e.g. NVIDIA Inc. Systems."]),
        ("One\nTwo\n\nThree", ["One", "Two", "Three"]),
        ('He said "72 GPUs." Then he left.', ['He said "72 GPUs.', "Then he left."]),
        ("It draws 700 W. A node draws 10 kW.", ["It draws 700 W.", "A node draws 10 kW."]),
        ("Said by J. Smith of A. Corp.", ["Said by J. Smith of A. Corp."]),
        ("A claim.[3] Another.", ["A claim.", "Another."]),
        ("   ", []),
        ("XH-9功耗550W。上一代XH-7！", ["XH-9功耗550W。", "上一代XH-7！"]),
    ],
)
def test_a_sentence_ends_with_its_mark_and_not_with_what_closes_behind_it(text: str, parts: list[str]) -> None:
    assert split(text) == parts


def test_what_has_no_end_is_cut_at_a_clause() -> None:
    text = "a" * (LONGEST - 10) + ", " + "b" * 50
    assert [len(part) for part in split(text)] == [LONGEST - 10, 52]
