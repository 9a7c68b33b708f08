"""The one way anything opens the published file: read-only, sandboxed, and never a mixed version.

DuckDB keeps one instance per path and process, so a second `duckdb.connect(path)` after a publication would still show
the old file. Here the file is attached to a fresh in-memory instance instead: whoever opens now sees the file that is
in place now, and whoever opened before keeps the version that was opened, whole.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb

from pipelines.frozen import frozen
from warehouse.present import Parameters, of_the_present

# Raised when readers of this version ask for a table or column that files of the version before lack, or that means
# something else there: then they say that a run is due, where they would fail in the middle of a page.
# 2: evidence.attempts.is_ahead, claimant of documents, least_rows and set_aside of evidence.sources.
SCHEMA_VERSION = 2
CATALOG = "rackledger"


class WarehouseMissing(Exception):
    """There is no published file yet; says what to run."""


class WarehouseUnreadable(Exception):
    """The published file is damaged or of another schema version; says what to run."""


class TookTooLong(Exception):
    """A question that went past its time and was ended."""


@frozen
class Publication:
    """The published version: `version` is unique per content and build time (UTC)."""

    version: str
    built_at: Any
    content_hash: str
    schema_version: int


def rows_of(result: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """All rows of a result as dictionaries, column order kept."""
    names = [column[0] for column in result.description or []]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


class Warehouse:
    """A read-only connection to one published version, with file and network access switched off.

    One thread a question: with two most answers come no sooner, those as of a day a fifth sooner, for a fifth to a
    third more of the processors' time, which other visitors may want.

    Raises WarehouseMissing or WarehouseUnreadable on opening.
    """

    def __init__(self, path: Path, *, memory_limit: str = "2GB", threads: int = 1) -> None:
        if not path.exists():
            raise WarehouseMissing(f"There is no warehouse at {path} yet. Run `make run` to build it.")
        self.path = path
        self.connection = duckdb.connect(":memory:")
        try:
            self._attach(memory_limit, threads)
            self.publication = self._read_publication()
            self._tables = self._read_tables()
        except duckdb.Error as error:
            self.connection.close()
            raise WarehouseUnreadable(
                f"The warehouse at {path} cannot be read ({str(error).splitlines()[0]}). Build it anew: `make run`."
            ) from error
        except WarehouseUnreadable:
            self.connection.close()
            raise

    def _attach(self, memory_limit: str, threads: int) -> None:
        connection = self.connection
        connection.execute("SET enable_progress_bar = false")  # first: on a busy machine any statement may show one
        quoted_limit = memory_limit.replace("'", "''")
        # written out: for a parameter DuckDB loads pandas, which is a third of a short command's time
        connection.execute(f"SET memory_limit = '{quoted_limit}'")
        connection.execute(f"SET threads = {threads:d}")
        connection.execute("SET autoinstall_known_extensions = false")
        connection.execute("SET autoload_known_extensions = false")
        connection.execute("SET temp_directory = ''")  # a reader writes nothing, not even what memory cannot hold
        connection.execute("SET python_enable_replacements = false")  # a name in SQL is never a Python variable
        quoted = str(self.path).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS {CATALOG} (READ_ONLY)")
        connection.execute(f"USE {CATALOG}")
        connection.execute("SET enable_external_access = false")
        connection.execute("SET lock_configuration = true")

    def _read_publication(self) -> Publication:
        row = self.connection.execute(
            "SELECT version, built_at, content_hash, schema_version FROM meta.publication"
        ).fetchone()
        if row is None:
            raise WarehouseUnreadable(
                f"The warehouse at {self.path} names no version. Run `make run` to build it anew."
            )
        if row[3] != SCHEMA_VERSION:
            raise WarehouseUnreadable(
                f"The warehouse at {self.path} has schema {row[3]}, this program reads schema {SCHEMA_VERSION}. "
                "Run `make run` to build it anew."
            )
        return Publication(*row)

    def _read_tables(self) -> frozenset[str]:
        found = self.connection.execute(
            f"SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE database_name = '{CATALOG}'"  # noqa: S608
        )
        return frozenset(name for (name,) in found.fetchall())

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor of its own for another thread; closes with the warehouse."""
        cursor = self.connection.cursor()
        cursor.execute(f"USE {CATALOG}")
        return cursor

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """All rows of a query as dictionaries, column order kept."""
        return rows_of(self.connection.execute(sql, list(parameters)))

    def of_the_present(self, sql: str, parameters: Parameters) -> tuple[str, Parameters]:
        """The query with the tables themselves where it asks as of the day of this version or a later one."""
        return of_the_present(sql, parameters, self.publication.built_at.date(), self._tables)

    def row_counts(self) -> dict[str, int]:
        """How many rows each table has, as the dictionary says."""
        return dict(self.connection.execute('SELECT "table", row_count FROM meta.tables').fetchall())

    def within(self, seconds: float, sql: str, named: Mapping[str, Any]) -> list[dict[str, Any]]:
        """All rows of a query with named parameters, on a cursor of its own. Raises TookTooLong after its time."""
        sql, parameters = self.of_the_present(sql, named)
        cursor = self.cursor()
        timer = threading.Timer(seconds, cursor.interrupt)
        timer.start()
        try:
            return rows_of(cursor.execute(sql, parameters))
        except duckdb.InterruptException:
            raise TookTooLong(f"Stopped after {seconds:g} s, the limit of a question. Ask for less.") from None
        finally:
            timer.cancel()
            cursor.close()

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Warehouse:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
