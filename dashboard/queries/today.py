"""Rows of the first page's findings, of what happened, and of what was read late."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dashboard.queries import Ledger
from warehouse.statements import statements

SQL = statements(Path(__file__).with_name("today.sql"))
Rows = Sequence[Mapping[str, Any]]


def rows(ledger: Ledger, name: str, day: dt.date) -> Rows:
    """The rows of a query of the first page as known on a day: each of its parameters is the day."""
    return ledger.records(SQL[name], (day,) * SQL[name].count("?"))


def newest_generation(ledger: Ledger, day: dt.date) -> Mapping[str, Any] | None:
    """The newest generation that at least five organisations have."""
    found = rows(ledger, "newest_generation", day)
    return found[0] if found else None


def events(ledger: Ledger, day: dt.date) -> Rows:
    """What happened up to a day, newest first, within a day the most surprising first."""
    return rows(ledger, "events", day)


def read_late(ledger: Ledger, day: dt.date) -> Rows:
    """Adoptions that were first seen in the week before a day and happened at an unknown day before."""
    return rows(ledger, "read_late", day)
