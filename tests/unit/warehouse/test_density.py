"""Density, its trend and the sheets over a few hand-made cells: draws, limits, derived figures and slopes by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from pipelines.settings import PROJECT_ROOT

WAREHOUSE = PROJECT_ROOT / "warehouse"
TABLES = """
CREATE SCHEMA evidence; CREATE SCHEMA registry; CREATE SCHEMA marts;
CREATE TYPE evidence_tag AS ENUM ('vendor', 'reported', 'derived');
CREATE TABLE registry.systems AS SELECT * FROM (VALUES
    ('a', 'maker', 'A', 'rack'), ('b', 'maker', 'B', 'rack'), ('c', 'maker', 'C', 'rack'), ('s', 'other', 'S', 'node')
) AS systems(system_id, vendor_id, name, kind);
CREATE TABLE registry.system_parts AS SELECT * FROM (VALUES ('a', 'chip', 'accelerator', 72), ('s', 'chip',
    'accelerator', 8))
    AS parts(system_id, part, part_kind, count);
CREATE TABLE registry.accelerators AS SELECT 'chip' AS accelerator_id, 'chip' AS model_id,
    'maker' AS vendor_id, 'g' AS generation_id,
    2 AS dies_per_package, 100.0 AS memory_gb, DATE '2025-01-01' AS first_available_on;
CREATE TABLE registry.metrics AS SELECT 'power' AS metric_id, 'Power' AS title;
CREATE TABLE told AS
SELECT claim_id, subject AS subject_key, subject AS subject_id, upper(subject) AS subject,
    'system' AS subject_kind, metric,
    value, NULL::VARCHAR AS value_text, start AS value_start, start AS value_end, NULL::DOUBLE AS value_low,
    NULL::DOUBLE AS value_high, 'kW' AS unit, qualifiers, 'announced' AS modality, 'Maker' AS claimant,
    'page' AS printed_by,
    'vendor'::evidence_tag AS evidence, DATE '2025-03-01' AS stated_on, NULL::DATE AS stated_not_after,
    DATE '2025-03-01' AS known_on, 's' AS source_id, 'https://example.org/a' AS url, []::VARCHAR[] AS caveats,
    '' AS arithmetic, qualifiers::VARCHAR AS topic, false AS is_copied, 1 AS claimants, NULL::DOUBLE AS range_low,
    NULL::DOUBLE AS range_high, NULL::DATE AS range_start, NULL::DATE AS range_end, 1 AS all_claimants, 1 AS said_in,
    NULL::DATE AS last_stated_on, NULL::DATE AS period_start, NULL::DATE AS period_end, '' AS printed,
    []::VARCHAR[] AS losers
FROM (VALUES
    ('P1', 'a', 'power', 144.0, NULL::DATE, MAP {'per': 'rack', 'basis': 'max'}),
    ('P2', 'a', 'power', 120.0, NULL, MAP {'per': 'rack', 'basis': 'typical'}),
    ('P3', 'a', 'power', 200.0, NULL, MAP {'per': 'rack', 'basis': 'design limit'}),
    ('P4', 'b', 'power', 100.0, NULL, MAP {'per': 'rack'}),
    ('P5', 'c', 'power', 300.0, NULL, MAP {'per': 'cabinet'}),
    ('W1', 'c', 'rack_widths', 2.0, NULL, MAP {'per': 'rack'}),
    ('P6', 's', 'power', 10.2, NULL, MAP {'per': 'server', 'basis': 'rated'}),
    ('C1', 's', 'part_count', 4.0, NULL, MAP {'per': 'rack', 'part': 'server'}),
    ('D1', 'a', 'available_from', NULL, DATE '2025-01-01', MAP {}::MAP(VARCHAR, VARCHAR)),
    ('D2', 'b', 'available_from', NULL, DATE '2024-01-01', MAP {}::MAP(VARCHAR, VARCHAR)),
    ('D3', 'c', 'available_from', NULL, DATE '2026-01-01', MAP {}::MAP(VARCHAR, VARCHAR))
) AS rows(claim_id, subject, metric, value, start, qualifiers);
CREATE MACRO evidence.claims_as_of(day) AS TABLE FROM told WHERE known_on <= day;
CREATE MACRO evidence.resolved(day, subjects := NULL) AS TABLE FROM told WHERE known_on <= day;
CREATE MACRO evidence.rival_pairs_as_of(day, subjects := NULL) AS TABLE SELECT 'X' AS conflict_id, ['P1',
    'P2'] AS claim_ids;
