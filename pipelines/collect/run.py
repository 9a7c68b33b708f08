"""The collection: every source at the same time, each host in turn, every answer archived before anything reads it.

A source that fails is a row with its reasons; it never stops another.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpcore
import httpx

from pipelines.archive.store import Archive
from pipelines.collect.address import GuardedBackend, resolve_by_system
from pipelines.collect.client import Client
from pipelines.collect.lanes import Lanes, Reach
from pipelines.collect.plan import plan
from pipelines.collect.ports import Clock, CollectSettings, Resolver, TarballStore
from pipelines.collect.report import CollectedSource, CollectReport, Tally
from pipelines.collect.robots import RobotsBook
from pipelines.collect.take import Keeper, SourceRun
from pipelines.collect.visit import Visitor
from pipelines.problems import Fault, Reason
from pipelines.source_model import Source

_log = logging.getLogger(__name__)

OnRow = Callable[[CollectedSource], None]


def collect(
    sources: Iterable[Source],
    archive: Archive,
    *,
    settings: CollectSettings,
    clock: Clock,
    resolver: Resolver | None = None,
    tarballs: TarballStore | None = None,
    on_row: OnRow | None = None,
    dialler: httpcore.AsyncNetworkBackend | None = None,
) -> CollectReport:
    """Ask every source that may be asked and archive the answers.

    Repository archives that `tarballs` takes go there, all else into `archive`. `on_row` is called as each source ends.
    `resolver` and `dialler` (opens the connections to addresses that were judged) are the system's unless given.
    """
    started = time.monotonic()
    planned = plan(sources)
    reach = Reach(planned.opening_hosts)
    with tempfile.TemporaryDirectory(prefix="collect-", dir=settings.spool) as folder:
        run = _Run(
            settings,
            clock,
            resolver or resolve_by_system,
            dialler or httpcore.AnyIOBackend(),
            Path(folder),
            Keeper(archive, tarballs),
            reach,
            on_row,
        )
        rows = asyncio.run(run.all(planned.sources))
    skipped = tuple(CollectedSource(name, 0, 0, 0, 0, (), 0, 0.0, is_skipped=True) for name in planned.skipped)
    is_offline = reach.offline.is_set()
    seconds = round(time.monotonic() - started, 3)
    return CollectReport((*rows, *skipped), not is_offline, seconds, reach.line if is_offline else "")


@dataclass(slots=True)
class _Run:
    """What the sources of one run share."""

    settings: CollectSettings
    clock: Clock
    resolver: Resolver
    dialler: httpcore.AsyncNetworkBackend
    folder: Path
    keeper: Keeper
    reach: Reach
    on_row: OnRow | None
    lanes: Lanes = field(init=False)
    robots: RobotsBook = field(init=False)
    asked_hosts: set[str] = field(default_factory=set)
    # eighty look-ups at once made a small resolver drop some and answer the rest five seconds late
    looking_up: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(16))

    def __post_init__(self) -> None:
        self.lanes = Lanes(self.settings, self.reach)
        self.robots = RobotsBook(self.settings)

    async def all(self, sources: tuple[Source, ...]) -> list[CollectedSource]:
        """Every source's row, in the order of the sources."""
        tls = self.settings.tls or httpx.create_ssl_context()
        tallies = [Tally(source.id, source.max_new_items) for source in sources]
        tasks = {
            asyncio.create_task(self._one(source, tally, tls), name=source.id): (source, tally)
            for source, tally in zip(sources, tallies, strict=True)
        }
        public = [task for task, (source, _) in tasks.items() if not source.is_local]
        watch = asyncio.create_task(self._watch(public))
        try:
            results = await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            watch.cancel()
            await asyncio.wait([watch])
        for result, (source, tally) in zip(results, tasks.values(), strict=True):
            self._conclude(result, source, tally)
        return [tally.row() for tally in tallies]

    async def _watch(self, tasks: list[asyncio.Task[None]]) -> None:
        """End what is under way as soon as it is clear that there is no network."""
        for seconds, is_over in (
            (self.settings.patience_s, self.reach.patience_is_over),
            (self.settings.silence_s - self.settings.patience_s, self.reach.silence_is_over),
        ):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.reach.offline.wait(), seconds)
            is_over()
        await self.reach.offline.wait()
        for task in tasks:
            task.cancel()

    def _conclude(self, result: BaseException | None, source: Source, tally: Tally) -> None:
        if self.reach.offline.is_set() and not source.is_local:
            tally.failures = [Fault(source.urls[0], Reason.NO_NETWORK, "there is no network; nothing was asked")]
        elif isinstance(result, asyncio.CancelledError):
            raise result
        elif result is not None:
            # A fault of ours in one source: the others' captures stand, and the row says so.
            _log.error("collecting %s broke off", source.id, exc_info=result)
            tally.break_off(source.urls[0], self.clock(), f"{type(result).__name__}: {result}"[:300])
            if self.on_row is not None and not isinstance(result, OSError):  # of a full disk the log could not tell
                self.on_row(tally.row())

    async def _look_up(self, host: str, port: int) -> Sequence[str]:
        async with self.looking_up:
            return await self.resolver(host, port)

    async def _one(self, source: Source, tally: Tally, tls: ssl.SSLContext) -> None:
        started = time.monotonic()
        backend = GuardedBackend(
            self._look_up, is_local=source.is_local, inner=self.dialler, on_connected=self.reach.connected
        )
        try:
            async with Client(backend, tls, self.settings, self.clock, self.folder) as client:
                visitor = Visitor(source, client, self.lanes, self.robots, self.settings, self.asked_hosts)
                await SourceRun(source, visitor, self.keeper, tally).all()
        finally:
            tally.seconds = time.monotonic() - started
        if self.on_row is not None:
            self.on_row(tally.row())
