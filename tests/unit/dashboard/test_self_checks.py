"""The self-checks cannot be passed by their looks: neither place nor length of an option tells the right one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from dashboard.lesson_book import Question, lessons

QUESTIONS = [question for lesson in lessons().values() for question in lesson.front.questions]
# 99th percentile of chi-square with two degrees of freedom, -2 ln 0.01
CHI_SQUARE_BOUND = 9.21


def chi_square(places: Counter[int], of: int) -> float:
    """How far the places of right answers lie from an even spread over `of` places."""
    expected = places.total() / of
    return sum((places[place] - expected) ** 2 / expected for place in range(1, of + 1))


def lengths(question: Question) -> tuple[int, list[int]]:
    """The length of the right option, and those of the others."""
    own = [len(option) for option in question.options]
    right = own.pop(question.answer - 1)
    return right, own


def test_the_measure_of_an_even_spread() -> None:
    # 53 of 80 in the first place, 17 and 10: expected 26.67 each; (26.33^2 + 9.67^2 + 16.67^2) / 26.67 = 39.93
    assert chi_square(Counter({1: 53, 2: 17, 3: 10}), 3) == pytest.approx(39.925, abs=0.001)
    assert chi_square(Counter({1: 30, 2: 30, 3: 30}), 3) == 0


def test_right_answers_are_spread_evenly_over_the_places() -> None:
    assert {len(question.options) for question in QUESTIONS} == {3}
    assert chi_square(Counter(question.answer for question in QUESTIONS), 3) < CHI_SQUARE_BOUND


@pytest.mark.parametrize("name", lessons())
def test_no_lesson_has_most_of_its_answers_in_one_place(name: str) -> None:
    places = Counter(question.answer for question in lessons()[name].front.questions)
    assert max(places.values()) <= Fraction(2, 3) * places.total()


def test_neither_the_longest_nor_the_shortest_option_is_the_right_one_as_a_rule() -> None:
    told = [lengths(question) for question in QUESTIONS]
    assert sum(right > max(others) for right, others in told) <= 0.4 * len(told)
    assert sum(right < min(others) for right, others in told) <= 0.4 * len(told)


def test_the_odd_one_of_yes_and_no_is_not_the_right_one_as_a_rule() -> None:
    asked = [(q.answer - 1, [option.split(",")[0] for option in q.options]) for q in QUESTIONS]
    yes_or_no = [(answer, words) for answer, words in asked if set(words) == {"Yes", "No"}]
    assert len(yes_or_no) >= 5
    assert sum(words.count(words[answer]) == 1 for answer, words in yes_or_no) <= 0.5 * len(yes_or_no)


@pytest.mark.parametrize("name", lessons())
def test_options_differ_and_every_answer_is_explained(name: str) -> None:
    for question in lessons()[name].front.questions:
        assert len(set(question.options)) == len(question.options), question.ask
        assert question.because.endswith("."), question.ask
        assert question.because not in question.options, question.ask
