"""`rackledger run`: the main job, from capturing what is new to a published warehouse, and its last lines.

They say what is new, what failed and why, what to do, where to look; and the exit code.
"""

from __future__ import annotations

import dataclasses
import time
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipelines.commands import EXIT_FAILED, EXIT_NO_NETWORK, EXIT_SOURCES_FAIL, EXIT_USAGE
from pipelines.commands.terminal import fail, load_settings, messages, out, print_json, table
from pipelines.remote import RemoteError, fetch
from pipelines.settings import Run, Settings, mint_run
from pipelines.source_model import Kind
from pipelines.sources import SourceCatalog, SourcesError, load_sources
from pipelines.upkeep.disk import remedy
from pipelines.upkeep.janitor import tidy
from pipelines.upkeep.lock import Busy, hold
from warehouse.outcome import UNCHANGED, Ending, note

if TYPE_CHECKING:
    from pipelines.collect.report import CollectReport
    from pipelines.main_job import MainReport, PartitionRow
    from warehouse.answers.health import Health


def published_health(settings: Settings) -> Health | None:
    """What the published file says of its sources; None where there is none, or one of an older program."""
    import duckdb

    from warehouse.answers.health import health
    from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable

    try:
        with Warehouse(settings.warehouse) as warehouse:
            return health(warehouse.rows)
    except (WarehouseMissing, WarehouseUnreadable, duckdb.Error):
        return None


def close(settings: Settings, new: str, *, is_quiet: bool = False) -> int:
    """Say how a run ended that published, tell the operator's address, and return the exit code."""
    state = published_health(settings)
    wrong = state.words if state is not None else []
    lines = [new, *wrong]
    if state is not None and wrong:
        lines.append(_to_do(state))
    lines.append("look: `make dashboard` (page Sources), `rackledger doctor`, `rackledger sql 'FROM meta.tables'`")
    if not is_quiet:
        for line in lines:
            out.print(line, markup=False, soft_wrap=True)
    is_well = state is None or state.is_well
    if messages.is_json:
        messages.tell("info" if is_well else "warning", new, event="published", is_well=is_well, wrong=wrong)
    return _close(settings, state)


def unchanged(settings: Settings) -> int:
    """Tell the operator's address, where it heard of a refusal, that it is over; the exit code of what stands."""
    return _close(settings, published_health(settings))


def refused(settings: Settings, why: str) -> int:
    """Tell the operator's address that nothing was published; the exit code of it."""
    _sound_alarm(settings, "refused", why.splitlines(), [], is_well=False)
    return EXIT_FAILED


def _close(settings: Settings, state: Health | None) -> int:
    is_well, wrong = (state.is_well, state.words) if state is not None else (True, [])
    _sound_alarm(settings, "published", [], wrong, is_well=is_well and not wrong)
    return 0 if is_well else EXIT_SOURCES_FAIL


def _to_do(state: Health) -> str:
    steps = []
    if state.failing:
        steps.append("mend the address in sources.yaml, or set `status: skip` with the reason")
    if state.aside:
        steps.append("`rackledger quarantine list`, then `show`, `release` or `drop` an id")
    return "do: " + "; ".join(steps)


def _sound_alarm(settings: Settings, outcome: str, says: Sequence[str], wrong: Sequence[str], *, is_well: bool) -> None:
    from pipelines.alarm import sound

    message = {"outcome": outcome, "says": list(says), "wrong": list(wrong)}
    error = sound(settings.alarm_url, message, settings.data / "alarm.txt", is_well=is_well)
    if error:
        messages.print(error, markup=False, style="yellow")


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
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Build every table anew, also where nothing changed.")
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
    from pipelines.upkeep import manifest

    started = time.monotonic()
    settings, this_run = load_settings(), mint_run()
    _begin(context, settings, this_run, wait=wait)
    catalog = _listed(settings)
    is_offline = offline or settings.offline
    if not settings.warehouse.exists():
        messages.print(first_words(catalog, is_offline=is_offline), markup=False, soft_wrap=True)
    chosen = [] if is_offline else _choose(catalog, settings, this_run, only=source or [], whether_due=not now)
    captured = _capture(settings, this_run, chosen) if chosen else None
    inputs = manifest.inputs_of(settings)  # before anything is read: what comes later is the next run's
    changed = manifest.changed_since_last_run(settings, inputs)
    if not changed and not (rebuild or accept_shrink):
        note(settings.warehouse, Ending(UNCHANGED, this_run.run_at))
        code = _say_unchanged(settings, captured, is_offline=is_offline, as_json=as_json)
    else:
        words = f"building the warehouse (changed: {', '.join(changed) or 'nothing'}) …"
        messages.note(words, event="build", run_id=this_run.run_id, changed=changed)
        from pipelines.main_job import run_main_job

        report = run_main_job(settings, this_run, accept_shrink=accept_shrink, is_full=rebuild, inputs=inputs)
        code = _tell(settings, report, captured, time.monotonic() - started, is_verbose=verbose, as_json=as_json)
    if strict and captured is not None and not captured.has_network:
        raise typer.Exit(EXIT_NO_NETWORK)
    if code:
        raise typer.Exit(code)


