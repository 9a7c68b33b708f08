"""A published warehouse whose free texts are hostile, for a test of any page."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb

from tests.hostile import STRINGS


def plant(published: Path, target: Path, columns: Mapping[str, Sequence[str]]) -> Path:
    """A copy of a published file with the strings in the named text columns of the named tables, in turn over the rows.

    Lists of text get one string each. Name columns that hold outside text; ids and codes hold the pages together.
    """
    shutil.copyfile(published, target)
    with duckdb.connect(str(target)) as connection:
        for table, names in columns.items():
            replaced = ", ".join(
                f'{_planted(connection, table, name, shift)} AS "{name}"' for shift, name in enumerate(names)
            )
            # Made anew, since the table's own constraints would keep some of the strings out.
            connection.execute("SET VARIABLE strings = $1::VARCHAR[]", [list(STRINGS)])
            connection.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT * REPLACE ({replaced}) FROM {table}")
    return target


def _planted(connection: duckdb.DuckDBPyConnection, table: str, name: str, shift: int) -> str:
    found = connection.execute(
        """SELECT data_type FROM duckdb_columns() WHERE schema_name || '.' || table_name = ? AND column_name = ?""",
        [table, name],
    ).fetchone()
    assert found is not None, f"{table} has no column {name}"
    chosen = f"getvariable('strings')[1 + (rowid + {7 * shift}) % {len(STRINGS)}]"
    return f"[{chosen}]" if found[0].endswith("[]") else chosen
