"""`rackledger facts`: the committed facts of `warehouse/facts/`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.clock import this_second
from pipelines.commands import EXIT_FAILED
from pipelines.commands.terminal import fail, load_settings, messages, out, table

if TYPE_CHECKING:
    from pipelines.candidates.files import Refused

app = typer.Typer(no_args_is_help=True, help="The committed facts in warehouse/facts.")


@app.callback()
def facts() -> None:
    """The committed facts in warehouse/facts."""


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
    from pipelines.lake import Lake
    from pipelines.parse.mlperf.common.stand_in import StandInUnreadable
    from pipelines.publish.mlperf_facts import export_facts, read_stand_ins

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
    from pipelines.lake import Lake
    from pipelines.publish.market_facts import FactsTooLarge, export_aggregates, export_market

    settings = load_settings()
    try:
        written = export_market(Lake(settings.lake), settings.facts)
        written += export_aggregates(settings.warehouse, settings.facts)
    except FactsTooLarge as error:
        fail(str(error), EXIT_FAILED)
    table("", ("table", "rows", "bytes"), [(item.table, f"{item.rows:,}", f"{item.byte_count:,}") for item in written])


@app.command("import-promises")
def import_promise_facts(
    candidates: Annotated[list[Path], typer.Argument(help="CSV files of candidates, one statement a row.")],
    review: Annotated[Path | None, typer.Option(help="The review; default: review/promises.yaml of the facts.")] = None,
) -> None:
    """Write reviewed statements on milestones as committed facts, and which candidates were refused, and why.

    Example: rackledger facts import-promises promises.csv warehouse/facts/review/promises_found.csv
    """
    from pipelines.candidates.files import import_promises, write_rows
    from pipelines.candidates.review import Review, read_review
    from pipelines.model.promise import PromiseRow

    rows = _reviewed("promises", review, lambda path: import_promises(candidates, read_review(path, Review)))
    write_rows(load_settings().facts / "promises.csv", rows, PromiseRow)


@app.command("import-adoption")
def import_adoption_facts(
    candidates: Annotated[list[Path], typer.Argument(help="CSV files of candidates, one event a row.")],
    review: Annotated[Path | None, typer.Option(help="The review; default: review/adoption.yaml of the facts.")] = None,
) -> None:
    """Write reviewed events of adoption as committed facts, and which candidates were refused, and why.

    Example: rackledger facts import-adoption adoption.csv warehouse/facts/review/adoption_found.csv
    """
    from pipelines.candidates.adoption import AdoptionReview
    from pipelines.candidates.files import import_adoption, write_rows
    from pipelines.candidates.review import read_review
    from pipelines.model.adoption import AdoptionRow

    rows = _reviewed("adoption", review, lambda path: import_adoption(candidates, read_review(path, AdoptionReview)))
    write_rows(load_settings().facts / "adoption.csv", rows, AdoptionRow)


@app.command("import-racks")
def import_rack_facts(
    candidates: Annotated[list[Path], typer.Argument(help="CSV files of candidates, one figure a row.")],
    review: Annotated[Path | None, typer.Option(help="The review; default: review/racks.yaml of the facts.")] = None,
) -> None:
    """Write reviewed figures of racks, pods, servers and accelerators as rows of the committed ledger, and which
    candidates were refused, and why.

    Example: rackledger facts import-racks racks.csv primary.csv warehouse/facts/review/racks_found.csv
    """
    from pipelines.candidates.figure import FigureReview
    from pipelines.candidates.files import import_figures, write_ledger
    from pipelines.candidates.review import read_review

    rows = _reviewed("racks", review, lambda path: import_figures(candidates, read_review(path, FigureReview)))
    write_ledger(load_settings().facts / "ledger" / "racks_and_servers.csv", rows)


def _reviewed(kind: str, review: Path | None, read: Callable[[Path], tuple[list[Any], Sequence[Refused]]]) -> list[Any]:
    """What a review takes of candidates; the refused are written beside it, and both are counted aloud."""
    from pydantic import ValidationError

    from pipelines.candidates.files import CandidatesUnreadable, Refused, write_rows

    folder = load_settings().facts
    try:
        rows, refused = read(review or folder / "review" / f"{kind}.yaml")
    except (CandidatesUnreadable, ValidationError, OSError) as error:
        fail(str(error), EXIT_FAILED)
    write_rows(folder / "review" / f"{kind}_refused.csv", refused, Refused)
    out.print(f"{len(rows):,} rows, {len(refused):,} candidates refused: {folder}", markup=False)
    return rows


@app.command("export-read")
def export_read_facts(
    folders: Annotated[list[Path], typer.Argument(help="Folders with the texts, whatever they are called in them.")],
    with_model: Annotated[
        bool, typer.Option("--model", help="Also what kept answers of `rackledger model read` say, as candidates.")
    ] = False,
) -> None:
    """Read the texts that warehouse/facts/read/documents.csv lists and write what was read as committed facts.

    A text is known by its digest; it goes into the archive under the address that the list gives, and only facts are
    written: what is claimed, at which characters, how sure. A document whose text is not given keeps its rows.

    Example: rackledger facts export-read TEXTS/ MORE_TEXTS/
    """
    from pipelines.publish.market_facts import FactsTooLarge
    from pipelines.publish.read_facts import ListRefused, export_read
    from pipelines.registry.reader_model import ModelError
    from pipelines.settings import mint_run

    try:
        report = export_read(folders, load_settings(), mint_run(), with_model=with_model)
    except (ListRefused, FactsTooLarge, ModelError, OSError) as error:
        fail(str(error), EXIT_FAILED)
    if report.unreadable:
        messages.print(f"not readable: {', '.join(report.unreadable)}", markup=False)
    out.print(
        f"{report.read:,} documents read, {report.kept:,} kept as they were, {len(report.unlisted):,} not listed; "
        f"{report.confident:,} confident readings, {report.candidates:,} candidates",
        markup=False,
    )
