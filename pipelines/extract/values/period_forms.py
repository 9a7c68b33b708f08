"""The forms in which periods are written, and how each is read to its first and last day. Pure tables and functions.

Each form is a pattern with named groups; several groups for one thing are numbered ('y', 'y2').
"""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ground:
    """What periods are reckoned from: the day of the statement and the month in which the speaker's year begins."""

    stated_on: dt.date | None
    fiscal_start: int


_MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
         "sep sept september", "oct october", "nov november", "dec december"), 1,
    )
    for name in names.split()
}  # fmt: skip
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "last": 4}
_DAYS = {
    name: at for at, name in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
}
_SEASONS = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11)}
_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}

MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_YEAR = r"(?:20[0-4]\d|199\d)"
_SHORT = r"['’]?(?:1[5-9]|[2-4]\d)"
_ANY_YEAR = rf"(?:{_YEAR}|{_SHORT})"
_FISCAL = r"(?:fiscal(?: year)?|FY)\s?"

FORMS: tuple[tuple[str, str], ...] = (
    ("iso_day", rf"(?P<y>{_YEAR})-(?P<m>\d{{2}})-(?P<d>\d{{2}})\b"),
    ("day_month_year", rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<mon>{MONTH}),? (?P<y>{_YEAR})\b"),
    ("month_day_year", rf"(?P<mon>{MONTH}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>{_YEAR})\b"),
    ("part_month_year", rf"(?:early|mid|late|end of|start of|beginning of)[- ](?P<mon>{MONTH}),? (?P<y>{_YEAR})\b"),
    ("month_year", rf"(?P<mon>{MONTH})(?: of)?,? ?(?P<y>{_YEAR})\b"),
    ("iso_month", rf"(?P<y>{_YEAR})-(?P<m>0[1-9]|1[0-2])\b(?!-)"),
    (
        "fiscal_quarter",
        rf"(?:Q(?P<q>[1-4])|(?P<ord>first|second|third"
        rf"|fourth)[ -]quarter(?: of)?),?\s?(?:of )?{_FISCAL}(?P<y>{_ANY_YEAR})\b",
    ),
    (
        "fiscal_quarter",
        rf"{_FISCAL}Q(?P<q>[1-4]),? ?(?P<y>{_ANY_YEAR})\b|{_FISCAL}(?P<y2>{_ANY_YEAR}),? ?Q(?P<q2>[1-4])\b"
        rf"|Q(?P<q3>[1-4])F(?P<y3>\d{{2}})\b|F(?P<q4>[1-4])Q(?P<y4>\d{{2}})\b",
    ),
    ("fiscal_half", rf"H(?P<h>[12]) {_FISCAL}(?P<y>{_ANY_YEAR})\b|(?P<h2>[12])H ?{_FISCAL}(?P<y2>{_ANY_YEAR})\b"),
    ("fiscal_year", rf"{_FISCAL}(?P<y>{_ANY_YEAR})\b"),
    ("quarters", rf"Q(?P<q>[1-4])\s?[-–/]\s?Q(?P<q2>[1-4])[ ']?(?P<y>{_YEAR})\b"),
    (
        "quarter",
        rf"Q(?P<q>[1-4])[ -]?(?:of )?(?P<y>{_ANY_YEAR})\b|(?P<q2>[1-4])Q[ -]?(?P<y2>{_ANY_YEAR})\b"
        rf"|(?P<y3>{_YEAR})[ -]Q(?P<q3>[1-4])\b",
    ),
    (
        "half",
        rf"H(?P<h>[12])[ -]?(?:of )?(?P<y>{_ANY_YEAR})\b|(?P<h2>[12])H[ -]?(?:of )?(?P<y2>{_ANY_YEAR})\b"
        rf"|(?P<y3>{_YEAR})[ -]H(?P<h3>[12])\b",
    ),
    (
        "quarter",
        rf"(?P<ord>first|second|third|fourth|last|1st|2nd|3rd"
        rf"|4th)[ -]quarter(?: of)?(?: calendar)?(?: year)? (?P<y>{_YEAR}|(?:this|next|last) year)\b",
    ),
    (
        "half",
        rf"(?P<ord>first|second|latter|back|1st|2nd"
        rf"|last)[ -]half(?: of)?(?: calendar)?(?: year)? (?P<y>{_YEAR}|(?:this|next|last|the) year)\b",
    ),
    (
        "part_year",
        rf"(?P<part>early|mid|middle of|late|later in|later|end of|the end of|start of|beginning of|spring"
        rf"|summer|fall|autumn|winter)(?: in|-|–|,| of)? ?(?P<y>{_YEAR}|(?:this|next|last) year)\b",
    ),
    ("years", rf"(?P<y>{_YEAR})\s?[-–/]\s?(?P<y2>(?:20)?[0-4]\d)\b(?!-)"),
    ("season", r"(?P<rel>this|next|last) (?P<part>spring|summer|fall|autumn|winter)\b"),
    ("weekday", rf"(?:on|last|this|next) (?P<day>{'|'.join(_DAYS)})\b(?!,? (?:the )?(?:\d|{MONTH}))"),
    ("day_month", rf"(?P<mon>{MONTH}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?! ?\d|,\d)"),
    ("day_month", rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<mon>{MONTH})(?![a-z])"),
    ("relative", r"(?P<rel>this|next|last|the coming|the current) (?P<what>year|quarter|month|week)\b"),
    ("ago", r"(?P<n>a|one|two|three|four|five|six|\d{1,2}) (?P<what>year|month|week|day)s? ago\b"),
    ("ahead", r"in (?P<n>a|one|two|three|four|five|six|\d{1,2}) (?P<what>year|month|week)s?\b(?! of)"),
    ("ahead", r"(?P<n>a|one|two|three|four|five|six|\d{1,2}) (?P<what>year|month|week)s? from now\b"),
    ("today", r"(?:today|yesterday|tomorrow)\b"),
    ("month", rf"(?:in|since|by|until|from|this|last|next) (?P<mon>{MONTH})(?![a-z ]*\d)(?![a-z])"),
    ("year", rf"(?P<y>{_YEAR})(?![\w%]|\.\d|,\d|[-–]\w)"),
)
Days = tuple[dt.date, dt.date] | None


