"""Removes what killed runs left behind. Only the run that holds the data folder calls it: nothing here is in use."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from pipelines.settings import Settings

ABANDONED_S = 3600.0  # a step under Dagster writes without the run's lock; no single file takes an hour


def tidy(settings: Settings) -> list[Path]:
    """Remove half downloads, half partitions and half packages; returns what was removed."""
    found = list(_leftovers(settings))
    for path in found:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return found


def _leftovers(settings: Settings) -> Iterator[Path]:
    yield from sorted(settings.archive.glob("collect-*"))
    yield from sorted(settings.published.glob(".*.writing"))
    before = time.time() - ABANDONED_S
    for folder in (settings.lake, settings.archive):
        yield from (path for path in sorted(folder.rglob(".*.tmp")) if _is_older(path, before))


def _is_older(path: Path, before: float) -> bool:
    try:
        return path.stat().st_mtime < before
    except FileNotFoundError:
        return False
