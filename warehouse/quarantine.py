"""Sets aside what fails a row check, so that nothing from outside can stop a publication.

Right after a table stands, rows that fail its row checks are deleted from it and written to `evidence.quarantine`;
whatever is built later is built without them. Facts that were typed here are our own fault and refuse the build, with
their place.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import duckdb

from warehouse.checks import EXAMPLES, ROW, Check, CheckResult
from warehouse.decisions import RELEASE, Decision
from warehouse.declared import QUARANTINE, row_checks, unasked
from warehouse.dictionary import Table, literal
from warehouse.sql_files import sql_files
from warehouse.statements import statements

MOST_TEXT = 20_000  # characters of a row that are kept
HUGE = "1e30"  # beyond any figure of this market; sums and products of larger ones leave the numbers
SEEN = ("first_seen", "captured_at", "looked_at")
FEWEST_WORDS = 2  # cells that a line of the facts must share with a row to be told as its place
SHORTEST = 4  # characters of a cell that tell one row from another
PLACES = ("source_id", "url", "capture_id", "document_id", "locator")


class OwnFault(Exception):
    """Facts that were typed here break a rule; `rows` are the first of them: why, and their cells as text."""

    def __init__(self, table: str, rows: Sequence[tuple[str, Sequence[str]]]) -> None:
        self.table, self.rows = table, rows
        super().__init__(f"{table}: {'; '.join(reason for reason, _ in rows)}")


def stage_decisions(connection: duckdb.DuckDBPyConnection, decisions: Mapping[str, Decision]) -> None:
    """Create `quarantine_decisions`, and `outside_sources`: those of what the archive holds, which no one typed here.

    That is a view: it reads the captures and mentions of all days, and is asked only where a row fails.
    """
    connection.execute("CREATE TEMP TABLE quarantine_decisions (quarantine_id VARCHAR, state VARCHAR, decided VARCHAR)")
    for decision in decisions.values():
        state = "released" if decision.verdict == RELEASE else "dropped"
        words = f"{decision.decided_at:%Y-%m-%d}: {decision.reason}"
        connection.execute("INSERT INTO quarantine_decisions VALUES (?, ?, ?)", [decision.quarantine_id, state, words])
    connection.execute(
        """CREATE TEMP VIEW outside_sources AS
           SELECT source_id FROM lake_captures UNION SELECT source_id FROM lake_mentions WHERE ref IS NULL"""
    )


def set_aside(connection: duckdb.DuckDBPyConnection, name: str, table: Table) -> None:
    """Take the rows that fail out of a table that was just made. Raises OwnFault for facts that were typed here."""
    if fails(connection, name):
        columns = _columns(connection, name)
        _write(connection, name, table, columns)
        _delete(connection, name, table)
        fails(connection, name)  # what still fails was typed here, or let in by a person
        _refuse_own(connection, name, columns)


def fails(connection: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Whether rows of a table fail its row checks; `broken` holds them then."""
    if name in unasked():
        return False
    columns = _columns(connection, name)
    checks = [*row_checks(name), *_numbers(name, columns)]
    if not checks or connection.execute(f"FROM {name} LIMIT 1").fetchone() is None:
        return False
    return _find(connection, name, checks, columns)


def _columns(connection: duckdb.DuckDBPyConnection, name: str) -> dict[str, str]:
    return {str(row[0]): str(row[1]) for row in connection.execute(f"DESCRIBE {name}").fetchall()}


def checks_of(name: str) -> list[str]:
    """The names of all row checks of a table."""
    return [*(check.name for check in row_checks(name)), _numbers_name(name)]


def results(connection: duckdb.DuckDBPyConnection, checks: Iterable[Check]) -> list[CheckResult]:
    """What these row checks found in this build, with the reasons of a few rows."""
    rows = connection.execute(
        f"""SELECT "table", "check", sum(rows)::INTEGER, list(reason ORDER BY quarantine_id)[:{EXAMPLES}]
            FROM {QUARANTINE} GROUP BY ALL"""  # noqa: S608
    ).fetchall()
    found = {(table, check): (int(count), tuple(reasons)) for table, check, count, reasons in rows}
    return [CheckResult(check, *found.get((check.table, check.name), (0, ()))) for check in checks]


