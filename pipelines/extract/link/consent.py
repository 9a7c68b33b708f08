"""What the first judgements of a document say of each other: the second look at every proposal. Pure.

A column shares a metric, a row a subject, a table the place where its subjects stand. Each proposal is told how sure
the other values of its line, column, table and document were of the same thing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipelines.extract.link.groups import highest_of_others, numbered, starts_of
from pipelines.extract.link.proposal import Proposal, lines_of, whole_of
from pipelines.extract.link.trees import Numbers, Rows, chance

_LEAST = -9.0  # log odds where nobody says a thing
# what is shared: the place (line, line across, table or block, document) and what is said there
_SHARED: tuple[tuple[str, int, str], ...] = (
    ("line_subject", 0, "subject"),
    ("line_metric", 0, "metric"),
    ("across_metric", 1, "metric"),
    ("across_subject", 1, "subject"),
    ("across_both", 1, "both"),
    ("whole_metric", 2, "metric"),
    ("whole_subject", 2, "subject"),
    ("whole_source", 2, "source"),
    ("whole_both", 2, "both"),
    ("all_subject", 3, "subject"),
    ("all_metric", 3, "metric"),
    ("all_kind", 3, "kind"),
)
_PLACES = ("line", "across", "whole", "all")
CONSENT = (
    "first", "first_behind", "rival", "rival_metric", "rival_subject", "rivals",
    *(f"{name}_{what}" for name, _, _ in _SHARED for what in ("mean", "most")),
    *(f"{place}_{what}" for place in _PLACES for what in ("sure", "count")),
)  # fmt: skip


def consent_rows(proposals: Sequence[Proposal], first: Rows) -> Rows:
    """The features of each proposal, from the log odds that the first look gave all of them."""
    items = numbered([p.item for p in proposals])
    sure = chance(first)
    groups = _place_groups(proposals)
    best = _best_of(items, first)
    assured = [_assurance(group, items, best, sure) for group in groups]
    said = _said(proposals)
    places = np.concatenate([groups[place] for _, place, _ in _SHARED])
    attributes = np.concatenate([said[what] for _, _, what in _SHARED])
    others = np.concatenate([assured[place][1] for _, place, _ in _SHARED])
    mean, most = _agreement(others, places * (int(attributes.max()) + 1) + attributes, items, first, sure)
    return np.column_stack([
        *_rivals(said["metric"], items, first), *[each for pair in zip(mean, most, strict=True) for each in pair],
        *[each for pair in assured for each in pair],
    ])  # fmt: skip


def _said(proposals: Sequence[Proposal]) -> dict[str, Numbers]:
    """What each proposal says of its value, by what others may agree with."""
    return {
        "metric": numbered([p.metric for p in proposals]),
        "subject": numbered([p.candidate.name for p in proposals]),
        "source": numbered([p.source for p in proposals]),
        "both": numbered([(p.metric, p.source) for p in proposals]),
        "kind": numbered([(p.metric, p.candidate.kind) for p in proposals]),
    }


def _place_groups(proposals: Sequence[Proposal]) -> list[Numbers]:
    lines = [lines_of(p.place) for p in proposals]
    wholes = numbered([whole_of(p.place) for p in proposals])
    return [numbered([line[0] for line in lines]), numbered([line[1] for line in lines]), wholes, wholes * 0]


def _best_of(items: Numbers, first: Rows) -> Numbers:
    """The surest proposal of each item."""
    order = np.lexsort((-first, items))
    best: Numbers = order[starts_of(items[order])]
    return best


def _rivals(metrics: Numbers, items: Numbers, first: Rows) -> list[Rows]:
    """How the other proposals of the same value were judged: all, those of other metrics, those of the same."""
    rival, same = (highest_of_others(first, group, _LEAST) for group in (items, items * (metrics.max() + 1) + metrics))
    pairs = items * (int(metrics.max()) + 1) + metrics
    order = np.lexsort((-first, pairs))
    heads = order[starts_of(pairs[order])]  # the surest of each item and metric
    _, pair_of = np.unique(pairs, return_inverse=True)
    metric = highest_of_others(first[heads], items[heads], _LEAST)[pair_of]
    return [first, first - np.maximum(first, rival), rival, metric, same, np.bincount(items)[items].astype(np.float64)]


def _agreement(others: Rows, attribute: Numbers, items: Numbers, first: Rows, sure: Rows) -> tuple[Rows, Rows]:
    """How sure the other items of a place are of the same attribute: on average over them, and at most.

    All of `_SHARED` at once, one behind the other: `others` says how many other items each place has, `attribute` which
    place and what is said there, for each proposal. A row of the answer is one of `_SHARED`.
    """
    count, width = len(items), int(items.max()) + 1
    kinds = len(attribute) // count
    known, of_each = np.unique(
        attribute + np.repeat(np.arange(kinds) * (int(attribute.max()) + 1), count), return_inverse=True
    )
    code = of_each * width + np.tile(items, kinds)
    order = np.lexsort((-np.tile(first, kinds), code))
    starts = starts_of(code[order])
    best = order[starts]  # one proposal for each item and attribute
    own = np.empty(len(code), dtype=np.intp)
    own[order] = np.repeat(np.arange(len(best)), np.diff(np.append(starts, len(code))))
    of, judged, surest = of_each[best], first[best % count], sure[best % count]
    total = np.bincount(of, weights=surest, minlength=len(known))
    mean = np.where(others > 0, (total[of_each] - surest[own]) / np.maximum(others, 1.0), -1.0)
    most = np.where(others > 0, highest_of_others(judged, of, _LEAST)[own], _LEAST)
    return mean.reshape(kinds, count), most.reshape(kinds, count)


def _assurance(place: Numbers, items: Numbers, best: Numbers, sure: Rows) -> tuple[Rows, Rows]:
    """How sure the other items of a place are of anything, and how many they are."""
    count = int(place.max()) + 1
    home = place[best]  # by item
    total, size = np.bincount(home, weights=sure[best], minlength=count), np.bincount(home, minlength=count)
    others = (size[place] - 1).astype(np.float64)
    return np.where(others > 0, (total[place] - sure[best][items]) / np.maximum(others, 1.0), -1.0), others
