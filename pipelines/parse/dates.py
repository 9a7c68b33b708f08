"""Published dates: reading one date as written, from a URL's path, and from running text. No clock: bounds come in.

A numeric date whose day and month cannot be told apart (03/04/2025) is no date here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from email.utils import parsedate_to_datetime

from pipelines.model.document import DateBasis

FIRST_YEAR = 1990

_MONTH_NAMES = (
    "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
    "september sep sept", "october oct", "november nov", "december dec",
)  # fmt: skip
_MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()}
_MONTH = "(" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\.?"
_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)-(\d\d?)-(\d\d?)(?!\d)")
_SLASHED_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)[/.](\d\d?)[/.](\d\d?)(?!\d)")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)(\d\d)(\d\d)(?!\d)")
_MONTH_FIRST = re.compile(rf"\b{_MONTH}\s+(\d\d?)(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)\b", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"\b(\d\d?)(?:st|nd|rd|th)?\.?[\s\-]+{_MONTH},?[\s\-]+((?:19|20)\d\d)\b", re.IGNORECASE)
_NUMERIC = re.compile(r"(?<!\d)(\d\d?)([/.\-])(\d\d?)\2((?:19|20)\d\d)(?!\d)")
_CJK = re.compile(r"((?:19|20)\d\d)\s*年\s*(\d\d?)\s*月\s*(\d\d?)\s*日")
_URL_DATE = re.compile(r"(?<!\d)((?:19|20)\d\d)[/\-_](\d\d?)[/\-_](\d\d?)(?!\d)")
_URL_COMPACT = re.compile(r"(?<![\d.])((?:19|20)\d\d)(\d\d)(\d\d)(?!\d)")
_LONGEST = 120


def read_date(text: str | None) -> date | None:
    """The date that a field states: ISO 8601, RFC 2822, or written with a month's name; None where it states none."""
    if text is None:
        return None
    text = text.strip()[:_LONGEST]
    found = find_date(text) or _match_compact(text)
    if found is not None or not text[:1].isalpha():
        return found
    try:
        return parsedate_to_datetime(text).date()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def find_date(text: str) -> date | None:
    """The first full date in running text, or None."""
    best: tuple[int, date] | None = None
    for pattern, order in (
        (_ISO, "ymd"),
        (_MONTH_FIRST, "mdy"),
        (_DAY_FIRST, "dmy"),
        (_SLASHED_ISO, "ymd"),
        (_NUMERIC, "n"),
        (_CJK, "ymd"),
    ):
        for match in pattern.finditer(text):
            found = _numeric(match) if order == "n" else _from_parts(match, order)
            if found is not None:
                if best is None or match.start() < best[0]:
                    best = (match.start(), found)
                break
    return best[1] if best is not None else None


def date_in_url(url: str | None) -> date | None:
    """The date in a URL's path (/2025/03/18/, -2025-03-18-, 20250318), or None."""
    if url is None:
        return None
    path = url.split("://", 1)[-1].partition("/")[2].split("?", 1)[0].split("#", 1)[0]
    for pattern in (_URL_DATE, _URL_COMPACT):
        for match in pattern.finditer(path):
            found = _from_parts(match, "ymd")
            if found is not None:
                return found
    return None


def is_plausible(found: date, latest: date) -> bool:
    """Whether a document can have been published that day: since FIRST_YEAR and not after `latest`."""
    return found.year >= FIRST_YEAR and found <= latest


def first_plausible(stated: Iterable[tuple[date | None, DateBasis]], latest: date) -> tuple[date | None, DateBasis]:
    """The first of these dates that a document can have been published on, and what it rests on."""
    for found, basis in stated:
        if found is not None and is_plausible(found, latest):
            return found, basis
    return None, DateBasis.NONE


def _match_compact(text: str) -> date | None:
    match = _COMPACT.match(text)
    return _from_parts(match, "ymd") if match is not None else None


def _from_parts(match: re.Match[str], order: str) -> date | None:
    parts = dict(zip(order, match.groups(), strict=True))
    month = parts["m"].lower()
    return _make(int(parts["y"]), _MONTHS.get(month) or int(month), int(parts["d"]))


def _numeric(match: re.Match[str]) -> date | None:
    """Day, month and year in figures: with dots the day is first, else only where one of them exceeds 12."""
    first, separator, second, year = match.groups()
    one, two = int(first), int(second)
    if separator == "." or one > 12:
        return _make(int(year), two, one)
    if two > 12 or one == two:
        return _make(int(year), one, two)
    return None


def _make(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
