"""Numbers as people write them: numerals, powers of ten, number words and fractions. Pure, linear in the text.

Nothing here knows a unit.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pipelines.units import in_small_letters

# A numeral longer than this is an identifier or an attack, not a measured value.
LONGEST_NUMERAL = 24
_LONGEST_MEASURE = 16  # characters of a number with its unit before a hyphen

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_COUNTED = {word: float(value) for value, word in enumerate(_SMALL.split())}
_COUNTED |= {word: 10.0 * tens for tens, word in enumerate(_TENS.split(), start=2)}
_ADDED = _COUNTED | {
    "single": 1.0, "dual": 2.0, "double": 2.0, "twice": 2.0, "triple": 3.0, "quad": 4.0, "first": 1.0,
}  # fmt: skip
_MULTIPLIED = {"a": 1.0, "an": 1.0, "half": 0.5, "dozen": 12.0, "hundred": 1e2, "thousand": 1e3}
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3}
_PLAIN_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")
_WORD = "|".join(sorted(_COUNTED, key=len, reverse=True))
_SCALE_AHEAD = r"(?=(?:thousand|(?:m|b|tr|quadr|quint)illion|(?:kilo|mega|giga)watt|(?:exa|peta|zetta)flop)s?\b)"
_NUMERAL = re.compile(r"[\d½¼¾⅓⅔][\d.,'’\u00a0\u202f\u2009]{0,40}")
_WORDED = re.compile(
    rf"\b(?=[adefhnoqst])(?:(?:{_WORD})(?:-(?:{_WORD}))?"
    r"(?:-?fold\b|[ -]and[ -]a[ -]half|(?:[ -](?:hundred|thousand)\b)*)(?![A-Za-z])"
    rf"|half a dozen\b|a dozen\b|dozen\b|half (?=dozen\b)|(?:half an?|an?|first) {_SCALE_AHEAD}"
    r"|twice(?= (?:the|as) )|(?:single|dual|quad|triple)(?=[- ]\w))",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"\d{1,3}(?:([,'’\u00a0\u202f\u2009])\d{3})(?:\1\d{3}){0,5}(?:\.\d+)?")
_PLAIN = re.compile(r"\d{1,24}(?:\.\d+)?|\.\d+")
_SPACED = re.compile(r"(?: \d{3}){1,4}(?P<rest>\.\d{1,3})?(?![\d.,])")
_TEN = r"10(?:(?:\^|\*\*)\{?(?P<caret>[-−+]?\d{1,3})\}?|(?P<raised>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))"
_OF_TEN = re.compile(_TEN)
# '1.4e14', '1.4 × 10^14', '1.4x10**14', '3·10²⁶'
_POWER = re.compile(
    rf"[eE](?P<e>[+-]?\d{{1,3}})(?![\w.])|[ \u00a0]?[x×*·⋅]\s?{_TEN}|[ \u00a0]?[x×]\s?10(?P<flat>(?:1\d|2\d))(?![\d.,])"
)
_ORDINAL = ("st", "nd", "rd", "th")
_NAME_BEFORE = re.compile(r"[A-Z][\w-]*[ \u00a0]$")


class Number(NamedTuple):
    """A number and its characters; `is_word` for 'eight', `is_in_name` for one behind letter and hyphen ('GPT-5')."""

    start: int
    end: int
    value: float
    is_word: bool = False
    is_in_name: bool = False


def find_numbers(text: str) -> list[Number]:
    """The numbers of a text in order, none within a word such as 'H100'; of 'ConnectX-9' it is said."""
    worded = ((match.start(), match[0].rstrip()) for match in _WORDED.finditer(text))
    found = [Number(start, start + len(words), _word_value(words), is_word=True) for start, words in worded]
    end = 0
    for match in _NUMERAL.finditer(text):
        number = _numeral(text, match, end)
        if number is not None:
            end = number.end
            found.append(number)
    found.sort()
    return found


def _numeral(text: str, match: re.Match[str], taken: int) -> Number | None:
    """The number that begins a run of digits; None within a word, a version or the number before."""
    start, end = match.span()
    if start < taken or (start and not _may_begin(text, start)):
        return None
    if text[start] in _FRACTIONS:
        return Number(start, start + 1, _FRACTIONS[text[start]])
    start -= start > 0 and text[start - 1] == "."
    number = _written(text, start, end)
    is_hyphened = number is not None and start > 1 and text[start - 1] in "-‑"
    return number._replace(is_in_name=_is_inside_name(text, start)) if number is not None and is_hyphened else number


def _may_begin(text: str, start: int) -> bool:
    """Whether digits are a number by what stands before: no letter, but a times sign or a Chinese or Japanese one."""
    before, earlier = text[start - 1], text[start - 2 : start - 1] if start > 1 else ""
    if before == ".":
        return not (earlier.isalnum() or earlier in (".", "_"))  # '.5'
    if before in "xX×":
        return not earlier.isalpha() and earlier != "_" and (before == "×" or not text.startswith("86", start))
    return not (before.isalnum() or before in "_,^\u2011") or before >= "\u2e80"


def _written(text: str, start: int, end: int) -> Number | None:
    power = _OF_TEN.match(text, start)
    if power is not None:
        return Number(start, power.end(), _ten_to(power))
    found = _GROUPED.match(text, start, end)
    if found is None or (found.end() < end and text[found.end()].isdigit()):
        found = _PLAIN.match(text, start, end)
    if found is None or found.end() - start > LONGEST_NUMERAL:
        return None
    if text[found.end() : found.end() + 1] == "." and text[found.end() + 1 : found.end() + 2].isdigit():
        return None  # '2.1.3' is a version
    digits, at = "".join(sign for sign in found[0] if sign.isdecimal() or sign == "."), found.end()
    spaced = _SPACED.match(text, at) if "." not in digits and len(digits) < 4 and digits[0] != "0" else None
    if spaced is not None and _may_be_spaced(text, start, spaced):
        digits, at = digits + spaced[0].replace(" ", ""), spaced.end()
    if text.startswith(_ORDINAL, at) and not text[at + 2 : at + 3].isalnum():
        return None
    power = _POWER.match(text, at)
    if power is None:
        return Number(start, at, float(digits))
    return Number(start, power.end(), float(f"{float(digits) * _ten_to(power):.12g}"))


def _may_be_spaced(text: str, start: int, spaced: re.Match[str]) -> bool:
    """Whether '4 096' is one number: no name stands before it; with decimals nothing does, as in a cell."""
    if spaced["rest"] is not None:
        return start == 0 or text[start - 1] in "\t\n|(~"
    return _NAME_BEFORE.search(text, max(0, start - 24), start) is None


def _ten_to(power: re.Match[str]) -> float:
    exponent = int(next(filter(None, power.groups())).translate(_PLAIN_DIGITS))
    return float(f"1e{max(-99, min(99, exponent))}")


def _is_inside_name(text: str, start: int) -> bool:
    """'ConnectX-9', 'GPT-5.2' and 'Llama-3': a numeral after letter and hyphen; but not '10-20' or '150K-200K'."""
    at = start - 2
    while at >= 0 and start - at < _LONGEST_MEASURE and (text[at].isalnum() or text[at] in ".,%/"):
        at -= 1
    word = text[at + 1 : start - 1]
    is_unit = text[at : at + 1] == " " and text[at - 1 : at].isdigit()  # '40 GB-80 GB'
    return word != "" and not word[0].isdigit() and not is_unit


def _word_value(words: str) -> float:
    folded = in_small_letters(words)
    if folded.endswith("half") and " and" in folded.replace("-", " "):
        return _word_value(folded.replace("-", " ").partition(" and")[0]) + 0.5
    total: float | None = None
    for word in folded.removesuffix("fold").rstrip("-").replace("-", " ").split(" "):
        if word in _MULTIPLIED:
            total = _MULTIPLIED[word] * (1.0 if total is None else total)
        else:
            total = _ADDED.get(word, 0.0) + (total or 0.0)
    return total or 0.0
