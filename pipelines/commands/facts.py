"""`rackledger facts`: the committed facts of `warehouse/facts/`."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Annotated, Literal

import typer

from pipelines.clock import this_second
from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import fail, load_settings, messages, out, table

app = typer.Typer(no_args_is_help=True, help="The committed facts in warehouse/facts.")


@app.command("export")
def export(
    scores: Annotated[
        Path | None,
        typer.Option(help="CSV of computed training scores that stand in for results whose archive is not at hand."),
    ] = None,
    organisers: Annotated[
        list[Path] | None,
        typer.Option(help="Folder with the organisers' rows (vX.Y.csv.gz, vX.Y_summary_results.json.gz); repeatable."),
    ] = None,
    date: Annotated[dt.datetime | None, typer.Option(help="Date these were taken (UTC); default: now.")] = None,
    commit: Annotated[list[str] | None, typer.Option(help="Commit a round's rows are from: v6.1=<sha>.")] = None,
) -> None:
    """Write the lake's parsed MLPerf rounds as committed facts, with commit and date in every row; other tables' rows
    where no archive is at hand. A round that none of them holds stays as it is.

    Example: rackledger archive add ROUND.tar.gz && rackledger run --offline && rackledger facts export
    """
    from pipelines.facts.mlperf import export_facts, read_stand_ins
    from pipelines.lake import Lake
    from pipelines.parse.mlperf.common.rows import StandInUnreadable

    settings = load_settings()
    captured_at = date.replace(tzinfo=dt.UTC) if date else this_second()
    commits = dict(item.split("=", 1) for item in commit or [] if "=" in item)
    try:
        stand_ins = read_stand_ins(scores, organisers or [])
        report = export_facts(Lake(settings.lake), settings.facts, stand_ins, captured_at, commits)
    except (StandInUnreadable, OSError) as error:
        fail(str(error), EXIT_FAILED)
    origins = ", ".join(f"{count:,} results from {origin}" for origin, count in sorted(report.origins.items()))
    rows = ", ".join(f"{name} {count:,}" for name, count in report.rows.items())
    out.print(
        f"{rows} rows of {report.rounds} rounds ({origins}; {report.completed:,} completed): {settings.facts}",
        markup=False,
    )


@app.command("export-tables")
def export_tables() -> None:
    """Write the lake's market tables as committed facts, of TOP500 only aggregates; others stay as they are.

    Example: rackledger archive add SNAPSHOT.json --source gpurentalprices --url URL --date DATE && rackledger run
    --offline && rackledger facts export-tables
    """
    from pipelines.facts.market import FactsTooLarge, export_aggregates, export_market
    from pipelines.lake import Lake

    settings = load_settings()
    try:
        written = export_market(Lake(settings.lake), settings.facts)
        written += export_aggregates(settings.warehouse, settings.facts)
    except FactsTooLarge as error:
        fail(str(error), EXIT_FAILED)
    table("", ("table", "rows", "bytes"), [(item.table, f"{item.rows:,}", f"{item.byte_count:,}") for item in written])


@app.command("import")
def import_reviewed(
    kind: Annotated[
        Literal["promises", "adoption", "racks"],
        typer.Argument(help="What a row of the files is: a promise, an event or a figure."),
    ],
    candidates: Annotated[list[Path], typer.Argument(help="CSV files of candidates, one a row.")],
    review: Annotated[Path | None, typer.Option(help="The review; default: review/KIND.yaml of the facts.")] = None,
) -> None:
    """Write reviewed candidates as committed facts, and which were refused, and why: statements on milestones, events
    of adoption, figures of racks, pods, servers and accelerators.

    Example: rackledger facts import promises promises.csv warehouse/facts/review/promises_found.csv
    """
    from pydantic import ValidationError

    from pipelines.candidates.files import CandidatesUnreadable, import_candidates

    folder = load_settings().facts
    try:
        rows, refused = import_candidates(kind, candidates, folder, review)
    except (CandidatesUnreadable, ValidationError, OSError) as error:
        fail(str(error), EXIT_FAILED)
    out.print(f"{rows:,} rows, {refused:,} candidates refused: {folder}", markup=False)


@app.command("export-read")
def export_read_facts(
    folders: Annotated[list[Path], typer.Argument(help="Folders with the texts, whatever they are called in them.")],
    with_model: Annotated[
        bool, typer.Option("--model", help="Also what kept answers of `rackledger model read` say, as candidates.")
    ] = False,
) -> None:
    """Read the texts that warehouse/facts/read/documents.csv lists and write what was read as committed facts.

    A text is known by its digest; it goes into the archive under the address that the list gives, and only facts are
    written: what is claimed, at which characters, how sure. A document whose text is not given keeps its rows, and what
    somebody decided on stays.

    Example: rackledger facts export-read TEXTS/ MORE_TEXTS/
    """
    from pipelines.facts.market import FactsTooLarge
    from pipelines.facts.read import ListRefused, export_read
    from pipelines.registry.reader_model import ModelError
    from pipelines.settings import mint_run

    try:
        report = export_read(folders, load_settings(), mint_run(), with_model=with_model)
    except (ListRefused, FactsTooLarge, ModelError, OSError, ValueError) as error:
        fail(str(error), EXIT_FAILED)
    if report.unreadable:
        messages.print(f"not readable: {', '.join(report.unreadable)}", markup=False)
    if report.lost:
        messages.print(f"decided on, and said by another now: {', '.join(report.lost)}", markup=False)
    out.print(
        f"{report.read:,} documents read, {report.kept:,} kept as they were, {len(report.unlisted):,} not listed; "
        f"{report.confident:,} confident readings, {report.candidates:,} candidates",
        markup=False,
    )
