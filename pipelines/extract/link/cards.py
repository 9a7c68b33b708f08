"""How strongly the words around a value speak for each metric: the words of the metrics' cards, looked up. Pure.

All cards are looked for in one pass over the words of a zone, and each zone's words are read once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pipelines.extract.link.wording import words_of
from pipelines.registry import load_registry

_LONGEST = 4  # words of a run
_FAR = 12.0  # words to the nearest run where there is none
_NONE = (0.0, 0.0)
_LABELS = ("column", "row", "label", "band")
# each zone with the list of a card that is looked for in it; of those with heads the longest run is told too
_LOOKED_IN = {
    "column": "head", "row": "head", "label": "head", "band": "head", "before": "prose", "after": "prose",
    "sentence": "prose", "heading": "any", "corner": "head", "intro": "any", "parent": "any",
}  # fmt: skip
_TOLD = [
    (zone, name, what)
    for zone, name in _LOOKED_IN.items()
    for what in (("cover", "run") if name == "head" else ("cover",))
]
CARD_MARKS = (
    *(f"{zone}_{what}" for zone, _, what in _TOLD), "against_before", "against_after", "against_label", "near_before",
    "near_after",
)  # fmt: skip

Key = tuple[str, str]  # metric and the list of its card
Hits = Mapping[str, Mapping[str, tuple[float, float]]]  # by list and metric: cover and longest run
_NO_HITS: Hits = {name: {} for name in ("head", "prose", "any", "not head", "not prose")}
_AGAINST = {"head": "not head", "prose": "not prose"}


class _Runs:
    """The runs of words of all cards; a last word ending in * stands for any ending."""

    def __init__(self) -> None:
        self.whole: dict[tuple[str, ...], list[Key]] = defaultdict(list)
        self._open: dict[str, list[Key]] = defaultdict(list)
        for entry in load_registry().entries.metrics:
            lists = {
                "head": entry.heads, "prose": entry.prose, "any": (*entry.heads, *entry.prose),
                "not head": entry.not_heads, "not prose": entry.not_prose,
            }  # fmt: skip
            for name, phrases in lists.items():
                for phrase in phrases:
                    is_open = phrase.endswith("*")
                    known = self._open[phrase[:-1].casefold()] if is_open else self.whole[_stems(phrase)]
                    if (entry.id, name) not in known:
                        known.append((entry.id, name))
        self.first = frozenset(run[0] for run in self.whole if len(run) > 1)
        self.of_word = lru_cache(maxsize=65536)(self._of_word)

    def _of_word(self, word: str) -> tuple[Key, ...]:
        """The lists in which one word alone is a run."""
        opened = (key for start, keys in self._open.items() if word.startswith(start) for key in keys)
        return tuple(dict.fromkeys((*self.whole.get((word,), ()), *opened)))

    def in_words(self, words: tuple[str, ...]) -> Iterator[tuple[int, int, Sequence[Key]]]:
        """The place and length of each run with the lists that have it: in order, at a place the longest first."""
        for at, word in enumerate(words):
            if word in self.first:
                for size in range(min(_LONGEST, len(words) - at), 1, -1):
                    keys = self.whole.get(words[at : at + size])
                    if keys:
                        yield at, size, keys
            alone = self.of_word(word)
            if alone:
                yield at, 1, alone


@lru_cache(maxsize=1)
def _runs() -> _Runs:
    return _Runs()


@lru_cache(maxsize=32768)
def _hits(text: str) -> Hits:
    """How much of a text's words each list covers (0 to 1), and its longest run; a longer run hides what is against."""
    words = _stems(text)
    free: dict[Key, int] = {}
    covered: dict[Key, int] = {}
    longest: dict[Key, int] = {}
    for at, size, keys in _runs().in_words(words):
        for key in keys:
            if free.get(key, 0) <= at:
                free[key] = at + size
                covered[key] = covered.get(key, 0) + size
                longest[key] = max(longest.get(key, 0), size)
        for metric, name in keys if size > 1 else ():
            hidden = (metric, _AGAINST.get(name, ""))
            free[hidden] = max(free.get(hidden, 0), at + size)
    hits: dict[str, dict[str, tuple[float, float]]] = {}
    for (metric, name), count in covered.items():
        hits.setdefault(name, {})[metric] = count / len(words), float(longest[metric, name])
    return {**_NO_HITS, **hits} if hits else _NO_HITS


@lru_cache(maxsize=32768)
def _nearest(text: str, *, is_behind: bool) -> Mapping[str, float]:
    """How many words stand between a value and the nearest that a metric's prose knows, by metric."""
    words = _stems(text)
    found: dict[str, float] = {}
    for at, word in enumerate(words if is_behind else reversed(words)):
        for metric, name in _runs().of_word(word):
            if name == "prose":
                found.setdefault(metric, float(at))
    return found


@lru_cache(maxsize=65536)
def _stems(text: str) -> tuple[str, ...]:
    """The words of a text without the s of their plurals."""
    return tuple([w[:-1] if w[-1] == "s" and len(w) > 3 and not w.endswith("ss") else w for w in words_of(text)])


def card_marks(metrics: Sequence[str], zones: Mapping[str, str]) -> list[list[float]]:
    """What each metric's card finds in each zone (cover and length in labels, cover in prose), and what is against."""
    hits = [(_hits(zones.get(zone, "")[:160].strip())[name], what == "run") for zone, name, what in _TOLD]
    before, after = f"{zones.get('label', '')} {zones.get('before', '')}"[-90:].strip(), zones.get("after", "")[:60]
    against = _hits(before)["not prose"], _hits(after.strip())["not prose"]
    labels = [_hits(zones.get(zone, "")[:90].strip())["not head"] for zone in _LABELS]
    near = _nearest(before, is_behind=False), _nearest(after, is_behind=True)
    return [
        [
            *[found.get(metric, _NONE)[is_run] for found, is_run in hits],
            *[found.get(metric, _NONE)[1] for found in against],
            max([found.get(metric, _NONE)[1] for found in labels]),
            *[first.get(metric, _FAR) for first in near],
        ]
        for metric in metrics
    ]


def head_cover(metric: str, words: str) -> float:
    """How much of a label the heads of a metric's card cover."""
    return _hits(words[:90])["head"].get(metric, _NONE)[0]


def is_said(metric: str, zones: Mapping[str, str]) -> bool:
    """Whether the words close to a value, or the heads and labels it stands under, name a metric and none denies it."""
    near = _hits(f"{zones.get('label', '')} {zones.get('before', '')} {zones.get('after', '')}")
    heads = _hits(" ".join([zones.get(zone, "") for zone in _LABELS]))
    is_named = metric in near["prose"] or metric in heads["head"]
    return is_named and metric not in near["not prose"] and metric not in heads["not head"]


def is_attribute(words: str) -> float:
    """How far a label reads as the name of a property (of any metric) rather than of a thing."""
    return max([cover for cover, _ in _hits(words)["head"].values()], default=0.0)
