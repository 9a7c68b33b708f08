"""Former versions that go while they are read take no page along."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from dashboard.queries import corrections


def test_a_torn_version_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def between(older: Path, newer: Path) -> list[str]:
        if newer.name == "3":
            raise duckdb.IOException("torn")
        return [f"{older} to {newer}"]

    found = [(Path(str(number)), Path(str(number + 1))) for number in range(1, 5)]
    monkeypatch.setattr(corrections, "pairs", lambda published: found)
    monkeypatch.setattr(corrections, "between", between)
    ledger: Any = SimpleNamespace(version="4")
    told: list[Any] = [*corrections.compared(ledger)]
    assert told == ["1 to 2", "3 to 4"]
