"""Dates as the registry writes them: '2024', '2024-06' or '2024-06-12', the precision being what is written."""

from __future__ import annotations

import datetime as dt
from typing import Literal

Precision = Literal["day", "month", "year"]


def first_day(partial: str) -> dt.date:
    """First day of the period that '2024', '2024-06' or '2024-06-12' names."""
    return dt.date.fromisoformat((partial + "-01-01")[:10])


def last_day(partial: str) -> dt.date:
    """Last day of the period that '2024', '2024-06' or '2024-06-12' names."""
    start = first_day(partial)
    match precision_of(partial):
        case "day":
            return start
        case "month":
            return (start.replace(day=28) + dt.timedelta(days=4)).replace(day=1) - dt.timedelta(days=1)
        case "year":
            return dt.date(start.year, 12, 31)


def precision_of(partial: str) -> Precision:
    """How much of a date is written."""
    if len(partial) == len("2024"):
        return "year"
    return "month" if len(partial) == len("2024-06") else "day"
