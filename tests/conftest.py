"""Fixtures that many tests share: settings in a folder of the test's own, and where the reference material lies."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from pipelines.assets import main_job
from pipelines.assets.ledger import build_ledger
from pipelines.settings import PREFIX, PROJECT_ROOT, Settings
from pipelines.source_rows import source_rows
from warehouse.build import BuildPlan, build
from warehouse.read import Warehouse

SHARED = PROJECT_ROOT.parent / "shared"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings whose every folder lies below the test's own; commands run in this process see the same."""
    places = {
        "DATA": tmp_path / "data",
        "WAREHOUSE": tmp_path / "warehouse" / "rackledger.duckdb",
        "PUBLISHED": tmp_path / "published",
        "FACTS": tmp_path / "facts",
    }
    for name, path in places.items():
        monkeypatch.setenv(PREFIX + name, str(path))
    monkeypatch.setenv(PREFIX + "OFFLINE", "true")
    monkeypatch.setenv(PREFIX + "WORKERS", "1")
    # Dagster's records in memory: on disk they cost two thirds of a small run. test_executors.py keeps them on disk.
    monkeypatch.setattr(main_job, "records", lambda settings: dg.DagsterInstance.ephemeral())
    return Settings()


@pytest.fixture
def shared() -> Path:
    """The folder of reference material beside the checkout; a test that needs it says so when it is not there."""
    if not SHARED.exists():
        pytest.skip(f"the reference material is not at {SHARED}; tests on own samples cover the same path")
    return SHARED


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Bytes are named by their length: compressed ones hold the time, and every process must name a test alike."""
    return f"{argname}-{len(val)}-bytes" if isinstance(val, bytes) else None


@pytest.fixture(scope="session")
def committed_ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """The committed ledger, built without the market tables, which have tests of their own."""
    folder = tmp_path_factory.mktemp("committed")
    facts = folder / "facts"
    facts.mkdir()
    (facts / "ledger").symlink_to(PROJECT_ROOT / "warehouse" / "facts" / "ledger")
    plan = BuildPlan(
        lake=folder / "lake",
        facts=facts,
        sources=source_rows(PROJECT_ROOT / "sources.yaml"),
        target=folder / "rackledger.duckdb",
        scratch=folder / "scratch",
        memory_limit="1GB",
        threads=2,
        run_id="test",
        built_at=dt.datetime(2026, 11, 21, tzinfo=dt.UTC),
    )
    build_ledger(plan.facts / "ledger", plan.lake)
    report = build(plan)
    assert report.problems == 0
    with Warehouse(plan.target) as warehouse:
        yield warehouse
