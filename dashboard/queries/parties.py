"""Rows of the pages of an organisation and of a benchmark, as known on a day."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from dashboard.queries import Ledger
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))
Row = dict[str, Any]


def organisation(ledger: Ledger, name: str) -> Row | None:
    """An organisation with its parent; None for an id that is none."""
    found = ledger.records(SQL["organisation"], (name,))
    return found[0] if found else None


def layers(ledger: Ledger, name: str) -> list[Row]:
    """The market layers that it held, with their days."""
    return ledger.records(SQL["layers"], (name,))


def has(ledger: Ledger, name: str, day: dt.date) -> list[Row]:
    """What it has, plans or had, the latest first."""
    return ledger.records(SQL["has"], (day, name))


def makes(ledger: Ledger, name: str) -> list[Row]:
    """What it makes, most spoken of first, with the number of statements."""
    counted = {str(row["id"]): int(row["n"]) for row in ledger.records(SQL["counted"])}
    rows = [row | {"n": counted.get(str(row["id"]), 0)} for row in ledger.records(SQL["makes"], (name, name, name))]
    return sorted(rows, key=lambda row: (-row["n"], str(row["name"])))


def runs(ledger: Ledger, name: str) -> list[Row]:
    """Its sites."""
    return ledger.records(SQL["runs"], (name,))


def promised(ledger: Ledger, name: str, day: dt.date) -> list[Row]:
    """Its promises with their state, the furthest first."""
    return ledger.records(SQL["promised"], (day, name, name))


def about(ledger: Ledger, name: str, day: dt.date) -> list[Row]:
    """What is said of it itself, the latest first."""
    return ledger.records(SQL["about"], (day, name))


def benchmark(ledger: Ledger, name: str) -> list[Row]:
    """A benchmark in each suite that has it."""
    return ledger.records(SQL["benchmark"], (name,))


def inference(ledger: Ledger, name: str, day: dt.date) -> list[Row]:
    """The newest best result of each generation and scenario."""
    return ledger.records(SQL["inference"], (name, day))


def absent(ledger: Ledger, name: str, day: dt.date) -> list[Row]:
    """Generations with a result of a scenario in the newest round, and never one on this benchmark."""
    return ledger.records(SQL["absent"], (day, day, name, day))


def training(ledger: Ledger, name: str, day: dt.date) -> list[Row]:
    """The shortest time to train of each generation."""
    return ledger.records(SQL["training"], (name, day))
