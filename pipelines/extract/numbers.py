"""Numbers as people write them: numerals, number words, fractions and the magnitudes that follow. Pure, linear.

Nothing here knows a unit; `quantities` puts units and hedges to these numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A numeral longer than this is an identifier or an attack, not a measured value.
LONGEST_NUMERAL = 24

_UNITS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
        ]
    )
}
_TENS = {
    word: 20 + 10 * at
    for at, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])
}
_SINGLE = {"dual": 2, "single": 1, "double": 2, "triple": 3, "quad": 4, "dozen": 12}
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "quadrillion": 1e15}

_WORD = "|".join(sorted((*_UNITS, *_TENS), key=len, reverse=True))
# '24,576', '186 624' (with hard, thin or plain space), '1.44', '.5', '9'
_NUMERAL = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,]*\d)"
    r"|(?<![-\u2011])\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?![\d.,]*\d)"
    r"|\d+(?:\.\d+)?|\.\d+"
)
_TOKEN = re.compile(
    rf"(?P<numeral>(?<![\w.,^\u2011])(?:{_NUMERAL}))"
    rf"|(?P<fraction>[½¼¾⅓⅔])"
    rf"|\b(?P<word>(?:{_WORD})(?:-(?:{_WORD}))?(?:-?fold|[ -]and[ -]a[ -]half|(?:[ -](?:hundred|thousand))*)|"
    rf"half a dozen|a dozen|dozen)\b"
    rf"|\b(?P<twice>twice)(?= (?:the|as) )"
    rf"|\b(?P<scale>(?:half )?an? (?=(?:thousand|million|billion|trillion|gigawatt|exaflop|petaflop)\b))"
    rf"|\b(?P<single>single|dual|quad|triple)(?=-(?:die|chiplet|chip|socket|GPU|CPU|port)\b)",
    re.IGNORECASE,
)
_MAGNITUDE_WORD = re.compile(r"[ \u00a0-]?(thousand|million|billion|trillion|quadrillion|mn|bn|tn)\b", re.IGNORECASE)
_MAGNITUDE_LETTER = re.compile(r"[ \u00a0]?([kKMBT])(?![A-Za-z0-9/])")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
MAGNITUDES = {
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "quadrillion": 1e15,
    "mn": 1e6, "bn": 1e9, "tn": 1e12, "k": 1e3, "m": 1e6, "b": 1e9, "t": 1e12,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Number:
    """A number and its characters; `is_word` for 'eight'."""

    start: int
    end: int
    value: float
    is_word: bool = False


def find_numbers(text: str, start: int = 0, end: int | None = None) -> Iterator[Number]:
    """The numbers in `text[start:end]`, in order, none within a word such as 'H100' or 'ConnectX-9'."""
    stop = len(text) if end is None else end
    for match in _TOKEN.finditer(text, start, stop):
        number = _number(text, match)
        if number is not None:
            yield number


def magnitude(text: str, at: int, *, letters: bool) -> tuple[float, int]:
    """The factor of a magnitude that stands at `at` ('million', with `letters` also 'K', 'B'), and where it ends."""
    found = _MAGNITUDE_WORD.match(text, at)
    if found is None and letters:
        found = _MAGNITUDE_LETTER.match(text, at)
    return (MAGNITUDES[found[1].casefold()], found.end()) if found is not None else (1.0, at)


def _number(text: str, match: re.Match[str]) -> Number | None:
    start, end = match.span()
    if start == end:
        return None
    if match["numeral"] is not None:
        if _ORDINAL.match(text, end) is not None or end - start > LONGEST_NUMERAL or _is_inside_name(text, start):
            return None
        return Number(start, end, float(re.sub(r"[^\d.]", "", match[0])))
    if match["fraction"] is not None:
        return Number(start, end, _FRACTIONS[match[0]])
    if match["scale"] is not None:
        return Number(start, end - 1, 0.5 if match[0][:4].casefold() == "half" else 1.0, is_word=True)
    if match["twice"] is not None:
        return Number(start, end, 2.0, is_word=True)
    return Number(start, end, _word_value(match[0]), is_word=True)


def _is_inside_name(text: str, start: int) -> bool:
    """'ConnectX-9', 'GPT-5.2' and 'Llama-3': a numeral after letter and hyphen; but not 'sub-500' or 'pre-2024'."""
    if start < 2 or text[start - 1] not in "-‑" or not text[start - 2].isalnum():
        return False
    return not text[start - 2].isdecimal()


_AND_A_HALF = len(" and a half")


def _word_value(words: str) -> float:
    words = words.removesuffix("fold").rstrip("-")
    if words.casefold().endswith("half") and len(words) > _AND_A_HALF:
        return _word_value(words[:-_AND_A_HALF]) + 0.5
    total, current = 0.0, 0.0
    for word in re.split(r"[ -]", words.casefold()):
        if word in _SCALES:
            current = (current or 1.0) * _SCALES[word]
        elif word == "half":
            current = 0.5
        elif word == "dozen":
            current = (current or 1.0) * 12
        elif word != "a":
            current += _UNITS.get(word, _TENS.get(word, _SINGLE.get(word, 0)))
    return total + current
