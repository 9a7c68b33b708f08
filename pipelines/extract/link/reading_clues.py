"""What speaks for and against one reading, as clues: its metric with the words, the place and the marks of its subject.

The other models hear of a subject and of the words around a value apart; which words go with which metric and place,
and which size, they do not. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pipelines.extract.link.clues import clues_beside, label_clues
from pipelines.extract.link.proposal import Proposal

_LABELS = ("label", "column", "row", "band")
_LONGEST = 90  # characters of a label
_MOST = 3  # values or names between a value and its subject; more count as that
# marks that say how far or how many; of the others it is told that they are there
_MEASURED = frozenset({
    "gap", "between", "values_between", "offset", "cell_gap", "row_distance", "axis_named", "axis_numeric",
    "axis_distinct", "axis_column", "count", "rank", "plain",
})  # fmt: skip


def reading_clues(proposal: Proposal) -> Iterator[tuple[str, ...]]:
    """The clues of one reading, and those of what it is per, in groups of which many are of other readings too."""
    metric, zones, marks = proposal.metric, proposal.place.zones, proposal.candidate.marks
    source = proposal.source.partition(" ")[0]
    yield from proposal.clues
    yield _place_clues(metric, source, proposal.candidate.kind)
    yield _mark_clues(metric, tuple([name for name, mark in marks.items() if mark and name not in _MEASURED]))
    between = [int(min(marks.get(name, 0), _MOST)) for name in ("values_between", "between")]
    yield f"values={between[0]}|{source}", f"names={between[1]}"
    yield _beside_clues(zones["before"], zones["after"], metric, source)
    for zone in _LABELS:
        if words := zones.get(zone):
            yield _label_clues(zone, words[:_LONGEST], metric, source)


@lru_cache(maxsize=4096)
def _place_clues(metric: str, source: str, kind: str) -> tuple[str, ...]:
    return f"{metric}|{source}|{kind}", f"{source}|{kind}", f"{metric}|{source}"


@lru_cache(maxsize=16384)
def _mark_clues(metric: str, marks: tuple[str, ...]) -> tuple[str, ...]:
    return (*[f"k:{name}" for name in marks], *[f"k:{name}|{metric}" for name in marks])


@lru_cache(maxsize=16384)
def _beside_clues(before: str, after: str, metric: str, source: str) -> tuple[str, ...]:
    return _with(clues_beside(before, after), metric, source)


@lru_cache(maxsize=16384)
def _label_clues(zone: str, words: str, metric: str, source: str) -> tuple[str, ...]:
    return _with(label_clues(zone, words), metric, source)


def _with(clues: tuple[str, ...], metric: str, source: str) -> tuple[str, ...]:
    """Clues with the metric and with the place where the subject stands."""
    return (*[f"{metric}|{clue}" for clue in clues], *[f"{source}|{clue}" for clue in clues])
