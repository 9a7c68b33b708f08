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
    """Dagster's records in memory: on disk they cost half of a small run. test_executors.py keeps them on disk."""
    patch.setattr(main_job, "records", lambda settings: dg.DagsterInstance.ephemeral())
