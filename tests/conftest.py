"""Fixtures that many tests share: settings in a folder of the test's own, and where the reference material lies."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from pipelines.settings import PROJECT_ROOT, Settings
from tests.committed_build import begin_empty, committed_build
from tests.order import in_good_order
from tests.settings_kit import keep_records_in_memory, settings_below
from warehouse.read import Warehouse

SHARED = PROJECT_ROOT.parent / "shared"
hypothesis.settings.register_profile("untimed", deadline=None)  # how long a machine takes is no fault of the code
hypothesis.settings.load_profile("untimed")
MAIN = sys.modules["__main__"]
gc.set_threshold(100_000, 50, 100)  # tests make much and keep little: to look for garbage so often costs a tenth


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings whose every folder lies below the test's own; commands run in this process see the same."""
    keep_records_in_memory(monkeypatch)
    return settings_below(tmp_path, monkeypatch)


@pytest.fixture
def begun(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of a folder whose first run found nothing: what a test adds is built on that, not all tables anew."""
    begin_empty(settings, tmp_path_factory)
    return settings


@pytest.fixture
def shared() -> Path:
    """The folder of reference material beside the checkout; a test that needs it says so when it is not there."""
    if not SHARED.exists():
        pytest.skip(f"the reference material is not at {SHARED}; tests on own samples cover the same path")
    return SHARED


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    """Bytes are named by their argument alone: what a library packs holds the time, so that even its length may differ
    between processes, and every process must name a test alike."""
    return f"{argname}-bytes" if isinstance(val, bytes) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files in an order that keeps all processors busy to the end, whatever the number of processes."""
    items[:] = in_good_order(items)


def pytest_runtest_setup() -> None:
    """Streamlit's AppTest leaves its script as the main module, which a process that a later test spawns would run."""
    sys.modules["__main__"] = MAIN


def pytest_collection_finish() -> None:
    """What is loaded by now stays to the end: the collector of garbage need not look through it again and again."""
    gc.freeze()


@pytest.fixture(scope="session")
def market(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """All committed facts, published."""
    with Warehouse(committed_build(tmp_path_factory)) as warehouse:
        yield warehouse
