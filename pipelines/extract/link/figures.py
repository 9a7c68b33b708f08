"""The values of a stretch of text as the linker sees them: one number or period each. Pure."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from pipelines.extract.values import Kind, Value, find_values
from pipelines.model.claim import Span
from pipelines.units import unit_at

_STARTS = re.compile(r"(?<![^ (\[/,\u00a0（:：，])(?=[^ (\[/,\u00a0（:：，])")
_CLOSERS = " )],/）.;，"
# dimensions that a head's word is rarely meant as
_NO_HEAD = frozenset({"ratio", "count", "time_rate", ""})
_NUMERAL_LAST = re.compile(r"(?<![^\s(/,])[\d.,]+\s*$")  # '48 ' of '48 GB', not 'FP8 '
_NUMERAL = 24  # characters of a numeral that are looked at
_MONEY = re.compile(r"\$|\bUSD\b|\bdollars\b", re.IGNORECASE)
_MONEY_SCALE = re.compile(
    r"(?:\$|\bUSD|dollars?)\W{0,2}(?:in )?(?P<behind>[mbk]n?|millions?|billions?|thousands?)\b"
    r"|\b(?P<before>millions?|billions?|thousands?)\b(?=(?: of)?(?: U\.?S\.?)? ?(?:\$|USD|dollars))"
    r"|(?:^|\()in (?P<alone>millions|billions|thousands)\b",
    re.IGNORECASE,
)
_OF_ALL = re.compile(
    r"(?:^|\b(?:all|figures|values|numbers|prices|amounts|revenue|capex|spending|expenditures?|cost)\b[^.;]{0,40}?)[\s(,]*"
    r"(?:(?:are |is |given )?in )(?P<unit>[^.;,:)]{1,40})",
    re.IGNORECASE,
)
_NOTE_SIGNS = str.maketrans(dict.fromkeys("¹³⁴⁵⁶⁷⁸⁹†‡", " "))  # '²' may be a square
_USD = ("USD", "money")
_SCALES = {"m": "million", "b": "billion", "k": "thousand", "t": "thousand"}
# what may lend its unit to another number of its sentence, and how near and how alike they are
_LENDABLE = frozenset({"compute", "data", "data_rate", "power", "length", "money", "money_rate", "token_rate", "mass"})
_NEAR, _ALIKE, _FEW = 90, 50, 4
_LEAST_COUNT = 20  # of things that only another number's noun names
_SCALE_WORDS = {1: "", 1_000: "thousand ", 1_000_000: "million ", 1_000_000_000: "billion "}
_OPEN_END = re.compile(
    r"\s*(?:[,.;:)\]—–?!|]|$|(?:and|or|but|while|whereas|in|on|for|at|with|to|of (?:them|those)|against|versus|vs|from|"
    r"when|if)\b)"
)
_SHORT = 48  # characters of a cell whose values are kept
_LETTER_READINGS = 3  # '312T' has this many dimensions or more: a letter, no unit


class Figure(NamedTuple):
    """One value at its place: a number of `value` (its low or its high `end` in a range), or its period.

    `at` covers number and unit, `digits` the numerals. `lent` is the unit of a head for a number without its own, or of
    another value, `lender` where that stands ('column', 'row', 'caption', 'sentence'). `dimension` is the unit's, or
    'count', 'letter' (a magnitude's letter alone), 'year', 'period', 'bare'.
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


def with_lent_units(text: str, figures: Sequence[Figure]) -> list[Figure]:
    """The figures of a sentence, each open number in the unit of the nearest value of its size, if one is near.

    'A draws 700 W and B 1,000', '96 GB where the original has 80', '65,536 GPUs, with A100 to 32,768': not a number
    that counts the words behind it.
    """
    return [
        _in_unit_of(_lender(figures, at), each) if _is_open(text, each) else each for at, each in enumerate(figures)
    ]


def _is_open(text: str, figure: Figure) -> bool:
    """Whether a number has no unit of its own and counts nothing."""
    is_bare = figure.dimension == "bare" or (figure.dimension == "count" and not figure.value.thing)
    is_plain = not (figure.value.is_word or figure.value.readings or figure.value.places or figure.value.times)
    return is_bare and is_plain and _OPEN_END.match(text, figure.at.end) is not None


def _lender(figures: Sequence[Figure], at: int) -> Figure | None:
    """The nearest figure with a unit or a noun, of those before it first, which is not many times larger or smaller."""
    own = figures[at]
    for other in (*reversed(figures[max(0, at - _FEW) : at]), *figures[at + 1 : at + 1 + _FEW]):
        far = max(own.at.start - other.at.end, other.at.start - own.at.end)
        is_count = other.value.thing != "" and own.number >= _LEAST_COUNT
        is_lender = is_count or (other.value.readings and other.dimension in _LENDABLE)
        if far <= _NEAR and is_lender and own.number < _ALIKE * other.number and other.number < _ALIKE * own.number:
            return other
    return None


def _in_unit_of(lender: Figure | None, figure: Figure) -> Figure:
    if lender is None:
        return figure
    if lender.value.thing:
        value = figure.value._replace(thing=lender.value.thing)
        return figure._replace(value=value, dimension="count", lender="sentence")
    reading = lender.value.readings[0]
    scale = _SCALE_WORDS.get(round(reading.low / lender.value.low) if lender.value.low else 1)
    if scale is None:
        return figure
    value = figure.value._replace(per=lender.value.per)
    return figure._replace(value=value, lent=f"{scale}{reading.unit}", dimension=reading.dimension, lender="sentence")


@lru_cache(maxsize=16384)
def unit_in(words: str) -> tuple[str, str] | None:
    """The unit that a head or a caption names ('Memory (GB)', 'TDP, W'), with its dimension; None where none does.

    One in brackets or behind a comma stands before others: 'Peak flops (TFLOP/s)'. Money may be in 'million USD'.
    """
    words = words.translate(_NOTE_SIGNS)
    money = money_in(words)
    if money is not None and money != _USD:
        return money
    first: tuple[str, str] | None = None
    for start in _STARTS.finditer(words):
        begin = start.start()
        if _NUMERAL_LAST.search(words, max(0, begin - _NUMERAL), begin) is not None:
            continue  # '48 GB' in a head is the size of a thing, not the unit of what stands below
        found = unit_at(words, begin)
        if found is None or found.dimension in _NO_HEAD or found.dimension == "money":
            continue
        is_whole = found.end >= len(words) or words[found.end] in _CLOSERS
        if is_whole and (begin > 0 or found.end > 1):
            if money is not None and found.dimension == "time":
                return f"USD/{found.symbol}", "money_rate"  # 'Price per hour (USD)'
            if words[begin - 1 : begin] in ("(", "[") or words[max(0, begin - 2) : begin] == ", ":
                return found.symbol, found.dimension
            first = first or (found.symbol, found.dimension)
    return first or money


def unit_of_all(words: str) -> tuple[str, str] | None:
    """The unit that the words above a table give its cells: 'In billions of US dollars', 'all figures in GB/s'."""
    said = _OF_ALL.search(words)
    return unit_in(f"in {said['unit']}") if said is not None else None


def money_in(words: str) -> tuple[str, str] | None:
    """The unit of amounts that words name: USD, or millions of them; None where they name none."""
    scale = _MONEY_SCALE.search(words)
    if scale is not None:
        size = scale["behind"] or scale["before"] or scale["alone"]
        return f"{_SCALES[size[0].lower()]} USD", "money"
    return _USD if _MONEY.search(words) is not None else None
