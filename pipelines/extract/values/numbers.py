"""Numbers as people write them: numerals, powers of ten, number words and fractions. Pure, linear in the text.

Nothing here knows a unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

# A numeral longer than this is an identifier or an attack, not a measured value.
LONGEST_NUMERAL = 24

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_UNITS = {word: float(value) for value, word in enumerate(_SMALL.split())}
_TENS = {
    word: 20.0 + 10 * at
    for at, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"])
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_WHOLE = {
    "single": 1.0, "dual": 2.0, "double": 2.0, "twice": 2.0, "triple": 3.0, "quad": 4.0, "dozen": 12.0,
    "half": 0.5, "a": 1.0, "an": 1.0, "first": 1.0,
}  # fmt: skip
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_WORD = "|".join(sorted((*_UNITS, *_TENS), key=len, reverse=True))
_SCALE_AHEAD = r"(?=(?:thousand|million|billion|trillion|(?:kilo|mega|giga)watt|(?:exa|peta|zetta)flop)s?\b)"
_TOKEN = re.compile(
    r"(?P<numeral>(?:(?<![\w.,^\u2011])|(?<=[\d\])][xX×])|(?<=\b[x×])(?!86\b)|(?<=[\u4e00-\u9fff]))"
    r"(?:\d[\d.,'’\u00a0\u202f\u2009]{0,40}|\.\d{1,20}))"
    r"|(?P<fraction>[½¼¾⅓⅔])"
    rf"|\b(?P<word>(?:{_WORD})(?:-(?:{_WORD}))?(?:-?fold\b|[ -]and[ -]a[ -]half|(?:[ -](?:hundred|thousand)\b)*)"
    rf"|half a dozen|a dozen|dozen|half an? {_SCALE_AHEAD}|half (?=dozen\b)|(?:an?|first) {_SCALE_AHEAD}"
    r"|twice(?= (?:the|as) )|(?:single|dual|quad|triple)(?=[- ]\w))",
    re.IGNORECASE,
)
_TAIL = ".,'’\u00a0\u202f\u2009"
_GROUPED = re.compile(r"\d{1,3}(?:([,'’\u00a0\u202f\u2009])\d{3})(?:\1\d{3}){0,5}(?:\.\d+)?")
_PLAIN = re.compile(r"\d{1,24}(?:\.\d+)?|\.\d+")
_SPACED = re.compile(r"(?: \d{3}){1,4}(?![\d.,])")
# '1.4e14', '1.4 × 10^14', '1.4x10**14', '3·10²⁶'
_POWER = re.compile(
    r"[eE](?P<e>[+-]?\d{1,3})(?![\w.])"
    r"|\s?[x×*·⋅]\s?10(?:\^|\*\*)\{?(?P<caret>[-−+]?\d{1,3})\}?|\s?[x×*·⋅]\s?10(?P<raised>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})"
    r"|\s?[x×]\s?10(?P<flat>(?:1\d|2\d))(?![\d.,])"
)
_OF_TEN = re.compile(r"10(?:\^|\*\*)\{?(?P<caret>[-−+]?\d{1,3})\}?|10(?P<raised>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_NAME_BEFORE = re.compile(r"[A-Z][\w-]*[ \u00a0]$")


@dataclass(frozen=True, slots=True)
class Number:
    """A number and its characters; `is_word` for 'eight', `is_in_name` for one behind letter and hyphen ('GPT-5')."""

    start: int
    end: int
    value: float
    is_word: bool = False
    is_in_name: bool = False


def find_numbers(text: str, start: int = 0, end: int | None = None) -> Iterator[Number]:
    """The numbers in `text[start:end]`, in order, none within a word such as 'H100' or 'ConnectX-9'."""
    stop = len(text) if end is None else end
    at = start
    while (match := _TOKEN.search(text, at, stop)) is not None:
        number = _number(text, match, stop)
        at = max(number.end if number is not None else match.end(), match.start() + 1)
        if number is not None:
            yield number


def _number(text: str, match: re.Match[str], stop: int) -> Number | None:
    start = match.start()
    if match["numeral"] is not None:
        number = _numeral(text, start, match.end(), stop)
        return replace(number, is_in_name=True) if number is not None and _is_inside_name(text, start) else number
    if match["fraction"] is not None:
        return Number(start, match.end(), _FRACTIONS[match[0]])
    words = match[0].rstrip()
    return Number(start, start + len(words), _word_value(words), is_word=True)


def _numeral(text: str, start: int, end: int, stop: int) -> Number | None:
    power = _OF_TEN.match(text, start, stop)
    if power is not None:
        return Number(start, power.end(), _ten_to(power["caret"] or power["raised"]))
    found = _GROUPED.match(text, start, end)
    if found is None or (found.end() < end and text[found.end()].isdigit()):
        found = _PLAIN.match(text, start, end)
    if found is None or found.end() - start > LONGEST_NUMERAL:
        return None
    if text[found.end() : found.end() + 1] == "." and text[found.end() + 1 : found.end() + 2].isdigit():
        return None  # '2.1.3' is a version
    digits, at = re.sub(r"[^\d.]", "", found[0]), found.end()
    spaced = _SPACED.match(text, at, stop) if "." not in digits and len(digits) < 4 and digits[0] != "0" else None
    if spaced is not None and _NAME_BEFORE.search(text, max(0, start - 24), start) is None:
        digits, at = digits + spaced[0].replace(" ", ""), spaced.end()
    if _ORDINAL.match(text, at) is not None:
        return None
    power = _POWER.match(text, at, stop)
    if power is None:
        return Number(start, at, float(digits))
    exponent = next(word for word in power.groups() if word is not None)
    return Number(start, power.end(), float(f"{float(digits) * _ten_to(exponent):.12g}"))


def _ten_to(exponent: str) -> float:
    number = int(exponent.translate(_SUPERSCRIPTS).replace("−", "-"))
    return float(f"1e{max(-99, min(99, number))}")


_MEASURED = re.compile(r"(?<![\w-])\$?[\d.,]+[ \u00a0]?[A-Za-z%/]*[-‑]$")


def _is_inside_name(text: str, start: int) -> bool:
    """'ConnectX-9', 'GPT-5.2' and 'Llama-3': a numeral after letter and hyphen; but not '10-20' or '150K-200K'."""
    if start < 2 or text[start - 1] not in "-‑" or not text[start - 2].isalnum():
        return False
    return _MEASURED.search(text, max(0, start - 16), start) is None


def _word_value(words: str) -> float:
    folded = words.casefold()
    if folded.endswith("half") and " and" in folded.replace("-", " "):
        return _word_value(re.split(r"[ -]and", words)[0]) + 0.5
    total, is_first = 0.0, True
    for word in re.split(r"[ -]", folded.removesuffix("fold").rstrip("-")):
        value = _UNITS.get(word, _TENS.get(word, _WHOLE.get(word)))
        if word in _SCALES:
            total *= _SCALES[word]
        elif value is None:
            continue
        elif word in ("dozen", "half", "a", "an"):
            total = value if is_first else total * value
        else:
            total += value
        is_first = False
    return total
