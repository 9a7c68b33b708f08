"""Features as columns by name, and numbers in groups: what the others say, for a whole document at once. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.extract.link.trees import Numbers, Rows

Told = dict[str, npt.NDArray[Any]]  # features by name, each as a column


def columns_of(told: Sequence[Mapping[str, float]]) -> Told:
    """What is told of each one as columns; all are told the same features."""
    return {name: np.array([each[name] for each in told]) for name in told[0]}


def in_order(names: Sequence[str], told: Told) -> Rows:
    """The features that a model knows in its order."""
    rows: Rows = np.empty((len(told[names[0]]), len(names)))
    for at, name in enumerate(names):
        rows[:, at] = told[name]
    return rows


def numbered(keys: Iterable[Hashable]) -> Numbers:
    """Each key as a number of its own, in order of first appearance."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.intp)


def highest_of_others(numbers: Rows, group_of: Numbers, least: float) -> Rows:
    """For each number the highest of the others of its group, at least `least`."""
    order = np.lexsort((-numbers, group_of))
    firsts = _firsts(group_of[order])
    size = np.diff(firsts, append=len(order))
    ranked = np.append(numbers[order], least)
    rivals = np.repeat(ranked[firsts], size)
    rivals[firsts] = np.where(size > 1, ranked[firsts + 1], least)
    result = np.empty(len(order))
    result[order] = np.maximum(rivals, least)
    return result


def highest_of_each(numbers: Rows, group_of: Numbers) -> Numbers:
    """Where the highest number of each group stands, the first of equal ones, in order of the groups."""
    order = np.lexsort((-numbers, group_of))
    return order[_firsts(group_of[order])]


def _firsts(groups: Numbers) -> Numbers:
    """Where each run of equal numbers begins."""
    is_first = np.ones(len(groups), dtype=bool)
    np.not_equal(groups[1:], groups[:-1], out=is_first[1:])
    return np.flatnonzero(is_first)


def means(numbers: Rows, group_of: Numbers) -> Rows:
    """The mean of each group, by its number."""
    return np.bincount(group_of, numbers) / np.maximum(np.bincount(group_of), 1)


def ranges(starts: Numbers, sizes: Numbers) -> Numbers:
    """The numbers of several ranges one after the other."""
    ends = np.cumsum(sizes)
    return np.repeat(starts - (ends - sizes), sizes) + np.arange(int(ends[-1]) if len(ends) else 0)
