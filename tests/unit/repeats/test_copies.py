"""Copies, spins, and pages that show it by themselves."""

from __future__ import annotations

import datetime as dt

import pytest

from pipelines.model.claim_row import CopyRow
from pipelines.repeats.copies import Comparison, Documents, sketch, spin_signs

FIRST, LATER = dt.date(2025, 9, 1), dt.date(2025, 10, 1)
_FIGURES = [
    f"The Acme R{n} rack with {n * 12} Borealis GPUs draws {n * 30} kW at the Tromsø site, "
    f"says Acme chief Ola Nord in {2000 + n}."
    for n in range(1, 15)
]
ORIGINAL = " ".join(_FIGURES)
SPUN = (
    ORIGINAL.replace("rack with", "cupboard holding")
    .replace("draws", "swallows as much as")
    .replace("site, says", "place, tells")
    .replace("chief", "boss")
    .replace("420 kW", "480 kW")
)
OTHER = " ".join(f"Beta Corp sold {n * 7} Zephyr nodes to Lund in week {n} of {1990 + n}." for n in range(1, 15))


def copies(*texts: tuple[str, str, dt.date]) -> list[CopyRow]:
    """Documents as (id, text, day)."""
    sketches = {name: sketch(name, text) for name, text, _ in texts}
    held = Documents.of(sketches, {name: day for name, _, day in texts})
    return Comparison(held, frozenset(), {}).rows(lambda _: sketches)


def test_near_identical_wording_is_a_copy_of_the_earlier_page() -> None:
    copy = ("b", ORIGINAL + " Read more on our site.", LATER)
    (row,) = copies(copy, ("a", ORIGINAL, FIRST), ("c", OTHER, FIRST))
    assert (row.document_id, row.origin_document_id, row.kind) == ("b", "a", "copy")
    assert row.word_similarity > 0.9


def test_of_two_equal_origins_the_older_is_named() -> None:
    found = copies(("newer", ORIGINAL, LATER), ("older", ORIGINAL, FIRST), ("last", ORIGINAL, dt.date(2025, 11, 1)))
    assert [(row.document_id, row.origin_document_id) for row in found] == [("last", "older"), ("newer", "older")]


def test_other_words_around_the_same_names_and_figures_are_a_spin() -> None:
    (row,) = copies(("spun", SPUN, LATER), ("original", ORIGINAL, FIRST))
    assert (row.document_id, row.origin_document_id, row.kind) == ("spun", "original", "spin")
    assert row.word_similarity < 0.5 < row.name_similarity


def test_pages_about_different_things_are_left_alone() -> None:
    assert copies(("a", ORIGINAL, FIRST), ("c", OTHER, LATER)) == []


def test_short_texts_prove_nothing() -> None:
    text = "GB200 NVL72 draws 120 kW."
    assert copies(("a", text, FIRST), ("b", text, LATER)) == []


def test_own_signs_alone_make_a_suspect() -> None:
    text = "The information heart runs tens of hundreds of GPUs at practically a billion requests."
    (row,) = copies(("a", text, FIRST))
    assert (row.kind, row.origin_document_id) == ("suspect", "")
    assert row.signs == ("word: information heart", "numeral: tens of hundreds", "numeral: practically a billion")


@pytest.mark.parametrize(
    "text",
    ["The data center runs tens of thousands of GPUs.", "hundreds of thousands of lines", "a lot of information"],
)
def test_plain_english_shows_no_sign(text: str) -> None:
    assert spin_signs(text) == ()
