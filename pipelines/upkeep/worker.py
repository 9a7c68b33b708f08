"""Worker processes: a budget of processor time and memory for reading one outside input, and an end with their parent.

With a budget none of the inputs holds up the others. The process's own clock and memory are looked at twice a second of
work, from a signal: that also reaches into a regular expression. Signals reach the main thread alone; in another thread
(a Dask worker's) nothing is bounded.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import parent_process
from multiprocessing.connection import wait
from types import FrameType

from pipelines.problems import InputError, Reason

SECONDS = 30.0  # of processor time; a long filing takes three
MEMORY_BYTES = 2 << 30  # more than the process had at its peak before
LOOK_EVERY_S = 0.5


@contextmanager
def budget(place: str, *, seconds: float = SECONDS, memory_bytes: int = MEMORY_BYTES) -> Iterator[None]:
    """Raise InputError (over_budget), naming `place`, inside the block when it takes more. Blocks do not nest."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ends, most = time.process_time() + seconds, _peak_bytes() + memory_bytes

    def look(_signal: int, _frame: FrameType | None) -> None:
        if time.process_time() > ends:
            raise InputError(Reason.OVER_BUDGET, place, f"reading it took more than {seconds:g} s of processor time")
        if _peak_bytes() > most:
            raise InputError(Reason.OVER_BUDGET, place, f"reading it took more than {memory_bytes >> 20} MB of memory")

    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, min(LOOK_EVERY_S, seconds), min(LOOK_EVERY_S, seconds))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _peak_bytes() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def end_with_parent() -> None:
    """Watch the parent from a thread; to be called in a worker as it starts."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_watch, args=(parent.sentinel,), name="end-with-parent", daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)  # a worker has nothing to put away: what it writes is put in place whole or not at all
