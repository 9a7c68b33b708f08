"""One build of all committed facts, and one of nothing, for a whole test run, whatever the number of its processes."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from pipelines.assets.ledger import build_ledger
from pipelines.publish.package import publish_package
from pipelines.settings import PROJECT_ROOT, Settings
from pipelines.sources import source_rows
from warehouse.build import BuildPlan, build
from warehouse.lineage import built_tables

FACTS = PROJECT_ROOT / "warehouse" / "facts"


def _newest_reading(facts: Path) -> dt.datetime:
    """The newest day on which a page of the committed facts was read: no build of them is older."""
    days: set[str] = set()
    for path in facts.rglob("*.csv"):
        with path.open(newline="", encoding="utf-8") as file:
            days.update(row.get("read_on") or "" for row in csv.DictReader(file))
    return dt.datetime.fromisoformat(max(days)).replace(tzinfo=dt.UTC)


BUILT_AT = _newest_reading(FACTS)


def committed_build(factory: pytest.TempPathFactory) -> Path:
    """The published file, built and checked as `rackledger run --offline` does; nobody may write to it."""

    def make(folder: Path) -> None:
        build_ledger(FACTS / "ledger", folder / "lake")
        assert build(plan_below(folder, FACTS)).problems == 0

    return _made_once(factory, "committed_build", make)


def empty_build(factory: pytest.TempPathFactory) -> Path:
    """The published file of a folder that holds nothing; a test that begins with a copy makes only what it fills.

    Where a test builds a few tables alone, it holds these alone too.
    """

    def make(folder: Path) -> None:
        build(plan_below(folder, folder / "facts"))
        publish_package(folder / "rackledger.duckdb", folder / "published")

    tables = ",".join(sorted(table.name for table in built_tables()))
    return _made_once(factory, f"empty_build_{hashlib.sha256(tables.encode()).hexdigest()[:8]}", make)


def _made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The file that the first of all test processes makes in a folder of that name."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    target = folder / "rackledger.duckdb"
    with FileLock(f"{folder}.lock"):
        if not target.exists():
            make(folder)
    return target


def begin_empty(settings: Settings, factory: pytest.TempPathFactory) -> None:
    """Publish the file of an empty folder and its package, as a first run would."""
    empty = empty_build(factory)
    settings.warehouse.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(empty, settings.warehouse)
    shutil.copytree(empty.with_name("published"), settings.published, copy_function=os.link)


def plan_below(folder: Path, facts: Path) -> BuildPlan:
    """A build of a folder's lake and of these facts, published there. Of few rows a second thread costs more than it
    does."""
    sources, target = source_rows(PROJECT_ROOT / "sources.yaml"), folder / "rackledger.duckdb"
    return BuildPlan(folder / "lake", facts, sources, target, folder / "scratch", "2GB", 1, "test", BUILT_AT)
