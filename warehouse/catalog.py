"""The lake's tables in a DuckLake catalog, beside the lake: for readers elsewhere, several writers, and time travel.

Steps know nothing of it. After a build the partitions that changed are put into the catalog, each in one transaction,
so that two writers that add at once lose nothing. A partition belongs to the writer that put it there last; what a
writer's lake does not hold any more goes, what others put there stays.
"""

from __future__ import annotations

import importlib.resources
import random
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from pipelines.frozen import frozen
from pipelines.lake import Lake
from pipelines.model.lake_tables import LAKE_TABLES
from pipelines.model.mlperf import lake_folder

SCHEMA = "shared"
TRIES = 20  # of one transaction that others get in the way of
_OTHERS = re.compile("conflict|already exists|duplicate key", re.IGNORECASE)  # another writer was first
HELD = "table_name VARCHAR, partition VARCHAR, made_of VARCHAR, writer VARCHAR"


class CatalogError(Exception):
    """The catalog could not be opened or written; says which and why."""


@frozen
class Shared:
    """How many partitions were put into the catalog, and how many taken out."""

    put: int
    removed: int


@contextmanager
def opened(catalog: str, data: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection with the catalog as the schema `shared`. `catalog` is a file or `postgres:dbname=… host=…`.

    Raises CatalogError. The extension is that of the installed wheel: nothing is loaded from the network.
    """
    connection = duckdb.connect(config={"autoinstall_known_extensions": False})
    try:
        for name in ("ducklake", *(["postgres_scanner"] if catalog.startswith("postgres:") else [])):
            connection.execute(f"LOAD '{_extension(name)}'")
        place, files = (text.replace("'", "''") for text in (catalog, str(data)))
        _in_one(connection, [(f"ATTACH 'ducklake:{place}' AS {SCHEMA} (DATA_PATH '{files}')", [])])
        yield connection
    except duckdb.Error as error:
        raise CatalogError(f"the catalog {catalog.split(' ')[0]} cannot be used: {error}") from error
    finally:
        connection.close()


def share(lake: Lake, catalog: str, data: Path, writer: str = "") -> Shared:
    """Put the partitions of the lake that the catalog does not hold as they are into it. Raises CatalogError."""
    writer = writer or f"{socket.gethostname()}:{lake.root.resolve()}"
    put = 0
    with opened(catalog, data) as connection:
        _in_one(connection, [(f"CREATE TABLE IF NOT EXISTS {SCHEMA}.partitions ({HELD})", [])])
        rows = connection.execute(f"SELECT table_name, partition, made_of, writer FROM {SCHEMA}.partitions").fetchall()  # noqa: S608
        held = {(str(table), str(name)): (str(made_of), str(by)) for table, name, made_of, by in rows}
        here = _partitions(lake)
        for (table, name), (files, made_of) in here.items():
            if held.get((table, name), ("", ""))[0] != made_of:
                _put(connection, table, name, files, made_of, writer)
                put += 1
        gone = [key for key, (_, by) in held.items() if by == writer and key not in here]
        for table, name in gone:
            _in_one(connection, _without(table, name))
    return Shared(put, len(gone))


def _partitions(lake: Lake) -> dict[tuple[str, str], tuple[list[Path], str]]:
    """The files of each partition by table and name, and what it was made from."""
    return {
        (table, name): (lake.files(folder, name), lake.state(folder, name))
        for table in LAKE_TABLES
        for folder in [lake_folder(table)]
        for name in lake.partitions(folder)
    }


def _put(
    connection: duckdb.DuckDBPyConnection, table: str, name: str, files: list[Path], made_of: str, writer: str
) -> None:
    """Replace one partition. A column that the catalog's table lacks is added first."""
    listed = ", ".join("'" + str(file).replace("'", "''") + "'" for file in files)
    rows = f"SELECT '{name}' AS partition, * FROM read_parquet([{listed}])"  # noqa: S608
    _in_one(connection, [(f"CREATE TABLE IF NOT EXISTS {SCHEMA}.{table} AS {rows} LIMIT 0", [])])
    known = {row[0] for row in connection.execute(f"DESCRIBE {SCHEMA}.{table}").fetchall()}
    described = connection.execute(f"DESCRIBE {rows}").fetchall()
    more: list[tuple[str, list[str]]] = [
        (f'ALTER TABLE {SCHEMA}.{table} ADD COLUMN IF NOT EXISTS "{column}" {kind}', [])
        for column, kind, *_ in described
        if column not in known
    ]
    adding: list[tuple[str, list[str]]] = [
        (f"INSERT INTO {SCHEMA}.{table} BY NAME {rows}", []),
        (f"INSERT INTO {SCHEMA}.partitions VALUES (?, ?, ?, ?)", [table, name, made_of, writer]),  # noqa: S608
    ]
    _in_one(connection, [*more, *_without(table, name), *adding])


def _without(table: str, name: str) -> list[tuple[str, list[str]]]:
    """The statements that take a partition out."""
    return [
        (f"DELETE FROM {SCHEMA}.{table} WHERE partition = ?", [name]),  # noqa: S608
        (f"DELETE FROM {SCHEMA}.partitions WHERE table_name = ? AND partition = ?", [table, name]),  # noqa: S608
    ]


def _in_one(connection: duckdb.DuckDBPyConnection, statements: list[tuple[str, list[str]]]) -> None:
    """Run statements in one transaction, again where another writer's came in between. Raises duckdb.Error."""
    for left in reversed(range(TRIES)):
        connection.execute("BEGIN")
        try:
            for text, values in statements:
                connection.execute(text, values)
            connection.execute("COMMIT")
        except duckdb.Error as error:
            with suppress(duckdb.TransactionException):  # a COMMIT that failed has ended it
                connection.execute("ROLLBACK")
            if not left or not _OTHERS.search(str(error)):
                raise
            time.sleep(random.uniform(0.02, 0.3))  # noqa: S311 - two writers that wait equally long meet again
        else:
            return


def _extension(name: str) -> Path:
    """The extension's file in its wheel, for this very version of DuckDB. Raises CatalogError."""
    try:
        folder = Path(str(importlib.resources.files(f"duckdb_extension_{name}"))) / "extensions"
    except ModuleNotFoundError as error:
        raise CatalogError(f'{error.name} is not installed: pip install "rackledger[ducklake]"') from error
    path = folder / f"v{duckdb.__version__}" / f"{name}.duckdb_extension"
    if not path.is_file():
        made_for = ", ".join(sorted(found.name for found in folder.iterdir())) or "none"
        raise CatalogError(f"DuckDB is {duckdb.__version__}, its extension {name} is made for {made_for}")
    return path
