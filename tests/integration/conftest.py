"""A build of all committed facts, made once for the tests that ask the marts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest

from pipelines.assets.ledger import build_ledger
from pipelines.settings import PROJECT_ROOT
from pipelines.source_rows import source_rows
from warehouse.build import BuildPlan, build
from warehouse.read import Warehouse


@pytest.fixture(scope="session")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """All committed facts, built and checked as `rackledger run --offline` does."""
    folder = tmp_path_factory.mktemp("market")
    plan = BuildPlan(
        lake=folder / "lake",
        facts=PROJECT_ROOT / "warehouse" / "facts",
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
