"""Reading inputs, ranges, spread, tornado and the breakdown file."""

from __future__ import annotations

import csv
import io

import pytest

from warehouse.calculators import CALCULATORS
from warehouse.calculators.base import engine
from warehouse.calculators.base.engine import CalculatorRun, InputError, Range
from warehouse.calculators.base.model import YOURS

HOUR, RACK, FIT = CALCULATORS["gpu-hour"], CALCULATORS["rack"], CALCULATORS["fit"]


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("life", "five", "Life: expected a number in year, found 'five'"),
        ("life", 0, "Life: expected 0.5 to 20 year, found 0"),
        ("life", "nan", "expected 0.5 to 20"),
        ("life", "inf", "expected 0.5 to 20"),
        ("rent_kind", "gift", "expected one of reserved"),
        ("colour", 1, "has no input 'colour'"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(name: str, value: object, says: str) -> None:
    with pytest.raises(InputError, match=says) as refused:
        engine.read(HOUR, {name: value})
    assert refused.value.name == name


def test_a_count_is_whole() -> None:
    with pytest.raises(InputError, match="whole number"):
        engine.read(FIT, {"domain": "7.5"})
    assert engine.read(FIT, {"domain": "1,024"}).domain == 1_024


@pytest.mark.parametrize(
    ("text", "found"),
    [("2", Range(2, 2, 2)), ("1..3", Range(1, 2, 3)), ("1..1.5..3", Range(1, 1.5, 3)), (" 1 .. 3 ", Range(1, 2, 3))],
)
def test_ranges(text: str, found: Range) -> None:
    assert engine.read_range("rent", HOUR.specs()["rent"], text) == found


@pytest.mark.parametrize("text", ["3..1", "1..2..3..4", "1..x", "..", "0..3"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        engine.read_range("rent", HOUR.specs()["rent"], text)


def test_the_spread_holds_every_corner() -> None:
    inputs = engine.read(HOUR, {})
    ranges = {"capital": Range(30_000, 41_667, 50_000), "utilisation": Range(50, 85, 95)}
    spread = engine.spread(HOUR, inputs, ranges)
    corners = [
        HOUR.calculate(engine.read(HOUR, {"capital": capital, "utilisation": used})).own
        for capital in (30_000, 50_000)
        for used in (50, 95)
    ]
    assert (spread.low, spread.high) == (min(corners), max(corners))
    assert spread.low < spread.typical < spread.high
    assert set(spread.ranged) == set(ranges)


def test_without_ranges_there_is_no_spread() -> None:
    spread = engine.spread(HOUR, engine.read(HOUR, {}), {})
    assert spread.low == spread.typical == spread.high


def test_the_tornado_has_the_widest_bar_first_and_marks_what_was_only_nudged() -> None:
    inputs = engine.read(RACK, {})
    bars = engine.tornado(RACK, inputs, {"pue": Range(1.1, 1.2, 1.54)})
    assert [bar.swing for bar in bars] == sorted((bar.swing for bar in bars), reverse=True)
    by_name = {bar.name: bar for bar in bars}
    assert not by_name["pue"].is_nudged
    assert by_name["site"].is_nudged
    assert by_name["site"].input_low == pytest.approx(90)
    assert by_name["site"].input_high == pytest.approx(110)


def test_a_range_of_the_calculator_falls_away_when_the_value_leaves_it() -> None:
    assert "life" in engine.default_ranges(HOUR, engine.read(HOUR, {}))
    assert "life" not in engine.default_ranges(HOUR, engine.read(HOUR, {"life": 10}))


def test_the_breakdown_reads_back() -> None:
    inputs = engine.read(HOUR, {})
    outputs = HOUR.calculate(inputs)
    rows = list(csv.DictReader(io.StringIO(CalculatorRun(HOUR, inputs, outputs, {"rent": YOURS}, {}).csv())))
    parts = [float(row["value"]) for row in rows if row["kind"] == "part"]
    assert sum(parts) == pytest.approx(outputs.own)
    assert {row["unit"] for row in rows if row["kind"] == "part"} == {"USD/hour"}
    assert next(row for row in rows if row["name"] == "Rent")["note"] == "yours"
