"""A day in the life of the product: what is due is asked, read, built and published by the functions of a run."""

from __future__ import annotations

import datetime as dt
import os
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pipelines import clock, lake
from pipelines.archive.pack import PackStore
from pipelines.assets import capture_step
from pipelines.assets.attempts import build_attempts
from pipelines.assets.capture_step import capture
from pipelines.assets.claims_step import build_claims
from pipelines.assets.clock_step import report_ahead
from pipelines.assets.copies_step import build_copies
from pipelines.assets.documents_step import build_documents
from pipelines.assets.due import sources_to_ask
from pipelines.assets.market_step import build_market
from pipelines.assets.mlperf_step import build_rounds
from pipelines.assets.partition_step import Outcome
from pipelines.assets.warehouse import plan_of
from pipelines.collect.ports import CollectSettings
from pipelines.collect.run import collect
from pipelines.frozen import frozen
from pipelines.settings import PREFIX, Run, Settings, mint_run
from pipelines.sources import load_sources
from pipelines.upkeep.janitor import tidy
from pipelines.upkeep.lock import hold
from tests.collect_kit import FAST
from tests.settings_kit import settings_below
from tests.simulation.internet import Internet
from tests.simulation.world import listed
from warehouse.build import build
from warehouse.read import Warehouse


@frozen
class Day:
    """What a day cost and gave: sources asked, bodies' bytes, items read now, files of the lake written, the version in
    place after it."""

    number: int
    asked: int
    byte_count: int
    read: int
    written: int
    version: str


@dataclass(slots=True)
class Life:
    """The product in one folder beside a world; its clock is the world's unless it is set wrong."""

    settings: Settings
    world: Internet
    days: list[Day] = field(default_factory=list)
    wrong_by: dt.timedelta = dt.timedelta(0)
    runs: int = 0
    written: int = 0

    def now(self) -> dt.datetime:
        """What the product's clock shows; each run is a minute after the one before."""
        return self.world.now + self.wrong_by + dt.timedelta(minutes=self.runs)

    def day(self, *, publishes: bool = True) -> Day:
        """One run; without publishing it only captures, as the hourly schedule of captures does."""
        self.runs += 1
        self.written = 0
        settings, run = self.settings, mint_run()
        with hold(settings.data, run.run_id, wait=False):
            tidy(settings)
            catalog = load_sources(settings.sources)
            asked = capture(settings, run, sources_to_ask(catalog, settings, run))
            outcomes: list[Outcome] = []
            version = ""
            if publishes:
                outcomes, version = self._published(run)
        read = sum(int(outcome.counts.get("read_now", 0)) for outcome in outcomes)
        size = sum(row.bytes for row in asked.rows)
        made = Day(self.world.day, len(asked.rows), size, read, self.written, version)
        self.days.append(made)
        return made

    def _published(self, run: Run) -> tuple[list[Outcome], str]:
        """Read what is new, and build."""
        settings = self.settings
        catalog = load_sources(settings.sources)
        report_ahead(settings.archive, settings.lake, run.run_at)
        packs = PackStore(settings.archive).latest()
        outcomes = [
            *build_attempts(settings.archive, settings.lake),
            *build_rounds(packs, settings.archive, settings.lake, 1),
            *build_documents(catalog, settings.archive, settings.lake, 1),
            *build_claims(catalog, settings.lake, 1),
            *build_market(catalog, catalog, settings.archive, settings.lake),
            *build_copies(settings.lake),
        ]
        return outcomes, build(plan_of(settings, run, accept_shrink=False)).version

    def ask(self, sql: str) -> list[tuple[Any, ...]]:
        """A question to the published file."""
        with Warehouse(self.settings.warehouse) as warehouse:
            return [tuple(row.values()) for row in warehouse.rows(sql)]

    def killed(self, after: int) -> int:
        """A run in a process of its own that is killed when the world was asked so often; its exit status."""
        reached = self.world.asked + after
        child = _fork(lambda: self.day())
        self.world.on_ask = lambda count: os.kill(child, signal.SIGKILL) if count == reached else None
        status = _wait(child)
        self.world.on_ask = lambda count: None
        self.runs += 1
        return status

    def on_a_full_disk(self, most: int) -> int:
        """A run in a process of its own that may write no file beyond a size; its exit status."""

        def limited() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
            self.day()

        status = _wait(_fork(limited))
        self.runs += 1
        return status


def _fork(work: Callable[[], object]) -> int:
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        work()
        code = 0
    finally:
        os._exit(code)


def _wait(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@contextmanager
def living(folder: Path, world: Internet) -> Iterator[Life]:
    """The product in an empty folder, with the world's names, sockets, certificates and clock."""
    with pytest.MonkeyPatch.context() as patch, world:
        settings_below(folder, patch)
        (folder / "sources.yaml").write_text(listed(world.hosts.values()), encoding="utf-8")
        patch.setenv(PREFIX + "SOURCES", str(folder / "sources.yaml"))
        patch.setenv(PREFIX + "OFFLINE", "false")
        life = Life(Settings(), world)
        quick = {**FAST, "tls": world.trust(), "total_s": 3.0}
        patch.setattr(capture_step, "CollectSettings", lambda **given: CollectSettings(**(quick | given)))
        patch.setattr(capture_step, "collect", partial(collect, resolver=world.resolve, dialler=world.dialler()))
        patch.setattr(clock, "read", life.now)
        write = lake.write_parquet

        def counted(rows: pa.Table, path: Path) -> None:
            life.written += 1
            write(rows, path)

        patch.setattr(lake, "write_parquet", counted)
        yield life
