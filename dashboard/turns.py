"""Lets one page's script run at a time. Many scripts side by side on one core would all finish late.

Measured with fifty visitors on two cores (`bench/visitors.py`): half of all clicks went from over a second to a tenth.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_SECONDS = 2.0  # after this long a script runs anyway, so that a slow page blocks nobody
_turn = threading.BoundedSemaphore(1)


@contextmanager
def turn(*, patience: float = PATIENCE_SECONDS) -> Iterator[bool]:
    """Hold the only turn while the body runs; yields whether it became free within the time."""
    is_ours = _turn.acquire(timeout=patience)
    try:
        yield is_ours
    finally:
        if is_ours:
            _turn.release()
