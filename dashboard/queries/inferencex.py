"""SQL of the page on InferenceX runs, as known on a day."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pandas as pd

from dashboard.queries import Ledger
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


def offered(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Models and lengths of question and answer that were run, the newest first."""
    return ledger.frame(SQL["offered"], (day,))


def runs(ledger: Ledger, model: str, lengths: tuple[int, int], day: dt.date) -> pd.DataFrame:
    """Runs of one model with one length of question and answer."""
    return ledger.frame(SQL["runs"], (model, *lengths, day))
