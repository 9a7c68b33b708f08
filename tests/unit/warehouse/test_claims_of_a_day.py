"""What a claim looks like on a day: by three hand-made mentions, of which the last and firmest came later."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from pipelines.settings import PROJECT_ROOT

WAREHOUSE = PROJECT_ROOT / "warehouse"
TABLES = """
CREATE SCHEMA evidence; CREATE SCHEMA registry;
CREATE TYPE evidence_tag AS ENUM ('audited', 'vendor', 'reported', 'unverified');
SET VARIABLE fields_of_a_mention = ['document_id', 'locator', 'doubt', 'origin_ref'];
CREATE TABLE registry.organisations (organisation_id VARCHAR, parent_id VARCHAR);
CREATE TABLE registry.metrics AS SELECT 'power' AS metric_id, 0.02 AS tolerance;
CREATE TABLE registry.aliases (alias VARCHAR, subject_id VARCHAR);
CREATE TABLE evidence.copies (document_id VARCHAR, origin_document_id VARCHAR);
CREATE TABLE evidence.mentions AS
SELECT claim_id, 'Rack' AS subject, 'rack' AS subject_id, 'rack' AS subject_key, 'system' AS subject_kind,
    'power' AS metric, value,
    NULL::VARCHAR AS value_text, NULL::DATE AS value_start, NULL::DATE AS value_end, NULL::DOUBLE AS value_low,
    NULL::DOUBLE AS value_high, MAP {'per': 'rack'} AS qualifiers, 'announced' AS modality, claimant,
    NULL::VARCHAR AS claimant_id,
    tag::evidence_tag AS evidence, said AS stated_on, 'day' AS stated_on_precision, said AS stated_not_after,
    read AS read_on,
    said AS known_on, NULL::TIMESTAMP AS first_seen, NULL::TIMESTAMP AS last_seen, false AS is_copied,
    1.0::DOUBLE AS confidence,
    []::VARCHAR[] AS caveats, page AS url, page AS printed_by, page AS printed, 'hand' AS method, page AS ref,
    's' AS source_id,
    'typed' AS reading_state, '' AS arithmetic, 'note of ' || page AS note, NULL::VARCHAR AS document_id,
    page AS locator,
    NULL::VARCHAR AS doubt, NULL::VARCHAR AS origin_ref
FROM (VALUES
    ('A', 120.0, 'Maker', 'unverified', DATE '2025-01-10', DATE '2025-01-12', 'first'),
    ('A', 120.0, 'Maker', 'vendor', DATE '2025-06-01', DATE '2025-06-01', 'second'),
    ('B', 121.0, 'Analyst', 'reported', DATE '2025-06-20', DATE '2025-07-15', 'third')
) AS told(claim_id, value, claimant, tag, said, read, page);
"""


@pytest.fixture(scope="module")
def claims() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        for name in ("macros/20_claims.sql", "macros/25_resolution.sql", "tables/22_claims.sql"):
            connection.execute((WAREHOUSE / name).read_text(encoding="utf-8"))
        yield connection


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ((2025, 1, 9), []),
        ((2025, 1, 11), [("A", "unverified", "first", None, 1, 1)]),
        ((2025, 1, 12), [("A", "unverified", "first", "note of first", 1, 1)]),
        ((2025, 6, 1), [("A", "vendor", "second", "note of second", 2, 1)]),
        ((2025, 7, 1), [("A", "vendor", "second", "note of second", 2, 2), ("B", "reported", "third", None, 1, 2)]),
    ],
)
def test_a_later_mention_changes_no_earlier_day(
    claims: duckdb.DuckDBPyConnection, day: tuple[int, int, int], expected: list[tuple[Any, ...]]
) -> None:
    columns = "claim_id, evidence::VARCHAR, url, note, mentions, claimants"
    found = claims.execute(f"SELECT {columns} FROM evidence.told_claims(?) ORDER BY claim_id", [dt.date(*day)])
    assert found.fetchall() == expected


def test_the_table_is_the_form_of_the_last_day_and_leaves_what_is_of_a_mention(
    claims: duckdb.DuckDBPyConnection,
) -> None:
    assert claims.execute("SELECT claim_id, caveats, known_on FROM evidence.claims ORDER BY 1").fetchall() == [
        ("A", [], dt.date(2025, 1, 10)),
        ("B", [], dt.date(2025, 6, 20)),
    ]
    columns = {row[0] for row in claims.execute("DESCRIBE evidence.claims").fetchall()}
    assert not columns & {"document_id", "locator", "doubt", "origin_ref"}
    alone = "SELECT caveats FROM evidence.told_claims(DATE '2025-06-10', subjects := ['rack'])"
    assert claims.execute(alone).fetchall() == [(["single_source"],)]
    assert claims.execute("SELECT * FROM evidence.told_claims(DATE '2025-06-10', subjects := ['x'])").fetchall() == []
