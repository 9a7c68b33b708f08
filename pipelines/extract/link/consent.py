"""What the first judgements of a document say of each other: the second look at every proposal. Pure.

A column shares a metric, a row a subject, a table the place where its subjects stand. Each proposal is told how sure
the other values of its line, column, table and document were of the same thing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipelines.extract.link.groups import highest_of_each, highest_of_others, numbered
from pipelines.extract.link.proposal import Proposal, numbered_lines
from pipelines.extract.link.trees import Numbers, Rows, chance

_LEAST = -9.0  # log odds where nobody says a thing
_PLACES = ("line", "across", "whole", "all")  # line, line across, table or block, document
# what is shared: the place and what is said there, at last anything at all
_SHARED = (
    ("line", "subject"), ("line", "metric"), ("across", "metric"), ("across", "subject"), ("across", "both"),
    ("whole", "metric"), ("whole", "subject"), ("whole", "source"), ("whole", "both"), ("all", "subject"),
    ("all", "metric"), ("all", "kind"), *((place, "any") for place in _PLACES),
)  # fmt: skip
_ANY = slice(-len(_PLACES), None)
_PLACE_AT = [_PLACES.index(place) for place, _ in _SHARED]
CONSENT = (
    "first", "first_behind", "rival", "rival_metric", "rival_subject", "rivals",
    *(f"{place}_{what}_{how}" for place, what in _SHARED if what != "any" for how in ("mean", "most")),
    *(f"{place}_{how}" for place in _PLACES for how in ("sure", "count")),
)  # fmt: skip


def consent_rows(proposals: Sequence[Proposal], first: Rows) -> Rows:
    """The features of each proposal, from the log odds that the first look gave all of them."""
    items = numbered([p.item for p in proposals])
    metrics = numbered([p.metric for p in proposals])
    lines = numbered_lines(p.place for p in proposals).T
    said = {
        "metric": metrics, "subject": numbered([p.candidate.name for p in proposals]),
        "source": numbered([p.source for p in proposals]), "both": numbered([(p.metric, p.source) for p in proposals]),
        "kind": numbered([(p.metric, p.candidate.kind) for p in proposals]), "any": np.zeros_like(items),
    }  # fmt: skip
    groups = lines[_PLACE_AT] * len(items) + np.stack([said[what] for _, what in _SHARED])
    return np.column_stack([*_rivals(metrics, items, first), _agreement(groups, items, first)])


def _rivals(metrics: Numbers, items: Numbers, first: Rows) -> list[Rows]:
    """How the other proposals of the same value were judged: all, those of other metrics, those of the same."""
    _, pairs = np.unique(items * len(items) + metrics, return_inverse=True)
    surest = highest_of_each(first, pairs)
    rival, same = (highest_of_others(first, group, _LEAST) for group in (items, pairs))
    metric = highest_of_others(first[surest], items[surest], _LEAST)[pairs]
    return [first, first - np.maximum(first, rival), rival, metric, same, np.bincount(items)[items].astype(np.float64)]


def _agreement(groups: Numbers, items: Numbers, first: Rows) -> Rows:
    """How sure the other items of a place are of the same: on average over them and at most, for each of `_SHARED`.

    A row of `groups` says who says the same in the same place. Of anything at all: on average, and how many they are.
    """
    kinds, count = groups.shape
    _, same = np.unique(groups + np.arange(kinds)[:, None] * (groups.max() + 1), return_inverse=True)
    same = same.reshape(groups.shape)
    _, own = np.unique(same * count + items, return_inverse=True)
    own = own.reshape(groups.shape)
    best = highest_of_each(np.tile(first, kinds), own.ravel())  # one proposal for each item that says the same
    of, best = same.ravel()[best], best % count
    sure = chance(first)[best]
    others = (np.bincount(of)[same[_ANY]] - 1).astype(np.float64)
    beside = others[_PLACE_AT]
    total = np.bincount(of, weights=sure)[same] - sure[own]
    mean = np.where(beside > 0, total / np.maximum(beside, 1.0), -1.0)
    most = np.where(beside > 0, highest_of_others(first[best], of, _LEAST)[own], _LEAST)
    most[_ANY] = others
    told: Rows = np.stack([mean, most], axis=1).reshape(-1, count).T
    return told
