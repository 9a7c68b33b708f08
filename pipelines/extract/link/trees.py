"""Boosted trees as arrays, and how they are evaluated: the same sums in the same order on any machine. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float64]
_BATCH = 4096  # rows at a time: bounds the memory of rows x trees


class Forest:
    """Trees side by side; a row's score is the sum of the leaves it falls into.

    Made of {"features": n, "trees": [[feature, threshold, left, right, value], …]} with one list a tree and field; a
    child below 0 is leaf ~child.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        trees: Sequence[Sequence[Sequence[float]]] = data["trees"]
        self.features = int(data["features"])
        nodes = max((len(tree[0]) for tree in trees), default=1) or 1
        leaves = max((len(tree[4]) for tree in trees), default=1)
        shape = (len(trees), nodes)
        self._feature = np.zeros(shape, dtype=np.intp)
        self._threshold = np.full(shape, np.inf)
        self._left = np.full(shape, -1, dtype=np.intp)
        self._right = np.full(shape, -1, dtype=np.intp)
        self._value = np.zeros((len(trees), leaves))
        for at, (feature, threshold, left, right, value) in enumerate(trees):
            size = len(feature)
            self._feature[at, :size], self._threshold[at, :size] = feature, threshold
            self._left[at, :size], self._right[at, :size] = left, right
            self._value[at, : len(value)] = value
        self._depth = max((_depth(tree) for tree in trees), default=0)

    def score(self, rows: Rows) -> Rows:
        """The raw score of each row."""
        if len(rows) == 0:
            return np.zeros(0)
        return np.concatenate([self._score(rows[at : at + _BATCH]) for at in range(0, len(rows), _BATCH)])

    def _score(self, rows: Rows) -> Rows:
        trees = np.arange(len(self._value))
        node = np.zeros((len(rows), len(trees)), dtype=np.intp)
        every = np.arange(len(rows))[:, None]
        for _ in range(self._depth):
            inner = np.maximum(node, 0)
            goes_left = rows[every, self._feature[trees, inner]] <= self._threshold[trees, inner]
            child = np.where(goes_left, self._left[trees, inner], self._right[trees, inner])
            node = np.where(node < 0, node, child)
        leaf = self._value[trees, np.where(node < 0, ~node, 0)]
        total: Rows = np.add.accumulate(leaf, axis=1)[:, -1]  # one order of addition everywhere
        return total


def _depth(tree: Sequence[Sequence[float]]) -> int:
    left, right = tree[2], tree[3]

    def below(node: float) -> int:
        return 0 if node < 0 else 1 + max(below(left[int(node)]), below(right[int(node)]))

    return below(0) if left else 1


def chance(scores: Rows) -> Rows:
    """Scores of a two-way model as probabilities."""
    result: Rows = 1.0 / (1.0 + np.exp(-scores))
    return result