"""


@pytest.fixture(scope="module")
def marts() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for name in ("macros/20_claims.sql", "macros/25_resolution.sql", "macros/45_density.sql"):
            connection.execute((WAREHOUSE / name).read_text(encoding="utf-8"))
        connection.execute(TABLES)
        for name in ("20_density.sql", "25_sheets.sql"):
            connection.execute((WAREHOUSE / "marts" / name).read_text(encoding="utf-8"))
        yield connection


def rows(marts: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return marts.execute(sql).fetchall()


def test_kinds_of_power_and_limits_stand_apart(marts: duckdb.DuckDBPyConnection) -> None:
    said = "SELECT value, basis, is_limit FROM marts.density WHERE system_id = 'a' AND metric = 'power'"
    assert rows(marts, f"{said} AND NOT is_derived ORDER BY 1") == [
        (120, "typical", False), (144, "maximum", False), (200, "limit", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("system", "metric", "per", "value", "formula", "inputs"),
    [
        ("a", "power", "accelerator", 2.0, "144 kW per rack / 72 accelerators", ["P1"]),
        ("a", "accelerator_count", "kW", 0.5, "72 accelerators / 144 kW", ["P1"]),
        ("a", "memory_capacity", "kW", 50.0, "72 x 100 GB / 144 kW", ["P1"]),
        ("c", "power", "rack width", 150.0, "300 kW per cabinet / 2 rack widths", ["P5", "W1"]),
        ("s", "power", "rack", 40.8, "10.2 kW per server x 4 servers in a rack", ["P6", "C1"]),
    ],
)
def test_what_is_derived_gives_formula_and_inputs(
    marts: duckdb.DuckDBPyConnection, system: str, metric: str, per: str, value: float, formula: str, inputs: list[str]
) -> None:
    derived = "SELECT value, formula, input_ids, evidence::VARCHAR FROM marts.density WHERE is_derived"
    [found] = rows(marts, f"{derived} AND system_id = '{system}' AND metric = '{metric}' AND per = '{per}'")
    assert found == (pytest.approx(value), formula, inputs, "derived")


def test_the_trend_of_racks_runs_through_one_draw_a_system(marts: duckdb.DuckDBPyConnection) -> None:
    """100 kW in 2024, 144 in 2025, 300 in 2026 (a year is 365.25 days, all on the first of January): 100 kW a year."""
    trend = "SELECT systems, slope_per_year, is_thin, input_ids FROM marts.density_trend"
    assert rows(marts, f"{trend} WHERE system_class = 'rack-scale' AND per = 'rack'") == [
        (3, pytest.approx(100.0), True, ["P4", "P1", "P5"])
    ]


def test_before_anything_was_stated_there_is_no_figure(marts: duckdb.DuckDBPyConnection) -> None:
    assert rows(marts, "SELECT count(*) FROM marts.density_as_of(DATE '2025-02-28')") == [(0,)]


def test_a_sheet_shows_the_most_built_for_and_what_nobody_states(marts: duckdb.DuckDBPyConnection) -> None:
    lines = "SELECT line, state, value, claim_id, conflict_id FROM marts.sheets WHERE system_id = 'a'"
    assert rows(marts, f"{lines} AND line IN ('power', 'weight') ORDER BY 1") == [
        ("power", "stated", 144, "P1", "X"),
        ("weight", "nothing stated", None, None, None),
    ]
    assert rows(marts, "SELECT count(*) FROM marts.sheets WHERE system_id = 'b' AND state = 'nothing stated'") == [
        (14,)
    ]
