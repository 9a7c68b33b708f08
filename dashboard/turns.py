"""One page's script at a time: with many visitors, scripts that share one core finish sooner one after another.

Measured with fifty visitors on two cores (`bench/visitors.py`): half of all clicks went from over a second to a tenth.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_SECONDS = 2.0  # whoever waited so long goes on anyway: a slow page holds nobody up for longer
_turn = threading.BoundedSemaphore(1)


@contextmanager
def turn(*, patience: float = PATIENCE_SECONDS) -> Iterator[bool]:
    """Wait for the turn, run, and give it on, also after an exception; says whether it was had."""
    is_ours = _turn.acquire(timeout=patience)
    try:
        yield is_ours
    finally:
        if is_ours:
            _turn.release()
