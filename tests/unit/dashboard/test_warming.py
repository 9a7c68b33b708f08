"""Cards are drawn ahead, each version once, and SQL's process is started once; what fails stops no other."""

from __future__ import annotations

import datetime as dt
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dashboard import warming
from dashboard.navigation import charts
from dashboard.views import today
from warehouse.read import WarehouseMissing


class Told:
    """Stands for the published file: what was drawn of which version."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, versions: list[str | None]) -> None:
        self.versions, self.drawn, self.stop = versions, list[tuple[str, str]](), threading.Event()
        monkeypatch.setattr(warming, "open_ledger", self.open)
        monkeypatch.setattr(warming, "known_card", self.draw)
        monkeypatch.setattr(warming, "search_index", lambda ledger: None)
        monkeypatch.setattr(warming, "once", lambda ledger, make: None)
        monkeypatch.setattr(warming, "shared_sandbox", lambda: SimpleNamespace(ask=self.ask))
        monkeypatch.setattr(warming, "LOOK_SECONDS", 0)
        monkeypatch.setattr(warming, "REST_SECONDS", 0)
        monkeypatch.setattr(warming, "FIRST_SECONDS", 0)
        monkeypatch.setattr(warming, "names_in_order", lambda: (["a"], ["b"]))
        monkeypatch.setattr(today, "board", lambda ledger, day: self.drawn.append((ledger.version, "Today")))

    def open(self, _path: Path) -> Any:
        version = self.versions.pop(0) if self.versions else "end"
        if version == "end":
            self.stop.set()
        if version is None:
            raise WarehouseMissing("none")
        return SimpleNamespace(version=version, built_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))

    def ask(self, sql: str) -> None:
        self.drawn.append(("sandbox", sql))
        raise OSError("no process")

    def draw(self, ledger: Any, name: str) -> None:
        self.drawn.append((ledger.version, name))
        if name == "a":
            raise ValueError("no such card")


def test_every_version_is_drawn_once_whatever_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(monkeypatch, [None, "v1", "v1", "v2"])
    warming.keep_warm(Path("none.duckdb"), told.stop, threading.Event())
    first, second = ([(version, name) for name in ("Today", "a", "b")] for version in ("v1", "v2"))
    assert told.drawn == [*first, ("sandbox", "SELECT 1"), *second]


def test_a_server_is_ready_when_the_first_cards_are_drawn_and_where_there_is_nothing_to_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ready, told = threading.Event(), Told(monkeypatch, ["v1"])
    states = []
    monkeypatch.setattr(warming, "known_card", lambda ledger, name: states.append((name, ready.is_set())))
    warming.keep_warm(Path("none.duckdb"), told.stop, ready)
    assert states == [("a", False), ("b", True)]
    nothing, at_once = Told(monkeypatch, [None]), threading.Event()
    monkeypatch.setattr(nothing.stop, "wait", lambda seconds: nothing.stop.set())
    warming.keep_warm(Path("none.duckdb"), nothing.stop, at_once)
    assert at_once.is_set()
    assert nothing.drawn == []


def test_it_ends_when_the_server_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(monkeypatch, ["v1", "v2"])
    told.stop.set()
    warming.keep_warm(Path("none.duckdb"), told.stop, threading.Event())
    assert told.drawn == []


def test_the_first_chart_of_each_page_comes_before_all_others() -> None:
    firsts, others = warming.names_in_order()
    assert sorted([*firsts, *others]) == sorted(charts())
    pages = [charts()[name].page for name in firsts]
    assert len(set(pages)) == len(pages)
    assert {charts()[name].page for name in others} <= set(pages)
    assert pages[0] == "racks"


def test_nothing_is_drawn_where_that_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(monkeypatch, ["v1"])
    with warming.warming(Path("none.duckdb"), is_wanted=False):
        assert "warming" not in {thread.name for thread in threading.enumerate()}
    assert told.drawn == []
