"""A mart stands for its own as-of form on the newest day, and only there."""

from __future__ import annotations

import datetime as dt

from dashboard.queries import whole_marts

NEWEST, EARLIER = dt.date(2026, 11, 22), dt.date(2025, 1, 1)
SQL = "SELECT x = ? FROM marts.density_as_of(?) AS d WHERE d.y IN (SELECT y FROM marts.sheets_as_of(?)) AND z = ?"


def test_on_the_newest_day_the_marts_themselves_are_asked() -> None:
    asked = "SELECT x = ? FROM marts.density AS d WHERE d.y IN (SELECT y FROM marts.sheets) AND z = ?"
    assert whole_marts(SQL, ("a", NEWEST, NEWEST, "b"), NEWEST) == (asked, ("a", "b"))


def test_on_an_earlier_day_the_query_stays() -> None:
    assert whole_marts(SQL, ("a", EARLIER, EARLIER, "b"), NEWEST) == (SQL, ("a", EARLIER, EARLIER, "b"))
