"""What a run asks: which sources, and which of them are due. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType

from pipelines.collect.links import host_of
from pipelines.frozen import frozen
from pipelines.source_model import Source


@frozen
class Plan:
    """Sources to ask, in the order given, and those whose terms say never."""

    sources: tuple[Source, ...]
    skipped: tuple[str, ...]

    @property
    def opening_hosts(self) -> set[str]:
        """Hosts asked first, each in parallel: whether there is a network shows on them. Local sources say nothing."""
        return {host_of(source.urls[0]) for source in self.sources if not source.is_local}


def plan(sources: Iterable[Source]) -> Plan:
    """Split sources into those to ask and those never asked."""
    listed = list(sources)
    return Plan(
        tuple(source for source in listed if source.is_fetched and source.urls),
        tuple(source.id for source in listed if not source.is_fetched),
    )


def due(
    sources: Iterable[Source],
    last_captured: Mapping[str, datetime],
    now: datetime,
    last_tried: Mapping[str, datetime] = MappingProxyType({}),
) -> tuple[Source, ...]:
    """Sources whose last capture is as old as their cadence, or that have none; both mappings are by source id.

    A twentieth of the cadence is forgiven, so that a job that runs a little early is not a day late. A source that gave
    nothing when it was last tried is tried again after a quarter of its cadence, not at every run.
    """
    return tuple(
        source
        for source in sources
        if _is_over(last_captured.get(source.id), now, source.cadence)
        and _is_over(last_tried.get(source.id), now, source.cadence / 4)
    )


def _is_over(since: datetime | None, now: datetime, wait: timedelta) -> bool:
    return since is None or now - since >= wait * 0.95
