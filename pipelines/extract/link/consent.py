"""What the first judgements of a document say of each other: the second look at every proposal. Pure.

A column shares a metric, a row a subject, a table the place where its subjects stand. Each proposal is told how sure
the other values of its line, column, table and document were of the same thing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from pipelines.extract.link.proposal import Proposal, lines_of, whole_of
from pipelines.extract.link.trees import Rows, chance

_LEAST = -9.0  # log odds where nobody says a thing
Groups = npt.NDArray[np.intp]
# what is shared: the place (line, line across, table or block, document) and what is said there
_SHARED: tuple[tuple[str, int, Callable[[Proposal], Hashable]], ...] = (
    ("line_subject", 0, lambda p: p.candidate.name),
    ("line_metric", 0, lambda p: p.metric),
    ("across_metric", 1, lambda p: p.metric),
    ("across_subject", 1, lambda p: p.candidate.name),
    ("across_both", 1, lambda p: (p.metric, p.source)),
    ("whole_metric", 2, lambda p: p.metric),
    ("whole_subject", 2, lambda p: p.candidate.name),
    ("whole_source", 2, lambda p: p.source),
    ("whole_both", 2, lambda p: (p.metric, p.source)),
    ("all_subject", 3, lambda p: p.candidate.name),
    ("all_metric", 3, lambda p: p.metric),
    ("all_kind", 3, lambda p: (p.metric, p.candidate.kind)),
)
_PLACES = ("line", "across", "whole", "all")
CONSENT = (
    "first", "first_behind", "rival", "rival_metric", "rival_subject", "rivals",
    *(f"{name}_{what}" for name, _, _ in _SHARED for what in ("mean", "most")),
    *(f"{place}_{what}" for place in _PLACES for what in ("sure", "count")),
)  # fmt: skip


def consent_rows(proposals: Sequence[Proposal], first: Rows) -> Rows:
    """The features of each proposal, from the log odds that the first look gave all of them."""
    items = _numbered([p.item for p in proposals])
    sure = chance(first)
    groups = _place_groups(proposals)
    columns = _rivals(proposals, items, first)
    others = [_items_in(group, items)[group] - 1.0 for group in groups]
    for _, place, said in _SHARED:
        attribute = _numbered(list(zip(groups[place].tolist(), map(said, proposals), strict=True)))
        columns.extend(_agreement(others[place], attribute, items, first, sure))
    best = _best_of(items, first)
    for group in groups:
        columns.extend(_assurance(group, items, best, sure))
    return np.column_stack(columns)


def _numbered(keys: Sequence[Hashable]) -> Groups:
    """Each key as a number of its own, in order of first appearance."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.intp)


def _place_groups(proposals: Sequence[Proposal]) -> list[Groups]:
    lines = [lines_of(p.place) for p in proposals]
    wholes = _numbered([whole_of(p.place) for p in proposals])
    return [_numbered([line[0] for line in lines]), _numbered([line[1] for line in lines]), wholes, wholes * 0]


def _best_of(items: Groups, first: Rows) -> Groups:
    """The surest proposal of each item."""
    order = np.lexsort((-first, items))
    _, at = np.unique(items[order], return_index=True)
    best: Groups = order[at]
    return best


def _rivals(proposals: Sequence[Proposal], items: Groups, first: Rows) -> list[Rows]:
    """How the other proposals of the same value were judged."""
    scores, rows = first.tolist(), []
    for _, group in groupby(enumerate(proposals), key=lambda each: each[1].item):  # those of an item stand together
        same = list(group)
        for at, own in same:
            others = [(scores[i], other.metric == own.metric) for i, other in same if i != at]
            rows.append((
                max([score for score, _ in others], default=_LEAST),
                max([score for score, is_same in others if not is_same], default=_LEAST),
                max([score for score, is_same in others if is_same], default=_LEAST), float(len(same)),
            ))  # fmt: skip
    rival, metric, subject, size = np.maximum(np.array(rows), _LEAST).T
    return [first, first - np.maximum(first, rival), rival, metric, subject, size]


def _agreement(others: Rows, attribute: Groups, items: Groups, first: Rows, sure: Rows) -> tuple[Rows, Rows]:
    """How sure the other items of a place, so many, are of the same attribute: on average over them, and at most."""
    width = int(items.max()) + 1
    code = attribute * width + items
    order = np.lexsort((-first, code))
    _, where, back = np.unique(code[order], return_index=True, return_inverse=True)
    best = order[where]  # one proposal for each item and attribute
    own = np.empty(len(items), dtype=np.intp)
    own[order] = back
    of = attribute[best]
    count = int(attribute.max()) + 1
    total = np.bincount(of, weights=sure[best], minlength=count)
    mean = np.where(others > 0, (total[attribute] - sure[best][own]) / np.maximum(others, 1.0), -1.0)
    top, second = np.full(count, _LEAST), np.full(count, _LEAST)
    np.maximum.at(top, of, first[best])
    is_top = first[best] == top[of]
    np.maximum.at(second, of[~is_top], first[best][~is_top])
    tied = np.bincount(of[is_top], minlength=count) > 1
    mine = first[best][own]
    most = np.where((mine == top[attribute]) & ~tied[attribute], second[attribute], top[attribute])
    return mean, np.where(others > 0, most, _LEAST)


def _items_in(place: Groups, items: Groups) -> Rows:
    """How many items each place holds."""
    pairs = np.unique(place * (int(items.max()) + 1) + items)
    return np.bincount(pairs // (int(items.max()) + 1)).astype(np.float64)


def _assurance(place: Groups, items: Groups, best: Groups, sure: Rows) -> tuple[Rows, Rows]:
    """How sure the other items of a place are of anything, and how many they are."""
    count = int(place.max()) + 1
    home = place[best]  # by item
    total, size = np.bincount(home, weights=sure[best], minlength=count), np.bincount(home, minlength=count)
    others = (size[place] - 1).astype(np.float64)
    return np.where(others > 0, (total[place] - sure[best][items]) / np.maximum(others, 1.0), -1.0), others
