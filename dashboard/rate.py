"""How often one address may ask: a bucket of tokens each, filled at a steady rate. The clock is handed in."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

MOST_CLIENTS = 10_000  # who asked longest ago is forgotten first, with a full bucket


@dataclass(slots=True)
class _Bucket:
    tokens: float
    at: float


class Buckets:
    """Who may ask now. `per_minute` requests a minute, a quarter of them at once; 0 lets everybody through."""

    def __init__(self, per_minute: int, clock: Callable[[], float]) -> None:
        self._rate, self._most = per_minute / 60, max(per_minute / 4, 1.0)
        self._clock = clock
        self._lock = threading.Lock()
        self._held: OrderedDict[str, _Bucket] = OrderedDict()

    def wait(self, client: str) -> float:
        """0 where the client may ask now, which takes a token; else the seconds until it may."""
        if not self._rate:
            return 0.0
        with self._lock:
            now = self._clock()
            bucket = self._held.pop(client, None) or _Bucket(self._most, now)
            bucket.tokens, bucket.at = min(self._most, bucket.tokens + (now - bucket.at) * self._rate), now
            self._held[client] = bucket
            if len(self._held) > MOST_CLIENTS:
                self._held.popitem(last=False)
            if bucket.tokens < 1:
                return (1 - bucket.tokens) / self._rate
            bucket.tokens -= 1
            return 0.0


@lru_cache(maxsize=2)
def buckets(per_minute: int) -> Buckets:
    """Those of this process, for all that programs ask of it."""
    return Buckets(per_minute, time.monotonic)
