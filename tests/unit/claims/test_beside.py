"""Readings of one page beside one another: those that differ while nothing read tells them apart wait."""

from __future__ import annotations

from pipelines.claims.beside import weighed
from pipelines.model.claim import ExtractedClaim
from tests.claim_kit import claim

UNSTATED = (("sparsity", "unstated"),)


def doubts(*claims: ExtractedClaim) -> list[str]:
    return [each.doubt for each in weighed(claims)]


def test_two_values_of_one_thing_both_wait_when_both_are_sure() -> None:
    first, second = claim(value=120.0, printed="120 kW"), claim(value=132.0, printed="132 kW")
    told = "the page also says {}: what tells them apart was not read"
    assert doubts(first, second) == [told.format("132 kW"), told.format("120 kW")]


def test_what_differs_by_rounding_or_by_what_is_counted_stands() -> None:
    first = claim(value=120.0)
    assert doubts(first, claim(value=120.4)) == ["", ""]
    assert doubts(first, claim(value=132.0, qualifiers=(("per", "pod"),))) == ["", ""]
    assert doubts(first, claim(value=132.0, subject="NVIDIA GB300 NVL72")) == ["", ""]
    assert doubts(first, claim(value=132.0, metric="weight")) == ["", ""]


def test_a_product_is_sold_with_several_sizes_of_memory() -> None:
    sizes = [claim(metric="memory_capacity", unit="GB", value=value) for value in (40.0, 80.0)]
    assert doubts(*sizes) == ["", ""]


def test_a_sure_reading_does_not_wait_for_an_unsure_one() -> None:
    sure, accepted = claim(value=120.0), claim(value=132.0, confidence=0.9, is_confirmed=True, printed="132 kW")
    assert doubts(sure, accepted) == ["", "the page also says 120 kW: what tells them apart was not read"]


def test_a_candidate_makes_nobody_wait() -> None:
    assert doubts(claim(value=120.0), claim(value=132.0, confidence=0.6))[0] == ""


def test_the_larger_of_two_rates_that_are_one_to_two_may_count_sparsity() -> None:
    dense = claim(metric="compute", unit="PFLOP/s", value=2.25, printed="2.25", qualifiers=UNSTATED)
    sparse = claim(metric="compute", unit="PFLOP/s", value=4.5, printed="4.5", qualifiers=UNSTATED)
    assert doubts(dense, sparse) == ["", "twice the 2.25 of the same page: whether it counts sparsity is not said"]
    said = (("sparsity", "dense"),)
    both = doubts(
        claim(metric="compute", value=2.25, qualifiers=said), claim(metric="compute", value=4.5, qualifiers=said)
    )
    assert all("tells them apart" in doubt for doubt in both)


def test_a_count_in_somebodys_machine_is_no_figure_of_the_part() -> None:
    part = {"subject": "NVIDIA H100", "subject_kind": "accelerator", "metric": "accelerator_count", "unit": "count"}
    in_a_node = claim(value=8.0, qualifiers=(("per", "node"),), **part)
    assert doubts(in_a_node) == ["a count in somebody's machine, no figure of the thing"]
    assert doubts(claim(value=72.0, metric="accelerator_count", unit="count", qualifiers=(("per", "rack"),))) == [""]


def test_a_doubt_that_is_there_stays_as_it_is() -> None:
    assert doubts(claim(doubt="an example, no market figure"), claim(value=132.0))[0] == "an example, no market figure"
