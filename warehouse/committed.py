"""Committed facts, `warehouse/facts/NAME.csv` or `.parquet` → `committed_NAME`.

Those of a table of the lake have its columns; any other declares them beside its SQL:

    committed:
      promises:
        ref: VARCHAR NOT NULL
        stated_on: DATE

A column with LATER came after the first files: in one that lacks it, it is empty. A row with an empty cell that may not
be empty, or one that does not fit its type, is refused by file, row and column; the rest is kept. The table stands with
its types where there is no file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import duckdb

from pipelines.problems import Problem, Reason

NOT_NULL, LATER = " NOT NULL", " LATER"
_NUMBER = "row_number"


def stage_facts(
    connection: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, str], facts: Path
) -> list[Problem]:
    """Create `committed_NAME` from the file of that name; returns what was refused."""
    later = [column for column, kind in columns.items() if kind.endswith(LATER)]
    columns = {column: kind.removesuffix(LATER) for column, kind in columns.items()}
    types = {column: kind.removesuffix(NOT_NULL) for column, kind in columns.items()}
    declared = ", ".join(f'"{column}" {kind}' for column, kind in types.items())
    path = next((path for s in (".csv", ".parquet") if (path := facts / f"{name}{s}").exists()), None)
    if path is not None and path.suffix == ".parquet" and _is_whole(connection, path, columns):
        names = ", ".join(f'"{column}"' for column in columns)
        connection.execute(f"CREATE TEMP VIEW committed_{name} AS SELECT {names} FROM {_file(path)}")  # noqa: S608 - our own file
        return []
    connection.execute(f"CREATE TEMP TABLE committed_{name} ({declared})")
    if path is None:
        return []
    try:
        # as written: cells of a CSV file are text, an empty one is NULL
        rows = f"SELECT *, row_number() OVER () AS {_NUMBER} FROM {_file(path)}"  # noqa: S608 - our own file
        connection.execute(f"CREATE OR REPLACE TEMP TABLE written AS {rows}")
    except duckdb.Error as error:
        return [_refused(path, "file", f"cannot be read: {str(error).splitlines()[0]}")]
    found = {str(row[0]) for row in connection.execute("DESCRIBE written").fetchall()} - {_NUMBER}
    for column in sorted(set(later) - found):
        connection.execute(f'ALTER TABLE written ADD COLUMN "{column}" VARCHAR')
        found.add(column)
    if found != set(columns):
        missing, unknown = (
            ", ".join(sorted(names)) or "none" for names in (set(columns) - found, found - set(columns))
        )
        return [_refused(path, "header", f"columns missing: {missing}; unknown: {unknown}")]
    faults = f"concat_ws('; ', {', '.join(_fault(column, kind) for column, kind in columns.items())})"
    cast = ", ".join(f'"{column}"::{kind} AS "{column}"' for column, kind in types.items())
    connection.execute(f"INSERT INTO committed_{name} SELECT {cast} FROM written WHERE {faults} = ''")  # noqa: S608 - our own declarations
    odd = connection.execute(f"SELECT {_NUMBER}, {faults} AS fault FROM written WHERE fault <> '' ORDER BY 1")  # noqa: S608
    return [_refused(path, f"row {number}", detail) for number, detail in odd.fetchall()]


def _is_whole(connection: duckdb.DuckDBPyConnection, path: Path, columns: Mapping[str, str]) -> bool:
    """Whether a file has the declared columns and types and nothing empty that may not be: it is read where it lies."""
    try:
        found = {str(row[0]): str(row[1]) for row in connection.execute(f"DESCRIBE FROM {_file(path)}").fetchall()}
        if found != {column: kind.removesuffix(NOT_NULL) for column, kind in columns.items()}:
            return False
        filled = [
            f"coalesce(\"{column}\"::VARCHAR, '') = ''" for column, kind in columns.items() if kind.endswith(NOT_NULL)
        ]
        empty = f"SELECT 1 FROM {_file(path)} WHERE {' OR '.join(filled) or 'false'} LIMIT 1"  # noqa: S608 - our own declarations
        return connection.execute(empty).fetchone() is None
    except duckdb.Error:
        return False  # a damaged file: the reading says what is wrong


def _file(path: Path) -> str:
    quoted = str(path).replace("'", "''")
    if path.suffix == ".csv":
        return f"read_csv('{quoted}', header = true, all_varchar = true, nullstr = '')"
    return f"read_parquet('{quoted}')"


def _fault(column: str, kind: str) -> str:
    """What is wrong with a row's cell, as SQL; NULL where nothing is."""
    bare, name = kind.removesuffix(NOT_NULL), column.replace("'", "''")
    unfit = f"""WHEN "{column}" IS NOT NULL AND try_cast("{column}" AS {bare}) IS NULL
                THEN '{name}: ' || "{column}"::VARCHAR || ' is no {bare.replace("'", "''")}'"""
    empty = f"WHEN coalesce(\"{column}\"::VARCHAR, '') = '' THEN 'no {name}'" if kind.endswith(NOT_NULL) else ""
    return f"CASE {empty} {unfit} END"


def _refused(path: Path, place: str, detail: str) -> Problem:
    return Problem("committed_facts", path.name, place, Reason.FACT_REFUSED, detail, is_fatal=True)
