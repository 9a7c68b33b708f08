"""SQL of the page on prices: medians over time by accelerator, and the offers behind them."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pandas as pd

from dashboard.queries import Ledger
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


def offered(ledger: Ledger) -> pd.DataFrame:
    """Which accelerators, kinds of price, sources and layers have prices, the most offers first."""
    return ledger.frame(SQL["offered"])


def series(ledger: Ledger, model: str, price_type: str, layers: tuple[str, ...], day: dt.date) -> pd.DataFrame:
    """One accelerator's prices of one kind up to a day, by source and layer; thin days are kept and marked."""
    return ledger.frame(SQL["series"], (model, price_type, layers, day))


def offers(ledger: Ledger, model: str, price_type: str, day: dt.date) -> pd.DataFrame:
    """Offers of an accelerator and kind of price that were listed at the last look by a day, cheapest first."""
    return ledger.frame(SQL["offers"], (model, price_type, day, day))


def neocloud_offers(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """On-demand offers of neoclouds that were listed at the last look by a day, cheapest first."""
    return ledger.frame(SQL["neocloud_offers"], (day, day))


def neocloud_medians(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Median on-demand price of neoclouds up to a day by accelerator and source, of days that are not thin."""
    return ledger.frame(SQL["neocloud_medians"], (day,))