def write_unread(connection: duckdb.DuckDBPyConnection) -> None:
    """Add what could not be read, and the sources that this build leaves out, to evidence.quarantine."""
    connection.execute(statements(Path(__file__).with_suffix(".sql"))["add_unread"])


def _numbers_name(table: str) -> str:
    return f"{table.replace('.', '_')}_numbers"


def _numbers(name: str, columns: Mapping[str, str]) -> list[Check]:
    """Numbers are finite and of a size that can be reckoned with."""
    doubles = [column for column, kind in columns.items() if kind == "DOUBLE"]
    if not doubles:
        return []
    odd = [f'NOT coalesce(isfinite("{column}") AND abs("{column}") < {HUGE}, true)' for column in doubles]
    tested = zip(doubles, odd, strict=True)
    cells = ", ".join(f"CASE WHEN {test} THEN '{column} = ' || \"{column}\" END" for column, test in tested)
    sql = f"SELECT rowid AS row, concat_ws(', ', {cells}) AS found FROM {name} WHERE {' OR '.join(odd)}"  # noqa: S608 - our own columns
    says = "every number is one that can be reckoned with"
    return [Check(_numbers_name(name), name, "error", says, False, sql, ROW, False)]


def _find(
    connection: duckdb.DuckDBPyConnection, name: str, checks: Iterable[Check], columns: Mapping[str, str]
) -> bool:
    """Fill `broken` with the failing rows; tells whether there are any."""
    parts = [
        f"""SELECT {literal(check.name)} AS "check", {check.is_waivable} AS is_waivable, row,
                   left({literal("" if check.name.endswith("_rules") else f"{check.says}: ")} || found, 500) AS reason
            FROM ({check.sql.rstrip().rstrip(";")})"""  # noqa: S608 - our own checks
        for check in checks
    ]
    found = " UNION ALL ".join(parts)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE broken AS SELECT *, false AS is_outside FROM ({found})")  # noqa: S608
    if connection.execute("FROM broken LIMIT 1").fetchone() is None:
        return False  # as nearly always: whose the rows are is asked of all captures
    connection.execute(
        f"""CREATE OR REPLACE TEMP TABLE broken AS
            SELECT b.* REPLACE ({_is_outside(columns)} AS is_outside)
            FROM broken AS b JOIN {name} AS t ON t.rowid = b.row"""  # noqa: S608
    )
    return True


def _is_outside(columns: Mapping[str, str]) -> str:
    """Whether a row was read from the archive, as SQL: by its capture, else its source, else its claim.

    What a person decided on a claim was typed here, and stands before any mention does.
    """
    if "decided_by" in columns:
        return "false"
    if "capture_id" in columns:
        return "coalesce(t.capture_id IN (SELECT capture_id FROM lake_captures), false)"
    if "source_id" in columns:
        return "coalesce(t.source_id IN (FROM outside_sources), false)"
    if "claim_id" in columns:
        return "t.claim_id IN (SELECT claim_id FROM evidence.mentions WHERE ref IS NULL)"
    return "EXISTS (FROM outside_sources)"


def _write(connection: duckdb.DuckDBPyConnection, name: str, table: Table, columns: Mapping[str, str]) -> None:
    """The failing rows from outside as rows of evidence.quarantine, one for each key and check."""
    is_private = bool(table.read_instead)  # its rows may not be passed on, not even from here
    places = ", ".join(f"min(t.{place}) AS {place}" if place in columns else f"NULL AS {place}" for place in PLACES)
    seen = [f"t.{column}::TIMESTAMP" for column in SEEN if column in columns]
    reason = "split_part(b.reason, ': ', 1)" if is_private else "b.reason"
    connection.execute(
        f"""INSERT INTO {QUARANTINE} BY NAME
            SELECT f.*, coalesce(d.state, 'open') AS state, d.decided
            FROM (
                SELECT left(md5(concat_ws('|', '{name}', {_key(table, "t")}, b."check")), 16) AS quarantine_id,
                       '{"claim" if "document_id" in columns else "row"}' AS kind, '{name}' AS "table",
                       {_key(table, "t")} AS row_key, b."check", any_value(b.is_waivable) AS is_waivable,
                       string_agg(DISTINCT {reason}, '; ' ORDER BY {reason})[:2000] AS reason, {places},
                       {"NULL" if is_private else f"min(left(to_json(t)::VARCHAR, {MOST_TEXT}))"} AS row_json,
                       count(DISTINCT b.row)::INTEGER AS rows,
                       {f"min(coalesce({', '.join(seen)}))" if seen else "NULL::TIMESTAMP"} AS first_seen
                FROM broken AS b JOIN {name} AS t ON t.rowid = b.row
                WHERE b.is_outside GROUP BY ALL
            ) AS f LEFT JOIN quarantine_decisions AS d USING (quarantine_id)"""  # noqa: S608 - our own names
    )
    connection.execute(
        f"UPDATE {QUARANTINE} SET state = 'open', decided = NULL WHERE state = 'released' AND NOT is_waivable"  # noqa: S608
    )


