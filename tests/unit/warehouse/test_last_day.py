"""While a build runs, an as-of macro that a later statement calls reads what it answered before; then it is as was."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from warehouse import last_day
from warehouse.last_day import LAST_DAY, LastDay
from warehouse.sql_files import read_sql

SQL = {
    "tables/10_said.sql": f"""
CREATE TABLE facts.said (thing VARCHAR, known_on DATE);
CREATE MACRO facts.told_as_of(day) AS TABLE SELECT thing, known_on FROM facts.said WHERE known_on <= day;
CREATE TABLE facts.told AS FROM facts.told_as_of({LAST_DAY});
""",
    "marts/20_things.sql": f"""
CREATE MACRO marts.cells_as_of(day, subjects := NULL) AS TABLE
SELECT thing, known_on FROM facts.told_as_of(day) WHERE subjects IS NULL OR list_contains(subjects, thing);
CREATE MACRO marts.things_as_of(day) AS TABLE SELECT thing, known_on FROM marts.cells_as_of(day);
CREATE TABLE marts.things AS FROM marts.things_as_of({LAST_DAY});
CREATE TABLE marts.then AS FROM marts.things_as_of(DATE '2026-01-01');
CREATE TABLE marts.again AS FROM marts.things_as_of({LAST_DAY});
""",
}


@pytest.fixture
def connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> duckdb.DuckDBPyConnection:
    for name, text in SQL.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(last_day, "sql_files", lambda: [read_sql(tmp_path / name) for name in SQL])
    opened = duckdb.connect()
    opened.execute("CREATE SCHEMA facts; CREATE SCHEMA marts")
    return opened


def run(connection: duckdb.DuckDBPyConnection, days: LastDay, name: str) -> None:
    for statement in connection.extract_statements(SQL[name]):
        days.before(statement.query)
        connection.execute(statement.query)


def count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    found = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    assert found is not None
    return int(found[0])


def test_a_later_statement_reads_the_table_that_stands(connection: duckdb.DuckDBPyConnection) -> None:
    days = LastDay(connection)
    run(connection, days, "tables/10_said.sql")
    connection.execute("INSERT INTO facts.told VALUES ('in the table alone', '2026-02-01')")
    run(connection, days, "marts/20_things.sql")
    assert [count(connection, f"marts.{table}") for table in ("things", "then", "again")] == [1, 0, 1]


def test_in_the_end_every_macro_answers_as_it_is_written(connection: duckdb.DuckDBPyConnection) -> None:
    days = LastDay(connection)
    for name in SQL:
        run(connection, days, name)
    connection.execute("INSERT INTO facts.said VALUES ('early', '2026-01-01'), ('late', '2026-03-01')")
    days.give_back()
    january = "marts.things_as_of(DATE '2026-01-01')"
    assert (count(connection, january), count(connection, f"marts.things_as_of({LAST_DAY})")) == (1, 2)
    assert count(connection, f"marts.cells_as_of({LAST_DAY}, subjects := ['late'])") == 1
    assert "_of_last_day" not in str(connection.execute("SELECT macro_definition FROM duckdb_functions()").fetchall())


def test_a_macro_that_stands_for_the_last_day_refuses_another(connection: duckdb.DuckDBPyConnection) -> None:
    days = LastDay(connection)
    run(connection, days, "tables/10_said.sql")
    connection.execute("INSERT INTO facts.told VALUES ('any', '2026-02-01')")
    days.before(f"CREATE TABLE marts.x AS FROM facts.told_as_of({LAST_DAY})")
    with pytest.raises(duckdb.InvalidInputException, match="stands for the last day"):
        connection.execute("FROM facts.told_as_of(DATE '2026-01-01')").fetchall()
