"""Database files that are written whole or thrown away: without the log from which DuckDB mends one after a crash.

With the log every statement waits for the disk, and what is written is written twice.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

NAME = "writing"  # of the database among those that are attached
# Of the rows of a table so many are packed together. What is added to a table has its last group packed anew, so a day
# costs what a group does, however long the table is; DuckDB's 122,880 are years of captures.
ROWS_PACKED = 16_384
WRITTEN_AT_ONCE = (
    "256MB"  # so much stands in memory, or spilled, before it goes to the file; DuckDB's 16 is twice a day
)
# The oldest DuckDB whose form the file has. DuckDB's own choice is older, with statistics that are translated each time
# that a file is opened.
READ_SINCE = "v1.4.0"
# Bytes that a small table takes at least. DuckDB's 262,144 make a file of a hundred small ones nearly twice as large.
BLOCK = 32_768


def open_unlogged(path: Path, **config: str | int) -> duckdb.DuckDBPyConnection:
    """A connection whose statements write to this file; what it holds stands there once the connection is closed."""
    connection = duckdb.connect(config={"checkpoint_threshold": WRITTEN_AT_ONCE, **config})
    attach_unlogged(connection, path, NAME)
    connection.execute(f"USE {NAME}")
    return connection


def attach_unlogged(connection: duckdb.DuckDBPyConnection, path: Path, name: str) -> None:
    """Attach a file to be written under this name."""
    quoted = str(path).replace("'", "''")
    form = f"ROW_GROUP_SIZE {ROWS_PACKED}, STORAGE_VERSION '{READ_SINCE}'"
    if not path.exists():  # one that exists keeps its blocks
        form += f", BLOCK_SIZE {BLOCK}"
    connection.execute(f"ATTACH '{quoted}' AS {name} (RECOVERY_MODE 'no_wal_writes', {form})")
