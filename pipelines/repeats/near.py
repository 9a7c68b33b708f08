"""Which documents share a band of their sketches, and so may repeat each other. Pure.

A band is a part of a sketch; sketches that are alike share one nearly surely. A band is kept as a number of 32 bits:
two that differ may have the same number, which costs a comparison and changes no result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

Numbers = np.ndarray[tuple[int, int], np.dtype[np.uint32]]
Places = np.ndarray[tuple[int], np.dtype[np.intp]]
Marked = np.ndarray[tuple[int], np.dtype[np.bool_]]

_MIX = np.uint64(0x9E3779B97F4A7C15)  # odd, so that no value of a band is lost


@cache
def _shape(threshold: float, permutations: int) -> tuple[int, int]:
    """How many bands of how many values find pairs of this similarity best."""
    from datasketch import MinHashLSH  # half a second that a run without new documents need not spend

    found = MinHashLSH(threshold=threshold, num_perm=permutations)
    return found.b, found.r


def bands_of(digest: bytes, threshold: float, permutations: int) -> bytes:
    """The bands of one sketch as they are kept; b'' of an empty one."""
    if not digest:
        return b""
    count, width = _shape(threshold, permutations)
    values = np.frombuffer(digest, "<u4")[: count * width].reshape(count, width).astype(np.uint64)
    mixed = np.zeros(count, np.uint64)
    for place in range(width):
        mixed = (mixed ^ values[:, place]) * _MIX
        mixed ^= mixed >> np.uint64(29)
    return (mixed >> np.uint64(32)).astype("<u4").tobytes()


@dataclass(frozen=True, slots=True)
class Bands:
    """The bands of all documents that have some: a row of numbers for each, and its place among all documents."""

    places: Places
    numbers: Numbers

    @classmethod
    def of(cls, kept: Sequence[bytes]) -> Bands:
        """The bands of documents in their order, as `bands_of` gave them."""
        places = np.array([place for place, bands in enumerate(kept) if bands], np.intp)
        numbers = np.frombuffer(b"".join(kept), "<u4").reshape(len(places), -1 if len(places) else 0)
        return cls(places, numbers)

    def after(self, chosen: Collection[int]) -> set[int]:
        """The places of documents that share a band with one of these that comes before them."""
        asked = np.flatnonzero(self._marked(chosen))
        found = np.zeros(len(self.places), np.bool_)
        for column in self.numbers.T if len(asked) else ():
            values, first = np.unique(column[asked], return_index=True)  # of equals the first, which is the earliest
            at = np.minimum(np.searchsorted(values, column), len(values) - 1)
            found |= (values[at] == column) & (np.arange(len(column)) > asked[first[at]])
        return set(self.places[found].tolist())

    def earlier(self, chosen: Collection[int]) -> Iterator[tuple[int, Places]]:
        """For each of these that shares a band with one before it: its place, and the places of those before it."""
        asked = self._marked(chosen)
        near: dict[int, list[Places]] = {}
        for column in self.numbers.T:
            rows = np.flatnonzero(np.isin(column, column[asked]))
            order = np.argsort(column[rows], kind="stable")  # of equals the earlier come first
            for group in _equals(column[rows[order]]):
                shared = rows[order[group]]
                for count in np.flatnonzero(asked[shared]).tolist():
                    if count:
                        near.setdefault(int(shared[count]), []).append(shared[:count])
        for row in sorted(near):
            yield int(self.places[row]), self.places[np.unique(np.concatenate(near[row]))]

    def _marked(self, chosen: Collection[int]) -> Marked:
        return np.isin(self.places, np.fromiter(chosen, np.intp, len(chosen)))


def _equals(ordered: np.ndarray[tuple[int], np.dtype[np.uint32]]) -> Iterator[slice]:
    """Where two or more of these numbers in a row are the same."""
    ends = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    starts = np.concatenate(([0], ends)).tolist()
    for start, end in zip(starts, [*ends.tolist(), len(ordered)], strict=True):
        if end - start > 1:
            yield slice(start, end)
