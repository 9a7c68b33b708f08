"""A worker process ends when the process that started it has ended, however that ended."""

from __future__ import annotations

import os
import threading
from multiprocessing import parent_process
from multiprocessing.connection import wait


def end_with_parent() -> None:
    """Watch the parent from a thread; to be called in a worker as it starts."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.sentinel,), name="end-with-parent", daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)  # a worker has nothing to put away: what it writes is put in place whole or not at all
