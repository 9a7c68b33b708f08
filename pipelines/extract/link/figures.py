"""The values of a stretch of text as the linker sees them: one number or period each. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from pipelines.extract.values import Kind, Value, find_values
from pipelines.model.claim import Span

_SHORT = 48  # characters of a cell whose values are kept
_LETTER_READINGS = 3  # '312T' has this many dimensions or more: a letter, no unit


class Figure(NamedTuple):
    """One value at its place: a number of `value` (its low or its high `end` in a range), or its period.

    `at` covers number and unit, `digits` the numerals. `lent` is the unit of a head or key for a number without one, or
    of another value, `lender` where that stands ('column', 'row', 'caption', 'key', 'sentence'). `dimension` is the
    unit's, or 'count', 'letter' (a magnitude's letter alone), 'year', 'period', 'bare'.
    """

    value: Value
    at: Span
    digits: Span
    dimension: str
    end: str = ""
    lent: str = ""
    lender: str = ""

    @property
    def number(self) -> float:
        """The numeral as printed."""
        return self.value.high if self.end == "high" else self.value.low

    @property
    def bound(self) -> str:
        """'max', 'min', 'low', 'high' or ''."""
        return self.end or self.value.bound

    @property
    def is_plain_sum(self) -> bool:
        """Whether it is an amount of dollars without a magnitude of its own."""
        return self.value.unit == "USD" and self.value.readings[0].low == self.value.low

    def as_number(self) -> Figure:
        """What looks like a year as the number that it is."""
        return self._replace(value=self.value._replace(kind=Kind.NUMBER, period=None), dimension="bare")

    @property
    def unit(self) -> str:
        """The unit it is taken in, '' for none."""
        return self.lent or self.value.unit


def figures_in(
    text: str, start: int, end: int, published: dt.date | None, starts: Iterable[int] = (0,)
) -> list[Figure]:
    """The figures of `text[start:end]` in order; `starts` are those of its sentences, counted from `start`."""
    words = text[start:end]
    if end - start <= _SHORT:
        values = _values_of_cell(words, published=published)
    else:
        values = find_values(words, published=published, starts=starts)
    return [figure for value in values for figure in _figures(value, start)]


_values_of_cell = lru_cache(maxsize=16384)(find_values)  # the cells of tables say the same over and over


def _figures(value: Value, shift: int) -> Iterator[Figure]:
    """The figure of a value whose places count from `shift`; a range gives two."""
    at = Span(shift + value.start, shift + value.end)
    digits = Span(shift + value.digits[0], shift + value.digits[1])
    dimension = _dimension(value)
    for end in ("low", "high") if value.is_range else ("",):
        yield Figure(value, at, digits, dimension, end)


def _dimension(value: Value) -> str:
    if value.kind is Kind.PERIOD:
        return "year" if value.low else "period"
    if len({reading.dimension for reading in value.readings}) >= _LETTER_READINGS:
        return "letter"
    return value.dimension or ("count" if value.thing else "bare")
