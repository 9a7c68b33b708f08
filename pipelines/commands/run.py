"""`rackledger run`: the main job, from capturing what is new to a published warehouse."""

from __future__ import annotations

import dataclasses
import time
import warnings
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.commands import EXIT_FAILED, EXIT_NO_NETWORK, EXIT_USAGE
from pipelines.commands.ending import close, refused
from pipelines.commands.terminal import fail, load_settings, messages, print_json, table
from pipelines.settings import Run, Settings, mint_run
from pipelines.sources import SourcesError, load_sources
from pipelines.upkeep.disk import remedy
from pipelines.upkeep.janitor import tidy
from pipelines.upkeep.lock import Busy, hold

if TYPE_CHECKING:
    from pipelines.assets.main_job import MainReport, PartitionRow
    from pipelines.collect.report import CollectReport

COUNTS = ("fetched", "unchanged", "new", "refused", "failed", "bytes")


def run(
    context: typer.Context,
    offline: Annotated[
        bool, typer.Option("--offline", help="Do not touch the network; build from what is here.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 4 when there is no network.")] = False,
    source: Annotated[
        list[str] | None, typer.Option(help="Capture only this source, due or not (an id of sources.yaml); repeatable.")
    ] = None,
    now: Annotated[
        bool, typer.Option("--now", help="Capture all sources, also those not due by their cadence.")
    ] = False,
    accept_shrink: Annotated[
        bool, typer.Option("--accept-shrink", help="Publish although a round lost results against the version before.")
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait for another run in the same data folder instead of leaving.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Also show each source, each table and what checks warn of.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON for programs.")] = False,
) -> None:
    """Capture what is new, parse it, build and publish the warehouse, and say what was made.

    Without a network it says so in one line and builds from the archive and the committed facts. What fails a check is
    set aside and named; exit code 5 says that all else is published, but sources are failing.
    """
    warnings.filterwarnings("ignore", module="dagster")
    started = time.monotonic()
    settings, this_run = load_settings(), mint_run()
    _begin(context, settings, this_run, wait=wait)
    try:
        load_sources(settings.sources)
    except (SourcesError, OSError) as error:
        fail(str(error), EXIT_FAILED)
    is_offline = offline or settings.offline
    captured, read = _capture(settings, this_run, [] if is_offline else source or [], is_offline, whether_due=not now)
    messages.print("building the warehouse from archive and committed facts …")
    from pipelines.assets.main_job import run_main_job

    report = run_main_job(settings, this_run, accept_shrink=accept_shrink)
    if not report.is_success:
        words = f"The run failed after {report.seconds:.0f} s: {report.error}. {remedy(report.error)}"
        if as_json:
            print_json({"build": dataclasses.asdict(report)})
        fail(words, refused(settings, report.error))
    if as_json:
        documents = [dataclasses.asdict(row) for row in read]
        collected = captured and dataclasses.asdict(captured)
        print_json({"collect": collected, "documents": documents, "build": dataclasses.asdict(report)})
    elif verbose:
        _show_sources(captured, read)
        _show_build(report)
    code = close(settings, _new(captured, read, report, time.monotonic() - started), is_quiet=as_json)
    if strict and captured is not None and not captured.has_network:
        raise typer.Exit(EXIT_NO_NETWORK)
    if code:
        raise typer.Exit(code)


def _begin(context: typer.Context, settings: Settings, this_run: Run, *, wait: bool) -> None:
    """Hold the data folder until the command ends, and remove what a killed run left."""
    holding = hold(settings.data, this_run.run_id, wait=wait, on_wait=lambda who: messages.print(f"{who} Waiting …"))
    try:
        context.with_resource(holding)
    except Busy as error:
        fail(f"{error} Run with --wait to start when it has ended.", EXIT_FAILED)
    except OSError as error:
        fail(f"{settings.data} cannot be written: {error}. {remedy(error)}", EXIT_FAILED)
    left = tidy(settings)
    if left:
        messages.print(f"removed {len(left)} leftovers of a run that was cut short")


def _capture(
    settings: Settings, this_run: Run, only: list[str], is_offline: bool, *, whether_due: bool
) -> tuple[CollectReport | None, list[PartitionRow]]:
    """Ask the sources that are due (no report when none is) and read the documents of all sources."""
    from pipelines.assets.capture_step import CaptureListener, sources_to_ask
    from pipelines.assets.main_job import run_capture_job
    from pipelines.collect.report import CollectedSource

    class Listener(CaptureListener):
        def __init__(self) -> None:
            self.report: CollectReport | None = None

        def on_row(self, row: CollectedSource) -> None:
            if row.fetched or row.unchanged:
                messages.print(
                    f"  {row.source_id}: {row.fetched} fetched, {row.new} new, {row.failed} failed", markup=False
                )

        def on_report(self, report: CollectReport) -> None:
            self.report = report

    try:
        chosen = [] if is_offline else sources_to_ask(settings, this_run, only=only, whether_due=whether_due)
    except ValueError as error:
        fail(str(error), EXIT_USAGE)
    if chosen:
        messages.print(f"capturing from {len(chosen)} sources …")
    elif not is_offline:
        messages.print("no source is due; --now captures all the same")
    listener = Listener()
    done = run_capture_job(settings, this_run, [item.id for item in chosen], listener)
    if not done.is_success:
        fail(f"Capturing failed: {done.error}. {remedy(done.error)}", EXIT_FAILED)
    if listener.report is not None and not listener.report.has_network:
        messages.print(listener.report.line, style="yellow", markup=False)
    return listener.report, [row for row in done.partitions if row.asset == "lake/documents"]


def _show_sources(captured: CollectReport | None, read: list[PartitionRow]) -> None:
    """What each asked source gave, and what its captures hold as documents."""
    if captured is not None and captured.has_network:
        asked = [row for row in captured.rows if not row.is_skipped]
        shown = [(row.source_id, *(getattr(row, name) for name in COUNTS), row.seconds, row.why) for row in asked]
        table("Sources", ("source", *COUNTS, "seconds", "why"), shown)
    if read:
        names = ("captures", "documents", "unreadable", "read_now")
        table("Documents", ("source", *names), [(r.partition, *(r.counts[name] for name in names)) for r in read])


def _new(captured: CollectReport | None, read: list[PartitionRow], report: MainReport, seconds: float) -> str:
    """What a run brought, in one line."""
    asked = [row for row in captured.rows if not row.is_skipped] if captured is not None else []
    fetched, documents = sum(row.new for row in asked), sum(int(row.counts.get("read_now", 0)) for row in read)
    claims = report.tables.get("evidence.claims", 0)
    says = f"new: {fetched:,} captures of {len(asked):,} sources asked, {documents:,} documents read"
    return f"version {report.version} in {seconds:.0f} s; {says}; {claims:,} claims stand"


def _show_build(report: MainReport) -> None:
    """Rounds, tables with their rows, and what checks warn of."""
    for warning in report.warnings:
        messages.print(f"look: {warning}", style="yellow", markup=False)
    if report.partitions:
        names = ("state", "results", "scored", "systems", "problems")
        rows: list[tuple[Any, ...]] = [(p.partition, *(p.counts.get(n, "") for n in names)) for p in report.partitions]
        table("Rounds from the archive", ("round", *names), rows)
    table("Published tables", ("table", "rows"), sorted(report.tables.items()))
