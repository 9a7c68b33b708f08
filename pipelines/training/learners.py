"""The two kinds of models, fitted with scikit-learn and LightGBM and handed over as plain data."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import lightgbm
import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from pipelines.extract.link.trees import Rows

_LEAST_DOCUMENTS = 2
_GROUPS = (12, 16, 20, 24, 32, 40, 48)  # of scores, by which they are calibrated
_LEAST_WEIGHT, _LEAST_OF_ONE = 5, 2  # hundredths: of a clue's largest weight, and of any other
_TREES: Mapping[str, Any] = {
    "num_leaves": 31, "max_depth": 8, "learning_rate": 0.07, "min_data_in_leaf": 25, "feature_fraction": 0.6,
    "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 3.0, "verbose": -1, "num_threads": 1, "seed": 7,
    "deterministic": True, "force_col_wise": True,
}  # fmt: skip


def fit_words(
    rows: Sequence[tuple[frozenset[str], str, str]], weights: Sequence[float], strength: float
) -> dict[str, Any]:
    """A linear model from clues to a class, from rows of (clues, class, document) and their weights.

    `strength` is the inverse of the penalty: how far the rows may lead away from no opinion. The weights that are
    handed over are in hundredths.
    """
    seen: dict[str, set[str]] = defaultdict(set)
    for clues, _, document in rows:
        for clue in clues:
            seen[clue].add(document)
    words = {clue: i for i, clue in enumerate(sorted(c for c, docs in seen.items() if len(docs) >= _LEAST_DOCUMENTS))}
    places = [(at, words[clue]) for at, (clues, _, _) in enumerate(rows) for clue in clues if clue in words]
    matrix: sparse.csr_matrix[np.float64] = sparse.csr_matrix(
        (np.ones(len(places)), ([p[0] for p in places], [p[1] for p in places])), shape=(len(rows), len(words))
    )
    model = LogisticRegression(C=strength, max_iter=60, tol=1e-3).fit(
        matrix, [name for _, name, _ in rows], sample_weight=np.asarray(weights)
    )
    coefficients, base = model.coef_, model.intercept_
    if len(base) == 1:  # of two classes what speaks for the second
        coefficients, base = (np.concatenate([np.zeros_like(each), each]) for each in (coefficients, base))
    hundredths = np.round(coefficients * 100).astype(int)
    hundredths[abs(hundredths) < _LEAST_OF_ONE] = 0
    kept = {clue: hundredths[:, i].tolist() for clue, i in words.items()}
    return {
        "classes": [str(name) for name in model.classes_],
        "base": [round(float(b), 4) for b in base],
        "weights": {clue: w for clue, w in kept.items() if max(map(abs, w)) >= _LEAST_WEIGHT},
    }


def fit_trees(
    rows: Rows, wanted: Sequence[int], weights: Sequence[float], count: int, **settings: Any
) -> dict[str, Any]:
    """Boosted trees that tell the wanted rows from the others, as data for `Forest`."""
    data = lightgbm.Dataset(rows, np.asarray(wanted), weight=np.asarray(weights))
    return _as_data(
        lightgbm.train({**_TREES, "objective": "binary", **settings}, data, num_boost_round=count), rows.shape[1]
    )


def fit_ranks(
    rows: Rows, wanted: Sequence[int], sizes: Sequence[int], weights: Sequence[float], count: int
) -> dict[str, Any]:
    """Boosted trees that rank the rows of each group, the wanted ones first."""
    data = lightgbm.Dataset(rows, np.asarray(wanted), group=list(sizes), weight=np.asarray(weights))
    settings = {**_TREES, "objective": "lambdarank", "lambdarank_truncation_level": 3}
    return _as_data(lightgbm.train(settings, data, num_boost_round=count), rows.shape[1])


def _as_data(booster: lightgbm.Booster, features: int) -> dict[str, Any]:
    trees = [_tree(info["tree_structure"]) for info in booster.dump_model()["tree_info"]]
    return {"features": features, "trees": trees}


def _tree(root: Mapping[str, Any]) -> list[list[float]]:
    feature: list[float] = []
    threshold: list[float] = []
    left: list[float] = []
    right: list[float] = []
    value: list[float] = []

    def walk(node: Mapping[str, Any]) -> int:
        if "leaf_value" in node:
            value.append(float(f"{node['leaf_value']:.6g}"))
            return ~(len(value) - 1)
        at = len(feature)
        feature.append(node["split_feature"])
        threshold.append(float(f"{node['threshold']:.6g}"))
        left.append(0)
        right.append(0)
        left[at], right[at] = walk(node["left_child"]), walk(node["right_child"])
        return at

    if "leaf_value" in root:  # a tree of one leaf
        return [[0], [0.0], [-1], [-1], [float(root["leaf_value"])]]
    walk(root)
    return [feature, threshold, left, right, value]


def calibration_of(scores: Sequence[float], right: Sequence[int]) -> list[list[float]]:
    """Observed shares along the scores, made monotone: [scores, shares].

    A line depends on how the scores are cut into groups, so it is the mean of the lines of several cuts.
    """
    lines = [_monotone(scores, right, groups) for groups in _GROUPS]
    points = lines[-1][0]
    shares = np.mean([np.interp(points, own, their) for own, their in lines], axis=0)
    return [points, [round(float(share), 4) for share in shares]]


def _monotone(scores: Sequence[float], right: Sequence[int], groups: int) -> list[list[float]]:
    """The mean scores and shares of some groups of about one size, pooled where shares fall (adjacent violators)."""
    order = sorted(range(len(scores)), key=lambda i: scores[i])
    size = max(1, len(order) // groups)
    pooled: list[list[float]] = []  # score, share, weight
    for at in range(0, len(order), size):
        group = order[at : at + size]
        pooled.append(
            [float(np.mean([scores[i] for i in group])), float(np.mean([right[i] for i in group])), float(len(group))]
        )
        while len(pooled) > 1 and pooled[-2][1] >= pooled[-1][1]:
            two, one = pooled.pop(), pooled.pop()
            weight = one[2] + two[2]
            pooled.append([(one[i] * one[2] + two[i] * two[2]) / weight for i in (0, 1)] + [weight])
    return [[round(p[0], 5) for p in pooled], [round(p[1], 4) for p in pooled]]
