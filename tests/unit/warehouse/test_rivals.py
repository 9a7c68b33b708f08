"""Which figures are rivals: a chip that only one of two counts names, on hand-made claims."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from pipelines.settings import PROJECT_ROOT

WAREHOUSE = PROJECT_ROOT / "warehouse"
TABLES = """
CREATE SCHEMA evidence; CREATE SCHEMA registry;
CREATE TABLE registry.metrics AS
SELECT 'accelerator_count' AS metric_id, 'count' AS kind, 0.0 AS tolerance, []::VARCHAR[] AS requires;
CREATE TABLE registry.systems (system_id VARCHAR);
CREATE TABLE registry.system_parts (system_id VARCHAR, part_kind VARCHAR, part VARCHAR, count INTEGER);
CREATE TABLE registry.accelerators (accelerator_id VARCHAR, dies_per_package INTEGER);
CREATE TABLE told (claim_id VARCHAR, subject_kind VARCHAR, value DOUBLE, chip VARCHAR);
CREATE MACRO evidence.claims_as_of(day, subjects := NULL) AS TABLE
SELECT *, 'rack' AS subject_key, 'accelerator_count' AS metric, claim_id AS claimant_key,
    DATE '2025-03-01' AS stated_on, DATE '2025-03-01' AS known_on, false AS is_copied,
    'vendor' AS evidence, 'announced' AS modality,
    CASE WHEN chip IS NULL THEN MAP([], [])::MAP(VARCHAR, VARCHAR) ELSE MAP {'accelerator': chip} END AS qualifiers,
    NULL::DATE AS period_start, NULL::DATE AS period_end, NULL::DATE AS value_start, NULL::DATE AS value_end,
    NULL::DOUBLE AS value_low, NULL::DOUBLE AS value_high, NULL::VARCHAR AS value_text
FROM told;
"""


@pytest.fixture(scope="module")
def empty() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        for name in ("macros/20_claims.sql", "macros/25_resolution.sql", "tables/26_conflicts.sql"):
            text = (WAREHOUSE / name).read_text(encoding="utf-8")
            connection.execute(text.partition("-- Per conflict and claim")[0])
        yield connection


def rivals(connection: duckdb.DuckDBPyConnection, *told: tuple[float, str | None], kind: str = "system") -> set[str]:
    """The pairs of claims, each as its place in `told`, that are rivals."""
    connection.execute("DELETE FROM told")
    for number, (value, chip) in enumerate(told, 1):
        connection.execute("INSERT INTO told VALUES (?, ?, ?, ?)", [str(number), kind, value, chip])
    found = connection.execute("SELECT claim_ids FROM evidence.rival_pairs_as_of(DATE '2025-12-31')").fetchall()
    return {"-".join(sorted(ids)) for (ids,) in found}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (((72, "NVIDIA B200"), (64, None)), {"1-2"}),
        (((72, "NVIDIA B200"), (64, "B200")), {"1-2"}),  # a fuller name of the same chip
        (((72, "NVIDIA B200"), (64, "NVIDIA H100")), set()),
        (((72, "NVIDIA B200"), (64, "NVIDIA H100"), (64, None)), set()),  # taken to mean the one that it agrees with
    ],
)
def test_a_count_without_a_chip_is_a_rival_of_one_with_it(
    empty: duckdb.DuckDBPyConnection, told: tuple[tuple[float, str | None], ...], expected: set[str]
) -> None:
    assert rivals(empty, *told) == expected


def test_all_chips_of_a_site_are_no_rival_of_those_of_one_kind(empty: duckdb.DuckDBPyConnection) -> None:
    assert rivals(empty, (100_000, "NVIDIA H100"), (150_000, None), kind="site") == set()
