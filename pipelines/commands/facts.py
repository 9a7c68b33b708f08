"""`rackledger facts`: the committed facts of `warehouse/facts/`."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer

from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import fail, load_settings, out, table

app = typer.Typer(no_args_is_help=True, help="The committed facts in warehouse/facts.")


@app.callback()
def facts() -> None:
    """The committed facts in warehouse/facts."""


@app.command("export")
def export(
    scores: Annotated[
        Path | None,
        typer.Option(help="CSV of computed scores that stand in for results whose archive is not at hand."),
    ] = None,
    date: Annotated[dt.datetime | None, typer.Option(help="Date of that CSV (UTC); default: now.")] = None,
) -> None:
    """Write the lake's parsed rounds as committed facts, with the commit and date of each round in every row.

    Example: rackledger archive add ROUND.tar.gz && rackledger run --offline && rackledger facts export
    """
    from pipelines.lake import Lake
    from pipelines.publish.facts import ScoresUnreadable, export_facts

    settings = load_settings()
    captured_at = date.replace(tzinfo=dt.UTC) if date else dt.datetime.now(dt.UTC).replace(microsecond=0)
    try:
        report = export_facts(Lake(settings.lake), settings.facts, scores, captured_at)
    except (ScoresUnreadable, OSError) as error:
        fail(str(error), EXIT_FAILED)
    out.print(
        f"{report.training:,} results of {report.rounds} rounds ({report.computed:,} from computed scores), "
        f"{report.systems:,} systems: {settings.facts}",
        markup=False,
    )


@app.command("export-tables")
def export_tables() -> None:
    """Write the lake's market tables as committed facts, of TOP500 only aggregates; others stay as they are.

    Example: rackledger archive add SNAPSHOT.json --source gpurentalprices --url URL --date DATE && rackledger run
    --offline && rackledger facts export-tables
    """
    from pipelines.lake import Lake
    from pipelines.publish.market_facts import FactsTooLarge, export_aggregates, export_market

    settings = load_settings()
    try:
        written = export_market(Lake(settings.lake), settings.facts)
        written += export_aggregates(settings.warehouse, settings.facts)
    except FactsTooLarge as error:
        fail(str(error), EXIT_FAILED)
    table("", ("table", "rows", "bytes"), [(item.table, f"{item.rows:,}", f"{item.byte_count:,}") for item in written])


@app.command("export-inference")
def export_inference_facts(
    organisers: Annotated[
        list[Path] | None,
        typer.Option(help="Folder with the organisers' rows (vX.Y.csv.gz, vX.Y_summary_results.json.gz); repeatable."),
    ] = None,
    date: Annotated[dt.datetime | None, typer.Option(help="Date these were taken (UTC); default: now.")] = None,
    commit: Annotated[list[str] | None, typer.Option(help="Commit the organisers' rows are from: v6.1=<sha>.")] = None,
) -> None:
    """Write the lake's inference rounds as committed facts; the organisers' rows where no archive is at hand.

    Example: rackledger facts export-inference --organisers ORACLE --date 2026-11-21
    """
    from pipelines.lake import Lake
    from pipelines.publish.inference_facts import export_inference
    from pipelines.publish.organisers import OrganisersUnreadable

    settings = load_settings()
    captured_at = date.replace(tzinfo=dt.UTC) if date else dt.datetime.now(dt.UTC).replace(microsecond=0)
    commits = dict(item.split("=", 1) for item in commit or [] if "=" in item)
    try:
        report = export_inference(Lake(settings.lake), settings.facts, organisers or [], captured_at, commits)
    except (OrganisersUnreadable, OSError) as error:
        fail(str(error), EXIT_FAILED)
    origins = ", ".join(f"{count:,} from {origin}" for origin, count in sorted(report.origins.items()))
    out.print(
        f"{report.results:,} results of {report.rounds} rounds ({origins}; {report.completed:,} parsed rows completed "
        f"from the organisers), {report.systems:,} systems: {settings.facts}",
        markup=False,
    )
