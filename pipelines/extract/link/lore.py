"""What other pages say: the figures that they give for a thing, and of which kinds of things they give a metric. Pure.

A figure that another page states of the same thing is hardly a misreading; one that no page states may well be new.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate

import numpy as np

from pipelines.extract.link.groups import ranges
from pipelines.extract.link.meaning import ALL_METRICS, DATES, METRIC_AT
from pipelines.extract.link.trees import Numbers, Rows
from pipelines.registry.field_words import load_field_words

# metric → name (as `spelled`) → [value, how many publishers say it]
Facts = Mapping[str, Mapping[str, Sequence[Sequence[float]]]]
UNKNOWN = (0.0, 0.0, 9.0)
_NEAR = 0.015  # 3.35 and 3.3 TB/s are one figure
_WORD = re.compile(r"[^\W_][\w.]*")
_APART = re.compile(r"\b([a-z]{1,10})[ -](\d+(?:\.\d+)?[a-z]*)\b")
_SIZE = re.compile(r"\b\d+ ?(?:gb|gib|tb)\b")


@lru_cache(maxsize=65536)
def spelled(name: str) -> str:
    """A name as facts are kept by: its words and codes in order of the alphabet, without makers and forms."""
    whole = _APART.sub(r"\1\2", _SIZE.sub(" ", name.casefold()))
    return " ".join(sorted({word.strip(".") for word in _WORD.findall(whole)} - load_field_words().no_part_of_a_name))


class Lore:
    """Facts and the affinity of metrics and kinds, ready to be asked; immutable."""

    def __init__(self, affinity: Mapping[str, float], facts: Facts) -> None:
        pairs = [name.partition("|") for name in affinity]
        self._kinds = {kind: at for at, kind in enumerate(dict.fromkeys(kind for _, _, kind in pairs), 1)}
        self._affinity: Rows = np.zeros((len(ALL_METRICS), 1 + len(self._kinds)))  # of the first kind nothing is known
        for (metric, _, kind), share in zip(pairs, affinity.values(), strict=True):
            self._affinity[METRIC_AT[metric], self._kinds[kind]] = share
        self._values: dict[str, list[float]] = {}  # by metric, in order
        self._sums: dict[str, list[float]] = {}  # how many publishers say a value before each of them
        numbers: dict[str, dict[str, int]] = {}  # of what is said, by name and metric
        said: list[Sequence[Sequence[float]]] = []
        near: list[float] = []
        for metric, names in facts.items():
            given = sorted((value, count) for known in names.values() for value, count in known)
            self._values[metric] = [value for value, _ in given]
            self._sums[metric] = [0.0, *accumulate(count for _, count in given)]
            for name, known in names.items():
                numbers.setdefault(name, {})[metric] = len(said)
                said.append(known)
                near.append(_room(metric, 1.0))
        rows = [[known.get(metric, -1) for metric in ALL_METRICS] for known in ({}, *numbers.values())]
        self._row_of = {name: at for at, name in enumerate(numbers, 1)}  # 0 is of nobody
        self._numbers = np.array(rows, dtype=np.intp)
        self._given = np.array([value for known in said for value, _ in known])
        self._publishers = np.array([count for known in said for _, count in known])
        self._sizes = np.array([len(known) for known in said], dtype=np.intp)
        self._starts, self._near = np.cumsum(self._sizes) - self._sizes, np.array(near)

    def about(self, names: Sequence[str]) -> Numbers:
        """The number of what others say of each name (a row) for each metric (a column); -1 where they say nothing."""
        rows = np.array([self._row_of.get(spelled(name), 0) for name in names], dtype=np.intp)
        numbers: Numbers = self._numbers.take(rows, axis=0)
        return numbers

    def affinity(self, kinds: Sequence[str]) -> Rows:
        """How often a thing of a kind (a column) that stands near is the one that a metric (a row) is of."""
        rows: Rows = self._affinity.take([self._kinds.get(kind, 0) for kind in kinds], axis=1)
        return rows

    def fits(self, about: Numbers, values: Rows) -> Rows:
        """1 where others say this of the thing and -1 where they say else, how many say it, and how far the nearest is.

        `about` numbers what is said of the thing. The distance is in powers of ten; 0, 0 and 9 where nothing is known.
        """
        fits = np.tile(np.array(UNKNOWN), (len(about), 1))
        known = np.nonzero((about >= 0) & (values > 0))[0]
        sizes = self._sizes[about[known]]
        at, of = ranges(self._starts[about[known]], sizes), np.repeat(known, sizes)
        given, value = self._given[at], values[of]
        is_same = np.abs(given - value) <= self._near[about[of]] * value
        count = np.bincount(of, weights=self._publishers[at] * is_same, minlength=len(about))
        far = np.array([abs(math.log10(ratio)) if ratio > 0 else UNKNOWN[2] for ratio in (given / value).tolist()])
        fits[known, 0], fits[:, 1] = np.where(count[known] > 0, 1.0, -1.0), count
        np.minimum.at(fits[:, 2], of, far)
        return fits

    def said_of_any(self, metric: str, value: float) -> float:
        """How many publishers give this value of the metric for anything."""
        values, room = self._values.get(metric, []), _room(metric, value)
        low, high = bisect_left(values, value - room), bisect_right(values, value + room)
        return self._sums[metric][high] - self._sums[metric][low] if low < high else 0.0


def _room(metric: str, value: float) -> float:
    """How far two figures may be apart and be the same; years are the same or not."""
    return 0.0 if metric in DATES else _NEAR * value
