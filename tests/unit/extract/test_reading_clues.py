"""What speaks for and against one reading: its metric and its subject's place with the words and marks."""

from __future__ import annotations

from itertools import chain

from pipelines.extract.link.linker import weigh_per, weigh_words
from pipelines.extract.link.proposal import Proposal
from pipelines.extract.link.reading_clues import reading_clues
from pipelines.extract.link.trees import Words
from pipelines.extract.reader import places_of
from tests.scene_kit import markdown, scene_of


def proposed(text: str) -> Proposal:
    (place,) = places_of(scene_of(markdown(f"{text}\n")))
    return Proposal(0, place, "power", place.values["power"], place.candidates[0], source="in_sentence")


def clues(proposal: Proposal) -> set[str]:
    return set(chain.from_iterable(reading_clues(proposal)))


def test_words_and_marks_are_told_with_the_metric_and_the_place() -> None:
    told = clues(proposed("The NVIDIA H100 draws 700 W at most."))
    assert {"power|in_sentence|accelerator", "k:in_sentence|power", "power|b1:draws", "in_sentence|a1:at"} <= told
    assert {"values=0|in_sentence", "names=0"} <= told
    assert not any("gap" in clue or "offset" in clue for clue in told)  # what is measured is told to other models


def test_labels_are_told_with_their_zone() -> None:
    (place,) = places_of(scene_of(markdown("| | TDP, W |\n|---|---|\n| H100 | 700 |\n")))
    told = clues(Proposal(0, place, "power", 0.7, place.candidates[0], source="row 0 False"))
    assert {"power|c:tdp", "row|c:tdp", "power|r:h#"} <= told or {"power|c:tdp", "row|c:tdp"} <= told


def test_what_stands_between_is_told_up_to_three() -> None:
    proposal = proposed("The NVIDIA H100 draws 700 W.")
    proposal.candidate.marks |= {"values_between": 7.0, "between": 2.0}
    assert {"values=3|in_sentence", "names=2"} <= clues(proposal)


def test_the_odds_are_those_of_the_second_class_and_count_each_clue_once() -> None:
    words = Words({"classes": ["", "right"], "base": [0.5, -1.0], "weights": {"a": [25, 75], "b": [0, 125]}})
    assert words.odds([[("a", "a"), ("a", "c")], [("b",), ("a",)], []]) == [-1.0, 0.25, -1.5]


def test_a_reading_is_given_its_clues_and_odds() -> None:
    proposal = proposed("The NVIDIA H100 draws 700 W.")
    per = Words({"classes": ["gpu", "rack"], "base": [0.0, 0.0], "weights": {}})
    reading = Words({"classes": ["", "right"], "base": [0.0, 0.0], "weights": {"metric=power": [0, 100]}})
    weigh_per([proposal], per)
    weigh_words([proposal], reading)
    assert proposal.chances == {"gpu": 0.5, "rack": 0.5}
    assert proposal.words == 1.0
