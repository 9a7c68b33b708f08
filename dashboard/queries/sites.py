"""SQL of the page on sites and chip sales, as known on a day."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pandas as pd

from dashboard.queries import Ledger
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


def timeline(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Milestones of each site as its newest look by a day tells them."""
    return ledger.frame(SQL["timeline"], (day,))


def owners(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Each site with its owners, the first of them by id."""
    return ledger.frame(SQL["owners"], (day,))


def sales(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Estimated chips sold by maker and calendar quarter."""
    return ledger.frame(SQL["sales"], (day, day))
