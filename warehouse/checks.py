"""Runs `warehouse/checks/*.sql`: each query returns the rows that break its rule; none is a pass.

A file opens with `-- name:`, `-- kind: row|build`, `-- on:` (schema.table), `-- severity: error|warn` and `-- says:`. A
*row check* sets rows aside: it runs as soon as its table stands, and gives `row` (the table's rowid) and `found` (what
was found, in words). A *build check* of severity error refuses the build; it names who is responsible where it gives
`source_id`, `url` or columns of its table. One with `-- needs: previous` compares with the version published before,
attached as `previous`, and is passed by when there is none to compare with.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import duckdb

from pipelines.frozen import frozen

FOLDER = Path(__file__).parent / "checks"
EXAMPLES = 3
ROW, BUILD = "row", "build"


@frozen
class Check:
    """One rule about one table."""

    name: str
    table: str
    severity: str
    says: str
    needs_previous: bool
    sql: str
    kind: str = BUILD
    is_waivable: bool = True  # a person may release a row that breaks it: nothing downstream rests on it

    @property
    def refuses(self) -> bool:
        """Whether what it finds refuses the build; else it sets rows aside, or warns."""
        return self.kind == BUILD and self.severity == "error"


@frozen
class CheckResult:
    """`failures` counts the offending rows; `examples` shows the first few; `was_run` is False where it could not.

    `is_meant`: what was lost is what sources gave that are not asked any more; it is told and refuses nothing.
    """

    check: Check
    failures: int
    examples: tuple[str, ...]
    was_run: bool = True
    is_meant: bool = False

    @property
    def passed(self) -> bool:
        return self.failures == 0

    @property
    def blocks(self) -> bool:
        return not self.passed and self.check.refuses and not self.is_meant


def load_checks(folder: Path = FOLDER) -> list[Check]:
    """All checks in name order. Raises ValueError naming the file when its header is not complete."""
    return [_load(path) for path in sorted(folder.glob("*.sql"))]


def read_header(path: Path) -> dict[str, str]:
    """The leading `-- key: value` lines of an SQL file; a line without a key goes on with the one before."""
    header: dict[str, str] = {}
    key = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("--"):
            break
        text = line.removeprefix("--").strip()
        name, colon, value = text.partition(":")
        if colon and name.replace(" ", "").isalpha() and len(name) < 20:
            key = name.strip().lower()
            header[key] = value.strip()
        elif key:
            header[key] += " " + text
    return header


def _load(path: Path) -> Check:
    header = read_header(path)
    missing = {"name", "kind", "on", "severity", "says"} - set(header)
    if missing or header["severity"] not in {"error", "warn"} or header["kind"] not in {ROW, BUILD}:
        needed = "name, kind (row or build), on, severity (error or warn) and says"
        raise ValueError(f"{path.name}: header needs {needed}; missing: {missing}")
    compares, sql = header.get("needs") == "previous", path.read_text(encoding="utf-8")
    return Check(header["name"], header["on"], header["severity"], header["says"], compares, sql, header["kind"])


def run_checks(
    connection: duckdb.DuckDBPyConnection, checks: Iterable[Check], *, has_previous: bool
) -> list[CheckResult]:
    """Run these checks on the build."""
    before = tables_before(connection) if has_previous else frozenset()
    return [run_check(connection, check, has_previous=check.table in before) for check in checks]


def tables_before(connection: duckdb.DuckDBPyConnection) -> frozenset[str]:
    """The tables of the version before: a table that is new has nothing to be compared with."""
    rows = connection.execute(
        "SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE database_name = 'previous'"
    ).fetchall()
    return frozenset(str(name) for (name,) in rows)


def run_check(connection: duckdb.DuckDBPyConnection, check: Check, *, has_previous: bool) -> CheckResult:
    """Run one check; one that compares is passed by where there is nothing before."""
    if check.needs_previous and not has_previous:
        return CheckResult(check, 0, (), was_run=False)
    rows = connection.execute(check.sql).fetchall()
    return CheckResult(check, len(rows), tuple(str(row) for row in rows[:EXAMPLES]))
