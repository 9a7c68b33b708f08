"""`rackledger sql` and `rackledger diff`: one read-only query, and what differs between two published versions."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.terminal import (
    TableFormat,
    cell,
    fail,
    load_settings,
    messages,
    open_warehouse,
    out,
    print_csv,
    print_json,
    table,
)

if TYPE_CHECKING:
    from warehouse.versions import Change


SHOWN_ROWS = 200
NARROWEST = 9  # characters that a column needs to be read; rows that are wider stand upright, a line a column


def sql(
    query: Annotated[str, typer.Argument(help="One SQL query, e.g. \"FROM meta.tables\". '-' reads standard input.")],
    output: Annotated[TableFormat, typer.Option("--format", "-f", help="How to print the rows.")] = TableFormat.table,
) -> None:
    """Query the published warehouse. Read-only: no statement can change it, or reach files or the network.

    Examples: rackledger sql "SHOW ALL TABLES" · rackledger sql "FROM meta.columns" ·
    rackledger sql -f csv "FROM marts.mlperf_training_best" > best.csv
    """
    import duckdb

    with open_warehouse() as warehouse:
        try:
            result = warehouse.connection.execute(sys.stdin.read() if query == "-" else query)
            names = [column[0] for column in result.description or []]
            rows = result.fetchall()
        except duckdb.Error as error:
            fail(str(error), EXIT_FAILED)
    _print(names, rows, output)


def _print(names: list[str], rows: list[tuple[object, ...]], output: TableFormat) -> None:
    if output is TableFormat.json:
        print_json([dict(zip(names, row, strict=True)) for row in rows])
    elif output is TableFormat.csv:
        print_csv(names, rows)
    else:
        if len(names) * NARROWEST > out.width:
            _print_upright(names, rows[:SHOWN_ROWS])
        else:
            table("", names, rows[:SHOWN_ROWS])
        if len(rows) > SHOWN_ROWS:
            messages.print(f"{len(rows):,} rows, the first {SHOWN_ROWS} shown; --format csv prints all")


def _print_upright(names: list[str], rows: list[tuple[object, ...]]) -> None:
    """Each row as a block, a line a column; empty cells are left out."""
    width = max(len(name) for name in names)
    for number, row in enumerate(rows, start=1):
        out.print(f"{'row ' + str(number) + ' ':─<{max(out.width, 20)}}", markup=False)
        for name, value in zip(names, row, strict=True):
            if value is not None:
                out.print(f"{name:>{width}}  {_one_line(cell(value))}", markup=False, soft_wrap=True)


def _one_line(text: str) -> str:
    """Outside text may hold anything; control characters would move the cursor."""
    return "".join(character if character.isprintable() else " " for character in text)


SHOWN = 40


def diff(
    older: Annotated[
        str, typer.Argument(help="A published version, `previous`, `latest`, or a DuckDB file.")
    ] = "previous",
    newer: Annotated[str, typer.Argument(help="Another, as above.")] = "latest",
    only: Annotated[str, typer.Option("--table", help="Only this table, and its rows too.")] = "",
    output: Annotated[TableFormat, typer.Option("--format", "-f", help="How to print.")] = TableFormat.table,
) -> None:
    """Say what differs between two published versions: rows added, gone and changed per table, with reasons.

    Example: rackledger diff previous latest --table evidence.claims
    """
    import duckdb

    from warehouse import versions
    from warehouse.answers import formats

    published = load_settings().published
    try:
        files = [
            path if (path := Path(name)).is_file() else versions.version_file(published, name)
            for name in (older, newer)
        ]
        changes = versions.diff(files[0], files[1], only)
    except (versions.NoSuchVersion, ValueError) as error:
        fail(str(error), EXIT_USAGE)
    except duckdb.Error as error:
        fail(str(error).splitlines()[0], EXIT_FAILED)
    if output is TableFormat.json:
        print_json([_told(change) for change in changes])
    elif output is TableFormat.csv:
        columns = ("table", "change", "key", "columns", "before", "after", "reason")
        told = (
            (e.table, e.change, e.key, " ".join(e.columns), json.dumps(e.before), json.dumps(e.after), e.reason)
            for e in changes
        )
        print_csv(columns, (map(formats.csv_cell, row) for row in told))
    else:
        _print_changes(changes, is_of_one=bool(only))


def _told(change: Change) -> dict[str, Any]:
    """A change as JSON holds it, with what carries its row."""
    told = {name: getattr(change, name) for name in ("table", "change", "key", "columns", "before", "after", "reason")}
    return told | {name: change.row.get(name) for name in ("evidence", "claimant", "stated_on", "url")}


def _print_changes(changes: list[Change], *, is_of_one: bool) -> None:
    from warehouse import versions

    if not changes:
        out.print("Nothing differs.")
        return
    table("", ("table", "change", "reason", "rows"), versions.counts(changes))
    if is_of_one:
        shown = [(each.change, each.key, ", ".join(each.columns), each.reason) for each in changes[:SHOWN]]
        table("", ("change", "key", "columns", "reason"), shown)
        if len(changes) > SHOWN:
            messages.print(f"{len(changes):,} rows, the first {SHOWN} shown; --format csv prints all")
