"""SQL of the pages on the data itself: tables, columns, and the version."""

from __future__ import annotations

import pandas as pd

from dashboard.queries import Ledger

ALL_OF = "FROM {table} LIMIT 100"
ATTACH = """import duckdb

duckdb.sql("ATTACH '{base}files/{version}/rackledger.duckdb' AS rackledger (READ_ONLY)")
duckdb.sql("FROM rackledger.meta.tables").show()"""


def described_tables(ledger: Ledger) -> pd.DataFrame:
    """Every table with what it answers, its grain and its number of rows."""
    return ledger.frame(
        """SELECT "table", title, says, grain, cannot_tell, row_count FROM meta.tables
           ORDER BY array_position(['marts', 'facts', 'evidence', 'registry'], split_part("table", '.', 1)), 1"""
    )


def described_columns(ledger: Ledger, words: str = "", table: str = "") -> pd.DataFrame:
    """Columns whose table, name, meaning or unit holds every one of the words, of one table or of all."""
    asked = [f"%{_literal(word)}%" for word in words.lower().split()]
    clauses = ["""lower("table" || ' ' || "column" || ' ' || says || ' ' || unit) LIKE ? ESCAPE '!'""" for _ in asked]
    if table:
        clauses.append('"table" = ?')
    where = f"WHERE {' AND '.join(clauses)}" if clauses else ""
    return ledger.frame(
        f"""SELECT "table", "column", data_type, says, unit FROM meta.columns {where}
            ORDER BY "table", position""",  # noqa: S608 - the words are parameters
        (*asked, *([table] if table else [])),
    )


def _literal(word: str) -> str:
    """A word for LIKE: its wildcards stand for themselves."""
    return word.replace("!", "!!").replace("%", "!%").replace("_", "!_")
