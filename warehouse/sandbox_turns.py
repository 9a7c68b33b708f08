"""Whose statement runs next: the visitor who took least of late goes first, and nobody holds every place."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

HALF_LIFE_SECONDS = 30.0
HEAVY_SECONDS = 3.0  # who took more than this of late leaves one place to others


class Turns:
    """`places` statements at a time; at most one per visitor. What a visitor took fades by half every 30 s."""

    def __init__(self, places: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._free = places
        self._clock = clock
        self._changed = threading.Condition()
        self._waiting: list[str] = []
        self._running: set[str] = set()
        self._taken: dict[str, tuple[float, float]] = {}  # visitor → seconds taken, as of when

    @contextmanager
    def turn(self, visitor: str, patience: float) -> Iterator[bool]:
        """Wait at most `patience` seconds for a place; gives whether there was one."""
        with self._changed:
            self._waiting.append(visitor)
            is_mine = self._changed.wait_for(lambda: self._is_next(visitor), patience)
            self._waiting.remove(visitor)
            if is_mine:
                self._free -= 1
                self._running.add(visitor)
            self._changed.notify_all()
        started = self._clock()
        try:
            yield is_mine
        finally:
            if is_mine:
                with self._changed:
                    self._free += 1
                    self._running.discard(visitor)
                    self._keep(visitor, started)
                    self._changed.notify_all()

    def _is_next(self, visitor: str) -> bool:
        ready = [name for name in self._waiting if self._may_run(name)]
        return visitor in ready and visitor == min(ready, key=self._recent)

    def _may_run(self, visitor: str) -> bool:
        needed = 2 if self._recent(visitor) > HEAVY_SECONDS and self._running else 1
        return self._free >= needed and visitor not in self._running

    def _recent(self, visitor: str) -> float:
        seconds, then = self._taken.get(visitor, (0.0, 0.0))
        return seconds * math.pow(0.5, (self._clock() - then) / HALF_LIFE_SECONDS)

    def _keep(self, visitor: str, started: float) -> None:
        now = self._clock()
        self._taken[visitor] = (self._recent(visitor) + now - started, now)
        self._taken = {name: kept for name, kept in self._taken.items() if self._recent(name) > 0.01}
