"""The candidates of a document's values as arrays: how each stands to its value, and among the others. Pure.

Most candidates stand beside several values (those of the heading, the title, the row), so what is known of one alone is
said once. What compares them is worked out for all values of the document together.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pipelines.extract.link.lore import Lore
from pipelines.extract.link.scene import Candidate, Place
from pipelines.extract.link.trees import Numbers, Rows
from pipelines.registry.names import name_key

Flags = npt.NDArray[np.bool_]
MARKS = (
    "in_sentence", "before", "after", "gap", "between", "values_between", "order", "first", "comma", "and_", "inside",
    "of", "than", "counted", "offset", "ordinal", "back0", "back1", "back2", "back_order", "parent", "parent_order",
    "intro",
    "intro_order", "heading", "heading_order", "heading_label", "title", "title_order", "publisher", "main", "in_cell",
    "cell_gap", "cell_before", "cell_order", "row_name", "row_distance", "row_left", "axis_named", "axis_numeric",
    "axis_distinct", "axis_column", "axis_place", "axis_words", "name_order", "names_in_axis", "whole", "label_row",
    "label_head", "has_name", "head_name", "head_depth", "head_span", "band", "band_label", "caption", "caption_order",
    "count", "rank",
)  # fmt: skip
RELATED = (
    "n_in_sentence", "n_row", "n_head", "n_heading", "gap_rank", "same_kind_near", "n_candidates", "narrower", "wider",
    "best_axis", "axis_lead", "hardware_rank", "kinds_above", "count_share",
)  # fmt: skip
KINDS = (
    "accelerator", "system", "generation", "site", "product", "organisation", "network", "cpu", "programme", "label",
    "memory",
)  # fmt: skip
KIND_AT = {kind: float(at) for at, kind in enumerate(KINDS)}
HARDWARE = frozenset({"accelerator", "system", "site", "product", "generation"})
_ABSENT = {"gap": 999.0, "cell_gap": 999.0, "rank": 9.0, "back_order": 9.0, "heading_order": 9.0}
_NO_GAP = 500.0  # of a near name in a table's row or head
MARK_AT = {name: at for at, name in enumerate(MARKS)}
_NO_MARKS = [*(_ABSENT.get(name, 0.0) for name in MARKS), 0.0]  # last of all what no model is told
_ZONES = tuple(MARK_AT[name] for name in ("in_sentence", "row_name", "head_name", "heading", "title"))
_ZONE_RANKS = (
    ("row_name", 2.0), ("head_name", 2.0), ("parent", 2.0), ("band", 3.0), ("band_label", 3.0), ("back0", 3.0),
    ("intro", 4.0), ("caption", 4.0), ("back1", 4.0), ("heading", 5.0), ("heading_label", 5.0), ("title", 7.0),
    ("main", 8.0), ("publisher", 9.0),
)  # fmt: skip
_RANKED = [MARK_AT[name] for name, _ in _ZONE_RANKS]
_RANKS = np.array([rank for _, rank in _ZONE_RANKS])


class Crowd:
    """The candidates of all places: each stands once among `members`, and once a place in `member_of`."""

    def __init__(self, places: Sequence[Place]) -> None:
        self.sizes = np.array([len(place.candidates) for place in places], dtype=np.intp)
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.intp)
        self.place_of = np.repeat(np.arange(len(places), dtype=np.intp), self.sizes)
        known: dict[int, int] = {}
        at = [known.setdefault(id(each), len(known)) for place in places for each in place.candidates]
        self.member_of = np.array(at, dtype=np.intp)
        found = {id(each): each for place in places for each in place.candidates}
        self.members: list[Candidate] = list(found.values())
        self.marks, self._has = _marks(self.members)
        self.zones = self._has[:, _ZONES]
        kinds: dict[str, int] = {}
        self.kind_of = np.array([kinds.setdefault(each.kind, len(kinds)) for each in self.members], dtype=np.intp)
        self.kinds = list(kinds)
        is_beside: Flags = np.logical_or.reduce(self.zones[:, :3], axis=1)
        self._beside = is_beside[self.member_of]  # of the value's own sentence, row or head
        self.in_zones = self._count(self.zones[self.member_of])
        self._far = self._nearness()
        self._about: Numbers | None = None  # what others say, once asked

    def _count(self, flags: Flags) -> Rows:
        """How many candidates of each place have each flag."""
        totals = np.zeros((len(flags) + 1, flags.shape[1]))
        np.cumsum(flags, axis=0, out=totals[1:])
        counts: Rows = totals[self.starts[1:]] - totals[self.starts[:-1]]
        return counts

    @cached_property
    def is_near(self) -> Flags:
        """Which candidates stand in the value's own sentence, cell, row or head."""
        near: Flags = self._beside | self._has[self.member_of, MARK_AT["in_cell"]]
        return near

    @cached_property
    def near_kinds(self) -> Rows:
        """How many near candidates of each place are of each of `kinds`."""
        return self._count(np.eye(len(self.kinds), dtype=bool)[self.kind_of[self.member_of]] & self.is_near[:, None])

    @cached_property
    def nearest(self) -> tuple[Numbers, Rows]:
        """The kind of each place's nearest candidate in the text, -1 for none, and how far that one is."""
        at = np.nonzero(self.is_near)[0]
        member, place, gap = self.member_of[at], self.place_of[at], MARK_AT["gap"]
        gaps = np.where(self._has[member, gap], self.marks[member, gap], _NO_GAP)
        order = np.lexsort((gaps, place))
        places, first = np.unique(place[order], return_index=True)
        kinds, far = np.full(len(self.sizes), -1, dtype=np.intp), np.full(len(self.sizes), _ABSENT["gap"])
        kinds[places], far[places] = self.kind_of[member[order[first]]], gaps[order[first]]
        return kinds, far

    def about(self, lore: Lore) -> Numbers:
        """The number of what others say of each member (a row) for each metric (a column); -1 where nothing."""
        if self._about is None:
            self._about = lore.about([each.name for each in self.members])
        return self._about

    def _nearness(self) -> Rows:
        """How near each member stands to its value: `nearness` of all."""
        has = self._has
        far = np.where(has[:, _RANKED], _RANKS, 10.0).min(axis=1, initial=10.0)
        is_beside = has[:, MARK_AT["in_cell"]] | has[:, MARK_AT["in_sentence"]]
        gap = MARK_AT["gap"]
        result: Rows = np.where(is_beside, np.where(has[:, gap], self.marks[:, gap], 0.0) / 1e3, far)
        return result

    @cached_property
    def related(self) -> Rows:
        """How each candidate of each place stands among the others there: the columns of `RELATED`."""
        of, place = self.member_of, self.place_of
        kinds, axis, count = self.kind_of[of], self.marks[of, MARK_AT["axis_named"]], self.marks[of, MARK_AT["count"]]
        beside = np.bincount(
            (place * len(self.kinds) + kinds)[self._beside], minlength=len(self.sizes) * len(self.kinds)
        )
        best, most = self._most(axis), self._most(count)
        far, is_hardware = self._far[of], np.array([kind in HARDWARE for kind in self.kinds])[kinds]
        has_gap = self._has[of, MARK_AT["gap"]]
        gaps = self._ranks(self.marks[of, MARK_AT["gap"]], has_gap)
        above, hardware = (self._ranks(far, flags) for flags in (np.ones(len(of), dtype=bool), is_hardware))
        return np.column_stack([
            self.in_zones[place, :4], np.where(has_gap, gaps, 9.0), beside[place * len(self.kinds) + kinds],
            self.sizes[place], self._nesting(), best, axis - best, hardware, above,
            count / np.where(most == 0.0, 1.0, most),
        ])  # fmt: skip

    def _ranks(self, numbers: Rows, counted: Flags) -> Numbers:
        """How many of a place's counted candidates have a lower number than each."""
        order = np.lexsort((numbers, self.place_of))  # each place keeps its stretch
        starts, ordered = self.starts[self.place_of], numbers[order]
        is_new = np.append(True, (starts[1:] != starts[:-1]) | (ordered[1:] != ordered[:-1]))[: len(order)]
        first = np.maximum.accumulate(np.where(is_new, np.arange(len(order)), 0))  # the first with the same number
        before = np.append(0, np.cumsum(counted[order]))
        ranks = np.empty(len(order), dtype=np.intp)
        ranks[order] = before[first] - before[starts]
        return ranks

    def _most(self, numbers: Rows) -> Rows:
        """The highest of each place's numbers, at each of its candidates; 0 where none is above."""
        most = np.zeros(len(self.sizes))
        np.maximum.at(most, self.place_of, numbers)
        return most[self.place_of]

    def _nesting(self) -> Rows:
        """Whether another candidate of a same zone says more (its name holds this one), and whether one says less."""
        keys = [name_key(each.name) for each in self.members]
        bits = (self.zones @ (1 << np.arange(len(_ZONES)))).tolist()
        result = np.zeros((len(self.member_of), 2))
        of, starts = self.member_of.tolist(), self.starts.tolist()
        for begin, end in pairwise(starts):
            places = [at for at in range(begin, end) if bits[of[at]]]
            if len(places) > 1:
                result[places] = list(self._nested([of[at] for at in places], keys, bits))
        return result

    def _nested(self, group: Sequence[int], keys: Sequence[str], bits: Sequence[int]) -> Iterator[tuple[float, float]]:
        members = self.members
        for one in group:
            own, mine, is_generation = keys[one], bits[one], members[one].kind == "generation"
            narrower = wider = 0.0
            for two in group:
                key = keys[two]
                if key == own or not mine & bits[two]:
                    continue
                if own in key or (is_generation and _is_member(members[two], members[one])):
                    narrower = 1.0
                if key in own:
                    wider = 1.0
            yield narrower, wider


