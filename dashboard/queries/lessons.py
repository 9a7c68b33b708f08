"""SQL of the lessons: the claims that their figures place, and the queries that they name (`lessons.yaml`)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from warehouse.answers import Ask

NAMED = Path(__file__).with_name("lessons.yaml")

_CLAIMS = """
    SELECT c.claim_id, c.subject, c.subject_id, c.metric, lower(coalesce(m.title, c.metric)) AS metric_title,
           c.value, c.value_text, c.value_start, c.value_end, c.value_low, c.value_high, c.unit,
           c.qualifiers['bound'] AS bound, c.qualifiers['approx'] AS approx, c.claimant, c.claimant_id,
           c.evidence::VARCHAR AS evidence, c.stated_on, c.stated_on_precision, c.url,
           map_keys(c.qualifiers) AS keys, map_values(c.qualifiers) AS words
    FROM evidence.resolved(?) AS c LEFT JOIN registry.metrics AS m ON m.metric_id = c.metric
    WHERE c.subject_id IN (SELECT unnest(?::VARCHAR[]))
    ORDER BY len(keys), c.evidence, c.stated_on DESC, c.claim_id"""


def claims_of(ask: Ask, day: dt.date, subject_ids: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """What stands for some subjects on a day: the least qualified first, then the strongest, then the newest."""
    return ask(_CLAIMS, (day, list(subject_ids)))


@lru_cache(maxsize=1)
def named_queries() -> dict[str, dict[str, str]]:
    """The queries that lessons name: title and SQL of each. A '?' in the SQL is the day."""
    found: dict[str, dict[str, str]] = yaml.safe_load(NAMED.read_text(encoding="utf-8"))
    return found


def run(ask: Ask, day: dt.date, query: Mapping[str, str]) -> Sequence[Mapping[str, Any]]:
    """The rows of a named query as known on a day."""
    return ask(query["sql"], (day,) * query["sql"].count("?"))
