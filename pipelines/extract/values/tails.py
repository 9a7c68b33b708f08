"""What directly follows a number: magnitude, unit, or one letter that may be several units. Pure, a bounded look."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pipelines.extract.values.around import DESCRIBED, MEASURES, TIMES
from pipelines.units import MAGNITUDES, TABLE, SpelledUnit, UnknownUnit, dimension_of, in_small_letters, unit_at

_WORDS = "|".join(sorted((re.escape(word) for word in MAGNITUDES if len(word) > 1), key=len, reverse=True))
_SIGNS = "".join(word for word in MAGNITUDES if len(word) == 1 and not word.isascii())
_MAGNITUDE = re.compile(
    rf"[ \u00a0-]?(?:(?P<word>(?i:{_WORDS}))(?![A-Za-z])|(?P<sign>[{_SIGNS}])"
    rf"|(?<!-)(?P<letter>[{''.join(TABLE.file.bare_letters)}])(?![A-Za-z0-9]))"
)
# '(GB) 80', 'Power (W): 700', 'GB/s = 900'
_UNIT_BEFORE = re.compile(
    r"(?:[(\[](?P<inside>[^()\[\]|\n]{1,16})[)\]]\s?[:=]?"
    r"|(?<![\w/])(?P<word>[A-Za-z%][A-Za-z/%]{0,15})(?:\(s\))?(?: count)?\s?[:=])\s?$"
)


class Part(NamedTuple):
    """One unit that a number may be in, and the factor that its magnitude gives."""

    unit: str
    dimension: str
    factor: float = 1.0


class Tail(NamedTuple):
    """What follows a number: the units it may be in, where they end, what they say it is per, a times sign."""

    end: int
    parts: tuple[Part, ...] = ()
    per: tuple[str, ...] = ()
    is_times: bool = False


def tail_at(text: str, at: int) -> Tail:
    """The magnitude and the unit after a number that ends at `at`."""
    plus = at + 1 if text[at : at + 1] == "+" else at
    found = _unit_behind(text, plus)
    if found is not None:
        is_sign = found.dimension == "ratio" and text[found.end - 1] in "xX×"
        return Tail(found.end, (Part(found.symbol, found.dimension),), found.per, is_times=is_sign)
    magnitude = _MAGNITUDE.match(text, plus)
    if magnitude is not None:
        letter = magnitude["letter"] or ""
        factor = MAGNITUDES.get(letter.upper() or in_small_letters(magnitude["word"] or magnitude["sign"]), 1.0)
        scaled = _scaled(text, magnitude.end(), factor) if factor != 1.0 else None
        parts = _readings_of(letter) if letter else (Part("count", "count", factor),)
        return scaled or Tail(magnitude.end(), parts)
    times = TIMES.match(text, plus)
    return Tail(times.end() if times is not None else plus, is_times=times is not None)


def _unit_behind(text: str, at: int) -> SpelledUnit | None:
    """The unit at a position, or behind words that describe it ('FP8 dense TFLOPS', 'decode tokens/s')."""
    described = DESCRIBED.match(text, at)
    found = unit_at(text, described.end() if described is not None else at)
    is_meant = described is None or (found is not None and found.dimension in ("compute", "token_rate"))
    return found if is_meant else None


def _scaled(text: str, at: int, factor: float) -> Tail | None:
    """A magnitude with the unit behind it."""
    found = _unit_behind(text, at) if text[at : at + 1] != "-" else None
    if found is None or found.dimension in ("ratio", "percent"):
        return None
    return Tail(found.end, (Part(found.symbol, found.dimension, factor),), found.per)


@lru_cache(maxsize=32)
def _readings_of(letter: str) -> tuple[Part, ...]:
    names = TABLE.file.bare_letters[letter]
    return tuple(
        Part("count", "count", MAGNITUDES[name]) if name in MAGNITUDES else Part(name, dimension_of(name))
        for name in names
    )


def unit_before(text: str, at: int) -> tuple[Part, ...]:
    """The unit of a label that ends before a number: 'Power (W): 700'."""
    ends = text[max(0, at - 2) : at].rstrip()[-1:] in (":", "=", ")", "]")
    found = _UNIT_BEFORE.search(text, max(0, at - 28), at) if ends else None
    if found is None:
        return ()
    word = (found["inside"] or found["word"]).strip()
    try:
        dimension = dimension_of(word)
    except UnknownUnit:
        return ()
    _, is_rate, measure = word.rpartition("/")
    is_other = dimension in ("count", "ratio") or (is_rate and measure.casefold() in MEASURES)
    return () if is_other else (Part(word, dimension),)
