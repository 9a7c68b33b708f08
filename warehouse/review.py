"""The queue of candidates, by the value of a decision; and what is known of one reading."""

from __future__ import annotations

from typing import Any

from warehouse.read import Warehouse

_QUEUE = """
SELECT *, coalesce(value::VARCHAR, value_text, value_start || '..' || value_end) AS said
FROM evidence.queue WHERE NOT list_contains(?, claim_id) ORDER BY worth DESC, claim_id LIMIT ?
"""
_READING = """
SELECT * REPLACE (qualifiers::JSON::VARCHAR AS qualifiers),
       coalesce(value::VARCHAR, value_text, value_start || '..' || value_end) AS said
FROM evidence.mentions WHERE claim_id = ? ORDER BY confidence DESC, document_id LIMIT 1
"""


def candidates(warehouse: Warehouse, limit: int, decided: list[str]) -> list[dict[str, Any]]:
    """The candidates that are not among the `decided`, those first whose decision says most; `said` is the value."""
    return warehouse.rows(_QUEUE, [decided, limit])


def reading(warehouse: Warehouse, claim_id: str) -> dict[str, Any] | None:
    """The surest mention of a claim; None where no mention has the id."""
    found = warehouse.rows(_READING, [claim_id])
    return found[0] if found else None
