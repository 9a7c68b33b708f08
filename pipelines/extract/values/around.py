"""What stands around a number: hedges and bounds, currencies, range and list links, what a figure is per. Pure.

Each look-up reads a bounded stretch of text.
"""

from __future__ import annotations

import re

from pipelines.registry.metric_entries import load_lexicon

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
    r"(?:\s?/\s?|\s?\bper[ -]|\s(?:an?|every|each|in each)\s|每)(?P<what>[A-Za-z\u4e00-\u9fff][\w\u4e00-\u9fff]*"
    r"(?:[ -](?:hour|hr|rack|node|tray|cent(?:er|re)|shelf|card|unit)s?)?)(?![\w])",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"(?:\s(?!per\b|and\b|or\b|with\b)[\w()®™.+-]+){1,5}?\s?(?:\bper[ -]|/)(?P<what>[A-Za-z]+)(?![\w/])", re.IGNORECASE
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
