"""One at a time, and nobody waits for ever."""

from __future__ import annotations

import threading

import pytest

from dashboard.turns import turn


def test_two_scripts_do_not_run_at_the_same_time() -> None:
    inside, most = 0, 0
    lock = threading.Lock()

    def script() -> None:
        nonlocal inside, most
        with turn(patience=30):
            with lock:
                inside += 1
                most = max(most, inside)
            threading.Event().wait(0.01)
            with lock:
                inside -= 1

    threads = [threading.Thread(target=script) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_an_error_gives_the_turn_on() -> None:
    with pytest.raises(ValueError, match="wrong"), turn(patience=5):
        raise ValueError("wrong")
    with turn(patience=5) as is_ours:
        assert is_ours


def test_who_waited_long_enough_goes_on_and_leaves_the_turn_to_its_owner() -> None:
    with turn(patience=5) as first:
        assert first
        with turn(patience=0.01) as second:
            assert not second
    with turn(patience=5) as third:
        assert third
