"""One request at a time per host, with a pause between two, and no more requests to a host that is not to be asked.

Retries live here because they belong to the host: while it is asked again nobody else asks it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import stamina
import stamina.instrumentation

from pipelines.collect.ports import CollectSettings, FetchError

T = TypeVar("T")

_SEVERAL, _MANY = 3, 10  # hosts

# By itself stamina prints every retry over the run's table, through structlog where that is installed.
stamina.instrumentation.set_on_retry_hooks([stamina.instrumentation.LoggingOnRetryHook])
logging.getLogger("stamina").addHandler(logging.NullHandler())


@dataclass(slots=True)
class _Lane:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    ended_at: float | None = None
    closed_by: FetchError | None = None


class Reach:
    """Learns whether there is a network: there is none when no opening host could be connected to."""

    def __init__(self, opening_hosts: set[str]) -> None:
        self._opening = opening_hosts
        self._is_patient = True
        self._failed: dict[str, str] = {}
        self._given_up: set[str] = set()
        self._is_connected = False
        self.offline = asyncio.Event()

    def connected(self, host: str) -> None:
        """Note a connection; from then on there is a network."""
        if host in self._opening:
            self._is_connected = True

    def unreachable(self, host: str, detail: str, *, is_final: bool) -> None:
        """Note an attempt without connection.

        A few hosts count when given up, several at their first failure. When patience is over, many are enough.
        """
        if host not in self._opening:
            return
        self._failed.setdefault(host, detail)
        if is_final:
            self._given_up.add(host)
        self._judge(self._counted())

    def _counted(self) -> set[str]:
        return self._given_up if len(self._opening) < _SEVERAL else set(self._failed)

    def _judge(self, failed: set[str]) -> None:
        is_enough = failed >= self._opening or (not self._is_patient and len(failed) >= _MANY)
        if self._opening and not self._is_connected and is_enough:
            self.offline.set()

    def patience_is_over(self) -> None:
        """A while has passed: had there been a network, one of many hosts would have been connected to."""
        self._is_patient = False
        self._judge(self._counted())

    def silence_is_over(self) -> None:
        """No more waiting: what has failed up to now, and nothing else, decides."""
        self._judge(set(self._failed))

    @property
    def line(self) -> str:
        """What was seen, in one line."""
        detail = next(iter(self._failed.values()), "")
        count = len(self._failed)
        hosts = "the only host asked" if count == 1 else f"none of {count} hosts"
        could = "could not be reached" if count == 1 else "could be reached"
        return f"no network: {hosts} {could} (first: {detail})"


class Lanes:
    """All hosts of a run."""

    def __init__(self, settings: CollectSettings, reach: Reach) -> None:
        self._settings = settings
        self._reach = reach
        self._lanes: dict[str, _Lane] = {}

    async def run(self, host: str, delay_s: float, attempt: Callable[[], Awaitable[T]]) -> T:
        """Make attempts until one succeeds or trying is over; raises the last FetchError."""
        lane = self._lanes.setdefault(host, _Lane())
        async with lane.lock:
            if lane.closed_by is not None:
                first = lane.closed_by
                raise FetchError(first.reason, f"{host} was given up in this run: {first.detail}", status=first.status)
            try:
                return await self._with_retries(lane, delay_s, attempt)
            except FetchError as error:
                if error.is_unreachable:
                    self._reach.unreachable(host, error.detail, is_final=True)
                if error.closes_host:
                    lane.closed_by = error
                raise

    async def _with_retries(self, lane: _Lane, delay_s: float, attempt: Callable[[], Awaitable[T]]) -> T:
        settings = self._settings
        async for trial in stamina.retry_context(
            on=self._wait_before_next,
            attempts=settings.attempts,
            timeout=None,
            wait_initial=settings.wait_initial_s,
            wait_max=settings.wait_max_s,
            wait_jitter=settings.wait_jitter_s,
        ):
            with trial:
                await _pause(lane, delay_s)
                try:
                    return await attempt()
                finally:
                    lane.ended_at = asyncio.get_running_loop().time()
        raise AssertionError("a trial either returns or raises")

    def note_unreachable(self, host: str, error: FetchError) -> None:
        """Tell that an attempt, perhaps not the last one, got no connection."""
        self._reach.unreachable(host, error.detail, is_final=False)

    def _wait_before_next(self, error: Exception) -> bool | float:
        """Whether to try again: False, True (jittered back-off), or the seconds that the host asked for."""
        if not isinstance(error, FetchError) or not error.is_passing:
            return False
        if error.retry_after_s is None:
            return True
        return error.retry_after_s if error.retry_after_s <= self._settings.max_pause_s else False


async def _pause(lane: _Lane, delay_s: float) -> None:
    if lane.ended_at is not None:
        await asyncio.sleep(max(0.0, lane.ended_at + delay_s - asyncio.get_running_loop().time()))
