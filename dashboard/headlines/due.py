"""Which promises on chips and racks fall due and which are past due: one count for every page. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from dashboard.headlines import words

Row = Mapping[Any, Any]
KINDS = {"accelerator", "system", "network", "generation"}
STANDING, OVERDUE = {"promised", "confirmed", "revised"}, "overdue"


def end_of(row: Row) -> dt.date | None:
    """The last day of the window that stands."""
    return words.day_of(row["latest_end"]) or words.day_of(row["first_end"])


def quarter_end(day: dt.date) -> dt.date:
    """The last day of the quarter that a day is in."""
    month = 3 * ((day.month - 1) // 3) + 3
    return (dt.date(day.year, month, 28) + dt.timedelta(days=4)).replace(day=1) - dt.timedelta(days=1)


def coming(milestones: Iterable[Row], day: dt.date) -> list[Row]:
    """Standing promises on chips and racks whose window ends by the end of this quarter."""
    return [
        row
        for row in milestones
        if row["subject_kind"] in KINDS
        and row["state"] in STANDING
        and (end := end_of(row)) is not None
        and day <= end <= quarter_end(day)
    ]


def past(milestones: Iterable[Row]) -> list[Row]:
    """Promises on chips and racks whose window is over, with no outcome on record."""
    return [row for row in milestones if row["subject_kind"] in KINDS and row["state"] == OVERDUE]
