"""Versions are published while visitors click: nobody sees an error, and whoever comes afterwards sees the last one."""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pipelines.settings import PROJECT_ROOT
from tests.browser.conftest import serve
from warehouse.read import Warehouse

VISITORS, CLICKS, VERSIONS = 8, 6, 5  # more of each with bench/visitors.py --publish


@pytest.fixture(scope="module")
def bench() -> Iterator[ModuleType]:
    """The light visitors of bench/visitors.py."""
    spec = importlib.util.spec_from_file_location("bench_dashboard", PROJECT_ROOT / "bench" / "visitors.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_dashboard"] = module
    spec.loader.exec_module(module)
    module.THINK_SECONDS = 0.2  # type: ignore[attr-defined]
    yield module
    del sys.modules["bench_dashboard"]


def test_no_click_fails_while_versions_are_published(bench: ModuleType, published: Path, tmp_path: Path) -> None:
    path = tmp_path / "rackledger.duckdb"
    shutil.copyfile(published, path)
    for url in serve(path, draws_ahead=True):
        host = url.removeprefix("http://")

        async def load(host: str = host) -> list[str]:
            tally, ready = bench.Tally(), asyncio.Barrier(VISITORS + 1)
            visitors = [asyncio.create_task(bench.visit(host, CLICKS, tally, ready)) for _ in range(VISITORS)]
            await ready.wait()
            await bench.publish(path, VERSIONS, 0.1)
            await ready.wait()
            await asyncio.gather(*visitors)
            assert len(tally.clicks) == CLICKS * VISITORS
            errors: list[str] = tally.errors
            return errors

        assert asyncio.run(load()) == []
    with Warehouse(path) as warehouse:
        assert warehouse.publication.version == f"20990101T{VERSIONS - 1:06}Z-bench"
