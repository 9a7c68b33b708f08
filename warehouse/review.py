"""The queue of candidates, by the value of a decision; and what is known of one reading."""

from __future__ import annotations

from typing import Any

from warehouse.read import Warehouse

# a cell that no published claim fills is worth two that one does; a coin's toss is worth more than what is nearly sure
_QUEUE = """
SELECT m.claim_id, m.subject, m.metric, m.unit,
       coalesce(m.value::VARCHAR, m.value_text, m.value_start::VARCHAR) AS value,
       max(m.confidence) AS confidence, count(*) AS mentions, min(m.url) AS url, min(m.source_id) AS source_id,
       arg_min(struct_pack(document_id := m.document_id, first := m.context_start, last := m.context_end,
                           at := m.locator_start, till := m.locator_end), m.document_id) AS place,
       CASE WHEN bool_or(c.subject_key IS NOT NULL) THEN 1 ELSE 2 END * (1 - abs(2 * max(m.confidence) - 1))
           * (1 + ln(count(*))) AS worth
FROM evidence.mentions AS m
LEFT JOIN (SELECT DISTINCT subject_key, metric FROM evidence.claims) AS c USING (subject_key, metric)
WHERE m.reading_state = 'candidate' AND m.claim_id NOT IN (SELECT claim_id FROM evidence.decisions)
GROUP BY ALL
ORDER BY worth DESC, m.claim_id
LIMIT ?
"""
_STATE = "SELECT reading_state FROM evidence.mentions WHERE claim_id = ? LIMIT 1"


def candidates(warehouse: Warehouse, limit: int) -> list[dict[str, Any]]:
    """The undecided candidates, those first whose decision says most."""
    return warehouse.rows(_QUEUE, [limit])


def state_of(warehouse: Warehouse, claim_id: str) -> str:
    """The state of a reading; empty where no mention has the id."""
    found = warehouse.rows(_STATE, [claim_id])
    return str(found[0]["reading_state"]) if found else ""
