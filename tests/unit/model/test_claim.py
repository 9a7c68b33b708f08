"""What a claim says of itself: its state, its qualifiers, and how its words and rows are declared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, get_args

import pytest

from pipelines.model.claim import CLEAR, CONFIDENT, TOLD, Method, Modality
from pipelines.model.claim_row import STATES, MentionRow
from pipelines.model.columns import columns_of
from pipelines.model.evidence import Evidence
from pipelines.model.mlperf import MlperfRow
from pipelines.model.promise import AdoptionKind, MilestoneKind, PromiseModality
from tests.claim_kit import claim

COLUMNS = {column.name: column.column for column in columns_of(MentionRow)}


@pytest.mark.parametrize(
    ("other", "state"),
    [
        ({"confidence": CONFIDENT}, "confident"),
        ({"confidence": CONFIDENT - 0.01}, "candidate"),
        ({"confidence": 0.6, "is_confirmed": True}, "accepted"),
        ({"confidence": 1.0, "is_confirmed": True}, "confident"),
        ({"confidence": 1.0, "is_confirmed": True, "doubt": "an example"}, "candidate"),  # a doubt beats all
    ],
)
def test_the_state_follows_from_doubt_then_confidence_then_a_persons_word(other: dict[str, Any], state: str) -> None:
    assert claim(**other).state == state


def test_the_three_levels_of_confidence_stand_in_their_order() -> None:
    assert 0.5 < TOLD < CLEAR < CONFIDENT < 1


def test_a_qualifier_that_is_not_said_is_empty() -> None:
    said = claim(qualifiers=(("per", "rack"), ("precision", "unstated")))
    assert (said.qualifier("per"), said.qualifier("precision"), said.qualifier("sparsity")) == ("rack", "unstated", "")


@pytest.mark.parametrize(("column", "words"), [("modality", Modality), ("method", Method), ("state", STATES)])
def test_a_column_of_known_words_knows_those_of_the_model_and_names_them(column: str, words: Any) -> None:
    assert COLUMNS[column].known == tuple(words)
    assert all(str(word) in COLUMNS[column].says for word in words)


def test_what_a_claim_cannot_do_without_is_a_rule_of_its_row() -> None:
    ruled = {name for name, column in COLUMNS.items() if column.rule}
    assert {"subject", "claimant", "source_id", "url", "locator", "confidence"} <= ruled


@pytest.mark.parametrize("words", [Modality, Method, get_args(MilestoneKind), PromiseModality, AdoptionKind])
def test_words_that_are_kept_are_small_letters(words: Iterable[str]) -> None:
    assert [word for word in words if word != word.lower() or word != word.strip()] == []


def test_no_two_tags_share_a_mark_a_shape_or_a_meaning() -> None:
    for told in ("mark", "shape", "meaning"):
        assert len({getattr(tag, told) for tag in Evidence}) == len(Evidence), told
    assert all(len(tag.mark.split(" ")) == 2 for tag in Evidence)  # a shape and a letter, never colour alone


@pytest.mark.parametrize(
    ("suite", "raw", "folder", "named"),
    [
        ("inference", "A partner's copy", "Dell", "Dell"),
        ("training", "Dell Technologies", "Dell", "Dell Technologies"),
        ("hpc", "", "RIKEN", "RIKEN"),
    ],
)
def test_who_submitted_is_the_folders_name_in_inference(suite: str, raw: str, folder: str, named: str) -> None:
    row = MlperfRow(round="v5.0", suite=suite, submitter_raw=raw, submitter_dir=folder)
    assert row.submitter_named == named
