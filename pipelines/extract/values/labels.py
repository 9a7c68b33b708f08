"""The unit that a table's head, a row's label or a caption says for bare numbers: 'TDP (W)', 'Revenue, $ millions'."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipelines.units import UnknownUnit, dimension_of, read_unit, unit_at

_BRACKET = re.compile(r"[(\[（【]([^()\[\]（）【】\n]{1,40})[)\]）】]")
_PARTS = re.compile(r"\s*[,;|、]\s*|\bin\s|\bUnit:\s?", re.IGNORECASE)
_WORD = re.compile(r"(?<![\w$/])(?:(?:US)?\$|%|[A-Za-zµ][\w/·⋅%-]*)(?:\s?/\s?[A-Za-z]+|\sper\s[A-Za-z-]+){0,3}")
_MAGNITUDE = re.compile(r"\b(thousand|million|billion|trillion)s?\b|(?<=\$)\s?([KMB])n?\b|亿|万", re.IGNORECASE)
_MONEY = re.compile(r"\$|\bUSD\b|\bdollars?\b|美元", re.IGNORECASE)
_LETTERS = {"K": "thousand", "M": "million", "B": "billion"}
_PER_HOUR = re.compile(r"(?:/|\bper\b|\ban?\b)[\s\w-]{0,20}(?:hour|hr|h)\b|\bhourly\b", re.IGNORECASE)
# units by spelling, other words in a head that has no brackets around them
_OTHER = frozenset(["in", "year", "month", "week", "day", "second", "min", "mo", "bar", "feet", "foot", "pounds", "d"])
_PLAIN = frozenset({"count", "ratio"})


def unit_of_label(label: str) -> str:
    """The unit as `pipelines.units.read_unit` knows it; '' where a label says none.

    What stands in brackets goes before what stands after a comma or 'in', and that before the words of the label; a
    single letter is a unit in brackets only. An amount's magnitude ('$ millions') is part of its unit.
    """
    if _MONEY.search(label) is not None:
        return _money(label)
    for inside in _BRACKET.findall(label):
        for part in (inside, *_PARTS.split(inside)):
            if _is_unit(part.strip(" *†")):
                return str(part.strip(" *†"))
    words = [word for part in _PARTS.split(label)[1:] for word in _words(part)] + list(_words(label))
    found = next((word for word in words if _stands_alone(word) and _is_unit(word)), "")
    if found:
        return found
    magnitude = _MAGNITUDE.search(label)
    return "" if magnitude is None else _magnitude(magnitude)


def _stands_alone(word: str) -> bool:
    return (len(word) > 1 or word == "%") and word.casefold() not in _OTHER


def _money(label: str) -> str:
    magnitude = _MAGNITUDE.search(label)
    amount = f"{_magnitude(magnitude)} USD" if magnitude is not None else "USD"
    return f"{amount}/h" if _PER_HOUR.search(label) is not None else amount


def _magnitude(match: re.Match[str]) -> str:
    return _LETTERS[match[2].upper()] if match[2] else (match[1] or match[0]).casefold()


def _words(text: str) -> Iterator[str]:
    """The words of a label with what divides them ('kW per rack'), as printed."""
    for match in _WORD.finditer(text):
        yield match[0]
        yield from match[0].split()[:1] if " " in match[0] else ()


def _is_unit(printed: str) -> bool:
    """Whether words are a unit of measure and no thing that is counted ('GPU')."""
    if not printed:
        return False
    try:
        read_unit(printed)
    except UnknownUnit:
        return False
    return dimension_of(printed) not in _PLAIN or unit_at(f"1{printed}", 1) is not None or printed in ("亿", "万")
