"""SQL of the readings that wait for a person: all of them, and those of one thing."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pandas as pd

from dashboard.queries import Ledger
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


def queue(ledger: Ledger) -> pd.DataFrame:
    """The readings that wait, those first whose decision is worth most."""
    return ledger.frame(SQL["queue"])


def waiting(ledger: Ledger, ids: list[str], day: dt.date) -> list[dict[str, Any]]:
    """The readings of a thing that wait and were known by a day, the surest first."""
    return ledger.records(SQL["waiting"], (ids, day))
