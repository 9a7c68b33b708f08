"""One input may take so much time and memory; then reading it ends, also within a regular expression."""

from __future__ import annotations

import re
import signal
import threading

import pytest

from pipelines.problems import InputError, Reason
from pipelines.upkeep import worker as module
from pipelines.upkeep.worker import budget

ENDLESS = re.compile(r"(a+)+$")


def test_an_expression_that_backtracks_without_end_is_cut_short() -> None:
    with (
        pytest.raises(InputError, match=r"https://example\.org/x: reading it took more than 0\.2 s") as caught,
        budget("https://example.org/x", seconds=0.2),
    ):
        ENDLESS.match("a" * 60 + "b")
    assert caught.value.reason is Reason.OVER_BUDGET


def test_memory_counts_from_what_the_process_had_before(monkeypatch: pytest.MonkeyPatch) -> None:
    peaks = iter([500 << 20])
    monkeypatch.setattr(module, "_peak_bytes", lambda: next(peaks, 701 << 20))
    with (
        pytest.raises(InputError, match="more than 200 MB of memory"),
        budget("x", seconds=20, memory_bytes=200 << 20),
    ):
        ENDLESS.match("a" * 60 + "b")


def test_what_ends_in_time_leaves_no_timer() -> None:
    before = signal.getsignal(signal.SIGPROF)
    with budget("x"):
        pass
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
    assert signal.getsignal(signal.SIGPROF) == before


def test_in_another_thread_it_bounds_nothing_and_does_no_harm() -> None:
    done: list[int] = []

    def work() -> None:
        with budget("x", seconds=0.001):
            done.append(1)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [1]
