"""A claim's value in words."""

from __future__ import annotations

from typing import Any

import pytest

from warehouse.answers.claim_words import value_words


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({"value": 2_928.0, "unit": "h"}, "122 days"),
        ({"value": 2_928.0, "unit": "h", "bound": "max"}, "up to 122 days"),
        ({"value": 120.0, "value_low": 96.0, "value_high": 144.0, "unit": "h"}, "4 to 6 days"),
        ({"value": 14.28, "unit": "h"}, "14.28 h"),
        ({"value": 2_928.0, "unit": "kW"}, "2,928 kW"),
    ],
)
def test_many_hours_are_told_as_days(claim: dict[str, Any], words: str) -> None:
    assert value_words(claim) == words
