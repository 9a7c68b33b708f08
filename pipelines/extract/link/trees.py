"""Trained models as arrays, and how they are evaluated: the same sums in the same order on any machine. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float64]
_BATCH = 256  # rows at a time: bounds the memory of rows x trees


class Forest:
    """Trees side by side; a row's score is the sum of the leaves it falls into.

    Made of {"features": n, "trees": [[feature, threshold, left, right, value], …]} with one list a tree and field; a
    child below 0 is leaf ~child. Here all nodes stand in one row, the right child of each behind the left; a leaf
    leads to itself.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.features = int(data["features"])
        nodes: list[tuple[int, float, int, float]] = []  # feature, threshold, left child, value
        self._depth, roots = 0, []
        for tree in data["trees"]:
            roots.append(len(nodes))
            self._depth = max(self._depth, _lay_out(tree, nodes))
        columns = list(zip(*nodes, strict=True)) or [()] * 4
        self._roots = np.array(roots, dtype=np.intp).reshape(-1, 1)
        self._feature, self._left = (np.array(columns[at], dtype=np.intp) for at in (0, 2))
        self._threshold, self._value = (np.array(columns[at], dtype=np.float64) for at in (1, 3))

    def score(self, rows: Rows) -> Rows:
        """The raw score of each row."""
        if len(rows) == 0 or len(self._roots) == 0:
            return np.zeros(len(rows))
        return np.concatenate([self._score(rows[at : at + _BATCH]) for at in range(0, len(rows), _BATCH)])

    def _score(self, rows: Rows) -> Rows:
        cells = np.ascontiguousarray(rows).ravel()
        starts = np.arange(len(rows), dtype=np.intp) * rows.shape[1]
        node = np.broadcast_to(self._roots, (len(self._roots), len(rows)))
        for _ in range(self._depth):
            at = self._feature.take(node)
            at += starts
            is_right = cells.take(at) > self._threshold.take(node)
            node = self._left.take(node)
            node += is_right
        total: Rows = np.add.reduce(self._value.take(node), axis=0)  # tree after tree: one order of addition
        return total


def _lay_out(tree: Sequence[Sequence[float]], nodes: list[tuple[int, float, int, float]]) -> int:
    """Add a tree's nodes level by level; returns its depth."""
    feature, threshold, left, right, value = tree
    level, depth = [0 if feature else -1], 0
    while True:
        below = [int(child) for at in level if at >= 0 for child in (left[at], right[at])]
        place, child = len(nodes), len(nodes) + len(level)
        for at in level:
            if at >= 0:
                nodes.append((int(feature[at]), threshold[at], child, 0.0))
                child += 2
            else:
                nodes.append((0, math.inf, place, value[~at]))
            place += 1
        if not below:
            return depth
        level, depth = below, depth + 1


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

    def chances(self, clues: Iterable[tuple[str, ...]], possible: Sequence[str]) -> Mapping[str, float]:
        """The chance of each class that is possible, and of '' for none; they sum to 1. Clues come in groups."""
        rows = list(dict.fromkeys([row for group in clues for row in self._rows(group)]))
        scores = (self._base + np.add.reduce(self._weights[rows], axis=0)).tolist()
        kept = self._kept.get(tuple(possible))
        if kept is None:
            kept = [at for at, name in enumerate(self._classes) if not name or name in possible]
            self._kept[tuple(possible)] = kept
        most = max([scores[at] for at in kept])
        shares = [math.exp(scores[at] - most) for at in kept]
        total = sum(shares)
        return {self._classes[at]: share / total for at, share in zip(kept, shares, strict=True)}

    def best(self, clues: Iterable[str]) -> str:
        """The likeliest class."""
        found = self.chances([tuple(sorted(clues))], self._classes)
        return max(found, key=lambda name: found[name])

    def _rows_of(self, group: tuple[str, ...]) -> list[int]:
        known = self._at
        return [known[clue] for clue in group if clue in known]


def chance(scores: Rows) -> Rows:
    """Scores of a two-way model as probabilities."""
    result: Rows = 1.0 / (1.0 + np.exp(-scores))
    return result
