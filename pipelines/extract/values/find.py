"""Finds the values of a text: numbers with what follows and precedes them, and periods. Pure, linear in the text."""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pipelines.extract.values import around
from pipelines.extract.values.around import Part, Tail, tail_at, unit_before
from pipelines.extract.values.counted import Counted, counted_at
from pipelines.extract.values.numbers import Number, find_numbers
from pipelines.extract.values.periods import Period, find_periods
from pipelines.extract.values.value import Kind, Reading, Value
from pipelines.registry.phrases import phrases
from pipelines.units import UnknownUnit, in_unit

MOST = 36  # numbers of a sentence or cell that are read; what has more is no statement
_LONGEST_LIST = 8
_ALIKE = 50  # times that numbers may differ of which only one bears the unit of both
_YEARS = range(1990, 2050)
_SHORT_NAME = 3  # letters of a setting's name
_MINUTES, _DIGITS_OF_MINUTES = 60, 2
_GIGS = ("gig", "gigs")
_EACH = frozenset({"dual", "quad", "twin"})
_OWNED = ("'s ", "’s ")
_FARTHEST_END = 40  # characters from the first number of a range to its second
_SMALLER = {"day": ("h", "min", "s"), "h": ("min", "s"), "min": ("s",)}
_THEN = re.compile(r",?\s(?:and\s)?")
_TIMES_OF = {
    "hour": "h", "hr": "h", "h": "h", "小时": "h", "month": "month", "year": "year", "day": "day", "week": "week",
}  # fmt: skip
_KINDS = {
    "ratio": Kind.RATIO, "percent": Kind.RATIO, "count": Kind.COUNT, "money": Kind.MONEY, "money_rate": Kind.MONEY,
    "other_money": Kind.MONEY, "other_money_rate": Kind.MONEY,
}  # fmt: skip
_COUNTABLE = frozenset({"count", "ratio", "data", "data_rate"})
_NODE = re.compile(
    r"(?:\b(?:TSMC|Samsung|GlobalFoundries|Intel)(?:['’]s)?\s(?:(?:advanced|custom|leading-edge|the)\s)?|台积电\s?)"
    r"(?P<node>(?:N|SF)(?P<late>\d{1,2})[A-Z]{0,2}|(?P<early>\d{1,2})(?:N[A-Z]?|LP[EP+]|FF\+?|(?P<tenths>A)))(?!\w)"
)
# without its maker: alone in a cell, or where processes are spoken of
_NODE_ALONE = re.compile(r"(?<![\w-])(?P<node>(?:N|SF)(?P<late>[2-8])[A-Z]{0,2}|(?P<early>4)NP?)(?![\w-])")
_MONEY_LETTERS = {"m": 1e6, "b": 1e9}
_BY_MILLIONS = frozenset({"accelerator", "chip", "package", "card", "product", "superchip", "unit"})  # of the lexicon
_TWO_NUMBERS = re.compile(r"(\d+) (\d+)")
_BEFORE_DEVIATION = " $€£¥~"  # between its sign and its number
_EXTENT_BEFORE = re.compile(r"(?:\d{1,5}[x×]){0,8}$")
_EXTENT = re.compile(r"\d{1,5}(?:[x×]\d{1,5}){1,8}(?![\w.,]{0,16}\d)")
# 'gpu-h200-141g-short', '/deploy-10-gw-of-systems': an identifier of words tied by hyphens
_SLUG = re.compile(r"(?:[a-z]\w*-){2,}$")
_SLUG_ON = re.compile(r"\w*-[a-z]|\w*(?=[\s`'\",;)]|$)")


class _Read(NamedTuple):
    """A number and what is around it, before it is a value; `low` differs from the number's own in a range."""

    number: Number
    tail: Tail
    first: int  # where its list or range begins: hedge and currency stand before that
    low: Number | None = None
    place: int = 0
    places: int = 0
    times: float | None = None
    counted: Counted | None = None
    is_multiplier: bool = False
    list_end: int = 0  # behind which stands what all of a list are per


