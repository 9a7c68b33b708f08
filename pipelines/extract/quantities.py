"""Quantities in a text: number, unit, hedge, range, what it is per, what it counts. Pure, one pass, linear in the text.

What a quantity is a figure *of* (a metric) is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipelines.extract.counted import counted_at
from pipelines.extract.hedges import BOUND_AFTER, hedge_before
from pipelines.extract.numbers import Number, find_numbers, magnitude
from pipelines.extract.quantity_forms import (
    COMPARED,
    CURRENCY,
    CURRENCY_BEFORE,
    EACH,
    FLOP_UNIT,
    FOUNDRY,
    FROM,
    LIST,
    PER,
    RANGE,
    SPACED_FLOP,
)
from pipelines.extract.unit_words import UnitWord, unit_at
from pipelines.model.claim import Span

NOWHERE = Span(0, 0)
# How far a hedge may stand before, and a noun or a 'per' after, the number; bounds the work per number.
_BEFORE, _AFTER = 48, 72
_LONGEST_LIST = 8


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity and its places in the text.

    `at` covers hedge to last word, `digits` the numbers alone (both ends of a range). `low == high` unless it is a
    range. `unit` is as `pipelines.units` reads it, '' for a bare number or a count; `dimension` is one of those of
    `unit_words` or 'money', 'count', '' (bare). `per` is the words after 'per' ('GPU', 'rack', 'each'), `noun` the
    counted words ('NVIDIA H100 GPUs') with `noun_class` their class. `place` counts within 'a/b/c' lists, 0 outside.
    """

    at: Span
    digits: Span
    low: float
    high: float
    unit: str = ""
    dimension: str = ""
    bound: str = ""
    is_approximate: bool = False
    per: str = ""
    noun: str = ""
    noun_class: str = ""
    noun_at: Span = NOWHERE
    low_at: Span = NOWHERE
    high_at: Span = NOWHERE
    place: int = 0
    prefix: str = ""
    is_word: bool = False

    @property
    def is_range(self) -> bool:
        """Whether two ends are stated."""
        return self.low != self.high


@dataclass(frozen=True, slots=True)
class _Tail:
    """What follows a number: factor, unit, and where it ends."""

    factor: float
    unit: UnitWord | None
    end: int


def find_quantities(text: str, start: int = 0, end: int | None = None) -> list[Quantity]:
    """The quantities in `text[start:end]`, in order; the numbers of 'a/b/c unit' lists come one by one."""
    stop = len(text) if end is None else end
    numbers = [part for number in find_numbers(text, start, stop) for part in _apart(text, number)]
    found: list[Quantity] = []
    at = 0
    while at < len(numbers):
        group, kind = _group(text, numbers, at, stop)
        found.extend(_read(text, group, kind, start, stop))
        at += len(group)
    nodes = _foundry_nodes(text, start, stop)
    return sorted((*found, *nodes), key=lambda q: q.digits) if nodes else found


def _apart(text: str, number: Number) -> Sequence[Number]:
    """'24 200 Gb/s ports' are two numbers, though '24 200' alone is one with a space in it."""
    gap = text.rfind(" ", number.start, number.end)
    if gap == -1 or number.is_word or text[number.start] not in "123456789":
        return (number,)
    unit = unit_at(text, number.end)
    if unit is None or unit[0].dimension not in ("bit_rate", "bare_rate"):
        return (number,)
    return Number(number.start, gap, float(text[number.start : gap])), Number(
        gap + 1, number.end, float(text[gap + 1 : number.end])
    )


def _foundry_nodes(text: str, start: int, stop: int) -> list[Quantity]:
    """'TSMC N4P', 'TSMC 4NP': process nodes whose names carry the number."""
    found = []
    for match in FOUNDRY.finditer(text, start, stop):
        name = "late" if match["late"] is not None else "early"
        digits = Span(match.start(name), match.end(name))
        value = float(match[name])
        found.append(
            Quantity(
                at=Span(match.start("node"), match.end()), digits=digits, low=value, high=value, unit="nm",
                dimension="nm", low_at=digits, high_at=digits,
            )
        )  # fmt: skip
    return found


