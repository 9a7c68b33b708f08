"""Time as people write it → periods: '2H26', 'Q3 FY27', 'second half of next year', 'this fall', 'late 2025', a day.

Relative words count from the day the text was stated on; without it they give nothing. Pure, linear in the text.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from pipelines.extract.values.period_forms import FORMS, MONTH, READERS, Ground

FIRST_YEAR, LAST_YEAR = 1990, 2049


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of days and the characters that say it.

    `first..last` are inclusive; `label` is the closest calendar period ('2026-H2', '2027-Q3', '2025-07', '2025-07-04',
    '2025'). `preposition` is the word before ('in', 'by', 'since', …, '' where none). `is_bare_year` marks four digits
    alone, which may be any number.
    """

    start: int
    end: int
    first: dt.date
    last: dt.date
    label: str
    preposition: str = ""
    is_relative: bool = False
    is_bare_year: bool = False


_DIGITS, _MONTH_LETTERS = "0123456789", "jfmasond"
# The characters that a form may begin with: only these forms are tried at a place.
_BEGINNINGS = {
    "iso_day": _DIGITS,
    "day_month_year": _DIGITS,
    "month_day_year": _MONTH_LETTERS,
    "part_month_year": "emlsb",
    "month_year": _MONTH_LETTERS,
    "iso_month": _DIGITS,
    "fiscal_quarter": "qfst",
    "fiscal_half": f"h{_DIGITS}",
    "fiscal_year": "f",
    "quarters": "q",
    "quarter": f"qfstl{_DIGITS}",
    "half": f"hfslb{_DIGITS}",
    "part_year": "emlstbfaw",
    "years": _DIGITS,
    "season": "tnl",
    "weekday": "oltn",
    "day_month": f"{_MONTH_LETTERS}{_DIGITS}",
    "relative": "tnl",
    "ago": f"aotfs{_DIGITS}",
    "ahead": f"iaotfs{_DIGITS}",
    "today": "ty",
    "month": "isbuftln",
    "year": _DIGITS,
}
_PATTERNS = {
    letter: tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in FORMS if letter in _BEGINNINGS[name])
    for letter in f"abcdefghijklmnopqrstuvwxyz{_DIGITS}"
}
# two letters with which all that follows begins: cheap to look for at every word
_OPENINGS = (
    r"\d|[qQhH][1-4]|[fF][yY1-4iIaAeEoOrR]|[jJ][aAuU]|[mM][aAiIoO]|[aA][pPuU ]|[sS][eEuUpPtTiI]|[oO][cCnN]|[nN][oOeE]|"
    r"[dD][eE]|[eE][aAnN]|[lL][aA]|[bB][eEaAyY]|[wW][iI]|[tT][hHwWoO]|[iI][nN]|[uU][nN]|[yY][eE]"
)
# the words that are common elsewhere count only with what may follow them in a form
_FIRST_LETTERS = re.compile(
    rf"\b(?=[\dqhfmjasondelbwtiuyQHFMJASONDELBWTIUY])(?={_OPENINGS})(?<![.,$€£])"
    rf"(?i:(?:19|20)\d\d|[1-4]Q|[12]H|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTH}|year|month|week|day)|"
    rf"Q[1-4]|H[12]|FY|F[1-4]Q|fiscal|{MONTH}|early|mid|middle|late|end of|start of|beginning of|"
    r"spring|summer|fall|autumn|winter|(?:first|second|third|fourth|latter|back|last|1st|2nd|3rd|"
    r"4th)[ -](?:half|quarter)|"
    r"(?:this|next|last) |the (?:end of|coming|current)|on \w{3,6}day|"
    r"(?:a|one|two|three|four|five|six) (?:year|month|week|day)|in (?:a|one|two|three|four|five|six|\d{1,2}) |"
    rf"(?:in|since|by|until|from) {MONTH}|today|yesterday|tomorrow)"
)
_PREPOSITION = re.compile(
    r"\b(in|by|until|since|from|for|of|on|during|through|before|after|around|till|at|as of|"
    r"starting|beginning|to|end of)"
    r"\s(?:the\s|about\s|around\s|early\s|late\s)?$",
    re.IGNORECASE,
)


def find_periods(text: str, stated_on: dt.date | None, fiscal_year_start_month: int | None = None) -> list[Period]:
    """The periods of a text in order, none overlapping.

    `fiscal_year_start_month` says when the speaker's fiscal year begins: with 2 (NVIDIA), FY2027 runs from February
    2026 to January 2027. Without it a fiscal year is read as a calendar year.
    """
    ground = Ground(stated_on, fiscal_year_start_month or 1)
    found: list[Period] = []
    position = 0
    while True:
        begin = _FIRST_LETTERS.search(text, position)
        if begin is None:
            return found
        period = _at(text, begin.start(), ground)
        if period is not None:
            found.append(period)
        position = max(period.end if period is not None else 0, begin.start() + 1)


def period_label(first: dt.date, last: dt.date) -> str:
    """The smallest calendar period that holds both days: day, month, quarter, half, year, else 'YYYY-YYYY'."""
    if first == last:
        return first.isoformat()
    if first.year != last.year:
        return f"{first.year}-{last.year}"
    if first.month == last.month:
        return f"{first:%Y-%m}"
    if (first.month - 1) // 3 == (last.month - 1) // 3:
        return f"{first.year}-Q{(first.month - 1) // 3 + 1}"
    if (first.month - 1) // 6 == (last.month - 1) // 6:
        return f"{first.year}-H{(first.month - 1) // 6 + 1}"
    return str(first.year)


def _at(text: str, start: int, ground: Ground) -> Period | None:
    for name, pattern in _PATTERNS.get(text[start].lower(), ()):
        match = pattern.match(text, start)
        if match is None:
            continue
        days = READERS[name](match, ground)
        if days is None:
            continue
        first, last = days
        if not (FIRST_YEAR <= first.year <= LAST_YEAR and first <= last):
            continue
        before = _PREPOSITION.search(text, max(0, start - 16), start)
        word = before[1].casefold() if before is not None else match[0].split(" ")[0].casefold()
        return Period(
            start=start, end=match.end(), first=first, last=last, label=period_label(first, last),
            preposition=word if before is not None or word in _LEADING else "",
            is_relative=name in _RELATIVE or "year" in match[0].casefold().split(),
            is_bare_year=name == "year",
        )  # fmt: skip
    return None


_LEADING = frozenset(("in", "by", "until", "since", "from", "on"))
_RELATIVE = frozenset(("season", "weekday", "day_month", "relative", "ago", "ahead", "today", "month"))
