"""What an organisation makes, most spoken of first."""

from __future__ import annotations

from dashboard.queries import Ledger, Row


def makes(ledger: Ledger, name: str) -> list[Row]:
    """What it makes, most spoken of first, with the number of statements."""
    counted = {str(row["id"]): int(row["n"]) for row in ledger.rows("parties.counted")}
    rows = [row | {"n": counted.get(str(row["id"]), 0)} for row in ledger.rows("parties.makes", id=name)]
    return sorted(rows, key=lambda row: (-row["n"], str(row["name"])))
