"""Arithmetic that a text does itself: a share against its own counts, a product against its own factors. Pure.

A verdict is 'consistent', 'inconsistent', or '' where there is nothing to check. What is rounded in print may differ by
half of its last printed digit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CONSISTENT, INCONSISTENT = "consistent", "inconsistent"

_COUNT = r"(\d{1,3}(?:,\d{3})+|\d+)"
_PERCENT = r"(\d+(?:\.\d+)?)\s?(?:%|percent\b|per cent\b)"
_WORDS = r"[^.;:%\d]{0,60}"
_OF = rf"(?:out\s+)?of\s+(?:the\s+|all\s+)?{_COUNT}"
_SHARES = (  # each with the groups of part, whole and percentage
    (re.compile(rf"\b{_COUNT}\s+{_OF}{_WORDS}?\(?\s*(?:=|or|,|about|~)?\s*{_PERCENT}"), (1, 2, 3)),
    (re.compile(rf"\b{_PERCENT}\s*\(\s*{_COUNT}\s*(?:/|of|out of)\s*(?:the\s+)?{_COUNT}\s*\)"), (2, 3, 1)),
    (re.compile(rf"\b{_COUNT}\s*/\s*{_COUNT}\s*(?:=|\()\s*{_PERCENT}"), (1, 2, 3)),
)
_PRODUCT = re.compile(
    r"(?<![\w.])(\d[\d,]*(?:\.\d+)?)\s*[x×*]\s*(\d[\d,]*(?:\.\d+)?)\s*(?:[A-Za-z/]{1,8})?\s*(?:=|"
    r"≈|is)\s*(\d[\d,]*(?:\.\d+)?)"
)


@dataclass(frozen=True, slots=True)
class Check:
    """One sum found in a text: where, what it should be, what it says."""

    start: int
    end: int
    formula: str
    expected: float
    stated: float
    verdict: str


def checks_in(text: str) -> tuple[Check, ...]:
    """All shares and products that a text states together with their parts, in order of the text."""
    return tuple(sorted((*_shares(text), *_products(text)), key=lambda check: check.start))


def _shares(text: str) -> list[Check]:
    found = []
    for pattern, (part_at, whole_at, percent_at) in _SHARES:
        for match in pattern.finditer(text):
            part, whole = _number(match[part_at]), _number(match[whole_at])
            if whole > 0 and part <= whole:
                found.append(_share(match, part, whole, match[percent_at]))
    return found


def _share(match: re.Match[str], part: float, whole: float, printed: str) -> Check:
    expected, stated = 100 * part / whole, float(printed)
    verdict = CONSISTENT if abs(expected - stated) <= _half_digit(printed) * 1.02 else INCONSISTENT
    return Check(match.start(), match.end(), f"{part:g} / {whole:g} = {expected:.1f} %", expected, stated, verdict)


def _products(text: str) -> list[Check]:
    found = []
    for match in _PRODUCT.finditer(text):
        one, other, stated = (_number(match[i]) for i in (1, 2, 3))
        expected = one * other
        is_near = abs(expected - stated) <= max(_half_digit(match[3]) * 1.02, 0.02 * abs(stated))
        verdict = CONSISTENT if is_near else INCONSISTENT
        formula = f"{one:g} x {other:g} = {expected:g}"
        found.append(Check(match.start(), match.end(), formula, expected, stated, verdict))
    return found


def _half_digit(printed: str) -> float:
    """Half of the last printed place: 30.1 stands for 30.05 to 30.15."""
    decimals = len(printed.partition(".")[2])
    return float(0.5 * 10**-decimals)


def _number(printed: str) -> float:
    return float(printed.replace(",", ""))
