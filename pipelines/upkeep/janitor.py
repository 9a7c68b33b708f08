"""Removes what killed runs left behind. Only the run that holds the data folder calls it: nothing here is in use.

An archive of years holds millions of files. A half file is made in the folder of the whole one, which changes with it,
so only folders that changed since the last look are looked into; the others cost one question each.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from pipelines.settings import Settings

LOOKED = "run.tidied"  # its time is that of the last look
LEVELS = 2  # of folders below archive and lake: table or kind, then source or round
ABANDONED_S = 3600.0  # a step under Dagster writes without the run's lock; no single file takes an hour


def tidy(settings: Settings) -> list[Path]:
    """Remove half downloads, half partitions and half packages; returns what was removed."""
    found = list(_leftovers(settings))
    for path in found:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    settings.data.mkdir(parents=True, exist_ok=True)
    (settings.data / LOOKED).touch()
    return found


def _leftovers(settings: Settings) -> Iterator[Path]:
    yield from sorted(settings.archive.glob("collect-*"))
    yield from sorted(settings.published.glob(".*.writing"))
    before, last = time.time() - ABANDONED_S, _changed_at(settings.data / LOOKED)
    for root in (settings.lake, settings.archive):
        for folder in _folders(root, LEVELS):
            if _changed_at(folder) >= last - ABANDONED_S:  # what was too young then may be old enough now
                yield from (path for path in sorted(folder.glob(".*.tmp")) if 0 < _changed_at(path) < before)


def _folders(folder: Path, levels: int) -> Iterator[Path]:
    """A folder and those below it, so many levels deep."""
    if not folder.is_dir():
        return
    yield folder
    if levels:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
        for name in names:
            yield from _folders(folder / name, levels - 1)


def _changed_at(path: Path) -> float:
    """When a file or folder changed last; the beginning of time where it is not there."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
