"""What stands around a number: magnitude and unit, hedges and bounds, currencies, links, what a figure is per. Pure.

Each look-up reads a bounded stretch of text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from pipelines.registry.metric_entries import load_lexicon
from pipelines.units import MAGNITUDES, TABLE, SpelledUnit, UnknownUnit, dimension_of, in_small_letters, unit_at

_MAX = (
    r"up to|as (?:much|many|high|large|low) as|(?:less|fewer|lower|no more|not more) than|under|below|at most|"
    r"not exceeding|(?:a )?max(?:imum|\.)?(?: of|:)?|limited to|capped at|peak(?:ing|s) at|<=?|≤|最高|高达|不超过"
)
_MIN = (
    r"(?:just |well )?over|(?:more|greater|no less|no fewer|not less) than|at least|above|exceed(?:s|ing)?|beyond|"
    r"in excess of|upwards of|north of|(?:a )?minimum(?: of)?|surpass(?:es|ed|ing)?|>=?|≥|超过|至少"
)
_ABOUT = (
    r"[~～≈∼]|about|around|roughly|approximately|approx\.?|nearly|almost|just under|some|circa|close to|an estimated|"
    r"in the (?:range|order|region) of|ca\.|c\.|约"
)
_HEDGE = re.compile(
    rf"(?:(?<![A-Za-z])(?:(?P<max>{_MAX})|(?P<min>{_MIN})|(?P<about>{_ABOUT})))"
    rf"[\s(*\\]*(?:(?P<about2>{_ABOUT})\s*|a (?:total|peak|staggering|whopping|massive) (?:of )?|an? |the |to )?$",
    re.IGNORECASE,
)
# what a hedge ends with: only then is it looked for
_HEDGE_LAST_WORDS = (
    "to as than under below most exceeding maximum max max. max: of of: at over least above exceed exceeds beyond the "
    "surpass surpasses surpassed surpassing minimum about around roughly approximately approx approx. nearly almost "
    "some circa estimated ca. c. total peak staggering whopping massive a an or"
)
_HEDGE_LAST, _HEDGE_SIGNS = frozenset(_HEDGE_LAST_WORDS.split()), frozenset("<>≤≥=~～≈∼高达过少约")
_HEDGE_REACH = 40
_AFTER_STARTS = frozenset(" \u00a0+(omap")
_AFTER = re.compile(
    r"\s?(?:(?P<min>\+|or (?:more|higher|greater)\b|and (?:up|above|more)\b|\(?min(?:imum)?\b\)?)"
    r"|(?P<max>\(?max\b\.?\)?|\(?maximum\b\)?|or (?:less|fewer|lower)\b|\(?peak\b\)?(?=[\s,.;|)]|$)))",
    re.IGNORECASE,
)
_CURRENCY_ENDS = "$€£¥₹DRPYB"
_CURRENCY = re.compile(
    r"(?:(?P<other>[CAS]\$|HK\$|NT\$|[€£¥₹]|(?:EUR|GBP|CNY|RMB|JPY))|(?:US|U\.S\.\s?)?\\?\$|USD)\s?[~≈]?$"
)
LIST = re.compile(r"\s?[/+]\s?|(?:,|,?\s(?:and|or|&)|、)\s?")
COMPARED = re.compile(
    r"(?:\s?/\s?\w+|\sper\s\w+)?,?\s(?:vs\.?|versus|against|(?:as )?compared (?:to|with)|(?:up|down) from)\s",
    re.IGNORECASE,
)
# from 'W' to '3' in 'A (500 W), B and C (~300)'
IN_BRACKETS = re.compile(r"[^()\n]{0,24}\)(?:[,;]|,?\s(?:and|or))\s[^()\n]{1,80}\(\s?[~≈<>≥≤]?\s?")
RANGE = re.compile(r"\s?(?:[-–—‐‑~～]|to|through|至|到)\s?\\?(?:US)?[$€£]?[~≈]?", re.IGNORECASE)
BETWEEN = re.compile(r"\s(?:and)\s[$€£]?", re.IGNORECASE)
IS_BETWEEN = re.compile(r"\bbetween\s(?:about |roughly |~)?[$€£]?$", re.IGNORECASE)
FROM = re.compile(r"\b(?:from|went|rose|grew|up|down)\s(?:about |roughly |~)?[$€£]?$", re.IGNORECASE)
TIMES = re.compile(r"\)?\]?\s?(?:[xX×](?![a-z])|\*|\\\*)\s?(?:[xX×](?=\d))?")
_PRECISION = (
    r"(?:(?:MX|NV|c)?(?:FP|BF|TF|INT|HF)-?\d{1,2}|E\dM\d|AI|dense|sparse|peak|tensor|"
    r"(?:mixed|half|single|double)[- ]precision|Linpack|HPL|sustained|theoretical|effective|"
    r"prefill|decode|output|input|prompt|completed|generated|total)"
)
DESCRIBED = re.compile(rf"[\s-]+{_PRECISION}(?:(?:[ ]|\s?/\s?|,\s?|-){_PRECISION}){{0,4}}(?=[ -])", re.IGNORECASE)
_DIRECT = re.compile(
    r"(?:\s?/\s?|\s?\bper[ -]|\s(?:an?|every|each|in each)\s|每)(?:\d{1,4}-[A-Za-z]+\s)?"
    r"(?P<what>[A-Za-z\u4e00-\u9fff][\w\u4e00-\u9fff]*"
    r"(?:[ -](?:hour|hr|rack|node|tray|cent(?:er|re)|shelf|card|unit)s?)?)(?![\w])",
    re.IGNORECASE,
)
_LATER = re.compile(  # not beyond another number: '1 EF at 15.8 MW (63.3 GF/W)'
    r"(?:\s(?!per\b|and\b|or\b|with\b|\(?\d)[\w()®™.+-]+){1,5}?\s?(?:\bper[ -]|/)(?P<what>[A-Za-z]+)(?![\w/])",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"(?:\s(?!and\b|or\b|with\b)[\w()®™.-]+){0,4}?[\s,(]+"
    r"(?:(?P<each>each|apiece)|in aggregate|in total|total|combined|altogether)\b",
    re.IGNORECASE,
)
_NO_THING_WORDS = "the a an s sec second min minute is and or of to for with in on at as by lot few bit number"
_NO_THING = frozenset(_NO_THING_WORDS.split())
# a figure per one of these is of another quantity: 5 TFLOPS/W are no 5 TFLOPS, 2 MB a core are not the chip's memory
MEASURES = frozenset(["watt", "w", "joule", "dollar", "clock", "clk", "cycle", "core", "cu", "sm", "mm2", "mm²", "m²"])
OF_BANDWIDTH = re.compile(r"(?:\s(?:of|in))?(?:\s[\w-]+)?\sbandwidth\b", re.IGNORECASE)
_REACH = 72  # characters that a look ahead or behind may read
_MOST_PER = 3
_TIMES_SIGNS = "x×*"
_PER_STARTS = frozenset(" \u00a0/,(®™)-每")


def currency_before(text: str, at: int) -> re.Match[str] | None:
    """The currency that ends where a number begins, after at most a space and a '~'."""
    sign = text[max(0, at - 3) : at].rstrip(" \u00a0~≈")[-1:]
    return _CURRENCY.search(text, max(0, at - 8), at) if sign and sign in _CURRENCY_ENDS else None


def hedge_before(text: str, at: int) -> tuple[str, bool]:
    """The bound ('max', 'min', '') and whether it is approximate, from the words before a number at `at`."""
    before = text[max(0, at - _HEDGE_REACH) : at].rstrip(" \n\u00a0(*\\")
    last = before[before.rfind(" ") + 1 :].casefold()
    if last not in _HEDGE_LAST and before[-1:] not in _HEDGE_SIGNS:
        return "", False
    found = _HEDGE.search(text, max(0, at - _HEDGE_REACH), at)
    if found is None:
        return "", False
    about = found["about"] or found["about2"]
    return "max" if found["max"] else "min" if found["min"] else "", about is not None


def bound_after(text: str, at: int) -> str:
    """The bound that follows a value: '+', 'or more', '(max)'."""
    found = _AFTER.match(text, at, at + 14) if text[at : at + 1] in _AFTER_STARTS else None
    return "" if found is None else "min" if found["min"] else "max"


def per_after(text: str, at: int) -> tuple[str, ...]:
    """What a figure that ends at `at` is per: lexicon ids, or the words themselves where the lexicon has none."""
    limit, lexicon = at + _REACH, load_lexicon()
    if text[at : at + 1] not in _PER_STARTS:
        return ()
    found: list[str] = []
    while len(found) < _MOST_PER and (direct := _DIRECT.match(text, at, limit)) is not None:
        word = direct["what"].casefold()
        if word not in _NO_THING:
            # 'GPU-hour' is two things, 'data center' is one
            for part in (word,) if lexicon.thing(word) is not None else word.replace("-", " ").split(" "):
                thing = lexicon.thing(part)
                found.append(thing.id if thing is not None else part)
        at = direct.end()
    if found:
        return tuple(found)
    ahead = text[at:limit].casefold()
    later = _LATER.match(text, at, limit) if "per" in ahead or "/" in ahead else None
    thing = lexicon.thing(later["what"]) if later is not None else None
    if thing is not None:
        return (thing.id,)
    whole = _WHOLE.match(text, at, limit)
    return () if whole is None else ("each" if whole["each"] else "total",)


def per_times(text: str, at: int) -> tuple[str, ...]:
    """What a figure that begins at `at` is per where it is multiplied: '18 links x 100 GB/s', '8 stacks × 24 GB'."""
    before = text[max(0, at - _REACH // 2) : at].rstrip()
    if not before.endswith(tuple(_TIMES_SIGNS)):
        return ()
    *_, number, word = ["", "", *before.rstrip(_TIMES_SIGNS).split()]
    thing = load_lexicon().thing(word) if number[-1:].isdecimal() else None
    return () if thing is None else (thing.id,)


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
        is_open = factor != 1.0 and text[magnitude.end() : magnitude.end() + 1] != "-"
        scaled = _unit_behind(text, magnitude.end()) if is_open else None
        if scaled is not None and scaled.dimension not in ("ratio", "percent"):
            return Tail(scaled.end, (Part(scaled.symbol, scaled.dimension, factor),), scaled.per)
        return Tail(magnitude.end(), _readings_of(letter) if letter else (Part("count", "count", factor),))
    times = TIMES.match(text, plus)
    return Tail(times.end() if times is not None else plus, is_times=times is not None)


def _unit_behind(text: str, at: int) -> SpelledUnit | None:
    """The unit at a position, or behind words that describe it ('FP8 dense TFLOPS', 'decode tokens/s')."""
    described = DESCRIBED.match(text, at)
    found = unit_at(text, described.end() if described is not None else at)
    is_meant = described is None or (found is not None and found.dimension in ("compute", "token_rate"))
    return found if is_meant else None


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
