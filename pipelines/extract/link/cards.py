"""How strongly the words around a value speak for each metric: the words of the metrics' cards, looked up. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pipelines.extract.link.wording import words_of
from pipelines.registry import load_registry
from pipelines.registry.metric_entries import MetricEntry


class Card:
    """One metric's words, ready to be looked for."""

    def __init__(self, entry: MetricEntry) -> None:
        self.head, self.prose = _Runs(entry.heads), _Runs(entry.prose)
        self.any = _Runs((*entry.heads, *entry.prose))
        self.against_head, self.against_prose = _Runs(entry.not_heads), _Runs(entry.not_prose)


class _Runs:
    """Runs of words; a last word ending in * stands for any ending."""

    def __init__(self, phrases: Sequence[str]) -> None:
        self.whole = frozenset(_stems(phrase) for phrase in phrases if not phrase.endswith("*"))
        self.open = tuple(phrase[:-1].casefold() for phrase in phrases if phrase.endswith("*"))
        self._first = frozenset(run[0] for run in self.whole if run)
        self.hit = lru_cache(maxsize=4096)(self._hit)

    def has(self, word: str) -> bool:
        """Whether one word alone is a run."""
        return (word,) in self.whole or (bool(self.open) and word.startswith(self.open))

    def _hit(self, words: tuple[str, ...]) -> tuple[float, float]:
        """How much of the words the runs cover (0 to 1), and the longest run."""
        longest = covered = at = 0
        while at < len(words):
            if words[at] not in self._first:
                size = int(bool(self.open) and words[at].startswith(self.open))
                longest, covered, at = max(longest, size), covered + size, at + 1
                continue
            size = next((n for n in (4, 3, 2, 1) if words[at : at + n] in self.whole and at + n <= len(words)), 0)
            size = size or int(self.has(words[at]))
            longest, covered = max(longest, size), covered + size
            at += max(size, 1)
        return (covered / len(words) if words else 0.0), float(longest)


@lru_cache(maxsize=65536)
def _stems(text: str) -> tuple[str, ...]:
    """The words of a text without the s of their plurals."""
    return tuple(w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in words_of(text))


@lru_cache(maxsize=1)
def _cards() -> Mapping[str, Card]:
    return {entry.id: Card(entry) for entry in load_registry().entries.metrics}


ZONES = ("column", "row", "label", "band", "before", "after", "sentence", "heading", "corner", "intro", "parent")
_SHORT = frozenset({"column", "row", "label", "band", "corner"})


def card_marks(metric: str, zones: Mapping[str, str]) -> list[float]:
    """What a metric's card finds in each zone (cover and length in labels, cover in prose), and what is against it."""
    card = _cards()[metric]
    marks: list[float] = []
    for zone in ZONES:
        words = _stems(zones.get(zone, "")[:160])
        if zone in _SHORT:
            marks.extend(card.head.hit(words))
        else:
            marks.append((card.any if zone in ("heading", "intro", "parent") else card.prose).hit(words)[0])
    before = _stems(f"{zones.get('label', '')} {zones.get('before', '')}"[-90:])
    after = _stems(zones.get("after", "")[:60])
    marks.append(card.against_prose.hit(before)[1])
    marks.append(card.against_prose.hit(after)[1])
    marks.append(
        max(card.against_head.hit(_stems(zones.get(z, "")[:90]))[1] for z in ("column", "row", "label", "band"))
    )
    marks.append(_nearest(card.prose, before[::-1]))
    marks.append(_nearest(card.prose, after))
    return marks


def is_said(metric: str, zones: Mapping[str, str]) -> bool:
    """Whether the words close to a value, or the heads and labels it stands under, name a metric and none denies it."""
    card = _cards()[metric]
    near = _stems(f"{zones.get('label', '')} {zones.get('before', '')} {zones.get('after', '')}")
    heads = _stems(" ".join(zones.get(zone, "") for zone in ("column", "row", "label", "band")))
    is_named = card.prose.hit(near)[1] > 0 or card.head.hit(heads)[1] > 0
    return is_named and not (card.against_prose.hit(near)[1] or card.against_head.hit(heads)[1])


def _nearest(runs: _Runs, words: Sequence[str]) -> float:
    return float(next((i for i, word in enumerate(words) if runs.has(word)), 12))


CARD_MARKS = (
    *(name for zone in ZONES for name in ((f"{zone}_cover", f"{zone}_run") if zone in _SHORT else (f"{zone}_cover",))),
    "against_before",
    "against_after",
    "against_label",
    "near_before",
    "near_after",
)


@lru_cache(maxsize=65536)
def is_attribute(words: str) -> float:
    """How far a label reads as the name of a property (of any metric) rather than of a thing."""
    found = _stems(words)
    return max((card.head.hit(found)[0] for card in _cards().values()), default=0.0)
