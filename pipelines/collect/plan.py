"""What a run asks: which sources, and which of them are due. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from pipelines.collect.links import host_of
from pipelines.source_model import Source


@dataclass(frozen=True, slots=True)
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


def due(sources: Iterable[Source], last_captured: Mapping[str, datetime], now: datetime) -> tuple[Source, ...]:
    """Sources whose last capture is as old as their cadence, or that have none; `last_captured` is by source id.

    A twentieth of the cadence is forgiven, so that a job that runs a little early is not a day late.
    """
    return tuple(
        source
        for source in sources
        if source.id not in last_captured or now - last_captured[source.id] >= source.cadence * 0.95
    )
