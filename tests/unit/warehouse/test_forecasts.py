"""Forecasts decided by query, by hand-made events, figures and prices: in time, too early, never, and not known yet."""

from __future__ import annotations

import datetime as dt
from typing import Any

import duckdb
import pytest

from pipelines.settings import PROJECT_ROOT

MART = PROJECT_ROOT / "warehouse" / "marts" / "25_forecasts.sql"
MACROS = PROJECT_ROOT / "warehouse" / "macros" / "20_claims.sql"
TABLES = """
CREATE SCHEMA facts; CREATE SCHEMA registry; CREATE SCHEMA marts; CREATE SCHEMA evidence;
CREATE TABLE facts.forecast_tests (forecast_id VARCHAR, forecast_ref VARCHAR, test VARCHAR, layers VARCHAR[],
    generations VARCHAR[], system VARCHAR, organisations INTEGER, metric VARCHAR, figure DOUBLE,
    from_on DATE, to_on DATE,
    if_found VARCHAR, if_not VARCHAR);
CREATE TABLE facts.forecast_verdicts (forecast_id VARCHAR, verdict VARCHAR, decided_by VARCHAR, decided_on DATE,
    url VARCHAR, why VARCHAR);
CREATE TABLE adopted (organisation_id VARCHAR, organisation VARCHAR, layer VARCHAR, generation VARCHAR, system VARCHAR,
    kind VARCHAR, row_key VARCHAR, url VARCHAR, on_high DATE, stated_not_after DATE);
CREATE MACRO facts.adoption_as_of(day) AS TABLE FROM adopted WHERE stated_not_after <= day;
CREATE TABLE facts.mlperf_training (suite VARCHAR, round VARCHAR, submitter VARCHAR, system_name VARCHAR,
    generation VARCHAR, result_key VARCHAR, url VARCHAR, stated_on DATE);
CREATE TABLE facts.mlperf_inference AS FROM facts.mlperf_training;
CREATE TABLE registry.organisations AS SELECT 'lab' AS organisation_id, 'Lab' AS name;
CREATE MACRO registry.organisation_layers_as_of(day) AS TABLE
    SELECT 'lab' AS organisation_id, 'neocloud' AS layer, NULL::DATE AS valid_from, NULL::DATE AS valid_to;
CREATE TABLE registry.aliases AS SELECT 'Chip' AS alias, 'chip' AS subject_id;
CREATE TABLE registry.accelerators AS SELECT 'chip' AS accelerator_id, 'chip' AS model_id, 'g' AS generation_id;
CREATE TABLE prices (observed_on DATE, source_id VARCHAR, accelerator_model VARCHAR, period_start DATE, url VARCHAR,
    median_usd_per_gpu_hour DOUBLE, accelerator_grain VARCHAR, layer VARCHAR, price_type VARCHAR, is_thin BOOLEAN);
CREATE MACRO marts.prices_until(day) AS TABLE FROM prices WHERE observed_on <= day;
CREATE TABLE said AS SELECT *, NULL::VARCHAR AS value_text, NULL::VARCHAR AS subject_id, NULL::DATE AS value_start,
    NULL::DATE AS value_end, NULL::DOUBLE AS value_low, 'x' AS unit, claimant AS claimant_key, 'estimated' AS evidence,
    stated_on AS known_on, stated_on AS read_on, false AS is_copied, []::VARCHAR[] AS caveats, 's' AS source_id,
    'https://example.org/' || claim_id AS url, '' AS note, claim_id AS locator, NULL::VARCHAR AS doubt
FROM (VALUES
    ('F', 'Chip', 'chip', 'duration', 1.0, 'expected', 'Prophet', DATE '2025-03-01', DATE '2026-06-30', 'in words'),
    ('N', 'Clock', 'clock', 'other', 1.0, 'measured', 'Prophet', DATE '2026-11-22', NULL, NULL),
    ('C', 'Site', 'site', 'cluster_size', 2e6, 'deployed', 'Owner', DATE '2026-02-01', NULL, NULL),
    ('P', 'Site', 'site', 'cluster_size', 5e6, 'expected', 'Owner', DATE '2025-04-01', NULL, NULL)
) AS claims(claim_id, subject, subject_key, metric, value, modality, claimant, stated_on, due_on, criterion);
CREATE TABLE evidence.claims AS FROM said; CREATE TABLE evidence.mentions AS FROM said;
CREATE MACRO evidence.claims_as_of(day) AS TABLE FROM said WHERE known_on <= day;
INSERT INTO adopted VALUES
    ('one', 'One', 'neocloud', 'g', 'Rack X', 'in service', 'K1', 'u1', '2025-05-01', '2025-05-01'),
    ('two', 'Two', 'neocloud', 'g', 'Rack X', 'in service', 'K2', 'u2', '2026-01-10', '2026-01-20'),
    ('two', 'Two', 'neocloud', 'g', 'Rack X', 'plan', 'K0', 'u0', '2025-03-02', '2025-03-02'),
    ('three', 'Three', 'hyperscale', 'g', 'Rack X', 'in service', 'K3', 'u3', '2025-03-05', '2025-03-05');
INSERT INTO prices VALUES ('2026-05-05', 's', 'chip', '2026-05-05', 'p', 0.2, 'model', 'all', 'on_demand', false),
    ('2026-04-05', 's', 'chip', '2026-04-05', 'p', 0.1, 'model', 'all', 'on_demand', true);
"""
ADOPTION = (
    "('F', 'R', 'adoption', ['neocloud'], ['g'], NULL, {n}, NULL, NULL, '2025-12-01', '2026-06-01', 'met', 'missed')"
)
FIGURE = "('F', 'R', 'figure', [], [], NULL, NULL, '{metric}', 1e6, '2025-03-01', '2026-06-30', 'missed', 'met')"
PRICE = "('F', 'R', 'hour price', [], [], NULL, NULL, NULL, {usd}, '2025-03-01', '2026-06-30', 'met', 'missed')"


