"""Which sources a run asks: those that are named, else those whose cadence says that it is time. Asks nobody."""

from __future__ import annotations

from collections.abc import Collection

from pipelines.archive.attempts import CLOCKS_DIFFER, last_captured, last_tried
from pipelines.collect.plan import due
from pipelines.settings import Run, Settings
from pipelines.source_model import Source
from pipelines.sources import SourceCatalog
from pipelines.suggest import did_you_mean


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
    latest = run.run_at + CLOCKS_DIFFER
    captured, tried = last_captured(settings.archive, latest), last_tried(settings.archive, latest)
    return list(due(fetched, captured, run.run_at, tried))
