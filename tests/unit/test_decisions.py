"""Decisions on readings: appended by several at once, the latest counts, and what each does to a mention."""

from __future__ import annotations

import csv
import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb

from pipelines.decisions import COLUMNS, FILE, Decision, append

TABLES = Path(__file__).parents[2] / "warehouse/tables"
NOON = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)


def lines_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_two_who_decide_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "decisions.csv"
    decisions = [Decision(f"{n:020x}", "accept", f"person {n % 2}", NOON, 'because, "so"\nit is') for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda decision: append(decision, path), decisions))
    found = lines_of(path)
    assert sorted(row["claim_id"] for row in found) == [f"{n:020x}" for n in range(40)]
    assert {row["note"] for row in found} == {'because, "so" it is'}
    assert found[0]["decided_at"] == "2026-11-20 12:00:00.000000"


def test_the_committed_file_has_the_columns() -> None:
    assert FILE.read_text(encoding="utf-8").splitlines()[0] == ",".join(COLUMNS)


def test_what_a_decision_does_to_a_mention() -> None:
    connection = duckdb.connect()
    connection.execute("""
        CREATE SCHEMA evidence;
        CREATE MACRO name_group(name) AS '~' || lower(name);
        CREATE TABLE committed_decisions AS FROM (VALUES
            ('accepted', 'accept', 'A', TIMESTAMP '2026-11-02 10:00', NULL),
            ('rejected', 'reject', 'A', TIMESTAMP '2026-11-02 10:00', NULL),
            ('changed', 'accept', 'A', TIMESTAMP '2026-11-01 10:00', NULL),
            ('changed', 'reject', 'B', TIMESTAMP '2026-11-03 10:00', 'no'),
            ('typed', 'reject', 'A', TIMESTAMP '2026-11-02 10:00', NULL)
        ) AS d(claim_id, decision, decided_by, decided_at, note);
        CREATE TABLE lake_copies AS SELECT '' AS document_id, '' AS origin_document_id LIMIT 0;
        CREATE TABLE lake_mentions AS SELECT
            claim_id, doubt, extractor, claim_id AS document_id, '' AS locator, NULL::VARCHAR AS subject_id,
            'X' AS subject,
            DATE '2026-01-01' AS stated_on, NULL::DATE AS stated_not_after, NULL::VARCHAR AS origin_ref
        FROM (VALUES ('accepted', 'a candidate', 'reader'), ('rejected', NULL, 'reader'),
                     ('changed', 'a candidate', 'reader'),
                     ('sure', NULL, 'reader'), ('unsure', 'a candidate', 'reader'), ('typed', NULL, 'ledger')
        ) AS m(claim_id, doubt, extractor);
    """)
    for name in ("20_decisions.sql", "21_mentions.sql"):
        connection.execute((TABLES / name).read_text(encoding="utf-8"))
    found = connection.execute("SELECT claim_id, reading_state, doubt FROM evidence.mentions").fetchall()
    assert {row[0]: row[1:] for row in found} == {
        "accepted": ("accepted", None),
        "rejected": ("rejected", "rejected by A on 2026-11-02"),
        "changed": ("rejected", "rejected by B on 2026-11-03"),
        "sure": ("confident", None),
        "unsure": ("candidate", "a candidate"),
        "typed": ("typed", None),
    }