def judged(test: str, day: dt.date) -> tuple[Any, ...]:
    with duckdb.connect() as connection:
        connection.execute(MACROS.read_text(encoding="utf-8"))
        connection.execute(TABLES + f"INSERT INTO facts.forecast_tests VALUES {test};")
        connection.execute(MART.read_text(encoding="utf-8"))
        asked = "SELECT state, judged_by, decided_by FROM marts.forecasts_as_of(?)"
        [found] = connection.execute(asked, [day]).fetchall()
        return tuple(found)


NOW = dt.date(9999, 12, 31)  # the ledger's newest day is 2026-11-22


@pytest.mark.parametrize(
    ("test", "day", "expected"),
    [
        (ADOPTION.format(n=2), NOW, ("met", dt.date(2026, 1, 20), "K2")),
        (ADOPTION.format(n=2), dt.date(2026, 1, 15), ("open", None, None)),
        (ADOPTION.format(n=1), NOW, ("missed", dt.date(2025, 5, 1), "K1")),
        (ADOPTION.format(n=3), NOW, ("missed", dt.date(2026, 6, 1), None)),
        (ADOPTION.format(n=3), dt.date(2026, 6, 1), ("open", None, None)),
        (FIGURE.format(metric="cluster_size"), NOW, ("missed", dt.date(2026, 2, 1), "C")),
        (FIGURE.format(metric="weight"), NOW, ("met", dt.date(2026, 6, 30), None)),
        (PRICE.format(usd=0.25), NOW, ("met", dt.date(2026, 5, 5), "s|chip|2026-05-05")),
        (PRICE.format(usd=0.15), NOW, ("missed", dt.date(2026, 6, 30), None)),
    ],
)
def test_a_query_decides_from_the_day_on_which_what_it_found_was_known(
    test: str, day: dt.date, expected: tuple[Any, ...]
) -> None:
    assert judged(test, day) == expected
