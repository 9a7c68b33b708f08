"""SQL of the page of readings that wait for a person."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from dashboard.queries import Ledger
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


def queue(ledger: Ledger) -> pd.DataFrame:
    """The readings that wait, those first whose decision is worth most."""
    return ledger.frame(SQL["queue"])
