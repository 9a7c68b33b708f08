"""Trained models as arrays, and how they are evaluated: the same sums in the same order on any machine. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

Rows = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.intp]
_BATCH = 64  # rows at a time: bounds the memory of rows x trees
_FIRST_TREES, _BEHIND = 60, 2.0  # of a ranking: the trees that ask all rows, and how far behind the best the others ask


class Forest:
    """Trees side by side; a row's score is the sum of the leaves it falls into.

    Made of {"features": n, "trees": [[feature, threshold, left, right, value], …]} with one list a tree and field; a
    child below 0 is leaf ~child. Here the leaves of a tree are bits (at most 64), from left to right. All tests are
    made at once: one that a row passes to the right strikes the leaves on its left, and the row falls into the first
    that is not struck. They compare in single precision, in two thirds of the time.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.features = int(data["features"])
        tests: list[list[tuple[float, float, int]]] = [[] for _ in data["trees"]]
        leaves = [_unfold(tree, 0 if tree[0] else -1, 0, own) for tree, own in zip(data["trees"], tests, strict=True)]
        most, width = (max(map(len, each), default=1) for each in (tests, leaves))
        level = [test for at in range(most) for own in tests for test in (own[at : at + 1] or [(0, math.inf, 0)])]
        self._shape = most, len(leaves)
        self._asked = np.array([feature for feature, _, _ in level], dtype=np.intp)
        self._threshold = np.array([threshold for _, threshold, _ in level], dtype=np.float32).reshape(*self._shape, 1)
        bits = np.min_scalar_type((1 << width) - 1)
        self._struck = np.array([struck for _, _, struck in level], dtype=bits).reshape(*self._shape, 1)
        self._first = np.arange(len(leaves))[:, None] * width - 1
        values = [own + [0.0] * (width - len(own)) for own in leaves]
        self._values = np.array(values, dtype=np.float64).ravel()

    def score(self, rows: Rows) -> Rows:
        """The raw score of each row."""
        if len(rows) == 0 or len(self._first) == 0:
            return np.zeros(len(rows))
        return np.concatenate([self._score(rows[at : at + _BATCH]) for at in range(0, len(rows), _BATCH)])

    def _score(self, rows: Rows) -> Rows:
        columns = np.ascontiguousarray(rows.T, dtype=np.float32)
        asked = columns.take(self._asked, axis=0, mode="clip").reshape(*self._shape, len(rows))
        struck = np.bitwise_or.reduce(np.multiply(asked > self._threshold, self._struck), axis=0)
        _, place = np.frexp((~struck & (struck + 1)).astype(np.float32))  # of the lowest bit that is not struck, from 1
        total: Rows = np.add.reduce(self._values.take(place + self._first), axis=0)  # tree after tree: one order
        return total


class Ranking:
    """Trees that rank the rows of each group: the first ask all rows, the others those that may still be the best."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        trees = data["trees"]
        self._first, self._rest = (
            Forest({**data, "trees": own}) for own in (trees[:_FIRST_TREES], trees[_FIRST_TREES:])
        )

    def score(self, rows: Rows, sizes: Numbers) -> Rows:
        """The raw score of each row, by groups that follow one another; -inf for those left behind."""
        first = self._first.score(rows)
        best = np.maximum.reduceat(first, np.cumsum(sizes) - sizes)
        likely = np.flatnonzero(first >= np.repeat(best, sizes) - _BEHIND)
        scores = np.full(len(rows), -np.inf)
        scores[likely] = first[likely] + self._rest.score(rows[likely])
        return scores


def _unfold(
    tree: Sequence[Sequence[float]], node: int, first: int, tests: list[tuple[float, float, int]]
) -> list[float]:
    """The leaves below a node from left to right; adds to `tests` what is asked at each node, and what it strikes."""
    if node < 0:
        return [tree[4][~node]]
    left = _unfold(tree, int(tree[2][node]), first, tests)
    tests.append((tree[0][node], tree[1][node], ((1 << len(left)) - 1) << first))
    return [*left, *_unfold(tree, int(tree[3][node]), first + len(left), tests)]


class Words:
    """A linear model from clues to classes: {"classes": […], "base": […], "weights": {clue: [hundredths]}}."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._classes: tuple[str, ...] = tuple(data["classes"])
        self._base = np.array(data["base"], dtype=np.float64)
        weights: Mapping[str, Sequence[int]] = data["weights"]
        self._kept: dict[tuple[str, ...], list[int]] = {}  # the classes that are possible, by metrics
        self._at = {clue: at for at, clue in enumerate(weights, 1)}
        self._weights = np.array([[0] * len(self._classes), *weights.values()], dtype=np.float64) / 100
        self._rows = lru_cache(maxsize=16384)(self._rows_of)

    def chances(
        self, clues: Iterable[Iterable[tuple[str, ...]]], possible: Sequence[tuple[str, ...]] = ()
    ) -> list[Mapping[str, float]]:
        """The chance of each class that is possible, and of '' for none, which sum to 1: for each set of clues.

        The clues of a set come in groups, of which the same one comes again and again. All classes are possible where
        nothing is said of it.
        """
        scores = self._scores(self._rows_of_each(clues))
        if possible:
            return [self._shares(own, names) for own, names in zip(scores.tolist(), possible, strict=True)]
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return [dict(zip(self._classes, own, strict=True)) for own in shares.tolist()]

    def odds(self, clues: Iterable[Iterable[tuple[str, ...]]]) -> list[float]:
        """The log odds of the second of two classes, for each set of clues."""
        first, second = self._scores(self._rows_of_each(clues)).T
        odds: list[float] = (second - first).tolist()
        return odds

    def _rows_of_each(self, clues: Iterable[Iterable[tuple[str, ...]]]) -> list[list[int]]:
        return [list(dict.fromkeys([row for group in groups for row in self._rows(group)])) for groups in clues]

    def _scores(self, rows: Sequence[Sequence[int]]) -> Rows:
        """The score of each class for each set of rows, which are added as they come, to none at first."""
        sums: list[Rows] = []
        for at in range(0, len(rows), _BATCH):
            some = rows[at : at + _BATCH]
            weights = self._weights.take([row for each in some for row in (0, *each)], axis=0)
            *starts, _ = accumulate([len(each) + 1 for each in some], initial=0)
            sums.append(np.add.reduceat(weights, starts, axis=0))
        scores: Rows = self._base + np.concatenate([np.zeros((0, len(self._base))), *sums])
        return scores

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
