"""Time as people write it → periods: '2H26', 'Q3 FY27', 'second half of next year', 'this fall', 'late 2025', a day.

Relative words count from the day the text was stated on; without it they give nothing. Pure, linear in the text.
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass

from pipelines.registry.names import lowered
from pipelines.registry.phrases import phrases
from pipelines.units import in_small_letters

FIRST_YEAR, LAST_YEAR = 1990, 2049
_CLAUSE = 60  # characters before a month that may say that it is past


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of days and the characters that say it.

    `first..last` are inclusive; `label` is the closest calendar period ('2026-H2', '2027-Q3', '2025-07', '2025-07-04',
    '2025'). `is_bare_year` marks a year alone and '2025.03', which may be any number.
    """

    start: int
    end: int
    first: dt.date
    last: dt.date
    label: str
    is_bare_year: bool = False


Days = tuple[dt.date, dt.date]
_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS = {name: at for at, name in enumerate(_MONTH_NAMES.split())}
_DAY_NAMES = "monday tuesday wednesday thursday friday saturday sunday"
_WEEKDAYS = {name: at for at, name in enumerate(_DAY_NAMES.split())}
_QUARTER_WORDS = ("1 first 1st 一 上", "2 second 2nd 二 下", "3 third 3rd 三", "4 fourth 4th last 四")
_QUARTERS = {word: at for at, words in enumerate(_QUARTER_WORDS) for word in words.split()}
# parts of a year: the month in which they begin, counted from 0, and how many they are
_PARTS = {
    "spring": (2, 3), "summer": (5, 3), "fall": (8, 3), "autumn": (8, 3), "winter": (11, 3), "early": (0, 6),
    "mid": (3, 6), "middle of": (3, 6), "late": (6, 6), "later in": (0, 12), "later": (0, 12), "end of": (9, 3),
    "the end of": (9, 3), "start of": (0, 3), "beginning of": (0, 3), "初": (0, 3), "底": (9, 3), "末": (9, 3),
}  # fmt: skip
_SIZES = {"year": 12, "quarter": 3, "month": 1}  # in months
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_SHIFTS = {"next": 1, "the coming": 1, "tomorrow": 1, "last": -1, "yesterday": -1}

