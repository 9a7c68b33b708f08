"""Finds things, organisations, benchmarks, metrics, lessons and single figures by any name they ever bore. Pure.

Every word of the question must begin a word of an entry. An entry's own name counts more than another of its names, a
whole word more than its beginning, and what is known of a thing more than that it has a name.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence

from pipelines.frozen import frozen

MOST_OFFERED, MOST_FIGURES, MOST_WORDS = 10, 3, 8
_WORD = re.compile(r"[^\W_]+")


@frozen
class Entry:
    """What can be found: its name, what it is, where it leads, its other names, and how much is known of it.

    A figure is found by words of its thing (`names`) and of its metric (`metric_words`) together, never by one alone.
    `thing` is the id of what can be set side by side.
    """

    name: str
    kind: str
    href: str
    says: str = ""
    names: tuple[str, ...] = ()
    metric_words: tuple[str, ...] = ()
    weight: int = 0
    thing: str = ""


def words_of(text: str) -> list[str]:
    """The words of a text, letters and digits, in lower case."""
    return _WORD.findall(text.casefold())


def _squeezed(text: str) -> str:
    return "".join(words_of(text))


class SearchIndex:
    """Entries by the beginnings of their words."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = list(entries)
        held: dict[str, set[int]] = defaultdict(set)
        metric: dict[str, set[int]] = defaultdict(set)
        for place, entry in enumerate(self._entries):
            for name in (entry.name if not entry.metric_words else "", *entry.names):
                for word in {*words_of(name), _squeezed(name)}:
                    held[word].add(place)
            for name in entry.metric_words:
                for word in words_of(name):
                    metric[word].add(place)
        self._names, self._metrics = _Beginnings(held), _Beginnings(metric)

    def find(self, text: str) -> list[Entry]:
        """The best entries for a question, at most `MOST_OFFERED`; none for a question without words."""
        asked = words_of(text)[:MOST_WORDS]
        if not asked:
            return []
        names = [self._names.having(word) for word in asked]
        metrics = [self._metrics.having(word) for word in asked]
        places = set.intersection(*(by_name | by_metric for by_name, by_metric in zip(names, metrics, strict=True)))
        # A figure needs a word for its thing, and one that only its metric explains.
        by_thing, all_by_thing = set().union(*names), set.intersection(*names)
        found = [
            place
            for place in places
            if not self._entries[place].metric_words or (place in by_thing and place not in all_by_thing)
        ]
        found.sort(key=lambda place: (-self._score(self._entries[place], asked), self._entries[place].name, place))
        return _at_most([self._entries[place] for place in found])

    def _score(self, entry: Entry, asked: Sequence[str]) -> float:
        question, own = "".join(asked), _squeezed(entry.name)
        spelled = [_squeezed(name) for name in entry.names]
        # A name without its maker's is a name too: "GB300 NVL72" is exactly NVIDIA GB300 NVL72.
        exact = 40 if own == question or question in spelled else 0
        near = 12 if own.startswith(question) else 8 if any(name.startswith(question) for name in spelled) else 0
        if entry.metric_words:
            exact = near = 0
        held = {*words_of(entry.name), *(word for name in entry.metric_words for word in words_of(name))}
        whole = sum(3 if word in held else 1 if any(each.startswith(word) for each in held) else 0 for word in asked)
        known = 4 * math.log1p(entry.weight)
        return exact + near + whole + known + (20 if entry.metric_words else 0)


class _Beginnings:
    """Places by words, asked by the beginning of a word."""

    def __init__(self, held: dict[str, set[int]]) -> None:
        self._words = sorted(held)
        self._held = held

    def having(self, beginning: str) -> set[int]:
        first = bisect_left(self._words, beginning)
        last = bisect_left(self._words, beginning + chr(0x10FFFF))
        return set().union(*(self._held[word] for word in self._words[first:last]))


def _at_most(found: Sequence[Entry]) -> list[Entry]:
    """The first of them: few figures, so that they never crowd out their things, each thing's best before others."""
    firsts = list({entry.names[:1]: entry for entry in reversed(found) if entry.metric_words}.values())[::-1]
    others = [entry for entry in found if entry.metric_words and entry not in firsts]
    kept = {id(entry) for entry in [*firsts, *others][:MOST_FIGURES]}
    return [entry for entry in found if not entry.metric_words or id(entry) in kept][:MOST_OFFERED]
