"""Copies found as documents come, go and turn out older are the copies that a comparison of all finds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from random import Random

import numpy as np
from datasketch import MinHashLSH
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.model.claim_row import CopyRow
from pipelines.repeats.copies import (
    COPY_FROM,
    PERMUTATIONS,
    SPIN_FROM,
    Comparison,
    Documents,
    Sketch,
    sketch,
)

DAYS = [dt.date(2026, 1, day) for day in (1, 2, 3)]
SENTENCES = [
    f"The Acme R{n} rack with {n * 12} Borealis GPUs draws {n * 30} kW at the Tromsø site, says Ola Nord in {2000 + n}."
    for n in range(1, 25)
]

SIGNS = " The information heart runs tens of hundreds of machines."


def find_copies(sketches: Mapping[str, Sketch], stated_on: Mapping[str, dt.date]) -> list[CopyRow]:
    """All documents compared at once: what they must come to, however they come."""
    return Comparison(Documents.of(sketches, stated_on), frozenset(), {}).rows(lambda _: sketches)


def made_up(count: int) -> dict[str, Sketch]:
    """Documents that share some of their sentences, in the same or in other words; one is too short, one a suspect."""
    chance, found = Random(5), {}
    for number in range(count):
        start = chance.randrange(12)
        said = SENTENCES[start : start + chance.choice((8, 10, 12, 14))]
        text = " ".join(chance.sample(said, len(said)) if chance.random() < 0.3 else said)
        if chance.random() < 0.3:
            text = text.replace("rack with", "cupboard holding").replace("draws", "swallows").replace("says", "tells")
        if chance.random() < 0.2:
            text += SIGNS
        found[f"d{number:02}"] = sketch(f"d{number:02}", text)
    return found | {"d00": sketch("d00", "GB200 NVL72 draws 120 kW."), "d01": sketch("d01", SIGNS)}


POOL = made_up(24)
LATER = st.dictionaries(st.sampled_from(sorted(POOL)), st.sampled_from(DAYS), max_size=len(POOL))


def compared(
    days: Mapping[str, dt.date], before: Mapping[str, dt.date], rows: list[CopyRow]
) -> tuple[list[CopyRow], int, set[str]]:
    """The rows where some were compared before; how many were compared now, and whose sketches were read."""
    asked: set[str] = set()

    def read(names: Collection[str]) -> dict[str, Sketch]:
        asked.update(names)
        return {name: POOL[name] for name in names}

    same = {name for name, day in before.items() if days.get(name) == day}
    held = {row.document_id: row for row in rows}
    origins = {name: row.origin_document_id for name, row in held.items()}
    comparison = Comparison(Documents.of(POOL, days), same, origins)
    found = {row.document_id: row for row in comparison.rows(read)} | {name: held[name] for name in comparison.stands}
    return [found[name] for name in sorted(found)], comparison.compared, asked


@settings(max_examples=100, deadline=None)
@given(st.lists(LATER, min_size=2, max_size=6))
def test_what_comes_in_any_order_is_found_as_by_a_comparison_of_all(states: list[dict[str, dt.date]]) -> None:
    before: dict[str, dt.date] = {}
    rows: list[CopyRow] = []
    for days in states:
        rows, _, _ = compared(days, before, rows)
        assert rows == find_copies({name: POOL[name] for name in days}, days)
        before = days


@settings(max_examples=25, deadline=None)
@given(st.permutations(sorted(POOL)), st.lists(st.sampled_from(DAYS), min_size=len(POOL), max_size=len(POOL)))
def test_one_at_a_time_in_any_order_ends_the_same(order: list[str], days: list[dt.date]) -> None:
    stated = dict(zip(sorted(POOL), days, strict=True))
    rows: list[CopyRow] = []
    for count in range(len(order)):
        rows, _, _ = compared(
            {name: stated[name] for name in order[: count + 1]}, {name: stated[name] for name in order[:count]}, rows
        )
    assert rows == find_copies(POOL, stated)


def test_a_comparison_of_all_is_one_of_every_pair_that_shares_a_band() -> None:
    days = {name: Random(name).choice(DAYS) for name in POOL}
    order = sorted(POOL, key=lambda name: (days[name], name))
    nearest: dict[str, tuple[str, str]] = {}
    for kind, field, threshold in (("spin", "names", SPIN_FROM), ("copy", "words", COPY_FROM)):
        shape = MinHashLSH(threshold=threshold, num_perm=PERMUTATIONS)
        for place, name in enumerate(order):
            one = np.frombuffer(getattr(POOL[name], field), "<u4")
            found: list[tuple[float, str]] = []
            for other in order[:place] if len(one) else ():
                alike = np.frombuffer(getattr(POOL[other], field) or b"\xff" * 4 * PERMUTATIONS, "<u4") == one
                if alike[: shape.b * shape.r].reshape(shape.b, shape.r).all(axis=1).any():
                    found.append((float(alike.mean()), other))
            best = max(found, key=lambda pair: pair[0], default=(0.0, ""))
            if best[0] >= threshold:
                nearest[name] = kind, best[1]
    rows = [row for row in find_copies(POOL, days) if row.kind != "suspect"]
    assert {row.document_id: (row.kind, row.origin_document_id) for row in rows} == nearest
    assert len(nearest) > 10


def test_the_made_up_documents_hold_every_kind() -> None:
    rows = find_copies(POOL, dict.fromkeys(POOL, DAYS[0]))
    assert {row.kind for row in rows} == {"copy", "spin", "suspect"}
    assert len(rows) < len(POOL)


def test_nothing_new_compares_nothing_and_a_stranger_itself_alone() -> None:
    days = dict.fromkeys(sorted(POOL)[1:], DAYS[0])
    rows, count, _ = compared(days, {}, [])
    assert count == len(days)
    assert compared(days, days, rows) == (rows, 0, set())
    assert compared(days | {"d00": DAYS[1]}, days, rows) == (rows, 1, {"d00"})


def test_an_old_stranger_has_nothing_compared_again_that_only_a_newcomer_after_it_repeats() -> None:
    days = dict.fromkeys(sorted(POOL)[1:-1], DAYS[1])
    rows, _, _ = compared(days, {}, [])
    now = days | {"d00": DAYS[0], max(POOL): DAYS[2]}
    found, count, asked = compared(now, days, rows)
    assert (count, found) == (2, find_copies(POOL, now))
    assert len(asked) > 2