def find_values(
    text: str, *, published: dt.date | None = None, starts: Iterable[int] | None = None
) -> tuple[Value, ...]:
    """The values of a text in order, none overlapping.

    `published` resolves relative periods ('this fall'), which give nothing without it; fiscal years are read as those
    of the calendar. A year alone is a period whose `low` is its numeral, since it may be any number. `starts` says
    where sentences or cells begin, of each of which `MOST` numbers are read.
    """
    periods = find_periods(text, published)
    bare = {period.start: period for period in periods if period.is_bare_year}
    taken = [period for period in periods if not period.is_bare_year]
    nodes = [_of_node(text, match) for match in _nodes(text)]
    spans = [*((period.start, period.end) for period in taken), *(node.digits for node in nodes)]
    covered = frozenset(at for start, end in spans for at in range(start, end))
    numbers = find_numbers(text)
    if starts is not None and len(numbers) > MOST:
        numbers = _first_of_each(numbers, starts)
    outside = [number for number in numbers if covered.isdisjoint(range(number.start, number.end))]
    numbers = [part for number in outside for part in _apart(text, number)]
    found: list[Value] = [*nodes, *(_of_period(text, period) for period in taken)]
    for read in _reads(text, numbers):
        value = _value(text, read)
        year = bare.get(read.number.start)
        is_owned = text.startswith(_OWNED, max(0, read.number.start - 3))  # 'NVIDIA\'s 2008 GPU failures' are no 2,008
        if year is not None and (value.kind is Kind.NUMBER or is_owned) and value.place == 0:
            value = _of_period(text, year)._replace(low=value.low, high=value.high, bound=value.bound)
        if not _is_of_name(text, read.number, value) and not _is_no_figure(text, read.number, value):
            found.append(value)
    return _merged_times(text, _totals(text, sorted(found, key=lambda value: value.start)))


def _first_of_each(numbers: Sequence[Number], starts: Iterable[int]) -> list[Number]:
    """The first numbers of each stretch of the text."""
    begins = [bisect_left(numbers, (start,)) for start in starts]
    return [number for one, two in pairwise((*begins, len(numbers))) for number in numbers[one : min(two, one + MOST)]]


def _apart(text: str, number: Number) -> Sequence[Number]:
    """'24 200 Gb/s ports' are two numbers, though '24 200' alone is one with a space in it."""
    both = _TWO_NUMBERS.fullmatch(text, number.start, number.end)
    parts = tail_at(text, number.end).parts if both is not None else ()
    if both is None or all(part.dimension != "data_rate" for part in parts):
        return (number,)
    return [Number(*both.span(each), float(both[each])) for each in (1, 2)]


def _nodes(text: str) -> Sequence[re.Match[str]]:
    """The names of process nodes in a text, in no order."""
    named = {match.start("node"): match for match in _NODE.finditer(text)}
    alone = list(_NODE_ALONE.finditer(text))
    is_all = alone and "+".join(match[0] for match in alone) == text.strip().replace(" + ", "+")
    if is_all or (alone and phrases("of_processes").are_in(text)):
        named = {match.start("node"): match for match in alone} | named
    return list(named.values())


def _of_node(text: str, match: re.Match[str]) -> Value:
    """'TSMC N4P': a process node whose name carries the number."""
    digits = match.span("late") if match["late"] is not None else match.span("early")
    size = float(text[slice(*digits)]) / (10 if match.groupdict().get("tenths") else 1)  # 18A are 1.8 nm
    at = match.span("node")
    return Value(*at, match["node"], Kind.QUANTITY, digits, size, size, readings=(Reading("nm", "length", size, size),))


def _of_period(text: str, period: Period) -> Value:
    at = (period.start, period.end)
    return Value(*at, text[period.start : period.end], Kind.PERIOD, at, 0.0, 0.0, period=period)


def _is_of_name(text: str, number: Number, value: Value) -> bool:
    """Whether a numeral belongs to a name or says nothing: '4090D', 'GPT-5', 'one of'; but not 'A100-80GB'."""
    if number.is_in_name:
        is_letter = len(value.readings) > 1 and value.end == number.end + 1 and text[number.end] != "G"  # 'BW-4300P'
        return value.kind is not Kind.QUANTITY or text[number.end].isspace() or is_letter
    after = text[value.digits[1] : value.digits[1] + 1]
    return value.kind is Kind.NUMBER and (number.is_word or (after.isascii() and after.isalpha()))


