"""Trained models as arrays, and how they are evaluated: the same sums in the same order on any machine. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.intp]
_BATCH = 256  # rows at a time: bounds the memory of rows x trees


class Forest:
    """Trees side by side; a row's score is the sum of the leaves it falls into.

    Made of {"features": n, "trees": [[feature, threshold, left, right, value], …]} with one list a tree and field; a
    child below 0 is leaf ~child. Here all trees are as deep as the deepest and stand level by level: the sides of the
    node at n are those at 2n and 2n + 1 of the next level. A leaf leads to itself, by the left.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.features = int(data["features"])
        self._levels: list[tuple[Numbers, Rows]] = []  # feature and threshold of each node
        trees = data["trees"]
        level = [(tree, 0 if tree[0] else -1) for tree in trees]
        while any(node >= 0 for _, node in level):
            tests = [(tree[0][node], tree[1][node]) if node >= 0 else (0, math.inf) for tree, node in level]
            feature, threshold = zip(*tests, strict=True)
            self._levels.append((np.array(feature, dtype=np.intp), np.array(threshold, dtype=np.float64)))
            level = [(tree, side) for tree, node in level for side in _sides(tree, node)]
        self._count = len(trees)
        self._values = np.array([tree[4][~leaf] for tree, leaf in level], dtype=np.float64)

    def score(self, rows: Rows) -> Rows:
        """The raw score of each row."""
        if len(rows) == 0 or self._count == 0:
            return np.zeros(len(rows))
        return np.concatenate([self._score(rows[at : at + _BATCH]) for at in range(0, len(rows), _BATCH)])

    def _score(self, rows: Rows) -> Rows:
        size, shape = len(rows), (self._count, len(rows))
        cells, column = np.ascontiguousarray(rows.T), np.arange(size, dtype=np.intp)
        node = np.repeat(np.arange(self._count, dtype=np.intp), size).reshape(shape)
        at, value, threshold = np.empty(shape, dtype=np.intp), np.empty(shape), np.empty(shape)
        for depth, (features, thresholds) in enumerate(self._levels):
            if depth == 0:  # each tree asks all rows the same
                is_right = cells.take(features, axis=0) > thresholds[:, None]
            else:
                (features * size).take(node, out=at, mode="clip")
                at += column
                cells.take(at, out=value, mode="clip")
                thresholds.take(node, out=threshold, mode="clip")
                is_right = value > threshold
            node += node
            node += is_right
        self._values.take(node, out=value, mode="clip")
        total: Rows = np.add.reduce(value, axis=0)  # tree after tree: one order of addition
        return total


def _sides(tree: Sequence[Sequence[float]], node: int) -> tuple[int, int]:
    return (int(tree[2][node]), int(tree[3][node])) if node >= 0 else (node, node)


class Words:
    """A linear model from clues to classes: {"classes": […], "base": […], "weights": {clue: […]}}."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._classes: tuple[str, ...] = tuple(data["classes"])
        self._base = np.array(data["base"], dtype=np.float64)
        weights: Mapping[str, Sequence[float]] = data["weights"]
        self._kept: dict[tuple[str, ...], list[int]] = {}  # the classes that are possible, by metrics
        self._at = {clue: at for at, clue in enumerate(weights)}
        self._weights = np.array(list(weights.values()), dtype=np.float64).reshape(len(weights), len(self._classes))
        self._rows = lru_cache(maxsize=16384)(self._rows_of)

    def chances(
        self, clues: Iterable[Iterable[tuple[str, ...]]], possible: Iterable[tuple[str, ...]]
    ) -> list[Mapping[str, float]]:
        """The chance of each class that is possible, and of '' for none, which sum to 1: for each set of clues.

        The clues of a set come in groups, of which the same one comes again and again.
        """
        rows = [list(dict.fromkeys([row for group in groups for row in self._rows(group)])) for groups in clues]
        return [self._shares(scores, names) for scores, names in zip(self._scores(rows), possible, strict=True)]

    def best(self, clues: Iterable[Iterable[str]]) -> list[str]:
        """The likeliest class for each set of clues."""
        known = self._at
        rows = [[known[clue] for clue in sorted([clue for clue in each if clue in known])] for each in clues]
        shares = [self._shares(scores, self._classes) for scores in self._scores(rows)]
        return [max(found, key=lambda name: found[name]) for found in shares]

    def _scores(self, rows: Sequence[Sequence[int]]) -> Iterator[list[float]]:
        """The score of each class for each set of rows, which are added as they come."""
        for at in range(0, len(rows), _BATCH):
            some = rows[at : at + _BATCH]
            weights = self._weights.take(np.array([row for each in some for row in each], dtype=np.intp), axis=0)
            ends = accumulate([len(each) for each in some], initial=0)
            sums = [np.add.reduce(weights[begin:end], axis=0) for begin, end in pairwise(ends)]
            yield from (self._base + np.array(sums)).tolist()

    def _shares(self, scores: Sequence[float], possible: tuple[str, ...]) -> Mapping[str, float]:
        kept = self._kept.get(possible)
        if kept is None:
            kept = [at for at, name in enumerate(self._classes) if not name or name in possible]
            self._kept[possible] = kept
        most = max([scores[at] for at in kept])
        shares = [math.exp(scores[at] - most) for at in kept]
        total = sum(shares)
        return {self._classes[at]: share / total for at, share in zip(kept, shares, strict=True)}

    def _rows_of(self, group: tuple[str, ...]) -> list[int]:
        known = self._at
        return [known[clue] for clue in group if clue in known]


def chance(scores: Rows) -> Rows:
    """Scores of a two-way model as probabilities."""
    result: Rows = 1.0 / (1.0 + np.exp(-scores))
    return result
