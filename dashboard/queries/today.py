"""SQL of the first page: what is new since a day, and a few figures that sum up."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pandas as pd

from dashboard.queries import Ledger, first_row
from warehouse.answers import news
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


def changes(ledger: Ledger, kind: str, since: dt.date) -> pd.DataFrame:
    """What is new from a day to the day of the build: `claims`, `rounds`, `revisions`, `renames` or `conflicts`."""
    return ledger.frame(news.SQL[kind], (since, ledger.built_at.date()))


def price_moves(ledger: Ledger, since: dt.date) -> pd.DataFrame:
    """Median on-demand prices by source: the first day since a day against the last, thin panels left out."""
    return ledger.frame(SQL["price_moves"], (since,))


def headline(ledger: Ledger) -> dict[str, Any]:
    """A few figures for the tiles, each with what leads to its evidence."""
    return first_row(ledger.frame(SQL["headline"]))


def densest(ledger: Ledger) -> pd.DataFrame:
    """The largest power per rack that is shipping or measured, and the largest that is announced; each a claim."""
    return ledger.frame(SQL["densest"])


def hour_price(ledger: Ledger, model: str) -> pd.DataFrame:
    """The newest on-demand median of an accelerator that is not thin, by the source with most providers."""
    return ledger.frame(SQL["hour_price"], (model,))
