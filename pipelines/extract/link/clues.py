"""The words around a value as clues: what the first of the linker's models reads the sense of the value from. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from pipelines.extract.link.scene import Place
from pipelines.extract.sentences import DIGITS, words_of

_NEAR = 5
_LABELS = ("label", "column", "row", "band")
_BESIDE = frozenset({"in_sentence", "row_name", "head_name", "in_cell"})  # marks of who stands near
_DASHES = frozenset("—–-")
_TIED = 8  # characters without a space before or behind a number


def clues(place: Place) -> Iterator[tuple[str, ...]]:
    """The words around a value, each with the zone it stands in: what the sense of the value is read from.

    They come in groups, of which many are the same for all values of a line, a column or a section.
    """
    value, zones = place.figure.value, place.zones
    unit = _unit(place)
    yield f"u={unit}", f"d={place.figure.dimension}", "kind=table" if place.table >= 0 else "kind=text"
    if value.thing or value.counted or value.per:
        yield _counted_clues(value.thing, value.counted, " ".join(value.per))
    if value.period is not None:
        yield _time_clues(zones["own"], value.period.label, zones["after"][:4])
    yield clues_beside(zones["before"], zones["after"])
    yield zone_clues("s", zones.get("sentence", ""))
    for zone in _LABELS:
        if words := zones.get(zone):
            yield label_clues(zone, words[:90])
    for zone in ("heading", "intro", "parent", "corner", "title"):
        if words := zones.get(zone):
            yield zone_clues(zone[:2], words[:160])
    yield _pair_clues(zones["before"], zones["after"])
    yield _shape_clues(place, unit)
    yield tuple([f"k:{each.kind}" for each in place.candidates if not _BESIDE.isdisjoint(each.marks)])


@lru_cache(maxsize=4096)
def _counted_clues(thing: str, counted: str, per: str) -> tuple[str, ...]:
    words = words_of(counted)
    own = (f"n={thing}",) if thing else ()
    return (
        *own, *[f"n:{word}" for word in words[:5]], *[f"n1:{word}" for word in words[-1:]],
        *[f"p:{word}" for word in words_of(per)[:3]],
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _time_clues(own: str, label: str, after: str) -> tuple[str, ...]:
    """How a time is written, how long it is (a day, a quarter), and whether a dash follows as behind a dateline."""
    size = f"o={DIGITS.sub('#', label)}"
    dash = (f"{size}|dash",) if after.lstrip()[:1] in _DASHES and after.strip() else ()
    return size, *dash, *[f"o:{word}" for word in words_of(own)]


def clues_beside(before: str, after: str) -> tuple[str, ...]:
    left, right = words_of(before)[-_NEAR:], words_of(after)[:_NEAR]
    return (
        *[f"b:{word}" for word in left], *[f"a:{word}" for word in right],
        *[f"b1:{word}" for word in left[-1:]], *[f"a1:{word}" for word in right[:1]],
    )  # fmt: skip


def _pair_clues(before: str, after: str) -> tuple[str, ...]:
    left, right = words_of(before)[-3:], words_of(after)[:3]
    pairs = [f"b2:{one}_{two}" for one, two in pairwise(left)]
    return (*pairs, *[f"a2:{one}_{two}" for one, two in pairwise(right)])


@lru_cache(maxsize=16384)
def zone_clues(sign: str, text: str) -> tuple[str, ...]:
    return tuple([f"{sign}:{word}" for word in dict.fromkeys(words_of(text))])


def _shape_clues(place: Place, unit: str) -> tuple[str, ...]:
    """How large a number is in its unit, and what it is written together with: '2x2x1', 'h200-141g'."""
    figure, before, after = place.figure, place.zones["before"], place.zones["after"]
    size = math.floor(math.log10(figure.number)) if figure.number > 0 else -9
    large = f"m:{unit or figure.dimension}{size}"
    left = before[-_TIED:].split()[-1] if before[-1:].strip() else ""
    right = after[:_TIED].split()[0] if after[:1].strip() else ""
    if not left and not right:
        return (large,)
    words = f"{left}_{right}"
    return large, f"t:{DIGITS.sub('#', words).casefold()}"


def _unit(place: Place) -> str:
    """The unit of a value; a letter that may be several units is none of them."""
    figure = place.figure
    return figure.unit if figure.dimension != "letter" else f"{figure.value.text[-1:]}?"


@lru_cache(maxsize=16384)
def label_clues(zone: str, text: str) -> tuple[str, ...]:
    """The words of a label with their zone and without, for a row's label and a column's head say the same things."""
    words = words_of(text)
    found = [clue for word in dict.fromkeys(words) for clue in (f"{zone[0]}:{word}", f"l:{word}")]
    found += [f"l:{one}_{two}" for one, two in pairwise(words)]
    return (*found, f"{zone[0]}1:{words[0]}") if words and zone != "band" else tuple(found)
