"""SQL of the catalog: what accelerators and systems there are, and the sheet of each, as known on a day."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pandas as pd

from dashboard.queries import Ledger, first_row
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


def catalog(ledger: Ledger) -> pd.DataFrame:
    """Every accelerator model and system of the registry, with how much is known of it."""
    return ledger.frame(SQL["catalog"])


def cells(ledger: Ledger, subject_ids: tuple[str, ...], day: dt.date) -> pd.DataFrame:
    """The resolved cells of some things, as known on a day; variants of a model count as the model."""
    return ledger.frame(SQL["cells"], (day, subject_ids, subject_ids))


def parts(ledger: Ledger, system_id: str) -> pd.DataFrame:
    """What a system holds."""
    return ledger.frame(SQL["parts"], (system_id,))


def holders(ledger: Ledger, accelerator_id: str) -> pd.DataFrame:
    """Systems that hold an accelerator or a variant of it."""
    return ledger.frame(SQL["holders"], (accelerator_id, accelerator_id))


def names(ledger: Ledger, system_id: str) -> pd.DataFrame:
    """The names a system bore."""
    return ledger.frame(SQL["names"], (system_id,))


def deployments(ledger: Ledger, name: str, subject_id: str) -> pd.DataFrame:
    """Claims that somebody runs it: deployments and clusters with this accelerator or system."""
    return ledger.frame(SQL["deployments"], (subject_id, name, subject_id, name, subject_id))


def benchmarks(ledger: Ledger, accelerator_id: str) -> dict[str, Any]:
    """How often and since when it stands in MLPerf Training."""
    frame = ledger.frame(SQL["benchmarks"], (accelerator_id, accelerator_id))
    return first_row(frame)
