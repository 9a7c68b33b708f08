"""The trained models as arrays: trees that are added up, trees that rank, words that add up to a chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pipelines.extract.link.trees import Forest, Ranking, Words, chance


def test_a_forest_adds_its_leaves() -> None:
    # x0 <= 1 → 2, else by x1 <= 5: 3 or 4; a second tree of one leaf adds 10
    forest = Forest(
        {
            "features": 2,
            "trees": [[[0, 1], [1.0, 5.0], [-1, -2], [1, -3], [2.0, 3.0, 4.0]], [[0], [0.0], [-1], [-1], [10.0]]],
        }
    )
    rows = np.array([[0.0, 9.0], [2.0, 5.0], [2.0, 6.0]])
    assert forest.score(rows).tolist() == [12.0, 13.0, 14.0]
    assert chance(np.array([0.0])).tolist() == [0.5]


def random_tree(rng: np.random.Generator, depth: int) -> tuple[Any, list[list[float]]]:
    """A tree as nested tuples of feature, threshold and sides, and as a model file has it."""
    fields: list[list[float]] = [[], [], [], [], []]

    def grow(left: int) -> tuple[Any, int]:
        if left == 0 or (left < depth and rng.random() < 0.3):
            fields[4].append(round(float(rng.normal()), 3))
            return fields[4][-1], ~(len(fields[4]) - 1)
        at = len(fields[0])
        for field, value in zip(fields, (int(rng.integers(3)), int(rng.integers(4)), 0, 0), strict=False):
            field.append(value)
        sides = grow(left - 1), grow(left - 1)
        fields[2][at], fields[3][at] = sides[0][1], sides[1][1]
        return (fields[0][at], fields[1][at], sides[0][0], sides[1][0]), at

    return grow(depth)[0], fields


def test_a_forest_walks_its_trees_as_one_by_one() -> None:
    rng = np.random.default_rng(1)
    trees = [random_tree(rng, int(rng.integers(0, 5))) for _ in range(20)]
    rows = rng.integers(0, 4, (50, 3)).astype(np.float64)

    def walk(tree: Any, row: list[float]) -> float:
        return walk(tree[2 + (row[tree[0]] > tree[1])], row) if isinstance(tree, tuple) else tree

    plain = [sum(walk(tree, row) for tree, _ in trees) for row in rows.tolist()]
    forest = Forest({"features": 3, "trees": [fields for _, fields in trees]})
    assert forest.score(rows).tolist() == pytest.approx(plain)


def stump(below: float, above: float) -> list[list[float]]:
    """A tree that asks whether x0 is at most 1."""
    return [[0], [1.0], [-1], [-2], [below, above]]


def test_a_ranking_asks_all_its_trees_only_of_rows_that_may_still_be_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.extract.link.trees._FIRST_TREES", 1)
    near = Ranking({"features": 1, "trees": [stump(1.0, 2.5), stump(10.0, 0.0)]})
    rows = np.array([[0.0], [2.0], [0.0], [0.0]])
    assert near.score(rows, np.array([2, 2])).tolist() == [11.0, 2.5, 11.0, 11.0]  # 1.5 behind: may catch up
    far = Ranking({"features": 1, "trees": [stump(0.0, 2.5), stump(10.0, 0.0)]})
    assert far.score(rows, np.array([2, 2])).tolist() == [-np.inf, 2.5, 10.0, 10.0]  # each group has its own best
    assert far.score(rows, np.array([1, 1, 2])).tolist() == [10.0, 2.5, 10.0, 10.0]


def test_a_ranking_of_few_trees_is_their_sum() -> None:
    rng = np.random.default_rng(2)
    data = {"features": 3, "trees": [random_tree(rng, 3)[1] for _ in range(5)]}
    rows = rng.integers(0, 4, (30, 3)).astype(np.float64)
    scores, plain = Ranking(data).score(rows, np.array([10, 20])), Forest(data).score(rows)
    kept = np.isfinite(scores)
    assert 2 < kept.sum() < 30
    assert scores[kept].tolist() == plain[kept].tolist()
    assert {plain[:10].max(), plain[10:].max()} <= set(scores.tolist())


def test_words_add_up_to_a_chance_among_what_is_possible() -> None:
    weights = {"l:tdp": [-100, 100, 300]}
    words = Words({"classes": ["", "power", "price"], "base": [0.0, 0.0, 0.0], "weights": weights})
    told, untold = words.chances([[("l:tdp",), ("l:tdp", "l:unknown")], []], [("power",), ("power",)])
    assert told["power"] == pytest.approx(0.880797, abs=1e-6)
    assert untold == {"": 0.5, "power": 0.5}
    (of_all,) = words.chances([[("l:tdp",)]])
    assert of_all == pytest.approx({"": 0.015876, "power": 0.117310, "price": 0.866814}, abs=1e-6)
    assert words.chances([]) == []
    far = Words({"classes": ["", "power"], "base": [0.0, 2000.0], "weights": {}})
    assert far.chances([[]]) == [{"": 0.0, "power": 1.0}]