def _months(year: int, first: int, last: int) -> tuple[dt.date, dt.date]:
    return dt.date(year, first, 1), dt.date(year, last, calendar.monthrange(year, last)[1])


def _year(word: str | None, ground: Ground) -> int | None:
    if not word:
        return None
    digits = word.strip("'’")
    if digits.isdecimal():
        return int(digits) if len(digits) == 4 else 2000 + int(digits)
    if ground.stated_on is None:
        return None
    return ground.stated_on.year + {"next": 1, "last": -1}.get(word.split()[0].casefold(), 0)


def _group(match: re.Match[str], name: str) -> str | None:
    """The value of a group or of its numbered twins ('y', 'y2', 'y3')."""
    groups = match.groupdict()
    return next((groups[key] for key in (name, f"{name}2", f"{name}3", f"{name}4") if groups.get(key)), None)


def _month_number(word: str) -> int:
    return _MONTHS[word.casefold().rstrip(".")]


def _day(year: int, month: int, day: int) -> Days:
    if not (1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]):
        return None
    return dt.date(year, month, day), dt.date(year, month, day)


def _full_day(match: re.Match[str], ground: Ground) -> Days:
    month = int(match["m"]) if "m" in match.groupdict() else _month_number(match["mon"])
    return _day(int(match["y"]), month, int(match["d"]))


def _month_of_year(match: re.Match[str], ground: Ground) -> Days:
    month = int(match["m"]) if "m" in match.groupdict() else _month_number(match["mon"])
    return _months(int(match["y"]), month, month)


def _quarter_number(match: re.Match[str]) -> int:
    number = _group(match, "q")
    return int(number) if number else _ORDINALS[match["ord"].casefold()]


def _quarter(match: re.Match[str], ground: Ground) -> Days:
    year, quarter = _year(_group(match, "y"), ground), _quarter_number(match)
    return _months(year, 3 * quarter - 2, 3 * quarter) if year is not None else None


def _quarters(match: re.Match[str], ground: Ground) -> Days:
    return _months(int(match["y"]), 3 * int(match["q"]) - 2, 3 * int(match["q2"]))


def _half(match: re.Match[str], ground: Ground) -> Days:
    year, number = _year(_group(match, "y"), ground), _group(match, "h")
    half = int(number) if number else (1 if match["ord"].casefold() in ("first", "1st") else 2)
    return _months(year, 6 * half - 5, 6 * half) if year is not None else None


