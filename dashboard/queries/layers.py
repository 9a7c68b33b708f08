"""SQL of the page on who has it, as known on a day: service by layer, ages, lags, stock and revenue."""

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


def first_adoptions(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """The first time that each organisation is known to have had each generation, benchmarks too."""
    return ledger.frame(SQL["first_adoptions"], (day,))


def ages(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Age at adoption by layer and generation, as told at the last end of a quarter by a day (`known_on`)."""
    return ledger.frame(SQL["ages"], (day,))


def thesis(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Lags between layers as told at the last end of a quarter by a day, over all generations first."""
    return ledger.frame(SQL["thesis"], (day,))


def verdict(ledger: Ledger, day: dt.date) -> str:
    """The answer on ageing in words, as told at the last end of a quarter by a day; '' before the first."""
    frame = ledger.frame(SQL["verdict"], (day,))
    return "" if frame.empty else str(frame["sentence"].iloc[0])


def stock(ledger: Ledger, measure: str, day: dt.date) -> pd.DataFrame:
    """Estimated chips by owner, generation and quarter, as published by a day."""
    return ledger.frame(SQL["stock"], (day, measure))


def revenue_split(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Audited revenue by segment and quarter, as filed by a day."""
    return ledger.frame(SQL["revenue_split"], (day,))
