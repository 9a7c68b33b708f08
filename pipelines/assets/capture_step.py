"""The work of a collection, without Dagster: which sources are due, and what the collector is given."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from pipelines.archive.attempts import AttemptLog
from pipelines.archive.pack import PackStore
from pipelines.archive.store import Archive
from pipelines.collect.plan import due
from pipelines.collect.ports import CollectSettings
from pipelines.collect.report import CollectedSource, CollectReport
from pipelines.collect.run import collect
from pipelines.settings import Run, Settings
from pipelines.source_model import Source
from pipelines.sources import load_sources
from pipelines.suggest import did_you_mean

CLOCKS_DIFFER = dt.timedelta(hours=1)


class CaptureListener:
    """Told of each source as it ends and of the whole report; this one does nothing with it."""

    def on_row(self, row: CollectedSource) -> None: ...

    def on_report(self, report: CollectReport) -> None: ...


def _utc_now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def sources_to_ask(
    settings: Settings, run: Run, *, only: Collection[str] = (), whether_due: bool = True
) -> list[Source]:
    """The sources of this run: those named, else those whose cadence says that it is time.

    Raises ValueError when a name is no source.
    """
    catalog = load_sources(settings.sources)
    unknown = sorted(set(only) - set(catalog.sources))
    if unknown:
        near = did_you_mean(unknown[0], catalog.sources)
        raise ValueError(f"no such source: {', '.join(unknown)}{near}; `rackledger sources list` shows the ids")
    if only:
        return [source for source in catalog if source.id in set(only)]
    fetched = [source for source in catalog if source.is_fetched]
    return fetched if not whether_due else list(due(fetched, last_captures(settings, run.run_at), run.run_at))


def last_captures(settings: Settings, now: dt.datetime) -> dict[str, dt.datetime]:
    """The newest good capture of each source, from archive and packs.

    One dated ahead of the clock (a wrong clock wrote it, or has been set right since) does not count: else its source
    would not be due until that day.
    """
    newest: dict[str, dt.datetime] = {}
    latest = now + CLOCKS_DIFFER
    with Archive(settings.archive) as archive:
        seen = [(c.source_id, c.captured_at) for c in archive.captures() if c.status < 400]
    # an archive that was added by hand says nothing about when its source was asked
    packs = [(p.source_id, p.captured_at) for p in PackStore(settings.archive).packs() if p.url.startswith("http")]
    for source_id, captured_at in (*seen, *packs):
        if captured_at <= latest:
            newest[source_id] = max(captured_at, newest.get(source_id, captured_at))
    return newest


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
        archive.repair()
        report = collect(
            sources,
            archive,
            settings=asking,
            clock=_utc_now,
            tarballs=PackStore(settings.archive),
            on_row=ended,
        )
    if not report.has_network:
        log.drop()  # our own lack of a network says nothing about a source
    return report
