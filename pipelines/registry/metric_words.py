"""The words of all metric cards as two finders: running text and table heads. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipelines.registry.metric_entries import MetricEntry
from pipelines.registry.phrases import Phrases


@dataclass(frozen=True, slots=True)
class WordHit:
    """Words that point to a metric, or, with `is_against`, away from it."""

    metric: str
    start: int
    end: int
    is_against: bool = False


class MetricWords:
    """The words of some cards; the longest words at a place hide the shorter ones inside them."""

    def __init__(self, cards: Iterable[MetricEntry]) -> None:
        cards = tuple(cards)
        self._prose = Phrases(
            (phrase, (card.id, is_against))
            for card in cards
            for is_against, words in ((False, card.prose), (True, card.not_prose))
            for phrase in words
        )
        self._heads = Phrases(
            (phrase, (card.id, is_against))
            for card in cards
            for is_against, words in ((False, card.heads), (True, card.not_heads))
            for phrase in words
        )

    def in_prose(self, text: str) -> tuple[WordHit, ...]:
        """The words of metrics in running text, in order; one place may point to several metrics."""
        return tuple(_hits(self._prose, text))

    def in_head(self, label: str) -> tuple[WordHit, ...]:
        """The words of metrics in the head of a row, column or table."""
        return tuple(_hits(self._heads, label))


def _hits(phrases: Phrases[tuple[str, bool]], text: str) -> Iterator[WordHit]:
    for found in phrases.find(text):
        for metric, is_against in found.names:
            yield WordHit(metric, found.start, found.end, is_against)
