"""Tables that hold the rows of a lake table one by one: a build that goes on adds to them what is new in the lake.

A published file says of each such table what it holds of which file of the lake. Files that are as they were then are
not read again; of the others those rows are added whose key the table lacks, and of partitions that are read whole the
rows that went are removed. That this is all that changed is proved, not assumed: what the table holds under the keys of
the files that were read is what these hold, and beside it as many rows as the files that were not read have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import duckdb

from pipelines.frozen import frozen
from pipelines.lake import Lake, digest
from warehouse.dictionary import Content, content_hash

NEW = "new_parts"  # the variable that holds the files to read
WHOLE = "whole_partitions"  # and the one with the partitions, each as `table/name`, of which all files are read
# table → the lake table that it holds, and the key of its rows
TABLES = {
    "evidence.captures": ("captures", "capture_id"),
    "evidence.documents": ("documents", "capture_id"),
    "evidence.attempts": ("attempts", "run_id"),
}
# rows that are told otherwise than before though the lake is as it was
OUTDATED = {"evidence.attempts": "is_ahead <> (attempted_at > getvariable('built_at') + INTERVAL 1 HOUR)"}


@frozen
class Part:
    """A file of the lake as a table holds it: what it was made from and by, and its rows there."""

    made_of: str
    content: Content


Parts = Mapping[str, Mapping[str, Part]]


class PartTables:
    """The tables of one SQL file that hold lake tables: `held` is what the published ones hold of which file.

    `made_with` changes when the same file may give other rows. The SQL makes of what is to be read, which `NEW` tells,
    a temporary table `new_<lake table>` with the column `file`, and adds from there; `note` looks at it, and drops it.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, lake: Lake, tables: Iterable[str], held: Parts, made_with: str
    ) -> None:
        self._connection = connection
        self.staying = frozenset(name for name in tables if held.get(name) and not self._is_outdated(name))
        self._made_of: dict[str, dict[str, str]] = {}
        self._kept: dict[str, dict[str, Part]] = {}
        new: list[str] = []
        whole: list[str] = []
        for name in sorted({*tables} & TABLES.keys()):
            lake_table, before = TABLES[name][0], held[name] if name in self.staying else {}
            made_of, kept = self._made_of.setdefault(name, {}), self._kept.setdefault(name, {})
            for partition, files in lake.states(lake_table).items():
                made_of |= {path.name: digest(state, made_with) for path, state in files.items()}
                stay = {path.name for path in files if _is_same(before.get(path.name), made_of[path.name])}
                kept |= {file: before[file] for file in stay}
                new += [str(path) for path in files if path.name not in stay]
                whole += [] if stay else [f"{lake_table}/{partition}"]
        connection.execute(f"SET VARIABLE {NEW} = ?::VARCHAR[]", [new])
        connection.execute(f"SET VARIABLE {WHOLE} = ?::VARCHAR[]", [whole])

    def note(self, name: str) -> Mapping[str, Part] | None:
        """What the table, as it stands now, holds of which file; none where rows were set aside.

        Returns None where it stands as published but for what was added, and is not what it would be if made whole.
        """
        lake_table, key = TABLES[name]
        read = self._read(name, f"new_{lake_table}")
        made_of, kept = self._made_of[name], self._kept[name]
        parts = kept | {file: Part(made_of[file], read.get(file, Content())) for file in made_of.keys() - kept.keys()}
        is_whole = content_of(parts).rows == count(self._connection, name)
        if name in self.staying and is_whole:
            among = f"{key} IN (SELECT {key} FROM new_{lake_table})"  # noqa: S608 - constants of this module
            added = content_hash(self._connection, name, among)
            is_whole = added == total(read.values())
        self._connection.execute(f"DROP TABLE new_{lake_table}")
        if is_whole:
            return parts
        return None if name in self.staying else {}

    def _read(self, name: str, read: str) -> dict[str, Content]:
        """The content of what was read of each file, as rows of the table."""
        columns = [str(row[0]) for row in self._connection.execute(f"DESCRIBE {name}").fetchall()]
        cells = ", ".join(f"'{column}': \"{column}\"" for column in columns)
        rows = self._connection.execute(
            f"""SELECT file, count(*), sum(md5_number_lower(text)::HUGEINT), sum(md5_number_upper(text)::HUGEINT)
                FROM (SELECT file, {{{cells}}}::VARCHAR AS text FROM {read}) GROUP BY file"""  # noqa: S608 - our own names
        ).fetchall()
        return {Path(file).name: Content(*map(int, sums)) for file, *sums in rows}

    def _is_outdated(self, name: str) -> bool:
        where = OUTDATED.get(name, "false")
        return self._connection.execute(f"SELECT 1 FROM {name} WHERE {where} LIMIT 1").fetchone() is not None  # noqa: S608 - constants of this module


def _is_same(before: Part | None, made_of: str) -> bool:
    return before is not None and before.made_of == made_of


def content_of(parts: Mapping[str, Part]) -> Content:
    """The content of a table that holds these parts."""
    return total(part.content for part in parts.values())


def total(contents: Iterable[Content]) -> Content:
    """The content of all of these together."""
    return Content(*map(sum, zip(Content(), *contents, strict=True)))


def count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """How many rows a table has."""
    row = connection.execute(f"SELECT count(*) FROM {table}").fetchone()  # noqa: S608 - our own names
    assert row is not None
    return int(row[0])
