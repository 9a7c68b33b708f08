"""Visitors of the SQL page take fair turns."""

from __future__ import annotations

import threading

from warehouse.sandbox_turns import Turns


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_visitor_has_one_place_at_a_time_and_a_second_visitor_gets_the_other() -> None:
    turns = Turns(2, Clock())
    with turns.turn("a", 0) as first, turns.turn("a", 0) as again, turns.turn("b", 0) as other:
        assert (first, again, other) == (True, False, True)
    with turns.turn("a", 0) as later:
        assert later


def test_a_heavy_visitor_leaves_one_place_to_others_until_it_fades() -> None:
    clock = Clock()
    turns = Turns(2, clock)
    with turns.turn("heavy", 0):
        clock.now += 10
    with turns.turn("light", 0) as light, turns.turn("heavy", 0) as heavy:
        assert (light, heavy) == (True, False)
    clock.now += 300
    with turns.turn("light", 0), turns.turn("heavy", 0) as heavy:
        assert heavy


def test_who_took_least_goes_first() -> None:
    clock = Clock()
    turns = Turns(1, clock)
    with turns.turn("heavy", 0):
        clock.now += 2
    order: list[str] = []
    with turns.turn("holder", 0):
        threads = [threading.Thread(target=_wait, args=(turns, name, order)) for name in ("heavy", "light")]
        for thread in threads:
            thread.start()
        while len(turns._waiting) < 2:
            threading.Event().wait(0.005)
    for thread in threads:
        thread.join(timeout=120)
    assert order == ["light", "heavy"]


def _wait(turns: Turns, name: str, order: list[str]) -> None:
    with turns.turn(name, 5) as has_place:
        assert has_place
        order.append(name)
