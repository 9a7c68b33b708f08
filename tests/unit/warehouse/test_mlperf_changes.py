"""The compatibility table in SQL says the same as the module that charts ask."""

from __future__ import annotations

import itertools

import duckdb
import pytest

from pipelines.lake import table_of
from pipelines.registry.comparability import VersionChange, rounds_compare, version_changes
from pipelines.registry.mlperf import round_number
from warehouse.build import HERE, run_file

ROUNDS = (
    "v0.5",
    "v0.6",
    "v0.7",
    "v1.0",
    "v1.1",
    "v2.0",
    "v2.1",
    "v3.0",
    "v3.1",
    "v4.0",
    "v5.0",
    "v5.1",
    "v6.0",
    "v6.1",
)


@pytest.fixture(scope="module")
def changes() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("CREATE SCHEMA registry")
    connection.register("registry_mlperf_changes", table_of(version_changes(), VersionChange))
    run_file(connection, HERE / "macros" / "30_mlperf.sql")
    run_file(connection, HERE / "tables" / "12_mlperf_changes.sql")
    return connection


@pytest.mark.parametrize(
    ("suite", "benchmark", "scenario"),
    [
        *sorted({(change.suite, change.benchmark, "") for change in version_changes() if change.benchmark}),
        ("inference", "resnet", "MultiStream"),
        ("training", "nobody-knows-it", ""),
    ],
)
def test_rounds_compare_alike_in_sql(
    changes: duckdb.DuckDBPyConnection, suite: str, benchmark: str, scenario: str
) -> None:
    pairs = list(itertools.combinations(ROUNDS, 2))
    found = changes.execute(
        """SELECT earlier, later, registry.is_same_mlperf($suite, $benchmark, $scenario, earlier, later)
           FROM (SELECT unnest($earlier) AS earlier, unnest($later) AS later)""",
        {
            "suite": suite, "benchmark": benchmark, "scenario": scenario,
            "earlier": [earlier for earlier, _ in pairs], "later": [later for _, later in pairs],
        },
    ).fetchall()  # fmt: skip
    meant = {pair: rounds_compare(suite, benchmark, *pair, scenario) is not False for pair in pairs}
    assert {(earlier, later): same for earlier, later, same in found} == meant


def test_rounds_are_in_order_in_sql_too(changes: duckdb.DuckDBPyConnection) -> None:
    names = [*ROUNDS, "v10.0", "v9.12"]
    sql = "SELECT name FROM (SELECT unnest(?) AS name) ORDER BY round_number(name)"
    assert [name for (name,) in changes.execute(sql, [names]).fetchall()] == sorted(names, key=round_number)
