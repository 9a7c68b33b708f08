"""Settings whose every folder lies below one of a test's own, also for commands that run in this process."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from pipelines import main_job
from pipelines.settings import PREFIX, Settings

PLACES = {
    "DATA": "data",
    "WAREHOUSE": "warehouse/rackledger.duckdb",
    "PUBLISHED": "published",
    "FACTS": "facts",
}


def settings_below(folder: Path, patch: pytest.MonkeyPatch) -> Settings:
    """Offline settings of one worker below a folder; processes started from here read the same from the environment."""
    for name, place in PLACES.items():
        patch.setenv(PREFIX + name, str(folder / place))
    patch.setenv(PREFIX + "OFFLINE", "true")
    patch.setenv(PREFIX + "WORKERS", "1")
    return Settings()


def keep_records_in_memory(patch: pytest.MonkeyPatch) -> None:
    """Dagster's events are not kept: on disk they cost half of a small run, in memory a third. A run's own list of them
    is what it reports from. test_executors.py keeps them on disk."""
    patch.setattr(main_job, "records", lambda settings: _forgetful())


def _forgetful() -> dg.DagsterInstance:
    instance = dg.DagsterInstance.ephemeral()
    instance.event_log_storage.store_event = lambda event: None  # type: ignore[method-assign]
    instance.event_log_storage.get_asset_records = lambda asset_keys=None: []  # type: ignore[method-assign]
    return instance
