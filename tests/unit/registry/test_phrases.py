"""Phrases are found as whole words in any case; what is spelled as one and means none is passed over."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines.registry.phrases import Phrases, load_phrases, phrases, read_phrases
from pipelines.registry.read_yaml import RegistryError

CHIPS, EITHER = Phrases(["chip", "die", "芯片"]), Phrases(["exaggerat*", "by 202#", "$"])


@pytest.mark.parametrize("text", ["a CHIP of two dies", "96个die", "国产芯片的", "(chip)"])
def test_a_phrase_is_found_as_whole_words_in_any_case(text: str) -> None:
    assert CHIPS.are_in(text)


@pytest.mark.parametrize("text", ["chips and dies", "a microchip", "_die", "chip_count 8", "die2", ""])
def test_a_part_of_a_word_is_no_phrase(text: str) -> None:
    assert not CHIPS.are_in(text)


def test_a_star_is_any_further_letters_and_a_hash_a_digit_and_a_sign_needs_no_space() -> None:
    found = [EITHER.are_in(text) for text in ("an exaggeration", "by 2027", "US$8", "by 2035", "by 202")]
    assert found == [True, True, True, False, False]


def test_what_is_spelled_like_a_phrase_and_means_none_is_passed_over() -> None:
    denied = Phrases(["not"], ["not only"])
    assert not denied.are_in("not only 72 GPUs")
    assert list(denied.ends("not only 72, not 144")) == [16]
    assert [denied.start(text, 4) for text in ("72, not 144", "72, not only", "72, 144")] == [True, False, False]


def test_what_begins_at_a_place_is_asked_of_the_place_and_not_of_the_whole_text() -> None:
    class Whole(str):
        __slots__ = ()

        def lower(self) -> str:
            raise AssertionError("a document is made small anew for each of its places")

    assert CHIPS.start(Whole("its CHIP is a microchip"), 4)
    assert not CHIPS.start(Whole("its CHIP is a microchip"), 19)


@pytest.mark.parametrize("name", load_phrases())
def test_each_phrase_that_ships_is_found_by_its_list_unless_it_says_nothing(name: str) -> None:
    said, *silent = load_phrases()[name]
    for phrase in said:
        assert phrases(name).are_in(phrase.replace("*", "ed").replace("#", "7")), phrase
    for phrase in silent[0] if silent else ():
        assert not phrases(name).are_in(phrase.replace("*", "ed").replace("#", "7")), phrase


def test_a_list_without_a_phrase_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "phrases.yaml"
    file.write_text("lists:\n  denied: [[not]]\n  supposed: [[]]\n", encoding="utf-8")
    with pytest.raises(RegistryError, match=r"^phrases.yaml: line 3: lists.supposed.0: expected "):
        read_phrases(file)