def _delete(connection: duckdb.DuckDBPyConnection, name: str, table: Table) -> None:
    """Rows that fail a check from which no person released them; with them those that stand and fall together."""
    connection.execute(
        f"""CREATE OR REPLACE TEMP TABLE leaving AS
            SELECT DISTINCT b.row, {_key(table, "t")} AS row_key FROM broken AS b JOIN {name} AS t ON t.rowid = b.row
            WHERE b.is_outside AND left(md5(concat_ws('|', '{name}', {_key(table, "t")}, b."check")), 16) NOT IN (
                SELECT quarantine_id FROM {QUARANTINE} WHERE state = 'released')"""  # noqa: S608
    )
    same = f" OR {_key(table, 't')} IN (SELECT row_key FROM leaving)" if table.together else ""  # noqa: S608
    connection.execute(f"DELETE FROM {name} AS t WHERE rowid IN (SELECT row FROM leaving){same}")  # noqa: S608


def _refuse_own(connection: duckdb.DuckDBPyConnection, name: str, columns: Mapping[str, str]) -> None:
    texts = [f't."{column}"' for column, kind in columns.items() if kind == "VARCHAR"]
    rows = connection.execute(
        f"""SELECT b.reason, list_filter([{", ".join(texts)}]::VARCHAR[], lambda cell: cell IS NOT NULL)
            FROM broken AS b JOIN {name} AS t ON t.rowid = b.row WHERE NOT b.is_outside ORDER BY b.row"""  # noqa: S608
    ).fetchmany(EXAMPLES)
    if rows:
        raise OwnFault(name, [(str(reason), cells) for reason, cells in rows])


def _key(table: Table, row: str) -> str:
    """What names a row of a table, as SQL: the columns that fall together, its key, or else all that stands in it."""
    parts = table.together or table.key
    if not parts:
        return f"md5({row}::VARCHAR)"
    cells = (f'{row}."{part}"' if part.isidentifier() else part for part in parts)
    return f"concat_ws(' / ', {', '.join(f'coalesce({cell}::VARCHAR, chr(8709))' for cell in cells)})"


def own_places(fault: OwnFault, facts: Path) -> str:
    """The failing rows in words, each with its file and line as far as they can be told."""
    files = list(_files(fault.table, facts))
    return "; ".join(f"{reason} ({_place(cells, files) or fault.table})" for reason, cells in fault.rows)


def _files(table: str, facts: Path) -> Iterable[Path]:
    """The committed files that a table is made from, directly or by other tables."""
    makers = {name: file for file in sql_files() for name in file.made}
    todo, seen = [table], set[str]()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += makers[name].words if name in makers else ()  # also what it makes in passing, and reads by that
    for name in sorted(name.removeprefix("committed_") for name in seen if name.startswith("committed_")):
        yield from (path for s in (".csv", ".parquet") if (path := facts / f"{name}{s}").exists())
    yield from sorted((facts / "ledger").glob("*.csv"))


def _place(cells: Iterable[str], files: Iterable[Path]) -> str:
    """`file, line n`: the line that has most of the row's words as cells of its own, of several the one that shares
    most of them; a Parquet file by its name alone."""
    words = {cell for cell in cells if len(cell) >= SHORTEST}
    best, place = (0, 0), ""
    parquet = ""
    for path in files:
        if path.suffix != ".csv":
            parquet = parquet or path.name
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            shared = sum(word in line for word in words)
            if shared >= FEWEST_WORDS and (found := (len(words & {*next(csv.reader([line]), [])}), shared)) > best:
                best, place = found, f"{path.name}, line {number}"
    return place or parquet