def _is_no_figure(text: str, number: Number, value: Value) -> bool:
    """Whether a number measures nothing: an extent ('16x20x28'), a deviation ('± 5'), a part of an identifier.

    Nor does the number of a thing in a row ('rank 318', 'phase 2') or of a setting ('c=1').
    Behind a bracket that follows without a space it counts hosts or notes: 'node-h[01-04]', 'H100[12]'.
    """
    before = text[max(0, number.start - 40) : number.start]
    if value.kind is Kind.NUMBER and (_is_ordinal(before) or _is_setting(before)):
        return True
    bracket = text[max(0, value.digits[0] - 2) : value.digits[0]]
    if bracket[1:] == "[" and bracket[0].isalnum():
        return True
    is_slug = before.endswith(("-", "\n")) and _SLUG.search(before) is not None
    if before.rstrip(_BEFORE_DEVIATION).endswith("±") or (is_slug and _SLUG_ON.match(text, number.end)):
        return True
    factors = _EXTENT_BEFORE.search(before) if before.endswith(("x", "×", "\n")) else None
    extent = _EXTENT.match(text, number.start - len(factors[0] if factors is not None else ""))
    if extent is None or extent.end() < number.end:  # '4×10¹⁸' is a number
        return False
    tail = tail_at(text, extent.end())
    return not tail.parts and counted_at(text, extent.end(), extent.end() + 40) is None


def _is_ordinal(before: str) -> bool:
    """Whether the word right before a number numbers what it stands for: 'phase 2', 'Table 4', 'No. 7'."""
    if before[-1:] == "#":  # 'PR #212'
        return True
    *_, word = ["", *before.rpartition("\n")[2].split()]
    return word.strip("(.").isalpha() and phrases("numbered").start(word.strip("("), 0)


def _is_setting(before: str) -> bool:
    """Whether a short name is set to a number: 'c=1', 'TP=8'."""
    name = before.removesuffix("=").rpartition(" ")[2].strip("(@,") if before.endswith("=") else ""
    return 0 < len(name) <= _SHORT_NAME


def _reads(text: str, numbers: Iterable[Number]) -> Iterator[_Read]:
    """The numbers in groups: products, lists that share a unit, ranges, single ones."""
    reads = [_Read(number, tail_at(text, number.end), number.start) for number in numbers]
    at, times = 0, None
    while at < len(reads):
        one, two = reads[at], reads[at + 1] if at + 1 < len(reads) else None
        if at and _is_compared(text, reads[at - 1], one):
            one = reads[at] = one._replace(tail=Tail(one.number.end, reads[at - 1].tail.parts))
        if two is not None and one.tail.is_times and not text[one.tail.end : two.first].strip(" ]"):
            counted = counted_at(text, two.tail.end)
            if counted is not None and counted.thing == "core":  # '2x 32-core EPYC': the cores are those of one
                counted = counted_at(text, counted.end) or counted
            sign = one.tail._replace(parts=(Part("count", "count"), *one.tail.parts))
            yield one._replace(tail=sign, counted=counted, is_multiplier=True)
            times, at = (times or 1.0) * one.number.value, at + 1
            continue
        size = _list_size(text, reads[at : at + _LONGEST_LIST])
        if size > 1:
            last = reads[at + size - 1].tail
            counted = counted_at(text, last.end) if not last.parts else None
            for place, each in enumerate(reads[at : at + size], start=1):
                own = last if place == size else Tail(each.number.end, last.parts)
                yield _Read(each.number, own, one.first, None, place, size, times, counted, list_end=last.end)
        elif two is not None and (low := _lower_end(text, one, two)) is not None:
            size = 2
            yield two._replace(first=one.first, low=low)
        else:
            yield one._replace(times=times)
        at, times = at + size, None


def _is_compared(text: str, one: _Read, two: _Read) -> bool:
    """Whether a number without a unit stands beside one that has it and is of its size.

    '204 tokens/s versus 148', 'A (500 W), B (300)'.
    """
    if not one.tail.parts or one.tail.parts[0].dimension in _KINDS or two.tail.parts or two.tail.is_times:
        return False
    is_alike = one.number.value < _ALIKE * two.number.value and two.number.value < _ALIKE * one.number.value
    is_other = two.number.value in _YEARS or two.number.is_word
    is_beside = around.COMPARED.fullmatch(text, one.tail.end, two.first) is not None or (
        text[two.number.end : two.number.end + 1] == ")"
        and around.IN_BRACKETS.fullmatch(text, one.tail.end, two.first) is not None
    )
    return is_beside and is_alike and not is_other and counted_at(text, two.number.end) is None


