"""How strongly the words around a value speak for each metric: the words of the metrics' cards, looked up. Pure.

All cards are looked for in one pass over the words of a zone, and each zone's words are read once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pipelines.extract.link.wording import words_of
from pipelines.registry import load_registry

ZONES = ("column", "row", "label", "band", "before", "after", "sentence", "heading", "corner", "intro", "parent")
_SHORT = frozenset({"column", "row", "label", "band", "corner"})
_ANY = frozenset({"heading", "intro", "parent"})
_LONGEST = 4  # words of a run
_FAR = 12.0  # words to the nearest run where there is none
_NONE = (0.0, 0.0)
CARD_MARKS = (
    *(name for zone in ZONES for name in ((f"{zone}_cover", f"{zone}_run") if zone in _SHORT else (f"{zone}_cover",))),
    "against_before",
    "against_after",
    "against_label",
    "near_before",
    "near_after",
)

Key = tuple[str, str]  # metric and the list of its card: 'head', 'prose', 'any', 'not head', 'not prose'
_AGAINST = {"head": "not head", "prose": "not prose"}


class _Runs:
    """The runs of words of all cards; a last word ending in * stands for any ending."""

    def __init__(self) -> None:
        self._whole: dict[tuple[str, ...], list[Key]] = defaultdict(list)
        self._open: dict[str, list[Key]] = defaultdict(list)
        for entry in load_registry().entries.metrics:
            lists = {"head": entry.heads, "prose": entry.prose, "any": (*entry.heads, *entry.prose)}
            lists |= {"not head": entry.not_heads, "not prose": entry.not_prose}
            for name, phrases in lists.items():
                for phrase in dict.fromkeys(phrases):
                    self._add(phrase, (entry.id, name))
        self._first = frozenset(run[0] for run in self._whole if run)
        self.of_word = lru_cache(maxsize=65536)(self._of_word)

    def _add(self, phrase: str, key: Key) -> None:
        known = self._open[phrase[:-1].casefold()] if phrase.endswith("*") else self._whole[_stems(phrase)]
        if key not in known:
            known.append(key)

    def _of_word(self, word: str) -> tuple[Key, ...]:
        """The lists in which one word alone is a run."""
        opened = (key for start, keys in self._open.items() if word.startswith(start) for key in keys)
        return tuple(dict.fromkeys((*self._whole.get((word,), ()), *opened)))

    def at(self, words: tuple[str, ...], at: int) -> Iterator[tuple[int, Sequence[Key]]]:
        """The lists with a run at a place, the longest runs first."""
        if words[at] in self._first:
            for size in range(min(_LONGEST, len(words) - at), 1, -1):
                keys = self._whole.get(words[at : at + size])
                if keys:
                    yield size, keys
        yield 1, self.of_word(words[at])


@lru_cache(maxsize=1)
def _runs() -> _Runs:
    return _Runs()


@lru_cache(maxsize=32768)
def _hits(words: tuple[str, ...]) -> Mapping[Key, tuple[float, float]]:
    """How much of the words each list covers (0 to 1), and its longest run; a longer run hides what speaks against."""
    runs, free = _runs(), dict[Key, int]()
    covered: dict[Key, int] = defaultdict(int)
    longest: dict[Key, int] = defaultdict(int)
    for at in range(len(words)):
        for size, keys in runs.at(words, at):
            for key in keys:
                if free.get(key, 0) <= at:
                    free[key] = at + size
                    covered[key] += size
                    longest[key] = max(longest[key], size)
            for metric, name in keys if size > 1 else ():
                hidden = (metric, _AGAINST.get(name, ""))
                free[hidden] = max(free.get(hidden, 0), at + size)
    return {key: (count / len(words), float(longest[key])) for key, count in covered.items()}


@lru_cache(maxsize=32768)
def _nearest(words: tuple[str, ...]) -> Mapping[str, float]:
    """How many words stand before the first that a metric's prose knows, by metric."""
    found: dict[str, float] = {}
    for at, word in enumerate(words):
        for metric, name in _runs().of_word(word):
            if name == "prose":
                found.setdefault(metric, float(at))
    return found


@lru_cache(maxsize=65536)
def _stems(text: str) -> tuple[str, ...]:
    """The words of a text without the s of their plurals."""
    return tuple(w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in words_of(text))


def card_marks(metrics: Sequence[str], zones: Mapping[str, str]) -> list[list[float]]:
    """What each metric's card finds in each zone (cover and length in labels, cover in prose), and what is against."""
    found = [(zone, _hits(_stems(zones.get(zone, "")[:160]))) for zone in ZONES]
    before = _stems(f"{zones.get('label', '')} {zones.get('before', '')}"[-90:])
    after = _stems(zones.get("after", "")[:60])
    against = _hits(before), _hits(after)
    labels = [_hits(_stems(zones.get(zone, "")[:90])) for zone in ("column", "row", "label", "band")]
    near = _nearest(before[::-1]), _nearest(after)
    rows = []
    for metric in metrics:
        marks: list[float] = []
        for zone, hits in found:
            if zone in _SHORT:
                marks.extend(hits.get((metric, "head"), _NONE))
            else:
                marks.append(hits.get((metric, "any" if zone in _ANY else "prose"), _NONE)[0])
        marks.extend(hits.get((metric, "not prose"), _NONE)[1] for hits in against)
        marks.append(max(hits.get((metric, "not head"), _NONE)[1] for hits in labels))
        marks.extend(first.get(metric, _FAR) for first in near)
        rows.append(marks)
    return rows


def head_cover(metric: str, words: str) -> float:
    """How much of a label the heads of a metric's card cover."""
    return _hits(_stems(words[:90])).get((metric, "head"), _NONE)[0]


def is_said(metric: str, zones: Mapping[str, str]) -> bool:
    """Whether the words close to a value, or the heads and labels it stands under, name a metric and none denies it."""
    near = _hits(_stems(f"{zones.get('label', '')} {zones.get('before', '')} {zones.get('after', '')}"))
    heads = _hits(_stems(" ".join(zones.get(zone, "") for zone in ("column", "row", "label", "band"))))
    is_named = (metric, "prose") in near or (metric, "head") in heads
    return is_named and (metric, "not prose") not in near and (metric, "not head") not in heads


@lru_cache(maxsize=65536)
def is_attribute(words: str) -> float:
    """How far a label reads as the name of a property (of any metric) rather than of a thing."""
    return max((cover for (_, name), (cover, _) in _hits(_stems(words)).items() if name == "head"), default=0.0)
