"""What publishers do not let be passed on is neither in the package nor answered to strangers."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from warehouse.private import PRIVATE_TABLES, copy_without_private
from warehouse.sandbox_rules import Refused, check_tree

MARK = "Secret supercomputer of the list"


def test_the_copy_holds_no_trace_of_a_private_table(tmp_path: Path) -> None:
    source, target = tmp_path / "whole.duckdb", tmp_path / "copy.duckdb"
    with duckdb.connect(str(source)) as connection:
        connection.execute("CREATE SCHEMA facts; CREATE SCHEMA meta; CREATE SCHEMA evidence")
        for table in PRIVATE_TABLES:
            connection.execute(f"CREATE TABLE {table} AS SELECT ? || range AS name FROM range(5000)", [MARK])
        connection.execute("CREATE TABLE facts.kept AS SELECT 1 AS one; COMMENT ON TABLE facts.kept IS 'said'")
        connection.execute("CREATE TABLE meta.tables AS SELECT unnest(['facts.top500', 'facts.kept']) AS \"table\"")
        connection.execute("CREATE TABLE meta.columns AS FROM meta.tables")
        connection.execute("CREATE MACRO evidence.as_of(day) AS TABLE FROM facts.kept WHERE one <= day")
    copy_without_private(source, target)
    with duckdb.connect(str(target), read_only=True) as connection:
        found = connection.execute("SELECT schema_name || '.' || table_name FROM duckdb_tables() ORDER BY 1").fetchall()
        assert found == [("facts.kept",), ("meta.columns",), ("meta.tables",)]
        assert connection.execute('SELECT "table" FROM meta.tables').fetchall() == [("facts.kept",)]
        assert connection.execute("FROM evidence.as_of(1)").fetchall() == [(1,)]
    assert MARK.encode() not in target.read_bytes()
    assert list(tmp_path.glob("*.between")) == []


@pytest.mark.parametrize("sql", ["FROM facts.top500", "SELECT * FROM rackledger.facts.green500", "FROM top500"])
def test_strangers_are_told_what_to_read_instead(sql: str) -> None:
    row = duckdb.connect().execute("SELECT json_serialize_sql(?)", [sql]).fetchone()
    assert row is not None
    with pytest.raises(Refused, match=r"read facts\.top500_aggregates"):
        check_tree(row[0])
