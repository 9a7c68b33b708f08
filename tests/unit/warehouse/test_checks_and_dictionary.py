"""Check files, the dictionary, and lineage read from SQL."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from warehouse.checks import Check, load_checks, read_header, run_check, tables_before
from warehouse.declared import all_checks
from warehouse.dictionary import Column, Table, content_hash, load_dictionary
from warehouse.lineage import built_tables


def test_a_check_header_goes_on_over_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.sql"
    path.write_text(
        "-- name: a\n-- on: facts.t\n-- severity: error\n-- says: first\n-- second: part\nSELECT 1;\n-- name: b\n"
    )
    assert read_header(path) == {"name": "a", "on": "facts.t", "severity": "error", "says": "first", "second": "part"}


@pytest.mark.parametrize(
    "text", ["SELECT 1", "-- name: a\n-- kind: build\n-- on: t\n-- severity: loud\n-- says: x\nSELECT 1"]
)
def test_a_check_without_its_header_is_refused_by_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.sql").write_text(text)
    with pytest.raises((ValueError, KeyError), match=r"bad\.sql|severity"):
        load_checks(tmp_path)


def test_checks_speak_of_tables_that_are_built() -> None:
    built = {table.name for table in built_tables()}
    assert {check.table for check in all_checks()} <= built


def comparing_checks() -> list[Check]:
    return [check for check in all_checks() if check.needs_previous]


@pytest.mark.parametrize("check", comparing_checks(), ids=lambda check: check.name)
def test_comparing_checks_are_passed_by_without_a_version_before(check: Check) -> None:
    with duckdb.connect() as connection:
        result = run_check(connection, check, has_previous=False)
        assert (result.was_run, result.passed) == (False, True)
        with pytest.raises(duckdb.Error, match="previous"):
            run_check(connection, check, has_previous=True)


def test_a_table_that_is_new_has_nothing_to_be_compared_with() -> None:
    with duckdb.connect() as connection:
        connection.execute("ATTACH ':memory:' AS previous")
        connection.execute("CREATE SCHEMA previous.facts; CREATE TABLE previous.facts.mlperf_training (suite TEXT)")
        assert tables_before(connection) == {"facts.mlperf_training"}


def test_a_short_column_entry_holds_meaning_and_unit() -> None:
    table = Table(title="t", says="s", grain="g", columns={"a": "time to train [minutes]", "b": "name"})
    assert table.column("a") == Column(says="time to train", unit="minutes")
    assert table.column("b") == Column(says="name", unit="")


def test_every_built_table_is_described() -> None:
    assert {table.name for table in built_tables()} <= set(load_dictionary())


def test_lineage_names_inputs_and_tables() -> None:
    reads = {table.name: table.reads for table in built_tables()}
    assert reads["marts.mlperf_training_best"] == (
        "facts.mlperf_training", "registry.generations", "registry.mlperf_changes",
    )  # fmt: skip
    assert "lake_mlperf_training" in reads["facts.mlperf_training"]
    assert "committed_mlperf_training" in reads["facts.mlperf_training"]


def test_lineage_goes_through_what_stands_in_passing() -> None:
    """Temporary tables, macros, and tables of the same file: what they are made from is what is read."""
    reads = {table.name: table.reads for table in built_tables()}
    assert {"committed_adoption", "facts.clusters", "registry.organisations"} <= set(reads["facts.adoption"])
    assert {"lake_mentions", "evidence.decisions"} <= set(reads["evidence.mentions"])
    assert "evidence.mentions" in reads["evidence.standing"]
    assert {"evidence.standing", "registry.systems"} <= set(reads["marts.density"])
    assert "facts.adoption" in reads["marts.ageing_verdict"]
    assert [name for name, found in reads.items() if not found] == ["evidence.quarantine"]


def test_every_table_that_is_read_is_built_before() -> None:
    order = [table.name for table in built_tables()]
    late = [
        (table.name, name)
        for number, table in enumerate(built_tables())
        for name in table.reads
        if "." in name and name not in order[:number]
    ]
    assert late == []


def test_the_content_hash_ignores_order_and_sees_values() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE a AS FROM (VALUES (1, 'x'), (2, NULL)) t(i, s)")
        connection.execute("CREATE TABLE b AS FROM (VALUES (2, NULL), (1, 'x')) t(i, s)")
        connection.execute("CREATE TABLE c AS FROM (VALUES (2, ''), (1, 'x')) t(i, s)")
        hashes = [content_hash(connection, name) for name in "abc"]
    assert hashes[0] == hashes[1]
    assert hashes[0] != hashes[2]


def test_every_mart_has_a_check_and_says_what_it_cannot_tell() -> None:
    marts = {table.name for table in built_tables() if table.name.startswith("marts.")}
    assert marts - {check.table for check in all_checks()} == set()
    described = load_dictionary()
    assert [name for name in sorted(marts) if len(described[name].cannot_tell) < 20] == []
