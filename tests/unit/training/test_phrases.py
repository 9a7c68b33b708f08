"""The cards' phrases as rows: each stands where a document would have it, twice; a stem for the documents' words."""

from __future__ import annotations

import pytest

from pipelines.extract.link.meaning import ALL_METRICS, entry_of
from pipelines.training.phrases import HEAD, PROSE, phrase_rows


def test_every_metric_with_a_card_has_rows_and_each_phrase_its_weight() -> None:
    rows, weights = phrase_rows([])
    assert {metric for _, metric, _ in rows} == {m for m in ALL_METRICS if entry_of(m).heads or entry_of(m).prose}
    power = [weight for (_, metric, _), weight in zip(rows, weights, strict=True) if metric == "power"]
    assert sum(power) == pytest.approx(len(entry_of("power").heads) * HEAD + len(entry_of("power").prose) * PROSE)


def test_a_clue_of_a_head_is_that_of_a_column() -> None:
    rows, _ = phrase_rows([])
    said = [who for clues, metric, who in rows if metric == "memory_bandwidth" and "c:bandwidth" in clues]
    assert said
    assert {who[-1] for who in said} == {"0", "1"}


def test_a_stem_stands_for_the_words_of_the_documents() -> None:
    stem = next(phrase for metric in ALL_METRICS for phrase in entry_of(metric).heads if phrase.endswith("*"))
    word = stem[:-1].casefold() + "zzz"
    rows, _ = phrase_rows([frozenset({f"l:{word}"})])
    assert any(f"l:{word}" in clues for clues, _, _ in rows)
    assert not any(f"l:{word}" in clues for clues, _, _ in phrase_rows([])[0])
