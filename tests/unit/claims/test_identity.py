"""What names a claim, and what does not."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from pipelines.claims.identity import claim_id, qualifiers_json

BASE: dict[str, Any] = {
    "subject": "NVIDIA GB200 NVL72",
    "metric": "power",
    "value": 120.0,
    "value_period": (None, None),
    "unit": "kW",
    "qualifiers": {"per": "rack", "bound": "max"},
    "period": (None, None),
    "claimant": "NVIDIA",
}


def test_id_is_pinned() -> None:
    """A change here renames every claim ever made: raise it on purpose only."""
    assert claim_id(**BASE) == "339600cc3a6a41223753"


@pytest.mark.parametrize(
    "same",
    [
        {"subject": "nvidia gb200-nvl72"},
        {"claimant": "Nvidia"},
        {"value": 120.00000000001},
        {"qualifiers": {"bound": "max", "per": "rack", "baseline": ""}},
    ],
)
def test_cosmetic_reprint_keeps_the_id(same: dict[str, Any]) -> None:
    assert claim_id(**BASE | same) == claim_id(**BASE)


@pytest.mark.parametrize(
    "other",
    [
        {"value": 132.0},
        {"unit": "W"},
        {"metric": "site_power"},
        {"subject": "NVIDIA GB300 NVL72"},
        {"qualifiers": {"per": "rack"}},
        {"claimant": "HPE"},
        {"period": (dt.date(2026, 1, 1), dt.date(2026, 6, 30))},
        {"value": None, "value_period": (dt.date(2026, 1, 1), dt.date(2026, 6, 30))},
    ],
)
def test_other_words_are_another_claim(other: dict[str, Any]) -> None:
    assert claim_id(**BASE | other) != claim_id(**BASE)


def test_qualifiers_are_sorted_and_empty_ones_left_out() -> None:
    assert qualifiers_json({"per": "rack", "bound": "", "baseline": "H100"}) == '{"baseline": "H100", "per": "rack"}'
