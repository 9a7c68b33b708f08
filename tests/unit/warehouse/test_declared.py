"""Declarations as checks: what keys, rules, known values, references and coverage find, on tables made by hand."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from warehouse.checks import Check, run_check
from warehouse.declared import _checks_of, all_checks, constrain
from warehouse.dictionary import Table


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connected:
        connected.execute(
            """CREATE SCHEMA facts; CREATE SCHEMA registry; CREATE SCHEMA evidence; CREATE SCHEMA marts;
               CREATE TABLE facts.t AS FROM (VALUES
                   ('a', 1, 5.0, 'list', 'https://x.y', true), ('a', 1, 5.0, 'list', 'https://x.y', false),
                   ('b', 2, -1.0, 'other', 'ftp://x.y', true), ('c', NULL, NULL, 'list', 'https://x.y', true)
               ) AS t(name, "table", power_kw, source_id, url, is_latest);
               CREATE TABLE evidence.sources AS SELECT 'list' AS source_id;
               CREATE TABLE registry.things AS SELECT unnest(['a', 'c']) AS name"""
        )
        yield connected


def table(**declared: object) -> Table:
    return Table.model_validate({"title": "t", "says": "s", "grain": "g"} | declared)


def failing(connection: duckdb.DuckDBPyConnection, name: str, declared: Table) -> dict[str, int]:
    """How many rows each check of a declaration finds."""
    return {
        check.name: run_check(connection, check, has_previous=True).failures for check in _checks_of(name, declared)
    }


def test_a_key_finds_rows_that_stand_twice(connection: duckdb.DuckDBPyConnection) -> None:
    assert failing(connection, "facts.t", table(key=["name", "table"])) == {
        "facts_t_key": 1,
        "facts_t_twice": 2,  # nobody can say which of the two is right
    }
    of_the_latest = table(key=["name", "table"], key_where="is_latest")
    assert failing(connection, "facts.t", of_the_latest) == {"facts_t_key": 0, "facts_t_twice": 0}
    further = failing(connection, "facts.t", table(key=["name", "is_latest"], unique=[["lower(name)"]]))
    assert further == {"facts_t_key": 0, "facts_t_twice": 0, "facts_t_key1": 1, "facts_t_twice1": 2}


def test_of_equal_rows_of_a_key_the_first_stays(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("CREATE TABLE facts.u AS FROM (VALUES (NULL, 1), (NULL, 1), ('b', 2)) AS t(name, n)")
    assert failing(connection, "facts.u", table(key=["name"])) == {"facts_u_key": 1, "facts_u_twice": 1}


def test_rules_find_rows_that_break_them_and_pass_by_what_is_empty(connection: duckdb.DuckDBPyConnection) -> None:
    rules = table(rules=["power_kw > 0", "name <> 'c'"], columns={"power_kw": "power", "name": "name"})
    found = dict.fromkeys(["facts_t_rules"], 2) | {"facts_t_filled": 1}
    assert failing(connection, "facts.t", rules) == found
    (check,) = [check for check in _checks_of("facts.t", rules) if check.name == "facts_t_rules"]
    assert connection.execute(f"SELECT found FROM ({check.sql}) ORDER BY row").fetchall() == [
        ("power_kw > 0 is not met: power_kw = -1.0",),
        ("name <> 'c' is not met: name = c",),
    ]


def test_facts_are_asked_for_a_listed_source_and_an_address(connection: duckdb.DuckDBPyConnection) -> None:
    found = failing(connection, "facts.t", table(columns={"source_id": "the source", "url": "the link"}))
    assert found == {"facts_t_rules": 1, "facts_t_source_id_in_sources": 1, "facts_t_filled": 0}


def test_names_that_are_not_known_are_listed_once(connection: duckdb.DuckDBPyConnection) -> None:
    declared = table(known={"name": '"table" IS NOT NULL'}, references={"name": "registry.things"})
    assert failing(connection, "facts.t", declared) == {"facts_t_name_in_things": 1, "facts_t_known": 1}
    assert {check.severity for check in _checks_of("facts.t", declared)} == {"warn"}


@pytest.mark.parametrize(
    ("coverage", "lost"),
    [
        ({"each": ["name"]}, 1),  # x has gone
        ({"each": ["name"], "keeps": 0.4}, 1),
        ({"each": ["name"], "keeps": 0, "at_least": 3}, 0),
        ({"each": ["source_id"], "counts": "power_kw", "keeps": 0.9}, 1),
        ({"each": ["source_id"], "counts": "sum(power_kw)", "keeps": 0.1}, 0),
    ],
)
def test_coverage_finds_what_was_lost(
    connection: duckdb.DuckDBPyConnection, coverage: dict[str, object], lost: int
) -> None:
    connection.execute(
        """ATTACH ':memory:' AS previous; CREATE SCHEMA previous.facts;
           CREATE TABLE previous.facts.t AS FROM (VALUES ('a', 'list', 5.0), ('a', 'list', 5.0), ('x', 'list', 6.0))
           AS t(name, source_id, power_kw)"""
    )
    assert failing(connection, "facts.t", table(coverage=coverage)) == {"facts_t_coverage": lost}


def test_a_column_without_a_question_mark_may_not_be_empty(connection: duckdb.DuckDBPyConnection) -> None:
    filled = table(columns={"name": "a name", "power_kw": "power [kW]"}, optional=["power_kw"], key=["name"])
    connection.execute("DELETE FROM facts.t WHERE NOT is_latest")
    constrain(connection, "facts.t", filled)
    rows = connection.execute("DESCRIBE facts.t").fetchall()
    assert {row[0]: row[2:4] for row in rows if row[0] in ("name", "power_kw")} == {
        "name": ("NO", "PRI"),
        "power_kw": ("YES", None),
    }
    with pytest.raises(duckdb.ConstraintException, match="NOT NULL"):
        connection.execute("INSERT INTO facts.t BY NAME SELECT NULL AS name")


def test_every_check_has_a_name_of_its_own() -> None:
    names = [check.name for check in all_checks()]
    assert sorted(set(names)) == names


def test_declared_checks_say_in_words_what_they_ask() -> None:
    says = {check.name: check.says for check in all_checks()}
    assert says["facts_clusters_key"] == "one row for each source_id, cluster, occurrence where is_latest"
    assert says["evidence_claims_coverage"] == (
        "no metric has lost more than 10% of its rows; run with --accept-shrink when the loss is meant"
    )
    assert isinstance(all_checks()[0], Check)


def test_a_table_under_an_open_licence_has_no_rows_of_other_sources(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("ALTER TABLE evidence.sources ADD COLUMN licence VARCHAR")
    connection.execute("UPDATE evidence.sources SET licence = 'CC BY 4.0'")
    open_table = table(licence="CC BY 4.0", columns={"source_id": "the source"})
    assert failing(connection, "facts.t", open_table)["facts_t_licence"] == 0
    connection.execute("UPDATE evidence.sources SET licence = 'not stated: facts only'")
    assert failing(connection, "facts.t", open_table)["facts_t_licence"] == 1
    assert "facts_t_licence" not in failing(connection, "facts.t", table(columns={"source_id": "the source"}))
    connection.execute("CREATE TABLE marts.m AS FROM facts.t")
    assert failing(connection, "marts.m", open_table)["marts_m_licence"] == 1
