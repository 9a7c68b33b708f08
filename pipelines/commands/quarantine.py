"""`rackledger quarantine`: what was set aside, why, and what a person decides about it."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from pipelines.clock import utc_now
from pipelines.commands import EXIT_FAILED, EXIT_USAGE
from pipelines.commands.terminal import AsJson, fail, load_settings, open_warehouse, out, print_json, table

app = typer.Typer(no_args_is_help=True, help="What was set aside and why; let it in, or close it for good.")

Id = Annotated[str, typer.Argument(help="Id as `quarantine list` shows it; its beginning is enough.")]
Why = Annotated[str, typer.Option(help="Why, for whoever looks at this later.")]
SHOWN = 200


@app.command("list")
def list_(
    every: Annotated[bool, typer.Option("--all", help="Also what was released or dropped.")] = False,
    source: Annotated[str | None, typer.Option(help="Only this source.")] = None,
    as_json: AsJson = False,
) -> None:
    """List what is set aside in the published version: claims, rows, documents, captures and whole sources."""
    rows = [r for r in _rows() if (every or r["state"] == "open") and (source is None or r["source_id"] == source)]
    if as_json:
        print_json(rows)
        return
    if not rows:
        out.print("nothing is set aside", markup=False)
        return
    names = ("quarantine_id", "kind", "state", "source_id", "first_seen", "reason")
    shown = [[_short(row[name]) for name in names] for row in rows[:SHOWN]]
    more = f"{len(rows):,} in all, the first {SHOWN} shown; --json prints all. " if len(rows) > SHOWN else ""
    hint = f"{more}`rackledger quarantine show ID` shows the row; `release` lets it in, `drop` closes it"
    table("", names, shown, caption=hint)


@app.command("show")
def show(quarantine_id: Id, as_json: AsJson = False) -> None:
    """Show one thing with its reason, its place and the whole row."""
    row = _one(quarantine_id)
    if as_json:
        print_json(row)
        return
    for name, value in row.items():
        if name != "row_json" and value is not None:
            out.print(f"{name:>14}  {value}", markup=False, soft_wrap=True)
    if row["row_json"]:
        out.print("           row", markup=False)
        for line in _pretty(row["row_json"]).splitlines():
            out.print(f"                {line}", markup=False, soft_wrap=True)


@app.command("release")
def release(quarantine_id: Id, reason: Why) -> None:
    """Let a row in although it fails its check; it enters with the next run."""
    row = _one(quarantine_id)
    if not row["is_waivable"]:
        fail(
            f"{row['quarantine_id']} cannot be let in: {row['reason']}. What could not be read, or lacks what tables "
            "rest on, comes back by itself when its source or its parser is mended; `drop` closes it.",
            EXIT_FAILED,
        )
    _decide(row, "release", reason, "enters with the next `rackledger run`")


@app.command("drop")
def drop(quarantine_id: Id, reason: Why) -> None:
    """Close it for good: it stays out, and is not shown as open again."""
    _decide(_one(quarantine_id), "drop", reason, "is closed from the next `rackledger run` on")


@app.command("reopen")
def reopen(quarantine_id: Id, reason: Why) -> None:
    """Take a decision back."""
    _decide(_one(quarantine_id), "reopen", reason, "is open again from the next `rackledger run` on")


def _rows() -> list[dict[str, Any]]:
    from warehouse.answers.health import set_aside

    with open_warehouse() as warehouse:
        return set_aside(warehouse.rows)


def _one(wanted: str) -> dict[str, Any]:
    """The row whose id begins so. Ends the command with 2 where none does, or several."""
    from pipelines.suggest import did_you_mean

    rows = _rows()
    found = [row for row in rows if str(row["quarantine_id"]).startswith(wanted.lower())]
    if len(found) == 1 and wanted:
        return found[0]
    if len(found) > 1:
        some = ", ".join(str(row["quarantine_id"]) for row in found[:5])
        fail(f"{len(found)} ids begin with {wanted!r}: {some}", EXIT_USAGE)
    near = did_you_mean(wanted, [str(row["quarantine_id"]) for row in rows])
    return fail(f"nothing is set aside under {wanted!r}{near}; `quarantine list --all` shows all", EXIT_USAGE)


def _decide(row: dict[str, Any], verdict: str, reason: str, says: str) -> None:
    """Keep what a person decides, and say what follows."""
    from warehouse.decisions import Decision, decide

    if not reason.strip():
        fail("--reason: say why in a few words", EXIT_USAGE)
    place = f"{row['table']} {row['row_key']}: {row['check']}"
    decision = Decision(str(row["quarantine_id"]), verdict, reason.strip(), utc_now(), place)
    path = load_settings().quarantine_decisions
    try:
        decide(path, decision)
    except OSError as error:
        fail(f"{path}: {error}", EXIT_FAILED)
    out.print(f"{row['quarantine_id']} {says}", markup=False)


def _short(value: Any) -> Any:
    return f"{value[:117]}..." if isinstance(value, str) and len(value) > 120 else value


def _pretty(text: str) -> str:
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    except ValueError:  # cut short: the row was too long to be kept whole
        return text
