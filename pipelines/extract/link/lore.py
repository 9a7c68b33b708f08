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

from pipelines.extract.link.meaning import DATES

# metric → name (as `spelled`) → [value, how many publishers say it]
Facts = Mapping[str, Mapping[str, Sequence[Sequence[float]]]]
Fit = tuple[float, float, float]
UNKNOWN: Fit = (0.0, 0.0, 9.0)
_NEAR = 0.015  # 3.35 and 3.3 TB/s are one figure
_PLAIN_WORDS = (
    "a an and the of for with new next nvidia amd intel google aws amazon microsoft meta tesla instinct radeon geforce "
    "gpu gpus chip chips accelerator accelerators tensor core processor processors card device module platform series "
    "family cluster system systems supercomputer supercomputers server servers superchip superchips cloud tpu sxm sxm2 "
    "sxm3 sxm4 sxm5 pcie oam xeon epyc ec2 "
)
_PLAIN = frozenset(_PLAIN_WORDS.split())
_WORD = re.compile(r"[^\W_][\w.]*")
_APART = re.compile(r"\b([a-z]{1,10})[ -](\d+(?:\.\d+)?[a-z]*)\b")
_SIZE = re.compile(r"\b\d+ ?(?:gb|gib|tb)\b")


@lru_cache(maxsize=65536)
def spelled(name: str) -> str:
    """A name as facts are kept by: its words and codes in order of the alphabet, without makers and forms."""
    whole = _APART.sub(r"\1\2", _SIZE.sub(" ", name.casefold()))
    return " ".join(sorted({word.strip(".") for word in _WORD.findall(whole)} - _PLAIN))


class Lore:
    """Facts and the affinity of metrics and kinds, ready to be asked; immutable."""

    def __init__(self, affinity: Mapping[str, float], facts: Facts) -> None:
        self._affinity, self._facts = affinity, facts
        self._values: dict[str, list[float]] = {}  # by metric, in order
        self._sums: dict[str, list[float]] = {}  # how many publishers say a value before each of them
        for metric, names in facts.items():
            given = sorted((value, count) for known in names.values() for value, count in known)
            self._values[metric] = [value for value, _ in given]
            self._sums[metric] = [0.0, *accumulate(count for _, count in given)]

        self._names = {name for names in facts.values() for name in names}
        self.knows = lru_cache(maxsize=65536)(self._knows)
        self.fit = lru_cache(maxsize=65536)(self._fit)
        self.said_of_any = lru_cache(maxsize=65536)(self._said_of_any)

    def _knows(self, name: str) -> bool:
        """Whether anything is said of a name."""
        return spelled(name) in self._names

    def affinity(self, metric: str, kind: str) -> float:
        """How often a thing of a kind that stands near is the one a metric is of."""
        return self._affinity.get(f"{metric}|{kind}", 0.0)

    def _fit(self, name: str, metric: str, value: float) -> Fit:
        """1 where others say this of the thing and -1 where they say else, how many say it, and how far the nearest is.

        The distance is in powers of ten; 0, 0 and 9 where nothing is known of the thing.
        """
        known = self._facts.get(metric, {}).get(spelled(name))
        if not known or value <= 0:
            return UNKNOWN
        room = _room(metric, value)
        count = sum(publishers for given, publishers in known if abs(given - value) <= room)
        far = min(abs(math.log10(given / value)) for given, _ in known if given > 0)
        return (1.0 if count else -1.0), count, far

    def _said_of_any(self, metric: str, value: float) -> float:
        """How many publishers give this value of the metric for anything."""
        values, room = self._values.get(metric, []), _room(metric, value)
        low, high = bisect_left(values, value - room), bisect_right(values, value + room)
        return self._sums[metric][high] - self._sums[metric][low] if low < high else 0.0


def _room(metric: str, value: float) -> float:
    """How far two figures may be apart and be the same; years are the same or not."""
    return 0.0 if metric in DATES else _NEAR * value
