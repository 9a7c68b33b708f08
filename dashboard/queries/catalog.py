"""SQL of the pages on the data itself: tables, columns, and the version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from dashboard.queries import Ledger
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))

ATTACH = """import duckdb

duckdb.sql("ATTACH '{base}files/{version}/rackledger.duckdb' AS rackledger (READ_ONLY)")
duckdb.sql("FROM rackledger.meta.tables").show()"""
ALL_OF = "FROM {table} LIMIT 100"


def metrics(ledger: Ledger) -> list[dict[str, Any]]:
    """What a claim may be about: title, unit, words and what it must say."""
    return ledger.records(SQL["metrics"])


def described_tables(ledger: Ledger) -> pd.DataFrame:
    """Every table with what it answers, its grain and its number of rows."""
    return ledger.frame(SQL["described_tables"])


def described_columns(ledger: Ledger, words: str = "", table: str = "") -> pd.DataFrame:
    """Columns whose table, name, meaning or unit holds every one of the words, of one table or of all."""
    return ledger.frame(SQL["described_columns"], (tuple(words.lower().split()), table, table))
