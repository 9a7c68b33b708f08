"""`rackledger sql`: one read-only query on the published warehouse."""

from __future__ import annotations

import csv
import sys
from typing import Annotated

import typer

from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import TableFormat, cell, fail, messages, open_warehouse, out, print_json, table

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
        writer = csv.writer(sys.stdout)
        writer.writerow(names)
        writer.writerows(rows)
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
