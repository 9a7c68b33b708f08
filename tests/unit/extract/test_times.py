"""When a figure holds: whose fiscal year is meant, and in which time an amount was earned or spent."""

from __future__ import annotations

import datetime as dt

import pytest

from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.scene import Scene
from pipelines.extract.names.mentions import names_of
from pipelines.extract.reader import places_of
from pipelines.extract.times import period_of
from pipelines.model.claim import Origin
from pipelines.registry.mentions import NameFinder
from tests.scene_kit import markdown

DAY = dt.date(2025, 8, 27)


def read(text: str, printed: str, owner: str, metric: str, publisher: str = "") -> tuple[Scene, Proposal]:
    """What is printed, taken as a metric of one of its candidates."""
    document, origin = markdown(text), Origin("page.md", publisher, DAY)
    scene = Scene(document, origin, names_of(document, origin, NameFinder.load()))
    place = next(each for each in places_of(scene) if document.text[each.figure.at.start :].startswith(printed))
    candidate = next(each for each in place.candidates if each.name == owner)
    return scene, Proposal(0, place, metric, 0.0, candidate)


def days(first: str, last: str) -> tuple[dt.date, dt.date]:
    return dt.date.fromisoformat(first), dt.date.fromisoformat(last)


@pytest.mark.parametrize(
    ("publisher", "first", "last"),
    [
        ("NVIDIA", "2026-08-01", "2026-10-31"),
        ("A paper", "2026-08-01", "2026-10-31"),  # unknown: by the maker of the thing
        ("Microsoft", "2027-01-01", "2027-03-31"),  # who speaks means the own year
        ("AMD", "2027-07-01", "2027-09-30"),
    ],
)
def test_a_fiscal_date_is_of_the_year_of_who_speaks(publisher: str, first: str, last: str) -> None:
    scene, proposal = read("The H100 ships in Q3 FY2027.", "Q3 FY2027", "NVIDIA H100", "available_from", publisher)
    found = period_of(scene, proposal)
    assert found is not None
    assert (found.first, found.last) == days(first, last)


@pytest.mark.parametrize("said", ["Q3 2027", "next year", "late 2026"])
def test_a_date_of_the_calendar_stays(said: str) -> None:
    scene, proposal = read(f"The H100 ships in {said}.", said, "NVIDIA H100", "available_from", "NVIDIA")
    found, period = period_of(scene, proposal), proposal.place.figure.value.period
    assert found is not None
    assert period is not None
    assert (found.first, found.last) == (period.first, period.last)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Microsoft earned $70 billion in Q3 FY25.", "2025-01-01", "2025-03-31"),
        ("In 2024, Microsoft spent $55 billion, and it plans $80 billion in 2025.", "2024-01-01", "2024-12-31"),
        ("Microsoft made $5 million, up from Q1 2024, in the second quarter of 2025.", "2025-04-01", "2025-06-30"),
        ("Microsoft spent $15 billion between 2023 and 2029.", "2023-01-01", "2029-12-31"),
        ("# Microsoft in Q1 2025\n\nRevenue was $70 billion.", "2025-01-01", "2025-03-31"),
        ("| | 2023 | 2024 |\n|---|---|---|\n| Microsoft | $5 billion | $7 billion |", "2023-01-01", "2023-12-31"),
    ],
)
def test_an_amount_is_of_the_nearest_time_else_of_that_above_it(text: str, first: str, last: str) -> None:
    scene, proposal = read(text, "$", "Microsoft", "revenue")
    found = period_of(scene, proposal)
    assert found is not None
    assert (found.first, found.last) == days(first, last)


@pytest.mark.parametrize(
    "text",
    [
        "Microsoft earned $70 billion.",
        "On August 1, 2025, Microsoft told of $70 billion.",  # a day on which it was said
        "Microsoft will spend $70 billion by 2030.",
        "Microsoft earned $70 billion, more than in 2024.",
    ],
)
def test_an_amount_without_a_time_has_none(text: str) -> None:
    assert period_of(*read(text, "$70 billion", "Microsoft", "revenue")) is None


def test_a_figure_of_a_thing_asks_for_no_time() -> None:
    assert period_of(*read("The H100 drew 700 W in 2024.", "700 W", "NVIDIA H100", "power")) is None


@pytest.mark.parametrize(
    ("heading", "said", "first"),
    [
        ("2027", "in October", "2027-10-01"),
        ("Roadmap for 2027", "in October", "2027-10-01"),
        ("2026 and 2027", "in October", "2025-10-01"),  # of the page's own year, where two are named
        ("2027", "in October 2026", "2026-10-01"),
        ("2027", "two weeks ago", "2025-08-11"),
        ("Roadmap", "in October", "2025-10-01"),
    ],
)
def test_a_month_without_a_year_is_of_the_year_above_it(heading: str, said: str, first: str) -> None:
    printed = said.removeprefix("in ") if "20" in said else said
    scene, proposal = read(f"# {heading}\n\nThe H100 ships {said}.", printed, "NVIDIA H100", "available_from")
    found = period_of(scene, proposal)
    assert found is not None
    assert found.first == dt.date.fromisoformat(first)
