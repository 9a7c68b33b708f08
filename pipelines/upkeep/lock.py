"""One run at a time in a data folder. The kernel holds the lock, so it ends with its process, however that ends.

Beside the lock stands a note of who holds it; the note is read only while the lock is held, so an old one does no harm.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

LOCK = "run.lock"
NOTE = "run.holder.json"
LOOK_AGAIN_S = 0.5


class Busy(Exception):
    """Another run is at work in this data folder; says which."""


@contextmanager
def hold(data: Path, run_id: str, *, wait: bool, on_wait: Callable[[str], None] | None = None) -> Iterator[None]:
    """Hold a data folder for one run; a process that holds it already goes on.

    Raises Busy where another process holds it and `wait` is False. With `wait`, `on_wait` is told once who holds it.
    Raises OSError where the folder cannot be written.
    """
    data.mkdir(parents=True, exist_ok=True)
    lock = FileLock(data / LOCK, is_singleton=True, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        said = f"Another run is at work in {data}{_holder(data)}."
        if not wait:
            raise Busy(said) from None
        if on_wait is not None:
            on_wait(said)
        lock.acquire(poll_interval=LOOK_AGAIN_S)
    try:
        (data / NOTE).write_text(json.dumps({"pid": os.getpid(), "run_id": run_id}), encoding="utf-8")
        yield
    finally:
        lock.release()


def _holder(data: Path) -> str:
    """Who holds the lock, as words; '' where the note is not there yet."""
    try:
        note = json.loads((data / NOTE).read_text(encoding="utf-8"))
        return f" (process {int(note['pid'])}, run {note['run_id']})"
    except (OSError, ValueError, KeyError, TypeError):
        return ""
