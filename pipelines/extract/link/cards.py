"""How strongly the words around a value speak for each metric: the words of the metrics' cards, looked up. Pure.

All cards are looked for in one pass over the words of a zone, and each zone's words are read once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from pipelines.extract.sentences import words_of
from pipelines.registry import load_registry

_LONGEST = 4  # words of a run
_FAR = 12.0  # words to the nearest run where there is none
_LABELS = ("column", "row", "label", "band")
# each zone with the list of a card that is looked for in it
_LOOKED_IN = {
    "column": "head", "row": "head", "label": "head", "before": "prose", "after": "prose", "sentence": "prose",
    "heading": "any", "intro": "any",
}  # fmt: skip
CARD_MARKS = (
    *(f"{zone}_cover" for zone in _LOOKED_IN), "against_before", "against_after", "against_label", "near_before",
    "near_after",
)  # fmt: skip

Key = tuple[str, str]  # metric and the list of its card


@lru_cache(maxsize=1)
def _runs() -> tuple[Mapping[tuple[str, ...], Sequence[Key]], Mapping[str, Sequence[Key]]]:
    """The runs of words of all cards, and the beginnings that stand for any ending ('FP*'), with their lists."""
    whole: dict[tuple[str, ...], list[Key]] = defaultdict(list)
    opened: dict[str, list[Key]] = defaultdict(list)
    for entry in load_registry().entries.metrics:
        lists = {
            "head": entry.heads, "prose": entry.prose, "any": (*entry.heads, *entry.prose),
            "not head": entry.not_heads, "not prose": entry.not_prose,
        }  # fmt: skip
        for name, phrases in lists.items():
            for phrase in phrases:
                known = opened[phrase[:-1].casefold()] if phrase.endswith("*") else whole[_stems(phrase)]
                if (entry.id, name) not in known:
                    known.append((entry.id, name))
    return dict(whole), dict(opened)


@lru_cache(maxsize=65536)
def _of_word(word: str) -> Sequence[Key]:
    """The lists in which one word alone is a run."""
    whole, opened = _runs()
    begun = (key for start, keys in opened.items() if word.startswith(start) for key in keys)
    return tuple(dict.fromkeys((*whole.get((word,), ()), *begun)))


@lru_cache(maxsize=32768)
def _hits(text: str) -> Mapping[Key, float]:
    """How much of a text's words each list covers (0 to 1); a longer run hides what is against."""
    words, (whole, _) = _stems(text), _runs()
    free: dict[Key, int] = {}
    covered: dict[Key, int] = {}
    places = ((at, size) for at in range(len(words)) for size in range(min(_LONGEST, len(words) - at), 0, -1))
    for at, size in places:
        keys = whole.get(words[at : at + size], ()) if size > 1 else _of_word(words[at])
        for key in keys:
            if free.get(key, 0) <= at:
                free[key] = at + size
                covered[key] = covered.get(key, 0) + size
        for metric, name in keys if size > 1 else ():
            hidden = (metric, f"not {name}")
            free[hidden] = max(free.get(hidden, 0), at + size)
    return {key: count / len(words) for key, count in covered.items()}


@lru_cache(maxsize=32768)
def _nearest(text: str, *, is_behind: bool) -> Mapping[str, float]:
    """How many words stand between a value and the nearest that a metric's prose knows, by metric."""
    words = _stems(text)
    found: dict[str, float] = {}
    for at, word in enumerate(words if is_behind else reversed(words)):
        for metric, name in _of_word(word):
            if name == "prose":
                found.setdefault(metric, float(at))
    return found


@lru_cache(maxsize=65536)
def _stems(text: str) -> tuple[str, ...]:
    """The words of a text without the s of their plurals."""
    return tuple([w[:-1] if w[-1] == "s" and len(w) > 3 and not w.endswith("ss") else w for w in words_of(text)])


def card_marks(metrics: Sequence[str], zones: Mapping[str, str]) -> list[list[float]]:
    """How much each metric's card covers of each zone and of what is against, and how near the next of its words is."""
    hits = [(_hits(zones.get(zone, "")[:160].strip()), name) for zone, name in _LOOKED_IN.items()]
    before, after = f"{zones.get('label', '')} {zones.get('before', '')}"[-90:].strip(), zones.get("after", "")[:60]
    against = _hits(before), _hits(after.strip())
    labels = [_hits(zones.get(zone, "")[:90].strip()) for zone in _LABELS]
    near = _nearest(before, is_behind=False), _nearest(after, is_behind=True)
    return [
        [
            *[found.get((metric, name), 0.0) for found, name in hits],
            *[found.get((metric, "not prose"), 0.0) for found in against],
            max([found.get((metric, "not head"), 0.0) for found in labels]),
            *[first.get(metric, _FAR) for first in near],
        ]
        for metric in metrics
    ]


def head_cover(metric: str, words: str) -> float:
    """How much of a label the heads of a metric's card cover."""
    return _hits(words[:90]).get((metric, "head"), 0.0)


def is_said(metric: str, zones: Mapping[str, str]) -> bool:
    """Whether the words close to a value, or the heads and labels it stands under, name a metric and none denies it."""
    near = _hits(f"{zones.get('label', '')} {zones.get('before', '')} {zones.get('after', '')}")
    heads = _hits(" ".join([zones.get(zone, "") for zone in _LABELS]))
    is_named = (metric, "prose") in near or (metric, "head") in heads
    return is_named and (metric, "not prose") not in near and (metric, "not head") not in heads


def is_attribute(words: str) -> float:
    """How far a label reads as the name of a property (of any metric) rather than of a thing."""
    return max([cover for (_, name), cover in _hits(words).items() if name == "head"], default=0.0)
