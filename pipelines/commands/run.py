"""`rackledger run`: the main job, from capturing what is new to a published warehouse."""

from __future__ import annotations

import dataclasses
import time
import warnings
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines.commands import EXIT_FAILED, EXIT_NO_NETWORK
from pipelines.commands.terminal import fail, load_settings, messages, out, print_json, table
from pipelines.settings import Settings, mint_run

if TYPE_CHECKING:
    from pipelines.assets.main_job import MainReport
    from pipelines.collect.run import CollectReport


def run(
    offline: Annotated[bool, typer.Option(help="Do not touch the network; build from what is here.")] = False,
    strict: Annotated[bool, typer.Option(help="Exit with 4 when there is no network.")] = False,
    source: Annotated[
        list[str] | None, typer.Option(help="Capture only this source (id from sources.yaml); may be repeated.")
    ] = None,
    accept_shrink: Annotated[
        bool, typer.Option(help="Publish although a round lost results against the version before.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON for programs.")] = False,
) -> None:
    """Capture what is new, parse it, build and publish the warehouse, and say what was made.

    Without a network it says so in one line and builds from the archive and the committed facts.
    """
    started = time.monotonic()
    settings, this_run = load_settings(), mint_run()
    captured = None if offline or settings.offline else _capture(settings, source)
    messages.print("building the warehouse from archive and committed facts …")
    warnings.filterwarnings("ignore", category=Warning, module="dagster")
    from pipelines.assets.main_job import run_main_job

    report = run_main_job(settings, this_run, accept_shrink=accept_shrink)
    if as_json:
        print_json({"collect": captured and dataclasses.asdict(captured), "build": dataclasses.asdict(report)})
    elif report.is_success:
        _show(report, time.monotonic() - started)
    for warning in report.warnings:
        messages.print(f"look: {warning}", style="yellow", markup=False)
    if not report.is_success:
        fail(f"The run failed after {report.seconds:.0f} s: {report.error}", EXIT_FAILED)
    if strict and captured is not None and not captured.has_network:
        raise typer.Exit(EXIT_NO_NETWORK)


def _capture(settings: Settings, only: list[str] | None) -> CollectReport:
    raise NotImplementedError(settings, only)


def _show(report: MainReport, seconds: float) -> None:
    """The closing table: partitions that were made, tables with their rows, version and time."""
    if report.partitions:
        rows = [
            (p.partition, *(p.counts.get(name, "") for name in ("state", "results", "scored", "systems", "problems")))
            for p in report.partitions
        ]
        table("From the archive", ("round", "state", "results", "scored", "systems", "problems"), rows)
    table("Published tables", ("table", "rows"), sorted(report.tables.items()))
    out.print(f"version {report.version}, {seconds:.1f} s", markup=False)
    out.print('open the dashboard: make dashboard   query: .venv/bin/rackledger sql "FROM meta.tables"', markup=False)
