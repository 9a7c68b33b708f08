"""Who is responsible when a build fails: told by the failing rows, else found by leaving sources out.

Nothing here builds: it is given a connection to the failed build, or a function that builds again without some sources.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import duckdb

from pipelines.frozen import frozen
from warehouse.checks import Check
from warehouse.lineage import built_tables
from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable

MOST_ADDRESSES = 5


_LAST_GOOD = """
    SELECT source_id, max(captured_at) AS shown_until FROM evidence.captures
    WHERE source_id NOT IN (SELECT source_id FROM evidence.quarantine WHERE kind = 'source' AND source_id IS NOT NULL)
    GROUP BY source_id
    UNION ALL
    SELECT source_id, (row_json::JSON ->> 'shown_until')::TIMESTAMP FROM evidence.quarantine
    WHERE kind = 'source' AND row_json::JSON ->> 'shown_until' IS NOT NULL
"""


@frozen
class Failure:
    """Why a build failed: in words, what failed by name, whose rows fail, and whose rows could make it fail.

    `path` is the SQL file that did not run; `is_checked` tells that the build came as far as its checks.
    """

    says: str
    what: str
    sources: frozenset[str] = frozenset()
    urls: tuple[str, ...] = ()
    suspects: tuple[str, ...] = ()
    path: Path | None = None
    is_checked: bool = False


class BuildFailed(Exception):
    """A build did not come to its end; carries why."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.says)


def last_good(published: Path) -> Mapping[str, dt.datetime]:
    """How far each source is shown in the published version: its newest capture, or what was shown of it then."""
    try:
        with Warehouse(published) as warehouse:
            rows = warehouse.rows(_LAST_GOOD)
    except (WarehouseMissing, WarehouseUnreadable, duckdb.Error):  # none yet, or one from before there was a quarantine
        return {}
    return {str(row["source_id"]): row["shown_until"] for row in rows}


def is_meant(connection: duckdb.DuckDBPyConnection, check: Check) -> bool:
    """Whether what was lost is what sources gave that are not listed any more, or skipped now and were not before."""
    if not check.needs_previous:
        return False
    rows = connection.execute(
        """SELECT source_id FROM previous.evidence.sources WHERE status <> 'skip'
           EXCEPT SELECT source_id FROM evidence.sources WHERE status <> 'skip'"""
    ).fetchall()
    meant, lost = {str(source_id) for (source_id,) in rows}, _lost(connection, check)
    return bool(meant) and lost <= meant


def named_by(connection: duckdb.DuckDBPyConnection, check: Check) -> tuple[frozenset[str], tuple[str, ...]]:
    """Sources and addresses of the rows that a failing check gives: its own columns, else those of its table.

    What compares is told by who has fewer rows than before.
    """
    try:
        if check.needs_previous:
            return _lost(connection, check), ()
        result = _columns(connection, f"({check.sql.rstrip().rstrip(';')})")
        table = _columns(connection, check.table)
        if "source_id" in result:
            return _sources(connection, f"({check.sql.rstrip().rstrip(';')})", result)
        shared = [column for column in result if column in table]
        if not shared or "source_id" not in table:
            return frozenset(), ()
        like = " AND ".join(f'c."{column}" IS NOT DISTINCT FROM t."{column}"' for column in shared)
        failing = f"(SELECT t.* FROM {check.table} AS t SEMI JOIN ({check.sql.rstrip().rstrip(';')}) AS c ON {like})"  # noqa: S608
        return _sources(connection, failing, table)
    except duckdb.Error:  # a check that cannot be asked so names nobody; the search without sources still finds them
        return frozenset(), ()


def culprits(suspects: Sequence[str], passes: Callable[[frozenset[str]], bool]) -> frozenset[str]:
    """The fewest suspects without whom it passes; empty where it fails without all of them too.

    `passes` is asked about n log(m) times for n culprits among m suspects (Junker's QuickXplain).
    """
    if not suspects or not passes(frozenset(suspects)):
        return frozenset()
    return _fewest(frozenset(), False, list(suspects), passes)


def _fewest(
    out: frozenset[str], has_grown: bool, suspects: list[str], passes: Callable[[frozenset[str]], bool]
) -> frozenset[str]:
    if has_grown and passes(out):
        return frozenset()
    if len(suspects) == 1:
        return frozenset(suspects)
    first, second = suspects[: len(suspects) // 2], suspects[len(suspects) // 2 :]
    found = _fewest(out | set(first), True, second, passes)
    return found | _fewest(out | found, bool(found), first, passes)


def suspects_of(connection: duckdb.DuckDBPyConnection, tables: Iterable[str]) -> list[str]:
    """The sources whose rows of the lake reach these tables, in order."""
    found: set[str] = set()
    for view in sorted(_lake_views(tables)):
        try:
            rows = connection.execute(f"SELECT DISTINCT source_id FROM {view}").fetchall()  # noqa: S608 - our lineage
        except duckdb.Error:
            continue  # a table of the lake without sources
        found |= {str(source_id) for (source_id,) in rows}
    return sorted(found - {"ledger"})


def _lake_views(tables: Iterable[str]) -> set[str]:
    reads = {table.name: table.reads for table in built_tables()}
    todo, seen = list(tables), set[str]()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += reads.get(name, ())
    return {name for name in seen if name.startswith("lake_")}


def _columns(connection: duckdb.DuckDBPyConnection, relation: str) -> list[str]:
    return [str(row[0]) for row in connection.execute(f"DESCRIBE FROM {relation}").fetchall()]


def _sources(
    connection: duckdb.DuckDBPyConnection, relation: str, columns: Sequence[str]
) -> tuple[frozenset[str], tuple[str, ...]]:
    url = "url" if "url" in columns else "''"
    rows = connection.execute(f"SELECT DISTINCT source_id, {url} FROM {relation} ORDER BY ALL").fetchall()  # noqa: S608
    sources = frozenset(str(source_id) for source_id, _ in rows if source_id is not None)
    return sources, tuple(str(address) for _, address in rows if address)[:MOST_ADDRESSES]


def _lost(connection: duckdb.DuckDBPyConnection, check: Check) -> frozenset[str]:
    """Sources with fewer rows than before, in the table that a comparing check is about or in those that it names."""
    rows = connection.execute(check.sql)
    names = [column[0] for column in rows.description or []]
    tables = {str(row[names.index("table")]) for row in rows.fetchall()} if "table" in names else {check.table}
    found: set[str] = set()
    for table in sorted(tables):
        if "source_id" in _columns(connection, f"previous.{table}"):
            found |= {
                str(source_id)
                for (source_id,) in connection.execute(
                    f"""SELECT source_id FROM (SELECT source_id, count(*) AS n FROM previous.{table} GROUP BY 1) AS b
                        LEFT JOIN (SELECT source_id, count(*) AS n FROM {table} GROUP BY 1) AS a USING (source_id)
                        WHERE coalesce(a.n, 0) < b.n"""  # noqa: S608 - names of our own tables
                ).fetchall()
            }
    return frozenset(found)
