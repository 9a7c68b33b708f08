"""The command `rackledger`. Mounts the subcommands and nothing else; heavy libraries load where they are used."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup, TyperOption

from pipelines import __version__
from pipelines.commands import (
    EXIT_FAILED,
    archive,
    brief,
    calc,
    doctor,
    extract,
    facts,
    mlperf,
    model,
    quarantine,
    registry,
    resolve,
    review,
    run,
    serve,
    site,
    sources,
    sql,
)
from pipelines.commands.terminal import fail, out
from pipelines.upkeep.disk import remedy

HELP = ["-h", "--help"]


class Commands(TyperGroup):
    """The commands. An error of the disk ends any of them with a message that says what to do."""

    def get_params(self, ctx: Any) -> Any:
        _show_flags_as_flags(self)
        return super().get_params(ctx)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            says = remedy(error)
            if not says:
                raise
            fail(f"{str(error).splitlines()[0]}. {says}", EXIT_FAILED)


def _show_flags_as_flags(command: Any) -> None:
    """In help texts a flag has no type: `--offline <bool>` reads as if a value were wanted."""
    of_help = command.get_help_option(typer.Context(command, help_option_names=HELP))
    for option in (*command.params, of_help):
        if isinstance(option, TyperOption) and option.is_flag:
            option.metavar = ""
    for inner in getattr(command, "commands", {}).values():
        _show_flags_as_flags(inner)


app = typer.Typer(
    name="rackledger",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": HELP},
    help=(
        "A public, dated, evidence-graded ledger of the AI-hardware market.\n\n"
        "Start with [bold]rackledger run[/bold]: it captures what is new, builds the warehouse and says what it made. "
        "Then [bold]rackledger dashboard[/bold] opens it in a browser and [bold]rackledger sql[/bold] queries it.\n\n"
        "Exit codes: 0 done; 1 refused or failed, the message says why; 2 wrong command line; 3 no warehouse yet; "
        "4 no network although --strict asked for it; 5 published, but sources are failing (the last lines name them)."
    ),
)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        out.print(f"rackledger {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """What all commands share."""


_COMMANDS = (
    run.run, serve.dashboard, serve.dev, sql.sql, extract.extract, extract.read, model.train_reader, resolve.resolve,
    site.publish, site.site, brief.brief, sql.diff, serve.mcp, brief.alerts, doctor.doctor,
)  # fmt: skip
for command in _COMMANDS:
    app.command()(command)
for group in (archive, mlperf, model, facts, sources, registry, quarantine, calc, review):
    app.add_typer(group.app, name=group.__name__.rpartition(".")[2])
