"""The pages on the data itself: how to attach a version, and the columns that hold some words."""

from __future__ import annotations

import pandas as pd

from dashboard.queries import Ledger

ATTACH = """import duckdb

duckdb.sql("ATTACH '{base}files/{version}/rackledger.duckdb' AS rackledger (READ_ONLY)")
duckdb.sql("FROM rackledger.meta.tables").show()"""
ALL_OF = "FROM {table} LIMIT 100"


def described_columns(ledger: Ledger, words: str = "", table: str = "") -> pd.DataFrame:
    """Columns whose table, name, meaning or unit holds every one of the words, of one table or of all."""
    return ledger.frame_of("catalog.described_columns", words=words.lower().split(), table=table)
