"""The evidence tags: told apart without colour, ranked from the firmest, and drawn so that an open shape is open."""

from __future__ import annotations

import itertools
import re

import pytest

from pipelines.model.evidence import Evidence

NAMED = {"square", "triangle-down", "triangle-up", "diamond", "cross"}  # Vega's own; all others are paths
SUBPATH = re.compile(r"M[^M]+")
OPEN = [tag for tag in Evidence if tag in (Evidence.OBSERVED, Evidence.ESTIMATED)]


def test_every_tag_has_a_letter_a_mark_and_a_shape_of_its_own() -> None:
    letters = [tag.mark.split()[-1] for tag in Evidence]
    for told in (letters, [tag.mark.split()[0] for tag in Evidence], [tag.shape for tag in Evidence]):
        assert len(set(told)) == len(Evidence)
    assert all(len(letter) == 1 and letter.lower() in tag for letter, tag in zip(letters, Evidence, strict=True))


def test_a_shape_is_one_that_a_chart_knows_or_a_closed_path() -> None:
    for tag in Evidence:
        assert tag.shape in NAMED or re.fullmatch(r"(M[-\d.,HVLA]+Z?)+", tag.shape), tag
        assert tag.shape in NAMED or all(part.endswith("Z") for part in SUBPATH.findall(tag.shape)), tag


def corners(path: str) -> list[tuple[float, float]]:
    """The corners of a path of straight lines; H and V keep the other coordinate."""
    x = y = 0.0
    found = []
    for letter, rest in re.findall(r"([MLHV])([-\d.,]+)", path):
        numbers = [float(number) for number in rest.split(",")]
        x, y = (numbers[0], y) if letter == "H" else (x, numbers[0]) if letter == "V" else (numbers[0], numbers[1])
        found.append((x, y))
    return found


@pytest.mark.parametrize("tag", OPEN)
def test_the_hole_of_an_open_shape_runs_the_other_way_than_its_rim(tag: Evidence) -> None:
    rim, hole = (
        sum(a * d - c * b for (a, b), (c, d) in itertools.pairwise([*points, points[0]]))
        for points in map(corners, SUBPATH.findall(tag.shape))
    )
    assert rim * hole < 0
    assert abs(hole) < abs(rim)


def test_a_tag_ranks_by_its_place_and_every_tag_says_what_it_means() -> None:
    assert [tag.rank for tag in Evidence] == list(range(1, len(Evidence) + 1))
    assert Evidence.AUDITED.rank < Evidence.VENDOR.rank < Evidence.REPORTED.rank < Evidence.UNVERIFIED.rank
    assert len({tag.meaning for tag in Evidence}) == len(Evidence)