def _is_member(one: Candidate, of: Candidate) -> bool:
    """Whether a thing may be one of a generation's."""
    return one.vendor_id == of.vendor_id and one.kind in ("accelerator", "system")


def _marks(members: Sequence[Candidate]) -> tuple[Rows, Flags]:
    """The marks of each candidate in order, and which of them it has."""
    width = len(_NO_MARKS)
    marks = np.tile(np.array(_NO_MARKS), (len(members), 1))
    has = np.zeros((len(members), width), dtype=bool)
    columns = [_columns(tuple(each.marks)) for each in members]
    at = np.repeat(np.arange(len(members)) * width, [len(each) for each in columns])
    at += np.array([column for each in columns for column in each], dtype=np.intp)
    marks.ravel()[at] = [value for each in members for value in each.marks.values()]
    has.ravel()[at] = True
    return marks[:, :-1], has


@lru_cache(maxsize=4096)
def _columns(names: tuple[str, ...]) -> list[int]:
    return [MARK_AT.get(name, len(MARKS)) for name in names]


def nearness(marks: Mapping[str, float]) -> float:
    """How near a candidate stands to the value, by its marks: less is nearer."""
    if "in_cell" in marks or "in_sentence" in marks:
        return marks.get("gap", 0.0) / 1e3
    for zone, rank in _ZONE_RANKS:
        if zone in marks:
            return rank
    return 10.0


def kind_number(candidate: Candidate) -> float:
    """A candidate's kind as a number."""
    return KIND_AT.get(candidate.kind, -1.0)