def _listed(settings: Settings) -> SourceCatalog:
    try:
        return load_sources(settings.sources)
    except (SourcesError, OSError) as error:
        fail(str(error), EXIT_FAILED)


def first_words(catalog: SourceCatalog, *, is_offline: bool) -> str:
    """What the first run in a folder does, and how long that takes at most by the manners of the sources."""
    waits: dict[str, float] = {}
    for source in catalog if not is_offline else ():
        if source.is_fetched and source.urls:
            asked = len(source.urls) + (source.max_new_items if source.kind in (Kind.FEED, Kind.LISTING) else 0) + 1
            waits[source.allowed_hosts[0]] = waits.get(source.allowed_hosts[0], 0.0) + asked * source.politeness.delay_s
    minutes = max(waits.values(), default=0.0) / 60
    most = f"up to {minutes:.0f} minutes" if minutes > 1 else "a minute at most"
    asks = f"asks {several(len(waits), 'host')}, gently ({most}), " if waits else ""
    return (
        f"The first run here: it {asks}reads what is kept, builds all tables from that and the committed facts (one or "
        "two minutes of processor time), checks and publishes them. Later runs do what is new."
    )


def several(count: int, one: str) -> str:
    """How many there are of something, in words: 1 source, 2 sources."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def _tell(
    settings: Settings,
    report: MainReport,
    captured: CollectReport | None,
    seconds: float,
    *,
    is_verbose: bool,
    as_json: bool,
) -> int:
    """What the run made, and its exit code; ends the command where it failed."""
    if not report.is_success:
        words = f"The run failed after {report.seconds:.0f} s: {report.error}. {remedy(report.error)}"
        if as_json:
            print_json({"build": dataclasses.asdict(report)})
        fail(words, refused(settings, report.error))
    read = report.rows_of("lake/documents")
    if as_json:
        documents = [dataclasses.asdict(row) for row in read]
        collected = captured and dataclasses.asdict(captured)
        print_json({"collect": collected, "documents": documents, "build": dataclasses.asdict(report)})
    elif is_verbose:
        _show_sources(captured, read)
        _show_build(report)
    return close(settings, _new(captured, read, report, seconds), is_quiet=as_json)


def _say_unchanged(settings: Settings, captured: CollectReport | None, *, is_offline: bool, as_json: bool) -> int:
    """One line: the published file is what a build would make; its sources may still be failing."""
    from pipelines.upkeep.manifest import read_record

    last = read_record(settings)
    version = last.version if last is not None else ""
    if as_json:
        print_json({"collect": captured and dataclasses.asdict(captured), "documents": [], "build": None})
    else:
        due = "" if is_offline or captured is not None else " and no source is due (--now asks all the same)"
        says = f"nothing changed since version {version}{due}; --rebuild builds all the same"
        out.print(says, markup=False, soft_wrap=True)
    from pipelines.publish.metrics import write_metrics

    write_metrics(settings)
    if messages.is_json:
        messages.tell("info", f"nothing changed since version {version}", event="unchanged")
    return unchanged(settings)


def _begin(context: typer.Context, settings: Settings, this_run: Run, *, wait: bool) -> None:
    """Hold the data folder until the command ends, and remove what a killed run left."""
    holding = hold(settings.data, this_run.run_id, wait=wait, on_wait=lambda who: messages.print(f"{who} Waiting …"))
    try:
        context.with_resource(holding)
    except Busy as error:
        fail(f"{error} Run with --wait to start when it has ended.", EXIT_FAILED)
    except OSError as error:
        fail(f"{settings.data} cannot be written: {error}. {remedy(error)}", EXIT_FAILED)
    try:
        fetch(settings)
    except RemoteError as error:
        fail(f"RACKLEDGER_REMOTE cannot be used: {error}", EXIT_FAILED)
    left = tidy(settings)
    if left:
        messages.print(f"removed {several(len(left), 'leftover')} of a run that was cut short")


def _choose(
    catalog: SourceCatalog, settings: Settings, this_run: Run, *, only: list[str], whether_due: bool
) -> list[str]:
    """The ids of the sources that this run asks."""
    from pipelines.assets.due import sources_to_ask

    try:
        return [item.id for item in sources_to_ask(catalog, settings, this_run, only=only, whether_due=whether_due)]
    except ValueError as error:
        fail(str(error), EXIT_USAGE)


def _capture(settings: Settings, this_run: Run, chosen: list[str]) -> CollectReport | None:
    """Ask these sources and archive their answers."""
    from pipelines.assets.capture_step import CaptureListener
    from pipelines.collect.report import CollectedSource
    from pipelines.main_job import run_capture_job

    class Listener(CaptureListener):
        def __init__(self) -> None:
            self.report: CollectReport | None = None

        def on_row(self, row: CollectedSource) -> None:
            if row.fetched or row.unchanged:
                words = f"  {row.source_id}: {row.fetched} fetched, {row.new} new, {row.failed} failed"
                counts = {name: getattr(row, name) for name in COUNTS}
                messages.note(words, event="captured", source_id=row.source_id, **counts)

        def on_report(self, report: CollectReport) -> None:
            self.report = report

    messages.note(f"capturing from {several(len(chosen), 'source')} …", event="capture", sources=len(chosen))
    listener = Listener()
    done = run_capture_job(settings, this_run, chosen, listener)
    if not done.is_success:
        fail(f"Capturing failed: {done.error}. {remedy(done.error)}", EXIT_FAILED)
    if listener.report is not None and not listener.report.has_network:
        messages.print(listener.report.line, style="yellow", markup=False)
    return listener.report


def _show_sources(captured: CollectReport | None, read: list[PartitionRow]) -> None:
    """What each asked source gave, and what its captures hold as documents."""
    if captured is not None and captured.has_network:
        asked = [row for row in captured.rows if not row.is_skipped]
        shown = [(row.source_id, *(getattr(row, name) for name in COUNTS), row.seconds, row.why) for row in asked]
        table("Sources", ("source", *COUNTS, "seconds", "why"), shown)
    if read:
        names = ("captures", "documents", "unreadable", "read_now")
        table(
            "Documents", ("source", *names), [(r.partition, *(r.counts.get(name, "") for name in names)) for r in read]
        )


def _new(captured: CollectReport | None, read: list[PartitionRow], report: MainReport, seconds: float) -> str:
    """What a run brought, in one line."""
    asked = [row for row in captured.rows if not row.is_skipped] if captured is not None else []
    fetched, documents = sum(row.new for row in asked), sum(int(row.counts.get("read_now", 0)) for row in read)
    claims = report.tables.get("evidence.claims", 0)
    found = f"{several(fetched, 'capture')} of {several(len(asked), 'source')} asked"
    says = f"new: {found}, {several(documents, 'document')} read"
    return f"version {report.version} in {seconds:.0f} s; {says}; {claims:,} claims stand"


def _show_build(report: MainReport) -> None:
    """Rounds, tables with their rows, and what checks warn of."""
    for warning in report.warnings:
        messages.print(f"look: {warning}", style="yellow", markup=False)
    if rounds := report.rows_of("lake/mlperf"):
        names = ("read_now", "results", "scored", "systems", "problems")
        rows: list[tuple[Any, ...]] = [(row.partition, *(row.counts.get(name, "") for name in names)) for row in rounds]
        table("Rounds from the archive", ("round", *names), rows)
    table("Published tables", ("table", "rows"), sorted(report.tables.items()))
