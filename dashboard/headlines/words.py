"""Numbers, spans, ratios and periods as the titles and labels of charts write them. Pure."""

from __future__ import annotations

import datetime as dt
import statistics
from collections.abc import Sequence
from typing import Any

import pandas as pd

from warehouse.answers import claim_words

SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
NEAR, HARDLY = 0.04, 1.1


def number(count: int) -> str:
    """'seven', '13'."""
    return SMALL[count] if 0 <= count < len(SMALL) else f"{count:,}"


def counted(count: int, one: str, many: str = "") -> str:
    """'seven racks', 'one rack'."""
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


def sentence(text: str) -> str:
    """The text with a capital at its head."""
    return text[:1].upper() + text[1:]


def figure(value: float) -> str:
    """Three figures at most, thousands apart: '120', '20.7', '1,180'."""
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 100 or rounded == int(rounded) else f"{rounded:,.3g}"


def median_lateness(least_days: Sequence[float]) -> float | None:
    """The median of what came late: days from the end of the first promised window to the arrival's first possible day.

    The one definition for every page; None where nothing came late.
    """
    return statistics.median(least_days) if least_days else None


def times(ratio: float) -> str:
    """'five times' near a whole number, else '4.3 times'."""
    whole = round(ratio)
    is_whole = whole >= 2 and abs(ratio - whole) <= NEAR * whole
    return f"{number(whole)} times" if is_whole else f"{figure(float(f'{ratio:.2g}'))} times"


def compared(ratio: float, what: str) -> str:
    """'five times GB300 NVL72', 'hardly more than GB300 NVL72'."""
    return f"hardly more than {what}" if ratio < HARDLY else f"{times(ratio)} {what}"


def set_against(says: str, top: pd.Series[Any], others: pd.DataFrame, column: str, name: str) -> str:
    """The sentence, and how the figure of its row stands to that of the first of the others, where there is one."""
    if others.empty:
        return says
    other = others.iloc[0]
    return f"{says}, {compared(float(top[column]) / float(other[column]), str(other[name]))}"


def span(low: float, high: float) -> str:
    """'120', '120 to 145'."""
    return figure(high) if figure(low) == figure(high) else f"{figure(low)} to {figure(high)}"


def month(day: dt.date) -> str:
    """'Dec 2026'."""
    return f"{day:%b %Y}"


def window(start: dt.date, end: dt.date) -> str:
    """A promised period as one says it: 'late 2027', 'early 2028', 'the third quarter of 2026', '2028', 'Aug 2026'."""
    months = (end.year - start.year) * 12 + end.month - start.month + 1
    if months >= 12:
        return str(end.year) if start.year == end.year else f"{start.year} to {end.year}"
    if start.year == end.year and months == 6 and start.month in (1, 7):
        return f"{'early' if start.month == 1 else 'late'} {end.year}"
    if start.year == end.year and months == 3 and start.month % 3 == 1:
        return f"the {('first', 'second', 'third', 'fourth')[start.month // 3]} quarter of {end.year}"
    return month(end)


def day_of(value: object) -> dt.date | None:
    """A date cell; None for what is missing."""
    if value is None or pd.isna(value):  # type: ignore[call-overload]
        return None
    return pd.Timestamp(value).date()  # type: ignore[arg-type]


def listed(names: list[str]) -> str:
    """'a, b and c'."""
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)


def period(start: Any, end: Any) -> str:
    """A period in a sentence: 'the second half of 2027', 'the third quarter of 2026', 'July 2025', '2025'."""
    return spoken(claim_words.period_words(start, end))


def spoken(text: str) -> str:
    """A half, quarter or month in a sentence: 'the third quarter of 2026' of '2026-Q3'; other texts as they are."""
    if "-H" in text and len(text) == 7:
        return f"the {'first' if text[-1] == '1' else 'second'} half of {text[:4]}"
    if "-Q" in text and len(text) == 7:
        return f"the {('first', 'second', 'third', 'fourth')[int(text[-1]) - 1]} quarter of {text[:4]}"
    if len(text) == 7 and text[4] == "-":
        return f"{dt.date.fromisoformat(text + '-01'):%B %Y}"
    return text
