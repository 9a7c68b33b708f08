"""Which sources a run asks: those that are named, else those whose cadence says that it is time. Asks nobody."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from pipelines.archive.attempts import last_tried
from pipelines.archive.pack import PackStore
from pipelines.archive.store import Archive
from pipelines.collect.plan import due
from pipelines.settings import Run, Settings
from pipelines.source_model import Source
from pipelines.sources import SourceCatalog
from pipelines.suggest import did_you_mean

CLOCKS_DIFFER = dt.timedelta(hours=1)


def sources_to_ask(
    catalog: SourceCatalog, settings: Settings, run: Run, *, only: Collection[str] = (), whether_due: bool = True
) -> list[Source]:
    """The sources of this run: those named, else those whose cadence says that it is time.

    Raises ValueError when a name is no source.
    """
    unknown = sorted(set(only) - set(catalog.sources))
    if unknown:
        near = did_you_mean(unknown[0], catalog.sources)
        raise ValueError(f"no such source: {', '.join(unknown)}{near}; `rackledger sources list` shows the ids")
    if only:
        return [source for source in catalog if source.id in set(only)]
    fetched = [source for source in catalog if source.is_fetched]
    if not whether_due:
        return fetched
    captured, tried = last_captures(settings, run.run_at), last_tries(settings, run.run_at)
    return list(due(fetched, captured, run.run_at, tried))


def last_tries(settings: Settings, now: dt.datetime) -> dict[str, dt.datetime]:
    """When each source was last asked, whatever came of it, by the log of tries; none ahead of the clock counts."""
    return last_tried(settings.archive, now + CLOCKS_DIFFER)


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