def _fiscal(year: int, first: int, count: int, ground: Ground) -> Days:
    """`count` months of a fiscal year from its month `first` (0 is its beginning)."""
    begin = (year - (1 if ground.fiscal_start > 1 else 0)) * 12 + ground.fiscal_start - 1 + first
    end = begin + count - 1
    return _months(begin // 12, begin % 12 + 1, begin % 12 + 1)[0], _months(end // 12, end % 12 + 1, end % 12 + 1)[1]


def _fiscal_quarter(match: re.Match[str], ground: Ground) -> Days:
    year = _year(_group(match, "y"), ground)
    return _fiscal(year, 3 * (_quarter_number(match) - 1), 3, ground) if year is not None else None


def _fiscal_half(match: re.Match[str], ground: Ground) -> Days:
    year, half = _year(_group(match, "y"), ground), _group(match, "h")
    return _fiscal(year, 6 * (int(half or 1) - 1), 6, ground) if year is not None else None


def _fiscal_year(match: re.Match[str], ground: Ground) -> Days:
    year = _year(match["y"], ground)
    return _fiscal(year, 0, 12, ground) if year is not None else None


def _part_year(match: re.Match[str], ground: Ground) -> Days:
    year, part = _year(match["y"], ground), match["part"].casefold()
    if year is None:
        return None
    if part in _SEASONS:
        return _months(year, *_SEASONS[part])
    if part == "winter":
        return dt.date(year, 12, 1), dt.date(year + 1, 2, 28)
    if part.startswith("later"):
        return _months(year, 1, 12)
    if part == "late":
        return _months(year, 7, 12)
    if part.endswith("end of"):
        return _months(year, 10, 12)
    if part in ("start of", "beginning of"):
        return _months(year, 1, 3)
    return _months(year, 4, 9) if part.startswith("mid") else _months(year, 1, 6)


def _years(match: re.Match[str], ground: Ground) -> Days:
    first, last = int(match["y"]), int(match["y2"])
    last = last if last > 100 else first // 100 * 100 + last
    return _months(first, 1, 1)[0], _months(last, 12, 12)[1]


def _season(match: re.Match[str], ground: Ground) -> Days:
    if ground.stated_on is None:
        return None
    shift = {"next": 1, "last": -1}.get(match["rel"].casefold(), 0)
    part = match["part"].casefold()
    if part == "winter":
        return dt.date(ground.stated_on.year + shift, 12, 1), dt.date(ground.stated_on.year + shift + 1, 2, 28)
    return _months(ground.stated_on.year + shift, *_SEASONS[part])


def _weekday(match: re.Match[str], ground: Ground) -> Days:
    if ground.stated_on is None:
        return None
    back = (ground.stated_on.weekday() - _DAYS[match["day"].casefold()]) % 7
    word = match[0].split(" ")[0].casefold()
    day = ground.stated_on - dt.timedelta(days=back or (7 if word == "last" else 0))
    return (day + dt.timedelta(days=7),) * 2 if word == "next" else (day, day)


def _day_month(match: re.Match[str], ground: Ground) -> Days:
    if ground.stated_on is None:
        return None
    return _day(ground.stated_on.year, _month_number(match["mon"]), int(match["d"]))


def _month_alone(match: re.Match[str], ground: Ground) -> Days:
    if ground.stated_on is None or match["mon"] == "may":
        return None
    month = _month_number(match["mon"])
    return _months(
        ground.stated_on.year + {"next": 1, "last": 0}.get(match[0].split(" ")[0].casefold(), 0), month, month
    )


def _relative(match: re.Match[str], ground: Ground) -> Days:
    shift = {"next": 1, "the coming": 1, "last": -1}.get(match["rel"].casefold(), 0)
    return _shifted(ground.stated_on, match["what"].casefold(), shift)


def _ago(match: re.Match[str], ground: Ground) -> Days:
    number = match["n"].casefold()
    return _shifted(ground.stated_on, match["what"].casefold(), -(_COUNTS.get(number) or int(number)))


def _ahead(match: re.Match[str], ground: Ground) -> Days:
    number = match["n"].casefold()
    return _shifted(ground.stated_on, match["what"].casefold(), _COUNTS.get(number) or int(number))


def _shifted(day: dt.date | None, what: str, shift: int) -> Days:
    if day is None:
        return None
    if what == "year":
        return _months(day.year + shift, 1, 12)
    if what == "quarter":
        at = day.year * 4 + (day.month - 1) // 3 + shift
        return _months(at // 4, at % 4 * 3 + 1, at % 4 * 3 + 3)
    if what == "month":
        at = day.year * 12 + day.month - 1 + shift
        return _months(at // 12, at % 12 + 1, at % 12 + 1)
    monday = day - dt.timedelta(days=day.weekday()) + dt.timedelta(weeks=shift)
    if what == "day":
        return (day + dt.timedelta(days=shift),) * 2
    return monday, monday + dt.timedelta(days=6)


def _today(match: re.Match[str], ground: Ground) -> Days:
    shift = {"yesterday": -1, "tomorrow": 1}.get(match[0].casefold(), 0)
    return _shifted(ground.stated_on, "day", shift)


def _plain_year(match: re.Match[str], ground: Ground) -> Days:
    return _months(int(match["y"]), 1, 12)


READERS: Mapping[str, Callable[[re.Match[str], Ground], Days]] = {
    "iso_day": _full_day, "day_month_year": _full_day, "month_day_year": _full_day, "part_month_year": _month_of_year,
    "month_year": _month_of_year, "iso_month": _month_of_year, "fiscal_quarter": _fiscal_quarter,
    "fiscal_half": _fiscal_half, "fiscal_year": _fiscal_year, "quarters": _quarters, "quarter": _quarter, "half": _half,
    "part_year": _part_year, "years": _years, "season": _season, "weekday": _weekday, "day_month": _day_month,
    "relative": _relative, "ago": _ago, "ahead": _ahead, "today": _today, "month": _month_alone, "year": _plain_year,
}  # fmt: skip
