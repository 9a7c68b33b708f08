"""What speaks against a reading as a fact, by the words before its value."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.scene import Scene
from pipelines.extract.names.mentions import names_of
from pipelines.extract.reader import ClaimReader, places_of
from pipelines.extract.reading import days_of_others
from pipelines.model.claim import Origin
from pipelines.parse.document import parse_document
from pipelines.registry.mentions import NameFinder

READER = ClaimReader()


def doubts(page: str, metric: str = "power", published: date | None = None) -> list[str]:
    """What speaks against each reading of a metric."""
    document = parse_document(
        page.encode(), media_type=None, charset=None, url="page.md", captured_at=datetime(2026, 11, 20, tzinfo=UTC)
    )
    claims = READER.extract(document, Origin("page.md", "NVIDIA", published, ""))
    return [claim.doubt for claim in claims if claim.metric == metric]


@pytest.mark.parametrize(
    ("sentence", "doubt"),
    [
        ("It draws a total of 10.2 kW.", ""),
        ("A typical server draws 10.2 kW.", "of a kind of thing, not of one"),
    ],
)
def test_a_total_is_a_machines_own_and_a_typical_one_is_of_a_kind(sentence: str, doubt: str) -> None:
    page = f"# NVIDIA DGX H100\n\nThe NVIDIA DGX H100 holds 8 GPUs with 640 GB of memory.\n\n{sentence}\n"
    assert doubts(page) == [doubt]


@pytest.mark.parametrize(
    ("row", "doubt"),
    [
        ("| TDP | 700 W | 1,000 W |", ""),
        ("| TDP | +300 W | +300 W |", "what something changed by, not what it is"),
        ("| Change of TDP | 300 W | 300 W |", "what something changed by, not what it is"),
    ],
)
def test_what_a_figure_changed_by_is_not_the_figure(row: str, doubt: str) -> None:
    page = f"# Specifications\n\n| | NVIDIA H100 | NVIDIA B200 |\n|---|---|---|\n| Memory | 80 GB | 192 GB |\n{row}\n"
    assert set(doubts(page)) == {doubt}


@pytest.mark.parametrize(
    ("head", "doubt"),
    [
        ("Speedup", ""),
        ("Matrix/Vector speedup", "one way of working against another of the same thing"),
        ("Speedup, sparse vs dense", "one way of working against another of the same thing"),
    ],
)
def test_a_gain_over_another_way_of_working_is_none_of_the_thing(head: str, doubt: str) -> None:
    page = f"# Speedups\n\n| | NVIDIA H100 {head} | NVIDIA B200 {head} |\n|---|---|---|\n| FP16 | 2.1x | 2.3x |\n"
    assert set(doubts(page, "speedup")) == {doubt}
    rates = "# Rates\n\n| | NVIDIA H100 matrix/vector TFLOPS | NVIDIA B200 |\n|---|---|---|\n| FP16 | 989 | 2250 |\n"
    assert set(doubts(rates, "compute")) == {""}


@pytest.mark.parametrize(("says", "doubt"), [("can be", "of a kind of thing, not of one"), ("is", "")])
def test_how_much_better_something_can_be_is_no_figure_of_the_thing_above(says: str, doubt: str) -> None:
    page = (
        "# NVIDIA B200\n\nThe NVIDIA B200 draws 1,000 W and is 3x faster than the NVIDIA H100 in training.\n\n"
        f"Energy per operation {says} 10x better.\n"
    )
    assert doubts(page, "efficiency_gain") == [doubt]
    assert doubts(page) == [""]


@pytest.mark.parametrize(
    ("status", "doubt"), [("available", ""), ("banned", "when it was told of or ended, not when it came")]
)
def test_a_date_of_telling_or_ending_is_doubted(status: str, doubt: str) -> None:
    page = f"# Parts\n\n| Model | Memory | Status |\n|---|---|---|\n| NVIDIA H800 | 80 GB | {status} October 2023 |\n"
    assert doubts(page, "available_from") == [doubt]


def test_a_day_of_shipping_is_none_of_telling() -> None:
    page = "# Parts\n\nThe NVIDIA H100 was announced and shipped in March 2022.\n"
    assert doubts(page, "announced_on") == ["when it came, not when it was told of"]


SEVERAL = "several such days below one head"


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (
            ("OpenAI | MI450 | from 2H 2026", "Oracle | MI450 | Q3 2026", "Humain | MI500 | 2027"),
            [SEVERAL, SEVERAL, ""],
        ),
        (("OpenAI | MI450 | 2H 2026", "Oracle | MI450 | 2H 2026"), ["", ""]),  # all say the same
        (("OpenAI | MI450 | Q3 2026, was Q1 2026", "Oracle | MI500 | 2027"), ["", "", ""]),  # one row: it slipped
    ],
)
def test_days_of_several_buyers_are_not_the_things_own(rows: tuple[str, ...], found: list[str]) -> None:
    page = "\n".join(["# Roadmap", "", "| Customer | Accelerator | Available |", "|---|---|---|", *rows])
    document = parse_document(
        page.encode(), media_type=None, charset=None, url="page.md", captured_at=datetime(2026, 11, 20, tzinfo=UTC)
    )
    finder = NameFinder.load()
    origin = Origin("page.md")
    places = [p for p in places_of(Scene(document, origin, names_of(document, origin, finder))) if p.values]
    whose = [next(each for each in place.candidates if each.name.startswith("AMD Instinct")) for place in places]
    told = [Proposal(0, place, "available_from", 0.0, who) for place, who in zip(places, whose, strict=True)]
    assert list(days_of_others(told)) == found
    others = [Proposal(0, place, "deployed_on", 0.0, who) for place, who in zip(places, whose, strict=True)]
    assert set(days_of_others(others)) == {""}


def test_days_of_several_buyers_are_told_with_their_doubt() -> None:
    page = (
        "# Roadmap\n\n| Customer | Accelerator | Available |\n|---|---|---|\n| OpenAI | MI450 | 2H 2026 |\n"
        "| Oracle | MI450 | Q3 2026 |\n"
    )
    assert doubts(page, "available_from") == [SEVERAL, SEVERAL]


@pytest.mark.parametrize(
    ("said", "doubt"),
    [
        ("will be online in three months", ""),
        ("went from 0 to 110,000 GB200s in 5 months, and grows", "how long it took, not when it came"),
    ],
)
def test_how_long_something_took_is_no_day_on_which_it_came(said: str, doubt: str) -> None:
    page = f"# xAI's Colossus 2\n\nxAI's Colossus 2 in Memphis {said}.\n"
    assert doubts(page, "deployed_on", date(2026, 3, 1)) == [doubt]
