"""Sums that a text does itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.claims.arithmetic import CONSISTENT, INCONSISTENT, checks_in


@pytest.mark.parametrize(
    ("text", "formula", "verdict"),
    [
        ("148 of 419 interruptions (30.1%) were GPUs", "148 / 419 = 35.3 %", INCONSISTENT),
        ("148 of the 419 interruptions (35.3%)", "148 / 419 = 35.3 %", CONSISTENT),
        ("30.1% (148/419)", "148 / 419 = 35.3 %", INCONSISTENT),
        ("1,200 of 4,800 racks, 25 percent", "1200 / 4800 = 25.0 %", CONSISTENT),
        ("72 x 1.8 TB/s = 130 TB/s", "72 x 1.8 = 129.6", CONSISTENT),
        ("144 × 30 W = 4 kW", "144 x 30 = 4320", INCONSISTENT),
    ],
)
def test_share_or_product(text: str, formula: str, verdict: str) -> None:
    (check,) = checks_in(text)
    assert (check.formula, check.verdict) == (formula, verdict)
    assert text[check.start : check.end].strip()


@pytest.mark.parametrize("text", ["8 of 4 GPUs, 20%", "a rack of 72 GPUs", "30% of 120 kW", "2 of 0 (3%)", "x = 5"])
def test_nothing_to_check(text: str) -> None:
    assert checks_in(text) == ()


@given(st.integers(1, 10_000), st.integers(1, 10_000), st.integers(0, 3))
def test_a_share_printed_from_its_counts_is_consistent(part: int, more: int, decimals: int) -> None:
    whole = part + more
    (check,) = checks_in(f"{part} of {whole} nodes ({100 * part / whole:.{decimals}f}%)")
    assert check.verdict == CONSISTENT


@given(st.text(alphabet="0123456789 of%x=(/).,", max_size=400))
def test_any_text_is_read(text: str) -> None:
    for check in checks_in(text):
        assert 0 <= check.start < check.end <= len(text)
