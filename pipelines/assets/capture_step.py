"""The work of a collection, without Dagster: what the collector is given, and where its tries are logged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from pipelines.archive.attempts import AttemptLog
from pipelines.archive.pack import PackStore
from pipelines.archive.store import Archive
from pipelines.clock import utc_now
from pipelines.collect.ports import CollectSettings
from pipelines.collect.report import CollectedSource, CollectReport
from pipelines.collect.run import collect
from pipelines.settings import Run, Settings
from pipelines.source_model import Source


class CaptureListener:
    """Told of each source as it ends and of the whole report; this one does nothing with it."""

    def on_row(self, row: CollectedSource) -> None: ...

    def on_report(self, report: CollectReport) -> None: ...


def capture(
    settings: Settings, run: Run, sources: Iterable[Source], on_row: Callable[[CollectedSource], None] | None = None
) -> CollectReport:
    """Ask these sources and archive their answers; what a killed run left torn is repaired first."""
    settings.archive.mkdir(parents=True, exist_ok=True)
    asking = CollectSettings(contact=settings.contact, spool=settings.archive)
    log = AttemptLog(settings.archive, run.run_id)

    def ended(row: CollectedSource) -> None:
        log.append(replace(attempt, run_id=run.run_id) for attempt in row.attempts)
        if on_row is not None:
            on_row(row)

    with Archive(settings.archive, run_stamp=run.run_id) as archive:
        archive.repair(is_noted_sound=True)
        report = collect(
            sources,
            archive,
            settings=asking,
            clock=utc_now,
            tarballs=PackStore(settings.archive),
            on_row=ended,
        )
    if not report.has_network:
        log.drop()  # our own lack of a network says nothing about a source
    return report
