"""The queue of candidates, by the value of a decision; and what is known of one reading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from warehouse.read import Warehouse
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


def candidates(warehouse: Warehouse, limit: int, decided: list[str]) -> list[dict[str, Any]]:
    """The candidates that are not among the `decided`, those first whose decision says most; `said` is the value."""
    return warehouse.rows(SQL["queue"], [decided, limit])


def reading(warehouse: Warehouse, claim_id: str) -> dict[str, Any] | None:
    """The surest mention of a claim; None where no mention has the id."""
    found = warehouse.rows(SQL["reading"], [claim_id])
    return found[0] if found else None
