"""What is worked out for a whole document at once, beside the same said plainly, one value after the other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import compress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.extract.link.crowd import HARDWARE, RELATED, Crowd, nearness
from pipelines.extract.link.figures import figures_in
from pipelines.extract.link.groups import highest_of_each, highest_of_others, numbered, ranges
from pipelines.extract.link.judge import CONSENT, consent_rows
from pipelines.extract.link.lore import Lore
from pipelines.extract.link.proposal import Proposal, lines_of
from pipelines.extract.link.scene import Candidate, Place
from pipelines.model.claim import Span

LEAST = -9.0
LORE = Lore({}, {})
(FIGURE,) = figures_in("80 GB", 0, 5, None)
GROUPED = st.lists(st.tuples(st.integers(0, 3), st.integers(-20, 20)), min_size=1, max_size=12)


@given(GROUPED)
def test_the_highest_of_the_others_leaves_out_the_number_itself(pairs: list[tuple[int, int]]) -> None:
    groups, numbers = (np.array(each) for each in zip(*pairs, strict=True))
    found = highest_of_others(numbers.astype(float), groups, LEAST)
    for at, (group, _) in enumerate(pairs):
        others = [number for other, (its, number) in enumerate(pairs) if its == group and other != at]
        assert found[at] == max([LEAST, *others])


@given(st.lists(st.sampled_from(["a", "b", ("a",), 1]), max_size=9))
def test_keys_are_numbered_as_they_first_appear(keys: list[Any]) -> None:
    assert [list(dict.fromkeys(keys)).index(key) for key in keys] == numbered(keys).tolist()


@given(GROUPED)
def test_the_highest_of_each_group_is_the_first_of_equal_ones(pairs: list[tuple[int, int]]) -> None:
    groups, numbers = (np.array(each) for each in zip(*pairs, strict=True))
    best = {group: max(number for other, number in pairs if other == group) for group, _ in pairs}
    found = highest_of_each(numbers.astype(float), groups).tolist()
    assert found == [pairs.index((group, best[group])) for group in sorted(best)]


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 5)), max_size=6))
def test_ranges_stand_one_behind_the_other(parts: list[tuple[int, int]]) -> None:
    starts, sizes = (np.array([part[at] for part in parts], dtype=np.intp) for at in (0, 1))
    assert ranges(starts, sizes).tolist() == [number for start, size in parts for number in range(start, start + size)]


PLACES = st.builds(
    lambda is_table, row, column: Place(
        FIGURE, Span(row, row + 9), {}, {}, [], table=0 if is_table else -1, row=row, column=column,
        block=9 if is_table else column,
    ),
    st.booleans(), st.integers(0, 2), st.integers(0, 2),
)  # fmt: skip
SAID = st.tuples(
    st.sampled_from(["power", "weight"]), st.sampled_from(["A", "B"]), st.sampled_from(["accelerator", "system"]),
    st.sampled_from(["row 0 False", "title"]), st.floats(-8, 8).map(lambda odds: round(odds, 3)),
)  # fmt: skip
ITEMS = st.lists(st.tuples(PLACES, st.lists(SAID, min_size=1, max_size=3)), min_size=1, max_size=5)
# what others may agree on, as a proposal says it
WHAT: dict[str, Callable[[Proposal], object]] = {
    "subject": lambda p: p.candidate.name, "metric": lambda p: p.metric, "source": lambda p: p.source,
    "both": lambda p: (p.metric, p.source), "kind": lambda p: (p.metric, p.candidate.kind),
}  # fmt: skip
WHERE: dict[str, Callable[[Proposal], object]] = {
    "line": lambda p: lines_of(p.place)[0], "across": lambda p: lines_of(p.place)[1],
    "whole": lambda p: lines_of(p.place)[2], "all": lambda p: 0,
}  # fmt: skip


def sure(odds: float) -> float:
    return 1 / (1 + math.exp(-odds))


def heard(proposals: Sequence[Proposal], odds: Sequence[float], at: int) -> dict[str, float]:
    """The features of one proposal, each worked out by itself."""
    own, told = proposals[at], list(zip(proposals, odds, strict=True))
    rivals = [o for other, (p, o) in enumerate(told) if p.item == own.item and other != at]
    of_others = [o for p, o in told if p.item == own.item and p.metric != own.metric]
    of_same = [o for n, (p, o) in enumerate(told) if p.item == own.item and p.metric == own.metric and n != at]
    rival = max([LEAST, *rivals])
    found = {
        "first": odds[at], "first_behind": odds[at] - max(odds[at], rival), "rival": rival,
        "rival_metric": max([LEAST, *of_others]), "rival_subject": max([LEAST, *of_same]), "rivals": 1.0 + len(rivals),
    }  # fmt: skip
    for place, where in WHERE.items():
        beside = [(p, o) for p, o in told if p.item != own.item and where(p) == where(own)]
        items = {p.item for p, _ in beside}
        found[f"{place}_count"] = float(len(items))
        best = [sure(max(o for p, o in beside if p.item == item)) for item in items]
        found[f"{place}_sure"] = sum(best) / len(best) if best else -1.0
        for name, what in WHAT.items():
            same = {
                item: max(agreed)
                for item in items
                if (agreed := [o for p, o in beside if p.item == item and what(p) == what(own)])
            }
            found[f"{place}_{name}_mean"] = sum(map(sure, same.values())) / len(items) if items else -1.0
            found[f"{place}_{name}_most"] = max([LEAST, *same.values()])
    return found


@given(ITEMS)
def test_each_proposal_hears_the_other_values_of_its_line_column_table_and_document(items: Any) -> None:
    proposals, odds = [], []
    for item, (place, said) in enumerate(items):
        for metric, name, kind, source, log_odds in said:
            one = Candidate(name, kind)
            proposals.append(Proposal(item, place, metric, 80.0, one, 0, 0, 0, 0, 0, 0, 0, source))
            odds.append(log_odds)
    rows = consent_rows(proposals, np.array(odds))
    for at in range(len(proposals)):
        wanted = heard(proposals, odds, at)
        assert rows[at].tolist() == pytest.approx([wanted[name] for name in CONSENT]), at


MARKS = st.fixed_dictionaries(
    {},
    optional={
        "in_sentence": st.just(1.0), "row_name": st.just(1.0), "head_name": st.just(1.0), "heading": st.just(1.0),
        "title": st.just(1.0), "in_cell": st.just(1.0), "gap": st.integers(0, 30).map(float),
        "axis_named": st.sampled_from([0.25, 0.5, 1.0]), "count": st.integers(1, 4).map(float),
        "no_models_mark": st.just(7.0),
    },
)  # fmt: skip
CANDIDATES = st.builds(
    Candidate, st.sampled_from(["H100", "H100 PCIe", "NVL72", "HBM3"]),
    st.sampled_from(["accelerator", "system", "memory"]), marks=MARKS,
)  # fmt: skip
CROWDS = st.lists(CANDIDATES, min_size=1, max_size=6).flatmap(
    lambda known: st.lists(st.lists(st.sampled_from(known), min_size=1, max_size=5, unique_by=id), max_size=4)
)


def is_near(one: Candidate) -> bool:
    return not {"in_sentence", "row_name", "head_name", "in_cell"}.isdisjoint(one.marks)


def stands(one: Candidate, group: Sequence[Candidate]) -> dict[str, float]:
    """How a candidate stands among those of its value, but for which name holds which."""
    beside = [c for c in group if {"in_sentence", "row_name", "head_name"} & set(c.marks)]
    axis, most = (max(c.marks.get(name, 0.0) for c in group) for name in ("axis_named", "count"))
    nearer = [c for c in group if nearness(c.marks) < nearness(one.marks)]
    gaps = [c for c in group if "gap" in c.marks and "gap" in one.marks and c.marks["gap"] < one.marks["gap"]]
    zones = {"n_in_sentence": "in_sentence", "n_head": "head_name", "n_heading": "heading"}
    return {name: float(sum(zone in c.marks for c in group)) for name, zone in zones.items()} | {
        "gap_rank": float(len(gaps)) if "gap" in one.marks else 9.0,
        "same_kind_near": float(sum(c.kind == one.kind for c in beside)), "n_candidates": float(len(group)),
        "best_axis": axis, "axis_lead": one.marks.get("axis_named", 0.0) - axis, "kinds_above": float(len(nearer)),
        "hardware_rank": float(sum(c.kind in HARDWARE for c in nearer)),
        "count_share": one.marks.get("count", 0.0) / (most or 1.0),
    }  # fmt: skip


@given(CROWDS)
def test_each_candidate_stands_among_the_others_of_its_value_as_one_would_count_it(groups: Any) -> None:
    crowd = Crowd([Place(FIGURE, Span(0, 5), {}, {}, group) for group in groups], LORE)
    rows = [dict(zip(RELATED, row, strict=True)) for row in crowd.related.tolist()] if groups else []
    wanted = [stands(one, group) for group in groups for one in group]
    assert [{name: row[name] for name in told} for row, told in zip(rows, wanted, strict=True)] == wanted


@given(CROWDS, st.data())
def test_values_that_are_not_asked_have_nobody_and_change_nothing_for_the_others(groups: Any, data: Any) -> None:
    places = [Place(FIGURE, Span(0, 5), {}, {}, group) for group in groups]
    is_asked = data.draw(st.lists(st.booleans(), min_size=len(places), max_size=len(places)))
    some, alone = Crowd(places, LORE, is_asked), Crowd(list(compress(places, is_asked)), LORE)
    assert some.sizes.tolist() == [len(group) if is_so else 0 for group, is_so in zip(groups, is_asked, strict=True)]
    assert some.related.tolist() == alone.related.tolist()


@given(CROWDS.filter(bool))
def test_the_nearest_of_a_value_is_the_near_one_with_the_smallest_gap(groups: Any) -> None:
    crowd = Crowd([Place(FIGURE, Span(0, 5), {}, {}, group) for group in groups], LORE)
    kinds, far = crowd.nearest
    for at, group in enumerate(groups):
        near = [c for c in group if is_near(c)]
        counted = dict(zip(crowd.kinds, crowd.near_kinds[at].tolist(), strict=True))
        assert counted == {kind: float(sum(c.kind == kind for c in near)) for kind in crowd.kinds}
        if near:
            least = min(c.marks.get("gap", 500.0) for c in near)
            assert far[at] == least
            assert crowd.kinds[kinds[at]] in {c.kind for c in near if c.marks.get("gap", 500.0) == least}
        else:
            assert (kinds[at], far[at]) == (-1, 999.0)