def _list_size(text: str, reads: Sequence[_Read]) -> int:
    """How many of some numbers share the last one's unit: '96/144 GB', '80, 96 and 141 GB'; 1 where none do."""
    size, link = 1, ""
    for one, two in pairwise(reads):
        if one.tail.parts:
            break
        place = one.number.end, two.first
        between = around.LIST.fullmatch(text, *place) or around.COMPARED.fullmatch(text, *place)
        if between is None:
            break
        size, link = size + 1, between[0].strip()
    is_list = link not in ("", ",") and not any(each.number.is_word for each in reads[:size])
    return size if is_list and (reads[size - 1].tail.parts or link in ("/", "+")) else 1


def _lower_end(text: str, one: _Read, two: _Read) -> Number | None:
    """The lower end of a range, in the unit of the upper ('900 GB/s to 1.8 TB/s'); None where it is no range."""
    low, high = one.number, two.number
    if low.is_word or high.is_word or low.is_in_name or high.start - low.end > _FARTHEST_END:
        return None
    between = text[one.tail.end : high.start]
    if around.BETWEEN.fullmatch(between) is not None:
        if around.IS_BETWEEN.search(text, max(0, low.start - 20), low.start) is None:
            return None
    elif around.RANGE.fullmatch(between) is None or (
        between.strip() in ("to", "through") and around.FROM.search(text, max(0, low.start - 16), low.start)
    ):
        return None
    if not one.tail.parts:
        return low if low.value < high.value else None
    if {part.dimension for part in one.tail.parts}.isdisjoint(part.dimension for part in two.tail.parts):
        return None
    mine, its = one.tail.parts[0], two.tail.parts[0]
    try:
        scale = 1.0 if mine.unit == its.unit or mine.dimension != its.dimension else in_unit(1.0, mine.unit, its.unit)
    except UnknownUnit:  # no factor leads from the one unit to the other: '50°F - 35°C'
        return None
    value = float(f"{low.value * mine.factor * scale / its.factor:.12g}")
    return low._replace(value=value) if value < high.value else None


def _value(text: str, read: _Read) -> Value:
    number, tail = read.number, read.tail
    low = read.low or number
    currency = around.currency_before(text, read.first)
    end, parts, per, _ = _own_tail(text, number, tail, currency)
    is_letter = len(text[number.end : tail.end].strip(" -")) == 1  # need not be a unit; '100 Gbit ports' have a rate
    is_open = not parts or tail.is_times or parts[0].dimension == "count" or (len(parts) > 1 and is_letter)
    counted = read.counted  # a letter or a sign behind a number need not be its unit
    if counted is None and is_open and not read.is_multiplier and _COUNTABLE.issuperset(p.dimension for p in parts):
        is_each = text[number.start : number.end].casefold() in _EACH  # 'dual socket nodes' have two sockets each
        counted = counted_at(text, tail.end, is_one=number.value == 1, is_each=is_each)
    if counted is not None:
        factor = next((part.factor for part in parts if part.dimension == "count"), 1.0)
        parts = (Part("count", "count", factor),)
    begin = currency.start() if currency is not None and read.place <= 1 else low.start
    bound, is_approximate = around.hedge_before(text, currency.start() if currency is not None else read.first)
    per = per or around.per_times(text, begin)
    per = per or around.per_after(text, max(end, read.list_end, counted.end if counted is not None else 0))
    is_more = text[number.end : number.end + 1] == "+" and read.places == 0
    parts, per = _per_time(parts, per)
    if not around.MEASURES.isdisjoint(per):  # gains, counts and money stay what they are
        parts = tuple([part if part.dimension in _KINDS else part._replace(dimension="other") for part in parts])
    what = counted or Counted(0, 0, "")
    return Value(
        begin, end, text[begin:end], _KINDS.get(parts[0].dimension, Kind.QUANTITY) if parts else Kind.NUMBER,
        (low.start, number.end), low.value, number.value,
        readings=tuple([_reading(part, low.value, number.value) for part in parts]),
        bound=bound or ("min" if is_more else around.bound_after(text, end)), is_approximate=is_approximate,
        counted=text[what.start : what.end], counted_at=(what.start, what.end), thing=what.thing, per=per,
        times=read.times, place=read.place, places=read.places, is_word=number.is_word,
    )  # fmt: skip


def _reading(part: Part, low: float, high: float) -> Reading:
    if part.factor != 1.0:
        low, high = float(f"{low * part.factor:.12g}"), float(f"{high * part.factor:.12g}")
    return Reading(part.unit, part.dimension, low, high)