_MONTH = (
    r"(?=[jfmasond])(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_YEAR = r"(?:20[0-4]\d|199\d)"
_THIS_YEAR = "(?:this|next|last) year"
_OF = r"(?: of)?(?: calendar)?(?: year)? "
_FISCAL = r"(?:fiscal(?: year)?|FY)\s?"
_SEASON = "spring|summer|fall|autumn|winter"
# what is said: y(ear), q(uarter), h(alf), m(onth, mon by name), d(ay), n(umber)
_Y, _ANY_Y = rf"(?P<y>{_YEAR})", rf"(?P<y>{_YEAR}|['’]?(?:1[5-9]|[2-4]\d))"
_Q, _H = "(?P<q>[1-4])", "(?P<h>[12])"
_MON, _D = rf"(?P<mon>{_MONTH})", r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_M = r"(?P<m>0?[1-9]|1[0-2])\s?月"
_N = rf"(?P<n>{'|'.join(_COUNTS)}|\d{{1,2}})"
# The forms with their ways of writing, of which the first that fits counts.
_FORMS = {
    "day": (
        rf"{_Y}-(?P<m>\d\d)-(?P<d>\d\d)\b",
        rf"{_D}(?: of)? {_MON},? {_Y}\b",
        rf"{_MON} {_D},? {_Y}\b",
        rf"{_Y}\s?年\s?{_M}\s?(?P<d>\d{{1,2}})\s?[日号]",
    ),
    "month": (
        rf"{_Y}\s?年\s?{_M}",
        rf"(?:early|mid|late|end of|start of|beginning of)[- ]{_MON},? {_Y}\b",
        rf"{_MON}(?: of)?,? ?{_Y}\b",
        rf"{_Y}-(?P<m>0[1-9]|1[0-2])\b(?!-)",
        rf"(?<![\d/])(?P<m>0[1-9]|1[0-2])/{_Y}\b(?!/)",
    ),
    "fiscal": (
        rf"Q{_Q},?\s?(?:of )?{_FISCAL}{_ANY_Y}\b",
        rf"(?P<q>first|second|third|fourth)[ -]quarter(?: of)?,?\s?(?:of )?{_FISCAL}{_ANY_Y}\b",
        rf"{_FISCAL}Q{_Q},? ?{_ANY_Y}\b",
        rf"{_FISCAL}{_ANY_Y},? ?Q{_Q}\b",
        rf"Q{_Q}F(?P<y>\d\d)\b",
        rf"F{_Q}Q(?P<y>\d\d)\b",
        rf"FQ{_Q} ?{_ANY_Y}\b",
        rf"H{_H} {_FISCAL}{_ANY_Y}\b",
        rf"{_H}H ?{_FISCAL}{_ANY_Y}\b",
        rf"{_FISCAL}{_ANY_Y}\b",
    ),
    "quarters": (rf"Q{_Q}\s?[-–/]\s?Q(?P<until>[1-4])[ ']?{_Y}\b",),
    "quarter": (
        rf"Q{_Q}[ -]?(?:of )?{_ANY_Y}\b",
        rf"{_Q}Q[ -]?{_ANY_Y}\b",
        rf"{_Y}[ -]?Q{_Q}\b",
        rf"{_Y}\s?年\s?第?(?P<q>[1-4一二三四])季度",
        rf"(?P<q>first|second|third|fourth|last|1st|2nd|3rd|4th)[ -]quarter{_OF}(?P<y>{_YEAR}|{_THIS_YEAR})\b",
    ),
    "half": (
        rf"H{_H}[ -]?(?:of )?{_ANY_Y}\b",
        rf"{_H}H[ -]?(?:of )?{_ANY_Y}\b",
        rf"{_Y}[ -]?H{_H}\b",
        rf"{_Y}\s?年\s?(?P<h>[上下])半年",
        rf"(?P<h>first|second|latter|back|1st|2nd|last)[ -]half{_OF}(?P<y>{_YEAR}|{_THIS_YEAR}|the year)\b",
    ),
    "part": (
        rf"(?P<part>{'|'.join(_PARTS)})(?: in|-|–|,| of)? ?(?P<y>{_YEAR}|{_THIS_YEAR})\b",
        rf"{_Y}\s?年\s?(?P<part>[初底末])",
    ),
    "whole": (rf"{_Y}\s?年(?!\s?\d)",),
    "years": (
        rf"{_Y}\s?[-–/]\s?(?P<until>(?:20)?[0-4]\d)\b(?!-)",
        rf"between {_Y} and (?P<until>20[0-4]\d)\b",
        rf"from {_Y} through (?P<until>20[0-4]\d)\b",
    ),
    "season": (rf"(?P<rel>this|next|last) (?P<part>{_SEASON})\b",),
    "weekday": (rf"(?P<rel>on|last|this|next) (?P<day>{'|'.join(_WEEKDAYS)})\b(?!,? (?:the )?(?:\d|{_MONTH}))",),
    "day_month": (rf"{_MON} {_D}\b(?! ?\d|,\d)", rf"{_D}(?: of)? {_MON}(?![a-z])"),
    "relative": (r"(?P<rel>this|next|last|the coming|the current) (?P<what>year|quarter|month|week)\b",),
    "ago": (rf"{_N} (?P<what>year|month|week|day)s? ago\b",),
    "ahead": (rf"in {_N} (?P<what>year|month|week)s?\b(?! of)", rf"{_N} (?P<what>year|month|week)s? from now\b"),
    "today": (r"(?P<rel>today|yesterday|tomorrow)\b",),
    "month_alone": (
        rf"(?:in|by|until|from|this|(?P<past>since|last)|(?P<rel>next)) (?P<mon>(?!(?-i:may)){_MONTH})"
        r"(?![a-z ]*\d)(?![a-z])",
    ),
    "dotted": (rf"{_Y}\.(?P<m>0[1-9]|1[0-2])(?![\w%]|[.,]\d|[-–]\w)",),
    "year": (rf"{_Y}(?![\w%]|\.\d|,\d|[-–]\w)",),
}
_WAYS = [(name, re.compile(way, re.IGNORECASE)) for name, ways in _FORMS.items() for way in ways]
# where one of them begins, in small letters; the few with which all begin are cheap to look for at every word
_BEGIN = re.compile((
    r"(?:\b|(?<=[\u2e80-\u9fff]))"
    r"(?=(?:19|20)\d\d|\d\d?[ qhnrst/]|q[1-4]|h[12]|f[1-4iaeoqry]|j[au]|m[ai]|a[pu]|a [dmwy]|s[eupti]|o[cn]|nov|nex|"
    r"dec|e[an]|la|b[aey]|win|th[ir]|the [ce]|to[dm]|two|in |un|ye|from )"
    rf"(?<![.,$€£])(?:{re.sub(r'[?]P<[a-z]+>', '?:', '|'.join(pattern.pattern for _, pattern in _WAYS))})"
).replace("(?-i:may)", "(?!)").lower())  # fmt: skip


def find_periods(text: str, stated_on: dt.date | None, fiscal_year_start_month: int | None = None) -> list[Period]:
    """The periods of a text in order, none overlapping.

    `fiscal_year_start_month` says when the speaker's fiscal year begins: with 2 (NVIDIA), FY2027 runs from February
    2026 to January 2027. Without it a fiscal year is read as a calendar year.
    """
    found: list[Period] = []
    position, small = 0, lowered(text)
    while (begin := _BEGIN.search(small, position)) is not None:
        period = _at(text, begin.start(), stated_on, fiscal_year_start_month or 1)
        if period is not None:
            found.append(period)
        position = max(period.end if period is not None else 0, begin.start() + 1)
    return found


def period_label(first: dt.date, last: dt.date) -> str:
    """The smallest calendar period that holds both days: day, month, quarter, half, year, else 'YYYY-YYYY'."""
    if first == last:
        return first.isoformat()
    if first.year != last.year:
        return f"{first.year}-{last.year}"
    if first.month == last.month:
        return f"{first:%Y-%m}"
    for letter, size in (("Q", 3), ("H", 6)):
        if (first.month - 1) // size == (last.month - 1) // size:
            return f"{first.year}-{letter}{(first.month - 1) // size + 1}"
    return str(first.year)


def _at(text: str, start: int, stated_on: dt.date | None, fiscal_start: int) -> Period | None:
    for name, pattern in _WAYS:
        match = pattern.match(text, start)
        if match is None:
            continue
        said = {group: in_small_letters(words) for group, words in match.groupdict().items() if words}
        if name == "month_alone" and phrases("has_happened").are_in(_clause_before(text, start)):
            said["past"] = "past"
        days = _days(name, said, stated_on, fiscal_start)
        if days is None or not (FIRST_YEAR <= days[0].year <= LAST_YEAR and days[0] <= days[1]):
            continue
        return Period(start, match.end(), *days, period_label(*days), is_bare_year=name in ("year", "dotted"))
    return None


def _clause_before(text: str, start: int) -> str:
    """The last words before a place, of its own sentence: those behind a word of what is to come say nothing of it."""
    words = text[max(0, start - _CLAUSE) : start].rpartition(". ")[2]
    return words[max(phrases("will_happen").ends(words), default=0) :]


def _days(name: str, said: Mapping[str, str], stated_on: dt.date | None, fiscal_start: int) -> Days | None:
    """The first and last day of what a form says; None where no such day is, or none to reckon from."""
    if name in ("weekday", "relative", "ago", "ahead", "today"):
        return _reckoned(name, said, stated_on) if stated_on is not None else None
    year = _year(said.get("y") or said.get("rel", ""), stated_on)
    if year is None:
        return None
    first, count = _months_of(said, year)
    if "d" in said:
        day = int(said["d"])
        is_day = 0 <= first < 12 and 1 <= day <= calendar.monthrange(year, first + 1)[1]
        return (dt.date(year, first + 1, day),) * 2 if is_day else None
    if name == "fiscal" and fiscal_start > 1:
        first += fiscal_start - 13
    begin = year * 12 + first
    is_past = "past" in said and stated_on is not None and begin > stated_on.year * 12 + stated_on.month - 1
    return _months(begin - 12 * is_past, count)  # 'since October', or 'went on sale in October', said in January


def _year(word: str, stated_on: dt.date | None) -> int | None:
    digits = word.strip("'’")
    if digits.isdecimal():
        return int(digits) if len(digits) == 4 else 2000 + int(digits)
    return stated_on.year + _SHIFTS.get(word.split(" ")[0], 0) if stated_on is not None else None


def _months_of(said: Mapping[str, str], year: int) -> tuple[int, int]:
    """The month of a year in which what is said begins, counted from 0, and how many months it is."""
    until = said.get("until", "")
    if "mon" in said or "m" in said:
        return _MONTHS[said["mon"][:3]] if "mon" in said else int(said["m"]) - 1, 1
    if "q" in said:
        first = _QUARTERS[said["q"]]
        return 3 * first, 3 * (int(until) - first) if until else 3
    if "h" in said:
        return 0 if _QUARTERS.get(said["h"]) == 0 else 6, 6
    last = int(f"{year}"[: 4 - len(until)] + until)  # '2025-27' ends in 2027
    return _PARTS[said["part"]] if "part" in said else (0, 12 * (last - year + 1))


def _months(begin: int, count: int) -> Days:
    """The days of some months, which are counted from the year 0."""
    end = begin + count - 1
    last = calendar.monthrange(end // 12, end % 12 + 1)[1]
    return dt.date(begin // 12, begin % 12 + 1, 1), dt.date(end // 12, end % 12 + 1, last)


def _reckoned(name: str, said: Mapping[str, str], stated_on: dt.date) -> Days:
    """What lies so many days, weeks, months, quarters or years from the day of the statement."""
    if name == "weekday":
        back = (stated_on.weekday() - _WEEKDAYS[said["day"]]) % 7
        day = stated_on - dt.timedelta(days=back or (7 if said["rel"] == "last" else 0))
        return (day + dt.timedelta(days=7 if said["rel"] == "next" else 0),) * 2
    shift = _SHIFTS.get(said.get("rel", ""), 0)
    if "n" in said:
        shift = (_COUNTS.get(said["n"]) or int(said["n"])) * (-1 if name == "ago" else 1)
    what = said.get("what", "day")
    if what in _SIZES:
        size, months = _SIZES[what], stated_on.year * 12 + stated_on.month - 1
        return _months((months // size + shift) * size, size)
    if what == "day":
        return (stated_on + dt.timedelta(days=shift),) * 2
    monday = stated_on - dt.timedelta(days=stated_on.weekday()) + dt.timedelta(weeks=shift)
    return monday, monday + dt.timedelta(days=6)
