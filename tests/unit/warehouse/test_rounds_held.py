"""Which rounds are held, by hand-made results: from the archive, from the organisers' tables only, or not at all."""

from __future__ import annotations

import datetime as dt

import duckdb
import pytest

from pipelines.settings import PROJECT_ROOT

MART = PROJECT_ROOT / "warehouse" / "marts" / "16_rounds_held.sql"
TABLES = """
CREATE SCHEMA facts; CREATE SCHEMA registry; CREATE SCHEMA marts;
CREATE TABLE registry.mlperf_rounds AS
SELECT 'training' AS suite, *, 'audited' AS evidence, 'MLCommons' AS said_by, 'u' AS url
FROM (VALUES ('v1', DATE '2024-06-12'), ('v2', DATE '2025-06-04'), ('v3', DATE '2026-06-16'), ('v4', NULL::DATE))
    AS rounds(round, published_on);
CREATE TABLE facts.mlperf_training AS SELECT 'training' AS suite, * FROM (VALUES
    ('v1', DATE '2024-06-12', 'archive'), ('v1', DATE '2024-06-12', 'published summary'),
    ('v2', DATE '2025-06-04', 'published summary')) AS results(round, stated_on, origin);
CREATE TABLE facts.mlperf_inference AS FROM facts.mlperf_training LIMIT 0;
"""


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ((2024, 6, 11), []),
        ((2025, 6, 4), [("v1", 2, "held"), ("v2", 1, "without its archive")]),
        ((2026, 11, 22), [("v1", 2, "held"), ("v2", 1, "without its archive"), ("v3", 0, "not held")]),
    ],
)
def test_a_round_is_held_without_its_archive_or_not_at_all(
    day: tuple[int, int, int], expected: list[tuple[str, int, str]]
) -> None:
    with duckdb.connect() as connection:
        connection.execute(TABLES + MART.read_text(encoding="utf-8"))
        asked = "SELECT round, results, state FROM marts.rounds_held_as_of(?) ORDER BY round"
        assert connection.execute(asked, [dt.date(*day)]).fetchall() == expected
