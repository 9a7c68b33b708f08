"""One step builds the warehouse: a new file from lake and committed facts, checked, then put in place with a rename.

A build whose checks fail is set aside and not published; the last good one keeps serving. A build with the content of
the published one changes nothing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
from filelock import FileLock

from pipelines.lake import code_version, sync_file, sync_folder
from pipelines.model.source_row import SourceRow
from pipelines.problems import Problem
from warehouse import survival
from warehouse.checks import CheckResult, run_checks
from warehouse.declared import all_checks, constrain
from warehouse.dictionary import describe, load_declarations
from warehouse.lineage import tables_by_file
from warehouse.read import SCHEMA_VERSION, Warehouse, WarehouseMissing, WarehouseUnreadable
from warehouse.staging import stage, stage_rows

HERE = Path(__file__).parent
LAYERS = ("macros", "tables", "marts")


class BuildRefused(Exception):
    """Checks failed or the SQL did not run; nothing was published. Says which and where the build was set aside."""


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """Inputs and outputs of one build."""

    lake: Path
    facts: Path
    sources: Sequence[SourceRow]
    target: Path
    scratch: Path
    memory_limit: str
    threads: int
    run_id: str
    built_at: dt.datetime
    accept_shrink: bool = False


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What the build holds; `is_new` is False when the published content was the same already."""

    version: str
    content_hash: str
    is_new: bool
    rows: dict[str, int]
    checks: tuple[CheckResult, ...]
    problems: int


def build(plan: BuildPlan) -> BuildReport:
    """Build, check and publish, one build of a target at a time. Raises BuildRefused; then the file in place stays."""
    plan.target.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{plan.target}.lock"):
        _remove_leftovers(plan)
        return _build(plan)


def _build(plan: BuildPlan) -> BuildReport:
    building = plan.target.with_name(f"{plan.target.name}.{plan.run_id}.building")
    try:
        report = _fill(plan, building)
    except (duckdb.Error, ValueError) as error:
        building.unlink(missing_ok=True)
        raise BuildRefused(f"the warehouse could not be built: {error}") from error
    blocking = [result for result in report.checks if result.blocks]
    aside = plan.target.with_name(f"{plan.target.name}.refused")
    if blocking:
        building.replace(aside)
        raise BuildRefused(_refusal(blocking, aside))
    aside.unlink(missing_ok=True)  # a good build has come after it
    published = published_hash(plan.target)
    if published is not None and published[1] == report.content_hash:
        building.unlink()
        return BuildReport(published[0], report.content_hash, False, report.rows, report.checks, report.problems)
    put_in_place(building, plan.target)
    return report


def put_in_place(building: Path, target: Path) -> None:
    """The atomic publication: fsync, rename, fsync of the folder. Everybody may read it, whatever the umask."""
    building.chmod(building.stat().st_mode | 0o644)
    sync_file(building)
    building.replace(target)
    sync_folder(target.parent)


def published_hash(target: Path) -> tuple[str, str] | None:
    """Version and content hash of the published file; None where there is none that can be read."""
    try:
        with Warehouse(target) as warehouse:
            return warehouse.publication.version, warehouse.publication.content_hash
    except (WarehouseMissing, WarehouseUnreadable):
        return None


def _remove_leftovers(plan: BuildPlan) -> None:
    """A killed build leaves its unfinished file and what memory could not hold; under the lock both are dead."""
    target = plan.target
    for path in (*target.parent.glob(f"{target.name}.*.building*"), *plan.scratch.glob("duckdb_temp_*")):
        path.unlink(missing_ok=True)


def _refusal(blocking: list[CheckResult], aside: Path) -> str:
    lines = [f"{r.check.name} on {r.check.table}: {r.failures} rows, e.g. {r.examples[0]}" for r in blocking]
    return (
        "not published, the last good version keeps serving. Checks failed: "
        + "; ".join(lines)
        + f". The refused build is kept at {aside.name} for a look"
    )


def _fill(plan: BuildPlan, building: Path) -> BuildReport:
    plan.scratch.mkdir(parents=True, exist_ok=True)
    with _open(plan, building) as connection:
        survival.register(connection)
        refused = stage(connection, lake=plan.lake, facts=plan.facts, sources=plan.sources)
        stage_rows(connection, "build_problems", refused, Problem)
        dictionary, tables = load_declarations().tables, tables_by_file()
        for layer in LAYERS:
            for path in sorted((HERE / layer).glob("*.sql")):
                run_file(connection, path)
                for table in tables.get(path, ()):
                    constrain(connection, table, dictionary[table])
        _create_publication(connection)
        describe(connection)
        digest = _total_hash(connection)
        version = f"{plan.built_at:%Y%m%dT%H%M%SZ}-{digest[:8]}"
        connection.execute(
            "INSERT INTO meta.publication VALUES (?, ?, ?, ?, ?, ?)",
            [version, plan.built_at.replace(tzinfo=None), digest, SCHEMA_VERSION, code_version(HERE), plan.run_id],
        )
        checks = _check(connection, plan)
        rows = {
            str(name): int(count)
            for name, count in connection.execute('SELECT "table", row_count FROM meta.tables ORDER BY 1').fetchall()
        }
        problems = rows["evidence.problems"]
        connection.execute("CHECKPOINT")
    return BuildReport(version, digest, True, rows, tuple(checks), problems)


@contextmanager
def _open(plan: BuildPlan, building: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect(
        str(building),
        config={
            "memory_limit": plan.memory_limit,
            "threads": plan.threads,
            "temp_directory": str(plan.scratch),
        },
    )
    try:
        yield connection
    finally:
        connection.close()


def run_file(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Run one SQL file; an error names it."""
    try:
        connection.execute(path.read_text(encoding="utf-8"))
    except duckdb.Error as error:
        raise ValueError(f"{path.parent.name}/{path.name}: {error}") from error


def _create_publication(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        """CREATE TABLE meta.publication (version VARCHAR PRIMARY KEY, built_at TIMESTAMP NOT NULL,
           content_hash VARCHAR NOT NULL, schema_version INTEGER NOT NULL, code_version VARCHAR NOT NULL,
           run_id VARCHAR NOT NULL)"""
    )


def _total_hash(connection: duckdb.DuckDBPyConnection) -> str:
    row = connection.execute(
        """SELECT md5(string_agg("table" || content_hash, '' ORDER BY "table")
                  || (SELECT string_agg("table" || "column" || data_type || says || unit, '' ORDER BY "table", position)
                      FROM meta.columns))
           FROM meta.tables"""
    ).fetchone()
    assert row is not None
    return str(row[0])


def _check(connection: duckdb.DuckDBPyConnection, plan: BuildPlan) -> list[CheckResult]:
    """Checks that compare look at the version in place; with `accept_shrink` a smaller build is meant."""
    has_previous = published_hash(plan.target) is not None and not plan.accept_shrink
    if has_previous:
        quoted = str(plan.target).replace("'", "''")
        connection.execute(f"ATTACH '{quoted}' AS previous (READ_ONLY)")
    results = run_checks(connection, all_checks(), has_previous=has_previous)
    if has_previous:
        connection.execute("DETACH previous")
    return results
