"""`rackledger diff A B`: the rows that were added, went or changed between two published versions, with reasons."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.terminal import TableFormat, fail, load_settings, messages, out, print_json, table

if TYPE_CHECKING:
    from warehouse.versions import Change

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
        writer = csv.writer(sys.stdout)
        writer.writerow(("table", "change", "key", "columns", "before", "after", "reason"))
        for each in changes:
            cells = (json.dumps(each.before), json.dumps(each.after))
            row = (each.table, each.change, each.key, " ".join(each.columns), *cells, each.reason)
            writer.writerow([formats.csv_cell(value) for value in row])
    else:
        _print(changes, is_of_one=bool(only))


def _told(change: Change) -> dict[str, Any]:
    """A change as JSON holds it, with what carries its row."""
    told = {name: getattr(change, name) for name in ("table", "change", "key", "columns", "before", "after", "reason")}
    return told | {name: change.row.get(name) for name in ("evidence", "claimant", "stated_on", "url")}


def _print(changes: list[Change], *, is_of_one: bool) -> None:
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