def _group(text: str, numbers: Sequence[Number], at: int, stop: int) -> tuple[list[Number], str]:
    """The numbers that belong together from `at` on: a list 'a/b/c', a range, or one alone."""
    one = numbers[at]
    group = [one]
    while at + len(group) < len(numbers) and len(group) < _LONGEST_LIST:
        after = numbers[at + len(group)]
        link = LIST.match(text, group[-1].end)
        if link is None or link.end() != after.start:
            break
        group.append(after)
    if len(group) > 1:
        return group, "list" if _tail(text, group[-1].end, stop).unit is not None else "bare"
    if (
        at + 1 < len(numbers)
        and not one.is_word
        and numbers[at + 1].start - one.end < 40
        and _is_range(text, one, numbers[at + 1], stop)
    ):
        return [one, numbers[at + 1]], "range"
    return group, ""


def _is_range(text: str, one: Number, two: Number, stop: int) -> bool:
    tail = _tail(text, one.end, stop)
    link = RANGE.match(text, tail.end)
    if link is None or two.is_word:
        return False
    gap = text[link.end() : two.start]
    if gap and CURRENCY.fullmatch(gap) is None and gap not in ("~", "."):
        return False
    before = text[max(0, one.start - 14) : one.start]
    if link[0].strip().casefold() == "and" and re.search(r"\bbetween\s(?:about |~)?\$?$", before) is None:
        return False
    if link[0].strip().casefold() in ("to", "through") and FROM.search(before) is not None:
        return False
    other = _tail(text, two.end, stop)
    if tail.unit is not None and (other.unit is None or other.unit.dimension != tail.unit.dimension):
        return False
    return one.value * tail.factor < two.value * other.factor or (tail.unit is not None and other.unit is not None)


def _tail(text: str, at: int, stop: int) -> _Tail:
    """The magnitude and the unit after a number."""
    spaced = SPACED_FLOP.match(text, at)
    if spaced is not None:
        word = unit_at(f"{spaced['prefix']}{spaced['base']}", 0)
        return _Tail(1.0, word[0] if word is not None else None, spaced.end())
    worded = FLOP_UNIT.match(text, at, min(stop, at + _AFTER))
    if worded is not None:
        word = unit_at(worded["unit"], 0)
        if word is not None:
            return _Tail(1.0, word[0], worded.end())
    plus = at + 1 if text[at : at + 1] == "+" else at
    factor, after = magnitude(text, plus, letters=False)
    read = unit_at(text, after)
    if read is None or (read[0].dimension == "bare_rate" and factor != 1.0):
        factor, after = magnitude(text, plus, letters=True)
        read = unit_at(text, after) if after != plus else read
    if read is not None and read[1] <= stop:
        return _Tail(factor, read[0], read[1])
    return _Tail(factor, None, after if after != plus else at)


def _read(text: str, group: Sequence[Number], kind: str, start: int, stop: int) -> list[Quantity]:
    """The quantities of one group: one for a single number or a range, several for a list."""
    if kind == "bare":
        return [
            Quantity(at=Span(n.start, n.end), digits=Span(n.start, n.end), low=n.value, high=n.value, is_word=n.is_word)
            for n in group
        ]
    last = group[-1]
    tail = _tail(text, last.end, stop)
    if kind == "range":
        first_tail = _tail(text, group[0].end, stop)
        factor = first_tail.factor if first_tail.unit is not None or first_tail.factor != 1.0 else tail.factor
        scale = _ratio_of_units(first_tail, tail)
        low = group[0].value * factor * scale
        whole = _quantity(text, group[0], tail, start, stop, first=group[0].start)
        high = last.value * tail.factor
        return [
            replace(
                whole,
                digits=Span(group[0].start, last.end),
                low=min(low, high),
                high=max(low, high),
                low_at=Span(group[0].start, group[0].end),
                high_at=Span(last.start, last.end),
            )
        ]
    quantities = []
    for place, number in enumerate(group):
        quantity = _quantity(text, number, tail, start, stop, first=group[0].start)
        quantities.append(replace(quantity, place=place + 1) if kind == "list" else quantity)
    return quantities


