"""The candidates of a document's values as arrays: how each stands to its value, and among the others. Pure.

Most candidates stand beside several values (those of the heading, the title, the row), so what is known of one alone is
said once. What compares them is worked out for all values of the document together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pipelines.extract.link.groups import highest_of_each, numbered, ranges
from pipelines.extract.link.lore import Lore
from pipelines.extract.link.meaning import ALL_METRICS, METRIC_AT, entry_of
from pipelines.extract.link.scene import Place
from pipelines.extract.link.trees import Numbers, Rows
from pipelines.registry.names import name_key

Flags = npt.NDArray[np.bool_]
Key = tuple[int, str]  # a place (or its item) and a metric that its value may be of
MARKS = (
    "in_sentence", "before", "after", "gap", "between", "values_between", "first", "comma", "and_", "of", "than",
    "offset", "ordinal", "back0", "back_order", "topic", "topic_order", "parent", "intro", "heading", "heading_order",
    "heading_label", "title", "publisher", "main", "in_cell", "cell_gap", "cell_before", "row_name", "row_distance",
    "row_left", "axis_named", "axis_numeric", "axis_distinct", "axis_column", "axis_place", "axis_words",
    "axis_machines", "name_order", "whole", "label_row", "line_label", "has_name", "head_name", "head_depth", "count",
    "rank", "plain", "many",
)  # fmt: skip
RELATED = (
    "n_in_sentence", "n_head", "n_heading", "gap_rank", "same_kind_near", "n_candidates", "narrower", "wider",
    "best_axis", "axis_lead", "hardware_rank", "kinds_above", "count_share",
)  # fmt: skip
KINDS = (
    "accelerator", "system", "generation", "site", "product", "organisation", "network", "cpu", "programme", "label",
    "memory", "unknown",
)  # fmt: skip
HARDWARE = frozenset({"accelerator", "system", "site", "product", "generation"})
_ABSENT = {"gap": 999.0, "cell_gap": 999.0, "rank": 9.0, "back_order": 9.0, "heading_order": 9.0}
_NO_GAP = 500.0  # of a near name in a table's row or head
_AT = {name: at for at, name in enumerate(MARKS)}
_DEFAULTS = np.array([_ABSENT.get(name, 0.0) for name in MARKS])
_ZONES = ("in_sentence", "row_name", "head_name", "heading", "title")  # the first three beside the value
_COUNTED_ZONES = [_ZONES.index(zone) for zone in ("in_sentence", "head_name", "heading")]  # the first of `RELATED`
_ZONE_RANKS = (
    ("row_name", 2.0), ("head_name", 2.0), ("line_label", 2.0), ("parent", 2.0), ("band", 3.0), ("band_label", 3.0),
    ("back0", 3.0), ("intro", 4.0), ("caption", 4.0), ("back1", 4.0), ("topic", 5.0), ("heading", 5.0),
    ("heading_label", 5.0), ("title", 7.0), ("main", 8.0), ("publisher", 9.0),
)  # fmt: skip


class Crowd:
    """The candidates of the places that are asked: each stands once among `members`, once a place in `member_of`.

    `is_asked` says of each place whether it is; all are where it is left out.
    """

    def __init__(self, places: Sequence[Place], lore: Lore, is_asked: Sequence[bool] = ()) -> None:
        self.places, self.lore = places, lore
        is_asked = is_asked or [True] * len(places)
        asked = [place.candidates if is_so else [] for place, is_so in zip(places, is_asked, strict=True)]
        self.sizes = np.array([len(candidates) for candidates in asked], dtype=np.intp)
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.intp)
        self.place_of = np.repeat(np.arange(len(places), dtype=np.intp), self.sizes)
        self.member_of = numbered([id(each) for candidates in asked for each in candidates])
        self.members = list({id(each): each for candidates in asked for each in candidates}.values())
        self.marks, has = _told([each.marks for each in self.members])
        *zones, self._is_in_cell, self._has_gap = (has[:, _AT[name]] for name in (*_ZONES, "in_cell", "gap"))
        self.zones: Flags = np.column_stack(zones)
        kinds = {kind: at for at, kind in enumerate(KINDS)}
        self.kind_of = np.array([kinds.setdefault(each.kind, len(kinds)) for each in self.members], dtype=np.intp)
        self.kinds = list(kinds)  # `KINDS`, and behind them what others there are
        self._beside: Flags = np.logical_or.reduce(zones[:3])[self.member_of]
        standing = self.zones[self.member_of].T
        self.in_zones = np.column_stack([np.bincount(self.place_of, zone, len(places)) for zone in standing])

    @cached_property
    def is_near(self) -> Flags:
        """Which candidates stand in the value's own sentence, cell, row or head."""
        near: Flags = self._beside | self._is_in_cell[self.member_of]
        return near

    def _kinds_among(self, counted: Flags) -> Numbers:
        """How many of each place's counted candidates are of each of `kinds`."""
        kind, count = self.place_of * len(self.kinds) + self.kind_of[self.member_of], len(self.kinds) * len(self.sizes)
        return np.bincount(kind[counted], minlength=count).reshape(-1, len(self.kinds))

    @cached_property
    def near_kinds(self) -> Numbers:
        """How many near candidates of each place are of each of `kinds`."""
        return self._kinds_among(self.is_near)

    @cached_property
    def nearest(self) -> tuple[Numbers, Rows]:
        """The kind of each place's nearest candidate in the text, -1 for none, and how far that one is."""
        at = np.nonzero(self.is_near)[0]
        member, place = self.member_of[at], self.place_of[at]
        gaps = np.where(self._has_gap[member], self.marks[member, _AT["gap"]], _NO_GAP)
        first = highest_of_each(-gaps, place)
        kinds, far = np.full(len(self.sizes), -1, dtype=np.intp), np.full(len(self.sizes), _ABSENT["gap"])
        kinds[place[first]], far[place[first]] = self.kind_of[member[first]], gaps[first]
        return kinds, far

    @cached_property
    def owns(self) -> Flags:
        """Whether each metric (a row) is a figure of things of each of `kinds`."""
        return _owns(tuple(self.kinds))

    def said(self, asked: Sequence[Key]) -> tuple[Numbers, Numbers, Rows]:
        """What others say of the candidates of some places, each place asked for one metric of its value.

        The candidates (places in `member_of`), one place after the other; which of the questions each answers; and
        whether the value fits to it, as `Lore.fits` says.
        """
        places, metrics = places_and_metrics(asked)
        values = np.array([self.places[place].values[metric] for place, metric in asked])
        sizes = self.sizes[places]
        entries, ask_of = ranges(self.starts[places], sizes), np.repeat(np.arange(len(places)), sizes)
        about = self.lore.about([each.name for each in self.members])[self.member_of[entries], metrics[ask_of]]
        return entries, ask_of, self.lore.fits(about, values[ask_of])

    @cached_property
    def related(self) -> Rows:
        """How each candidate of each place stands among the others there: the columns of `RELATED`."""
        of, place = self.member_of, self.place_of
        kinds, axis, count = self.kind_of[of], self.marks[of, _AT["axis_named"]], self.marks[of, _AT["count"]]
        best, most = self._most(axis), self._most(count)
        far = np.array([nearness(each.marks) for each in self.members])[of]
        is_hardware = np.array([kind in HARDWARE for kind in self.kinds])[kinds]
        has_gap = self._has_gap[of]
        gaps = self._ranks(self.marks[of, _AT["gap"]], has_gap)
        above, hardware = (self._ranks(far, flags) for flags in (np.ones(len(of), dtype=bool), is_hardware))
        return np.column_stack([
            self.in_zones[place][:, _COUNTED_ZONES], np.where(has_gap, gaps, 9.0),
            self._kinds_among(self._beside)[place, kinds], self.sizes[place], self._nesting(), best, axis - best,
            hardware, above, count / np.where(most == 0.0, 1.0, most),
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
        members, result = self.member_of.tolist(), np.zeros((len(self.member_of), 2))
        for begin, end in pairwise(self.starts.tolist()):
            zoned = [(at, members[at]) for at in range(begin, end) if bits[members[at]]]
            for at, one in zoned if len(zoned) > 1 else ():
                others = [two for _, two in zoned if bits[one] & bits[two] and keys[one] != keys[two]]
                for two in others:
                    of, other = self.members[one], self.members[two]
                    is_of_one_maker = of.kind == "generation" and of.vendor_id == other.vendor_id
                    is_member = is_of_one_maker and other.kind in ("accelerator", "system")
                    if keys[one] in keys[two] or is_member:
                        result[at, 0] = 1.0
                    if keys[two] in keys[one]:
                        result[at, 1] = 1.0
        return result


def _told(all_marks: Sequence[Mapping[str, float]]) -> tuple[Rows, Flags]:
    """The marks of each candidate in the order of `MARKS`, with what stands for those it lacks; and which it has."""
    marks, has = np.tile(_DEFAULTS, (len(all_marks), 1)), np.zeros((len(all_marks), len(MARKS)), dtype=bool)
    known = _AT  # there are marks that no model is told
    spots = [row * len(MARKS) + known[name] for row, own in enumerate(all_marks) for name in own if name in known]
    np.put(marks, spots, [mark for own in all_marks for name, mark in own.items() if name in known])
    np.put(has, spots, True)
    return marks, has


@lru_cache(maxsize=256)
def _owns(kinds: tuple[str, ...]) -> Flags:
    return np.array([[kind in entry_of(metric).owners for kind in kinds] for metric in ALL_METRICS])


def places_and_metrics(keys: Sequence[Key]) -> tuple[Numbers, Numbers]:
    """The places and the metrics of some keys as numbers."""
    places = np.array([place for place, _ in keys], dtype=np.intp)
    return places, np.array([METRIC_AT[metric] for _, metric in keys], dtype=np.intp)


def nearness(marks: Mapping[str, float]) -> float:
    """How near a candidate stands to the value, by its marks: less is nearer."""
    if "in_cell" in marks or "in_sentence" in marks:
        return marks.get("gap", 0.0) / 1e3
    for zone, rank in _ZONE_RANKS:
        if zone in marks:
            return rank
    return 10.0
