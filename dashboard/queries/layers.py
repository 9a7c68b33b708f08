"""SQL of the page on who has it: service by layer as known on a day, ages, lags and stock."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pandas as pd

from dashboard.queries import Ledger
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


def service(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """The first time that each organisation had each generation in service; benchmarks do not count."""
    return ledger.frame(SQL["service"], (day, day))


def known(ledger: Ledger, day: dt.date) -> dict[str, int]:
    """How many organisations of each layer the record knows by a day, subsidiaries with their parent."""
    frame = ledger.frame(SQL["known"], (day, day))
    return dict(zip(frame["layer"], frame["organisations"].astype(int), strict=True))


def first_adoptions(ledger: Ledger) -> pd.DataFrame:
    """The first time that each organisation is known to have had each generation, benchmarks too."""
    return ledger.frame(SQL["first_adoptions"])


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
