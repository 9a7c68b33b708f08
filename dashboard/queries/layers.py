"""SQL of the page on stratification: observations by layer, ages, lags and stock, as known on a day."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pandas as pd

from dashboard.queries import Ledger
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


def observations(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Every observation up to a day."""
    return ledger.frame(SQL["observations"], (day,))


def ages(ledger: Ledger) -> pd.DataFrame:
    """Age at adoption by layer and generation, as the record stands now."""
    return ledger.frame(SQL["ages"])


def thesis(ledger: Ledger) -> pd.DataFrame:
    """Lags between layers as the record stands now, over all generations first."""
    return ledger.frame(SQL["thesis"])


def verdict(ledger: Ledger) -> str:
    """The answer on ageing in words."""
    frame = ledger.frame(SQL["verdict"])
    return "" if frame.empty else str(frame["sentence"].iloc[0])


def stock(ledger: Ledger, measure: str) -> pd.DataFrame:
    """Estimated chips by owner, generation and quarter."""
    return ledger.frame(SQL["stock"], (measure,))


def revenue_split(ledger: Ledger) -> pd.DataFrame:
    """Audited revenue by segment and quarter."""
    return ledger.frame(SQL["revenue_split"])
