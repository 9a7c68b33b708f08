"""Quantities as people write them: exact values, units, hedges, ranges; and bounds that no text may break."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.extract.quantities import Quantity, find_quantities
from pipelines.units import read_unit


def _one(text: str) -> Quantity:
    found = find_quantities(text)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("1.8TB/s", 1.8, "TB/s"),
        ("1,800 GB/s", 1800, "GB/s"),
        ("1.44 exaflops", 1.44, "EFLOP/s"),
        ("5X Peta Flops", 5, "ratio"),
        ("23.4 PFlop/s", 23.4, "PFLOP/s"),
        ("671 BF16/FP16/TF32 TFLOPS", 671, "TFLOP/s"),
        ("7.2 Tbps", 7.2, "Tb/s"),
        ("50GBps", 50, "GB/s"),
        ("800Gbits/s", 800, "Gb/s"),
        ("1.6 terabits per second", 1.6, "Tb/s"),
        ("10-gigawatt", 10, "GW"),
        ("$3 million", 3e6, "USD"),
        ("$50B", 5e10, "USD"),
        ("€500 million", 5e8, "other"),
        ("two miles", 2, "mile"),
        ("3.3 times", 3.3, "ratio"),
        ("25x", 25, "ratio"),
        ("80% better", 80, "%"),
        ("10,000 tokens/s", 10000, "tokens/s"),
        ("27.3 minutes", 27.3, "min"),
        ("1.5 tons", 1.5, "ton"),
    ],
)
def test_value_and_unit(text: str, value: float, unit: str) -> None:
    quantity = _one(text)
    assert (quantity.low, quantity.unit) == (value, unit)


@pytest.mark.parametrize(
    ("text", "value", "noun", "kind"),
    [
        ("24,576 NVIDIA H100 GPUs", 24576, "NVIDIA H100 GPUs", "accelerator"),
        ("16,000x H100 GPUs", 16000, "H100 GPUs", "accelerator"),
        ("eight H100s", 8, "H100s", "accelerator"),
        ("half a million GPUs", 500000, "GPUs", "accelerator"),
        ("nearly a billion transistors", 1e9, "transistors", "transistor"),
        ("132 GPU nodes", 132, "GPU nodes", "node"),
        ("72-device domain", 72, "device", "chip"),
        ("dual-die package", 2, "die", "die"),
        ("186 624 CPU cores", 186624, "CPU cores", "core"),
    ],
)
def test_counts(text: str, value: float, noun: str, kind: str) -> None:
    quantity = _one(text)
    assert (quantity.low, quantity.dimension, quantity.noun, quantity.noun_class) == (value, "count", noun, kind)


@pytest.mark.parametrize(
    ("text", "bound", "is_approximate"),
    [
        ("up to 800 GB", "max", False),
        ("over 5,000 cables", "min", False),
        ("less than 20 kW", "max", False),
        ("100+ kW", "min", False),
        ("500 W (max)", "max", False),
        ("~50 kW", "", True),
        ("about 50 kW", "", True),
        ("50 kW", "", False),
        ("moreover 50 kW", "", False),
    ],
)
def test_hedges(text: str, bound: str, is_approximate: bool) -> None:
    quantity = _one(text)
    assert (quantity.bound, quantity.is_approximate) == (bound, is_approximate)


@pytest.mark.parametrize(
    ("text", "low", "high", "unit", "per"),
    [
        ("120-132 kW per rack", 120, 132, "kW", "rack"),
        ("between 600kW and 820KW", 600, 820, "kW", ""),
        ("1.4x to 1.8x", 1.4, 1.8, "ratio", ""),
        ("900 GB/s to 1.8 TB/s per GPU", 0.9, 1.8, "TB/s", "GPU"),
        ("$100-150 billion", 1e11, 1.5e11, "USD", ""),
    ],
)
def test_ranges(text: str, low: float, high: float, unit: str, per: str) -> None:
    quantity = _one(text)
    assert quantity.low == pytest.approx(low)
    assert (quantity.high, quantity.unit, quantity.per) == (high, unit, per)


def test_lists_share_a_unit() -> None:
    found = find_quantities("15/5/2.5 PFLOPs at FP4/FP16/TF32")
    assert [(q.low, q.unit, q.place) for q in found] == [(15, "PFLOP/s", 1), (5, "PFLOP/s", 2), (2.5, "PFLOP/s", 3)]


@pytest.mark.parametrize("text", ["H100", "ConnectX-9", "GPT-5.2", "NVL72", "v5p", "9" * 40])
def test_numbers_in_names_are_none(text: str) -> None:
    assert find_quantities(text) == []


_WORDS = "1.8 TB/s 120 - 132 kW up to GPUs per rack $ 3 million , . x / ( ) 15/5 FP4 a billion two each ~ H100 + % €"
_PIECES = st.sampled_from(_WORDS.split())


@given(st.lists(_PIECES, max_size=40).map(" ".join) | st.text(max_size=200))
def test_never_breaks_and_spans_hold_the_number(text: str) -> None:
    for quantity in find_quantities(text):
        assert 0 <= quantity.at.start <= quantity.digits.start < quantity.digits.end <= len(text)
        assert quantity.low <= quantity.high
        printed = text[quantity.digits.start : quantity.digits.end]
        assert quantity.is_word or any(letter.isdecimal() or letter in "½¼¾⅓⅔" for letter in printed)


@given(
    st.floats(min_value=0.01, max_value=99999).map(lambda value: round(value, 2)),
    st.sampled_from(["TB/s", "GB/s", "Tb/s", "Gb/s", "kW", "MW", "GW", "W", "GB", "TB", "PFLOPS", "exaflops", "nm"]),
    st.sampled_from(["", " "]),
)
def test_a_printed_number_comes_back(value: float, unit: str, gap: str) -> None:
    quantity = _one(f"the part has {value:,}{gap}{unit} at most")
    assert quantity.low == value
    read_unit(quantity.unit)


@pytest.mark.parametrize("piece", ["1", "1,", "1/", "1-", "[(", "GB/s ", "1 GB/s ", "up to ", "$", "5 x ", "one-"])
def test_hostile_text_is_read_to_its_end(piece: str) -> None:
    text = piece * 4000 + " and 5 kW"
    assert find_quantities(text)[-1].unit == "kW"
