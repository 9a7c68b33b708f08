"""The phrases of the metrics' cards as rows for the model of words, so that it knows more than its documents say.

A head of a card stands for labels over values of the metric, a phrase of prose for the words next to one. A stem
('bandwid*') stands for the words of the documents that begin with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipelines.extract.link.clues import clues_beside, label_clues, zone_clues
from pipelines.extract.link.meaning import ALL_METRICS, entry_of

HEAD, PROSE = 2.0, 1.0  # how much a phrase counts beside a value of a short document
_ZONES = ("column", "row", "label")
_STEMMED = 6  # words of the documents for a stem
_TWICE = 2  # a clue counts once two documents say it

Row = tuple[frozenset[str], str, str]  # clues, metric, who says it


def phrase_rows(clues: Sequence[frozenset[str]]) -> tuple[list[Row], list[float]]:
    """Rows of all cards with their weights; `clues` are those of the documents, for the words of stems."""
    words = sorted({clue[2:] for each in clues for clue in each if clue.startswith("l:") and "_" not in clue})
    rows: list[Row] = []
    weights: list[float] = []
    for metric in ALL_METRICS:
        for shape, told, weight in _told(metric, words):
            for speaker in range(_TWICE):
                rows.append((told, metric, f"card {metric} {shape} {speaker}"))
                weights.append(weight)
    return rows, weights


def _told(metric: str, words: Sequence[str]) -> Iterator[tuple[str, frozenset[str], float]]:
    """The clues of a card's phrases: where each would stand, and its weight there."""
    card = entry_of(metric)
    for phrase in _spelt_out(card.heads, words):
        for zone in _ZONES:
            yield zone, frozenset((*label_clues(zone, phrase), "kind=table")), HEAD / len(_ZONES) / _TWICE
    for phrase in _spelt_out(card.prose, words):
        for before, after in ((phrase, ""), ("", phrase)):
            told = (*clues_beside(before, after), *zone_clues("s", phrase), "kind=text")
            yield "prose", frozenset(told), PROSE / 2 / _TWICE


def _spelt_out(phrases: Sequence[str], words: Sequence[str]) -> Iterator[str]:
    for phrase in phrases:
        stem = phrase.rstrip("*").casefold()
        found = [word for word in words if word.startswith(stem)][:_STEMMED] if phrase.endswith("*") else []
        yield from found or [phrase.rstrip("*")]
