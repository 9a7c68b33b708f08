"""What a build reads, as temporary views: lake partitions, committed facts, registry and problems.

A view stands for every table whether or not it has rows yet, with the types of the row class, so the SQL of the
tables never asks whether something is there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from pipelines.lake import Lake, arrow_schema, read_rows, row_count, table_of
from pipelines.model import lake_tables
from pipelines.model.claim_row import MentionRow
from pipelines.model.columns import columns_of
from pipelines.model.evidence import Evidence
from pipelines.model.mlperf import lake_folder
from pipelines.model.source_row import SourceRow
from pipelines.problems import Problem
from pipelines.registry import load_registry, registry_rows
from pipelines.registry.comparability import VersionChange, version_changes
from warehouse import lake_parts
from warehouse.committed import NOT_NULL, stage_facts
from warehouse.dictionary import ROWS, load_declarations
from warehouse.leaving import LeftOut, stage_ahead, stage_leaving, stage_left_documents, staying
from warehouse.names import stage_names

LAKE_TABLES: dict[str, pa.Schema] = {
    name: arrow_schema(*table.row_types) for name, table in lake_tables.LAKE_TABLES.items()
}
COMMITTED_TABLES = tuple(name for name, table in lake_tables.LAKE_TABLES.items() if table.has_facts)
GROWING = frozenset(name for name, table in lake_tables.LAKE_TABLES.items() if table.grows)  # with every capture
BY_PARTS = frozenset(name for name, _ in lake_parts.TABLES.values())
REQUIRED = ("evidence", "source_id", "stated_on", "repository", "url")


def stage(
    connection: duckdb.DuckDBPyConnection,
    *,
    lake: Path,
    facts: Path,
    sources: Iterable[SourceRow],
    left: Iterable[LeftOut] = (),
) -> list[Problem]:
    """Create the views `lake_*`, `committed_*`, `listed_*` and `registry_*`; returns the committed rows refused."""
    declare_types(connection)
    stage_rows(connection, "listed_sources", sources, SourceRow)
    _stage_lake(connection, Lake(lake), left)
    declared = {
        name: committed_columns(connection, LAKE_TABLES[name]) for name in COMMITTED_TABLES
    } | load_declarations().committed
    problems = [p for name, columns in declared.items() for p in stage_facts(connection, name, columns, facts)]
    _stage_benchmark_ids(connection)
    for name, table in registry_tables().items():
        _register(connection, f"registry_{name}", table)
    stage_rows(connection, "registry_mlperf_changes", version_changes(), VersionChange)
    stage_names(connection)
    return problems


def _stage_lake(connection: duckdb.DuckDBPyConnection, lake: Lake, left: Iterable[LeftOut]) -> None:
    """The views of the lake, captures first: who is left out is told by them."""
    connection.execute(f"CREATE TEMP VIEW lake_captures AS FROM {_held(connection, lake, 'captures')}")
    is_any_left = stage_leaving(connection, left)
    stage_ahead(connection)
    documents = _held(connection, lake, "documents")
    stage_left_documents(connection, documents, is_any_left=is_any_left)
    for name, schema in LAKE_TABLES.items():
        if name == "captures":
            continue
        row_type, held = ROWS.get(name), documents if name == "documents" else _held(connection, lake, name)
        selected = "*" if row_type is None else ", ".join(column.select() for column in columns_of(row_type))
        where = staying(name, schema.names) if is_any_left else "true"
        if name in lake_tables.MARKET_TABLES:
            where += " AND capture_id NOT IN (FROM ahead_captures)"
        connection.execute(f"CREATE TEMP VIEW lake_{name} AS SELECT {selected} FROM {held} WHERE {where}")  # noqa: S608


def _held(connection: duckdb.DuckDBPyConnection, lake: Lake, name: str) -> str:
    """The relation of all that the lake holds of a table; with the `file` of each row where rows are added by parts."""
    files, schema = [file for file in lake.files(lake_folder(name)) if row_count(file)], LAKE_TABLES[name]
    if files and name in GROWING:  # DuckDB reads these in parts, beyond memory too
        listed = ", ".join("'" + str(file).replace("'", "''") + "'" for file in files)
        if name in BY_PARTS:
            return f"(SELECT * RENAME (filename AS file) FROM read_parquet([{listed}], filename = true))"  # noqa: S608
        return f"read_parquet([{listed}])"
    tables = [schema.empty_table(), *(read_rows(file) for file in files)]
    if name in BY_PARTS:
        told = [
            pa.array([str(file)] * len(table), pa.string()) for file, table in zip(["", *files], tables, strict=True)
        ]
        tables = [table.append_column("file", column) for table, column in zip(tables, told, strict=True)]
    _register(connection, f"held_{name}", pa.concat_tables(tables))
    return f"held_{name}"


def declare_types(connection: duckdb.DuckDBPyConnection) -> None:
    """What the SQL takes from declarations: tags, strongest first, and the fields that a claim leaves to mentions."""
    tags = ", ".join(f"'{tag}'" for tag in Evidence)
    if connection.execute("SELECT 1 FROM duckdb_types() WHERE type_name = 'evidence_tag'").fetchone() is None:
        connection.execute(f"CREATE TYPE evidence_tag AS ENUM ({tags})")
    of_mentions = [column.name for column in columns_of(MentionRow) if column.column.of == "mention"]
    connection.execute(f"SET VARIABLE fields_of_a_mention = {of_mentions}")


def _stage_benchmark_ids(connection: duckdb.DuckDBPyConnection) -> None:
    """Which model a benchmark's name stood for in a round: 'ssd' is another model before v2.0 than after."""
    named = connection.execute(
        """SELECT DISTINCT suite, round, benchmark_dir FROM lake_mlperf_training
           UNION SELECT DISTINCT suite, round, benchmark_dir FROM committed_mlperf_training
           UNION SELECT DISTINCT suite, round, benchmark FROM lake_mlperf_inference
           UNION SELECT DISTINCT suite, round, benchmark FROM committed_mlperf_inference"""
    ).fetchall()
    registry = load_registry()
    rows = [
        (suite, round_, name, found.id)
        for suite, round_, name in named
        if (found := registry.benchmark(suite, round_, name)) is not None
    ]
    names = ("suite", "round", "benchmark_dir", "benchmark_id")
    schema = pa.schema([(name, pa.string()) for name in names])
    records = [dict(zip(names, row, strict=True)) for row in rows]
    _register(connection, "registry_benchmark_names", pa.Table.from_pylist(records, schema=schema))


def committed_columns(connection: duckdb.DuckDBPyConnection, schema: pa.Schema) -> dict[str, str]:
    """The columns of a lake table's committed rows, with SQL types; those that no figure can do without are bound."""
    _register(connection, "empty_columns", schema.empty_table())
    described = connection.execute("DESCRIBE empty_columns").fetchall()
    connection.unregister("empty_columns")
    return {name: kind + (NOT_NULL if name in REQUIRED else "") for name, kind, *_ in described}


@cache
def registry_tables() -> dict[str, pa.Table]:
    """The rows of the curated registry by table, made once a process."""
    return {name: table_of(rows, type(rows[0])) for name, rows in registry_rows().items()}


def stage_rows(connection: duckdb.DuckDBPyConnection, name: str, rows: Iterable[Any], row_type: type) -> None:
    """Make rows of one dataclass readable as the view `name`."""
    _register(connection, name, table_of(rows, row_type))


def _register(connection: duckdb.DuckDBPyConnection, name: str, table: pa.Table) -> None:
    connection.register(name, table)
