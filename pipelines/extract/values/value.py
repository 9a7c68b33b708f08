"""The type of a value that stands in a text, and how it is brought to a metric's canonical unit. Types only."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from pipelines.extract.values.periods import Period
from pipelines.registry.metric_entries import MetricEntry
from pipelines.units import UnknownUnit, dimension_of, to_canonical


class Kind(StrEnum):
    """What a value is by its own words; `NUMBER` is one that says no unit and counts nothing."""

    QUANTITY = "quantity"
    COUNT = "count"
    MONEY = "money"
    RATIO = "ratio"
    PERIOD = "period"
    NUMBER = "number"


class Reading(NamedTuple):
    """One way to read a number: in this unit (as `pipelines.units` spells it), from `low` to `high`."""

    unit: str
    dimension: str
    low: float
    high: float


class Value(NamedTuple):
    """A value and its place.

    `start..end` covers number, magnitude, and unit or currency; `digits` the numerals alone (both ends of a range);
    hedge, counted words (`counted_at`) and 'per' lie outside. `readings` are the units that it may be in, likeliest
    first ('96G' may be GB or Gb/s); empty for a bare number and a period. `low..high` are the numerals as printed,
    without magnitude or unit; they differ in a range only. `bound` is 'max' ('up to'), 'min' ('over', '+') or ''.
    `counted` is the words that it counts and `thing` their entry in the lexicon, 'product' for a model's name alone, ''
    for none. `per` names what it is per, as lexicon ids where known, in order of the text. `times` is the multiplier
    of '8 x 80 GB' (of '4x4x8', 16). `place` counts from 1 within a list 'a/b/c', 0 elsewhere; `places` is its length.
    """

    start: int
    end: int
    text: str
    kind: Kind
    digits: tuple[int, int]
    low: float
    high: float
    readings: tuple[Reading, ...] = ()
    period: Period | None = None
    bound: str = ""
    is_approximate: bool = False
    counted: str = ""
    counted_at: tuple[int, int] = (0, 0)
    thing: str = ""
    per: tuple[str, ...] = ()
    times: float | None = None
    place: int = 0
    places: int = 0
    is_word: bool = False

    @property
    def is_range(self) -> bool:
        """Whether two ends are stated."""
        return self.low != self.high

    @property
    def unit(self) -> str:
        """The likeliest unit, '' where none is said."""
        return self.readings[0].unit if self.readings else ""

    @property
    def dimension(self) -> str:
        """The dimension of the likeliest unit, '' where none is said."""
        return self.readings[0].dimension if self.readings else ""

    def reading(self, *dimensions: str) -> Reading | None:
        """The likeliest reading of one of some dimensions."""
        return next((reading for reading in self.readings if reading.dimension in dimensions), None)

    def in_metric(self, metric: MetricEntry, unit: str = "") -> tuple[float, float] | None:
        """Low and high in a metric's canonical unit, or None where the value is of another dimension.

        `unit` is one from outside (a table's head) for a value without its own; '' leaves a bare number unread except
        by metrics that count. For a metric of ratios '80%' is 1.8 ('80% better').
        """
        if not metric.is_number or self.kind is Kind.PERIOD:
            return None
        wanted = "percent" if metric.unit == "%" else "ratio" if metric.kind == "ratio" else dimension_of(metric.unit)
        try:
            if unit and wanted == "money_rate" and dimension_of(unit) == "money":
                unit = f"{unit}/{metric.unit.partition('/')[2]}"
            if unit and not self.readings:
                return _converted(metric, unit, self.low, self.high)
            letter = self.reading("count") if unit else None
            if letter is not None and dimension_of(unit) != "count":  # '1.2K' under a head: the letter is a magnitude
                return _converted(metric, unit, letter.low, letter.high)
            found = self.reading(wanted) or (self.reading("money") if wanted == "money_rate" else None)
            if found is not None:
                given = f"{found.unit}/{metric.unit.partition('/')[2]}" if wanted != found.dimension else found.unit
                return _converted(metric, given, found.low, found.high)
        except UnknownUnit:
            return None
        percent = self.reading("percent") if wanted == "ratio" else None
        if percent is not None:
            return 1 + percent.low / 100, 1 + percent.high / 100
        return (self.low, self.high) if wanted == "count" and not self.readings else None


def _converted(metric: MetricEntry, unit: str, low: float, high: float) -> tuple[float, float]:
    least = to_canonical(low, unit, metric)
    return least, least if high == low else to_canonical(high, unit, metric)
