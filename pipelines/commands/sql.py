"""`rackledger sql`: one read-only query on the published warehouse."""

from __future__ import annotations

import csv
import sys
from typing import Annotated

import typer

from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import TableFormat, fail, messages, open_warehouse, print_json, table

SHOWN_ROWS = 200


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
        writer = csv.writer(sys.stdout)
        writer.writerow(names)
        writer.writerows(rows)
    else:
        table("", names, rows[:SHOWN_ROWS])
        if len(rows) > SHOWN_ROWS:
            messages.print(f"{len(rows):,} rows, the first {SHOWN_ROWS} shown; --format csv prints all")
