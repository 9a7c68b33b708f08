"""Cards are drawn ahead, each version once, and SQL's process is started once; what fails stops no other."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dashboard import warming
from dashboard.navigation import charts
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
        monkeypatch.setattr(warming, "names_in_order", lambda: ["a", "b"])

    def open(self, _path: Path) -> Any:
        version = self.versions.pop(0) if self.versions else "end"
        if version == "end":
            self.stop.set()
        if version is None:
            raise WarehouseMissing("none")
        return SimpleNamespace(version=version)

    def ask(self, sql: str) -> None:
        self.drawn.append(("sandbox", sql))
        raise OSError("no process")

    def draw(self, ledger: Any, name: str) -> None:
        self.drawn.append((ledger.version, name))
        if name == "a":
            raise ValueError("no such card")


def test_every_version_is_drawn_once_whatever_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(monkeypatch, [None, "v1", "v1", "v2"])
    warming.keep_warm(Path("none.duckdb"), told.stop)
    assert told.drawn == [("v1", "a"), ("v1", "b"), ("sandbox", "SELECT 1"), ("v2", "a"), ("v2", "b")]


def test_it_ends_when_the_server_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Told(monkeypatch, ["v1", "v2"])
    told.stop.set()
    warming.keep_warm(Path("none.duckdb"), told.stop)
    assert told.drawn == []


def test_the_first_chart_of_each_page_comes_before_all_others() -> None:
    names = warming.names_in_order()
    assert sorted(names) == sorted(charts())
    pages = [charts()[name].page for name in names]
    first = len(set(pages))
    assert len(set(pages[:first])) == first
    assert pages[0] == "racks"
