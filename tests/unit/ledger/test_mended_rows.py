"""Rows of the committed ledger that said more than their page does, as they read now, by the pages' words."""

from __future__ import annotations

import json
from functools import lru_cache

import pytest

from pipelines.ledger import load_ledger
from pipelines.model.claim_row import MentionRow
from pipelines.registry.spellings import subject_of
from pipelines.settings import PROJECT_ROOT


@lru_cache(maxsize=1)
def _rows() -> dict[str, MentionRow]:
    return {row.ref: row for row in load_ledger(PROJECT_ROOT / "warehouse" / "facts" / "ledger").rows}


@pytest.mark.parametrize(
    ("ref", "words"),
    [
        ("C206", "customer: GB200 NVL72 powers an AI factory of CoreWeave"),
        ("C202", "scale: NVL72 systems by the tens of hundreds make up AI factories"),
        ("C103", "cabling: the passive midplane eliminates two miles of copper cable"),
        ("L038", "shipments: limited in 2026 after a redesign"),
        ("L039", "schedule: proceeding as planned"),
    ],
)
def test_a_page_that_names_no_day_or_count_gives_none(ref: str, words: str) -> None:
    row = _rows()[ref]
    assert (row.metric, row.value_text) == ("statement", words)
    assert (row.value, row.value_start, row.period_start) == (None, None, None)


def test_the_blades_on_a_comparable_floor_space_are_no_count_of_a_cabinet() -> None:
    qualifiers = json.loads(_rows()["C123"].qualifiers)
    assert (_rows()["C123"].value, qualifiers["per"], qualifiers["bound"]) == (128.0, "comparable footprint", "max")


@pytest.mark.parametrize(("ref", "value"), [("C128", 144.0), ("C129", 72.0), ("C131", 4.0)])
def test_the_switch_with_pluggable_optics_is_not_the_photonics_one(ref: str, value: float) -> None:
    assert (_rows()[ref].subject_id, _rows()[ref].value) == ("nvidia-quantum-x800", value)


def test_more_than_four_kilowatts_is_a_bound() -> None:
    assert json.loads(_rows()["C131"].qualifiers)["bound"] == "min"


def test_thirty_watts_a_port_is_the_authors_figure_and_not_the_makers() -> None:
    row = _rows()["C130"]
    assert (row.claimant, row.evidence, row.value) == ("Glenn K. Lockwood", "observed", 30.0)


def test_qm3400_is_a_quantum_x800() -> None:
    named, photonics = subject_of("QM3400"), subject_of("Quantum-X Photonics")
    assert named is not None
    assert photonics is not None
    assert (named.subject_id, photonics.subject_id) == ("nvidia-quantum-x800", "nvidia-quantum-x-photonics")