def _own_tail(text: str, number: Number, tail: Tail, currency: re.Match[str] | None) -> Tail:
    """What follows a number, with the units that its currency, its own words or what stands before it say."""
    if currency is not None:
        at = number.end + text.startswith(" ", number.end)
        letter, further = text[at : at + 1], text[at + 1 : at + 2]
        if letter in _MONEY_LETTERS and not further.isalnum():  # '$612m': the letter of millions, elsewhere of metres
            tail = Tail(at + 1, (Part("count", "count", _MONEY_LETTERS[letter]),))
        factor = max((part.factor for part in tail.parts), default=1.0)
        is_own = not tail.parts or tail.parts[0].dimension == "count" or tail.parts[0].unit == "USD" or factor != 1.0
        money = Part("USD", "money", factor) if currency["other"] is None else Part("foreign", "other_money", factor)
        return Tail(tail.end if is_own else number.end, (money,))
    counted = counted_at(text, tail.end) if text[number.end : tail.end] == "m" else None
    if counted is not None and counted.thing in _BY_MILLIONS:  # '1.9m GPUs', but 'a 3m cable'
        return Tail(tail.end, (Part("count", "count", 1e6),))
    is_factor = number.start and text[number.start - 1] in "x×" and not text[max(0, number.start - 2)].isdigit()
    if text[number.start : number.end].casefold().endswith(("twice", "fold")) or (is_factor and not tail.parts):
        return Tail(number.end, (Part("x", "ratio"),))
    if not tail.parts and not tail.is_times and not number.is_word:
        return Tail(number.end, unit_before(text, number.start))
    if len(tail.parts) == 1 and tail.parts[0].dimension == "data":  # '100 Gigabit Ethernet', '1.8 TB of bandwidth'
        (part,) = tail.parts
        if text[number.end : tail.end].strip(" -").casefold() in _GIGS:  # of a memory, or '400 gig' of a port
            return tail._replace(parts=(part, Part("Gb/s", "data_rate")))
        if part.unit.endswith("b") or around.OF_BANDWIDTH.match(text, tail.end) is not None:
            return tail._replace(parts=(part, Part(f"{part.unit}/s", "data_rate", part.factor)))
    return tail


def _per_time(parts: tuple[Part, ...], per: tuple[str, ...]) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """'$2 per GPU-hour': an amount per time has a unit of its own."""
    time = next((word for word in per if word in _TIMES_OF), None)
    if time is None or not parts or parts[0].dimension not in ("money", "other_money"):
        return parts, per
    unit, dimension, factor = parts[0]
    rate = Part(f"{unit}/{_TIMES_OF[time]}", f"{dimension}_rate", factor)
    return (rate,), tuple(word for word in per if word not in _TIMES_OF)


def _totals(text: str, values: Iterable[Value]) -> Iterator[Value]:
    """'6 nodes with 3 L40 cards each (18 in total)': the total counts what was counted before it."""
    counted: Value | None = None
    for value in values:
        if value.kind is Kind.COUNT and value.thing:
            counted = value
        is_total = value.kind is Kind.NUMBER and phrases("in_total").start(text, value.end + 1)
        if is_total and counted is not None and value.start - counted.counted_at[1] <= _FARTHEST_END:
            own = {name: getattr(counted, name) for name in ("kind", "counted", "counted_at", "thing")}
            value = value._replace(**own, per=("total",))
        yield value


def _merged_times(text: str, values: Iterable[Value]) -> tuple[Value, ...]:
    """'2 hours and 55 minutes' is one duration, and '1 h 02' too."""
    merged: list[Value] = []
    for value in values:
        before = merged[-1] if merged else value
        is_of_clock = len(value.text) == _DIGITS_OF_MINUTES and value.low < _MINUTES and before.end == value.start - 1
        if before.unit == "h" and value.kind is Kind.NUMBER and is_of_clock:
            value = value._replace(readings=(Reading("min", "time", value.low, value.low),))
        is_smaller = value.unit in _SMALLER.get(before.unit, ()) and not before.is_range
        if is_smaller and _THEN.fullmatch(text, before.end, value.start) is not None:
            total = before.low + in_unit(value.low, value.unit, before.unit)
            at, readings = (before.digits[0], value.digits[1]), (Reading(before.unit, "time", total, total),)
            whole = text[before.start : value.end]
            merged[-1] = before._replace(end=value.end, text=whole, digits=at, low=total, high=total, readings=readings)
        else:
            merged.append(value)
    return tuple(merged)
