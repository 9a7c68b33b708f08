"""Numbers and units by properties: what is written in many ways is one value; dense and hostile text stays bounded."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.extract.values import Kind, find_values
from pipelines.extract.values.numbers import find_numbers
from pipelines.units import UnknownUnit, dimension_of, in_unit, read_unit, unit_at

PREFIXES = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
RATES = ["/s", "ps", "/sec", " per second", " / s"]
HOSTILE = {
    "one unit again": "5 kW " * 2_000,
    "units and commas": "12 kW, " * 2_000,
    "one long number": "1" * 60_000,
    "groups without end": "1,111," * 8_000,
    "lists without end": "1/" * 12_000,
    "brackets": "(" * 20_000 + "5 W" + ")" * 20_000,
    "multipliers": "8x" * 12_000,
    "hyphens": "a-5-" * 10_000,
    "hedges": "up to " * 8_000 + "5 W",
    "one long word": "5 " + "a" * 40_000,
    "words of numbers": "one hundred " * 4_000,
    "months": "in May 5 " * 4_000,
}


@given(st.sampled_from(sorted(PREFIXES)), st.sampled_from(RATES), st.integers(min_value=1, max_value=9999))
def test_a_rate_of_bytes_is_one_however_its_second_is_written(prefix: str, rate: str, number: int) -> None:
    (value,) = find_values(f"{number} {prefix}B{rate}")
    reading = value.readings[0]
    assert reading.dimension == "data_rate"
    assert in_unit(reading.low, reading.unit, "GB/s") == pytest.approx(number * PREFIXES[prefix] / 1e9, rel=1e-9)


@given(st.sampled_from(["W", "B/s", "b/s", "FLOPS", "FLOP/s", "B"]), st.sampled_from(["G", "T", "P"]))
def test_a_unit_in_prose_is_the_unit_of_a_label(base: str, prefix: str) -> None:
    printed = f"{prefix}{base}"
    if printed == "PW":
        with pytest.raises(UnknownUnit):
            read_unit(printed)
        return
    found = unit_at(printed, 0)
    assert found is not None
    assert (found.end, found.dimension) == (len(printed), dimension_of(printed))
    assert in_unit(1, found.symbol, printed) == 1


@given(st.integers(min_value=1, max_value=99))
def test_number_words_and_numerals_are_one(number: int) -> None:
    small = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    ones = [*small.split(), "seventeen", "eighteen", "nineteen"]
    tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    tail = f"-{ones[number % 10]}" if number % 10 else ""
    words = ones[number] if number < 20 else tens[number // 10 - 2] + tail
    assert [(found.value, found.is_word) for found in find_numbers(f"{words} racks")] == [(number, True)]


@given(st.integers(min_value=1, max_value=999), st.sampled_from(["thousand", "million", "billion", "trillion"]))
def test_a_magnitude_word_is_its_letter(number: int, word: str) -> None:
    factor = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}[word]
    for text in (
        f"${number} {word}",
        f"${number}{'K' if word == 'thousand' else word[0].upper()}",
        f"USD {number} {word}",
    ):
        (value,) = find_values(text)
        assert (value.kind, value.readings[0].low) == (Kind.MONEY, number * factor), text


@given(st.dates(min_value=dt.date(1991, 1, 1), max_value=dt.date(2048, 12, 31)))
def test_a_day_is_one_however_it_is_written(day: dt.date) -> None:
    month = day.strftime("%B")
    for text in (day.isoformat(), f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"):
        (value,) = find_values(text)
        assert value.period is not None
        assert (value.kind, value.period.first, value.period.last) == (Kind.PERIOD, day, day), text


@given(st.integers(min_value=2015, max_value=2048), st.integers(min_value=1, max_value=4))
def test_a_quarter_is_one_however_it_is_written(year: int, quarter: int) -> None:
    word = ["first", "second", "third", "fourth"][quarter - 1]
    for text in (
        f"Q{quarter} {year}",
        f"{quarter}Q{year % 100:02d}",
        f"{word} quarter of {year}",
        f"{year}-Q{quarter}",
    ):
        (value,) = find_values(text)
        assert value.period is not None
        assert value.period.label == f"{year}-Q{quarter}", text


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_comes_to_an_end_and_values_stay_short(name: str) -> None:
    found = find_values(HOSTILE[name])
    assert all(value.end - value.start <= 120 for value in found)
    assert len(found) <= len(HOSTILE[name])


@pytest.mark.parametrize(
    ("text", "unit", "low"),
    [
        ("9.0e11 B/s", "B/s", 9e11),
        ("5 b/s", "b/s", 5),
        ("69 cents", "cent", 69),
        ("79 ¢", "cent", 79),
        ("34 cents an hour", "cent/h", 34),
        ("7 B", "count", 7e9),
        ("5 per cent", "%", 5),
    ],
)
def test_a_letter_by_the_second_and_a_hundredth_are_units(text: str, unit: str, low: float) -> None:
    (value,) = find_values(text)
    assert (value.unit, value.readings[0].low) == (unit, low)


def test_whose_year_it_was_is_a_time_and_no_count() -> None:
    for text in ("NVIDIA's 2008 GPU failures", "NVIDIA’s 2008 GPU failures"):
        (value,) = find_values(text)
        assert (value.kind, value.thing) == (Kind.PERIOD, "")
    for text in ("the 2048 GPUs", "NVIDIA's 2,048 GPUs", "NVIDIA's 16 GPUs"):
        (value,) = find_values(text)
        assert (value.kind, value.thing) == (Kind.COUNT, "accelerator")


def test_what_each_has_two_of_is_counted_and_no_whole() -> None:
    things = [(value.low, value.thing) for value in find_values("64 dual socket CPU nodes, 8 dual GPU servers")]
    assert things == [(64, "node"), (2, "socket"), (8, "node"), (2, "accelerator")]