_STEPS = {"k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18, "Z": 21}


def _ratio_of_units(one: _Tail, two: _Tail) -> float:
    """'900 GB/s to 1.8 TB/s': the factor that brings the first number to the second's unit."""
    if one.unit is None or two.unit is None or one.unit == two.unit:
        return 1.0
    return float(10.0 ** (_STEPS.get(one.unit.unit[0], 0) - _STEPS.get(two.unit.unit[0], 0)))


def _quantity(text: str, number: Number, tail: _Tail, start: int, stop: int, *, first: int) -> Quantity:
    before = text[max(start, first - _BEFORE) : first]
    currency = CURRENCY_BEFORE.search(before)
    if currency is not None:
        before = before[: currency.start()]
    unit, dimension, factor, end = _unit(text, tail, currency, stop)
    if text[number.start : number.end].casefold().endswith(("twice", "fold")):
        unit, dimension = "ratio", "ratio"
    bound, is_approximate, hedge_at = hedge_before(
        before, first - (currency.end() - currency.start() if currency else 0)
    )
    after = BOUND_AFTER.match(text, end, min(stop, end + 12))
    if text[number.end : number.end + 1] == "+":
        bound = bound or "min"
    elif after is not None and not (dimension == "" and after["max"]):
        bound, end = bound or ("min" if after["min"] else "max"), after.end()
    value = number.value * factor
    span = Span(number.start, number.end)
    quantity = Quantity(
        at=Span(hedge_at, end), digits=span, low=value, high=value, unit=unit, dimension=dimension, bound=bound,
        is_approximate=is_approximate, low_at=span, high_at=span, prefix=text[max(start, hedge_at - 24) : hedge_at],
        is_word=number.is_word,
    )  # fmt: skip
    return _with_per(text, _with_noun(text, quantity, tail, stop), stop)


def _unit(text: str, tail: _Tail, currency: re.Match[str] | None, stop: int) -> tuple[str, str, float, int]:
    if currency is not None:
        factor, end = tail.factor, tail.end
        if tail.unit is not None and tail.unit.dimension == "bare_rate" and text[end - 1] == "T":
            factor = 1e12  # '$2T'
        return (
            "USD" if currency["other"] is None else "other",
            "money" if currency["other"] is None else "other_money",
            factor,
            end,
        )
    if tail.unit is None:
        return "", "", tail.factor, tail.end
    return tail.unit.unit, tail.unit.dimension, tail.factor, tail.end


def _with_noun(text: str, quantity: Quantity, tail: _Tail, stop: int) -> Quantity:
    """The quantity as a count where a counted noun follows."""
    is_times = quantity.dimension == "ratio" and text[tail.end - 1] in "xX×"
    if quantity.dimension and not is_times:
        return quantity
    if is_times and text[tail.end : tail.end + 1] == "-":
        return quantity
    closed = is_times and text[tail.end : tail.end + 1] in ("]", ")")  # '[4x] MI250X'
    found = counted_at(
        text, tail.end + closed, min(stop, tail.end + _AFTER), is_one=quantity.low == 1, is_times=is_times
    )
    if found is None:
        return quantity
    words = text[found.at.start : found.at.end]
    if is_times and (COMPARED.search(words) is not None or found.noun_class == "other"):
        return quantity  # '5x tokens per megawatt' is a ratio
    return replace(
        quantity, dimension="count", unit="", noun=words, noun_class=found.noun_class, noun_at=found.at,
        at=Span(quantity.at.start, found.at.end),
    )  # fmt: skip


def _with_per(text: str, quantity: Quantity, stop: int) -> Quantity:
    if not quantity.dimension:
        return quantity
    at = quantity.at.end
    limit = min(stop, at + _AFTER)
    found = PER.match(text, at, limit) or EACH.match(text, at, limit)
    if found is None:
        return quantity
    return replace(quantity, per=found["what"])
