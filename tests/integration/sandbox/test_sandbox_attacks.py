"""What a stranger may try in the SQL box: each refused or ended within its limit, while others go on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from warehouse.read import SCHEMA_VERSION
from warehouse.sandbox import Limits, Mistake, Refused, Sandbox, Stopped

SECRET = "kept-out-of-reach"
LIMITS = Limits(seconds=1.5, rows=500, result_bytes=200_000)

# Refused before anything runs, or by the engine: nothing of it may have an effect.
FORBIDDEN = {
    "copy out": "COPY t TO '{folder}/out.csv'",
    "copy query out": "COPY (SELECT 1) TO '{folder}/out.parquet' (FORMAT parquet)",
    "copy in": "COPY t FROM '/etc/passwd'",
    "copy database": "COPY FROM DATABASE rackledger TO memory",
    "export": "EXPORT DATABASE '{folder}/out'",
    "import": "IMPORT DATABASE '{folder}'",
    "attach": "ATTACH '{folder}/other.duckdb' AS other",
    "attach http": "ATTACH 'http://127.0.0.1:1/x.duckdb'",
    "detach": "DETACH rackledger",
    "install": "INSTALL httpfs",
    "force install": "FORCE INSTALL httpfs FROM 'http://127.0.0.1:1'",
    "load": "LOAD httpfs",
    "load file": "LOAD '{folder}/evil.duckdb_extension'",
    "read_csv": "SELECT * FROM read_csv('/etc/passwd')",
    "read_csv http": "SELECT * FROM read_csv('http://127.0.0.1:1/x.csv')",
    "read_csv_auto": "FROM read_csv_auto('/etc/passwd', delim=':')",
    "read_text": "SELECT content FROM read_text('{folder}/secret.txt')",
    "read_blob": "SELECT content FROM read_blob('{folder}/secret.txt')",
    "read_json": "FROM read_json('{folder}/secret.txt')",
    "read_ndjson": "FROM read_ndjson_objects('{folder}/secret.txt')",
    "read_parquet": "FROM read_parquet('{folder}/*.parquet')",
    "parquet_metadata": "FROM parquet_metadata('{folder}/x.parquet')",
    "sniff_csv": "FROM sniff_csv('/etc/passwd')",
    "read_duckdb": "FROM read_duckdb('{folder}/rackledger.duckdb')",
    "glob": "SELECT * FROM glob('/etc/*')",
    "file as table": "SELECT * FROM '/etc/passwd'",
    "csv as table": 'FROM "{folder}/secret.csv"',
    "http as table": "FROM 'https://127.0.0.1:1/x.parquet'",
    "s3 as table": "FROM 's3://bucket/x.parquet'",
    "glob as table": "FROM '*.csv'",
    "set": "SET enable_external_access = true",
    "set global": "SET GLOBAL memory_limit = '100GB'",
    "set variable": "SET VARIABLE x = 1",
    "reset": "RESET memory_limit",
    "pragma": "PRAGMA enable_profiling",
    "pragma database_list": "PRAGMA database_list",
    "pragma as select": "SELECT * FROM pragma_database_size()",
    "use": "USE memory",
    "call": "CALL pragma_version()",
    "call checkpoint": "CALL force_checkpoint()",
    "checkpoint in from": "FROM checkpoint()",
    "enable logging": "FROM enable_logging()",
    "getenv": "SELECT getenv('HOME')",
    "getenv hidden": "SELECT list_transform(['HOME'], x -> getenv(x))",
    "getvariable": "SELECT getvariable('x')",
    "current_setting": "SELECT current_setting('home_directory')",
    "duckdb_settings": "SELECT * FROM duckdb_settings()",
    "duckdb_databases": "SELECT path FROM duckdb_databases",
    "duckdb_databases()": "SELECT path FROM duckdb_databases()",
    "duckdb_secrets": "FROM duckdb_secrets()",
    "pg_settings": "FROM pg_catalog.pg_settings",
    "query": "FROM query('SELECT 1')",
    "query_table": "FROM query_table('t')",
    "serialised sql": "FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
    "raw address": "FROM arrow_scan(1, 2, 3)",
    "pandas address": "FROM pandas_scan(1)",
    "create table": "CREATE TABLE x AS SELECT 1",
    "create temp table": "CREATE TEMP TABLE x AS SELECT 1",
    "create view": "CREATE VIEW v AS SELECT 1",
    "create macro": "CREATE MACRO f(a) AS a + 1",
    "create secret": "CREATE SECRET s (TYPE s3)",
    "create sequence": "CREATE SEQUENCE s",
    "insert": "INSERT INTO t VALUES (1)",
    "update": "UPDATE t SET a = 2",
    "delete": "DELETE FROM t",
    "truncate": "TRUNCATE t",
    "merge": "MERGE INTO t USING t AS s ON t.a = s.a WHEN MATCHED THEN DELETE",
    "drop": "DROP TABLE t",
    "alter": "ALTER TABLE t ADD COLUMN b INTEGER",
    "comment on": "COMMENT ON TABLE t IS 'x'",
    "begin": "BEGIN TRANSACTION",
    "vacuum": "VACUUM",
    "prepare": "PREPARE p AS SELECT 1",
    "execute": "EXECUTE p",
    "two statements": "SELECT 1; SELECT 2",
    "second after comment": "SELECT 1 /* ; */ ; -- x\nDROP TABLE t",
    "comment trick": "/* SELECT */ DROP TABLE t -- SELECT",
    "nested comment trick": "/* /* */ DROP TABLE t /* */ */ ; DROP TABLE t",
    "explain write": "EXPLAIN ANALYZE COPY (SELECT 1) TO '{folder}/out.csv'",
    "explain in comments": "/* a */ EXPLAIN /* b */ ANALYZE /* c */ CREATE TABLE x AS SELECT 1",
    "explain twice": "EXPLAIN EXPLAIN DROP TABLE t",
    "explain hidden by nested comments": "/* /* */ EXPLAIN SELECT $q$/* */ */ CREATE TABLE x AS SELECT 1 --$q$",
    "attach hidden by nested comments": "/* /* */ EXPLAIN SELECT $q$/* */ */ ATTACH ':memory:' AS facts --$q$",
    "setting hidden by nested comments": "/* /* */ EXPLAIN SELECT $q$/* */ */ SET threads = 9 --$q$",
    "explain of two": "EXPLAIN SELECT 1; DROP TABLE t",
    "explain with options": "EXPLAIN (FORMAT json) DROP TABLE t",
    "many empty comments": "/**/" * 40 + "DROP TABLE t",
    "cte with function": "WITH a AS (SELECT * FROM read_text('{folder}/secret.txt')) SELECT * FROM a",
    "subquery with function": "SELECT (SELECT max(content) FROM read_text('{folder}/secret.txt'))",
    "lateral function": "SELECT * FROM t, LATERAL (SELECT * FROM glob('/etc/*'))",
    "exists function": "SELECT 1 WHERE EXISTS (FROM read_blob('/etc/passwd'))",
    "describe file": "DESCRIBE SELECT * FROM read_csv('/etc/passwd')",
    "summarize file": "SUMMARIZE FROM '/etc/passwd'",
    "pivot without values": "PIVOT t ON a USING count(*)",
    "upper case": "SELECT * FROM READ_CSV('/etc/passwd')",
    "quoted name": "SELECT * FROM \"read_csv\"('/etc/passwd')",
    "schema before name": "SELECT * FROM main.read_csv('/etc/passwd')",
    "system schema before name": "SELECT * FROM system.main.read_text('{folder}/secret.txt')",
    "python variable": "SELECT * FROM asked",
    "nothing": "",
    "only a comment": "-- nothing",
    "not sql": "'); DROP TABLE t; --",
    "null byte": "SELECT 1 \x00 DROP TABLE t",
    "too long": "SELECT '" + "x" * 30_000 + "'",
}

# Ended by a limit: time, memory, rows or bytes.
BOMBS = {
    "recursive forever": "WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r",
    "recursive doubling": "WITH RECURSIVE r AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM r) SELECT max(s) FROM r",
    "cross join": "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE a.range + b.range < 0",
    "cross join sorted": "SELECT * FROM range(100000) a, range(100000) b ORDER BY hash(a.range + b.range)",
    "long sum": "SELECT sum(sqrt(range)) FROM range(1000000000000)",
    "long string": "SELECT repeat('x', 4000000000)",
    "longer string": "SELECT repeat('x', 10000000000)",
    "many strings": "SELECT string_agg(repeat('x', 1000000), '') FROM range(1000000)",
    "long list": "SELECT list_aggregate(range(1000000000), 'sum')",
    "longer list": "SELECT range(1000000000000)",
    "list of lists": "SELECT list_transform(range(100000), x -> range(1000000))",
    "large group": "SELECT range, count(*) FROM range(1000000000) GROUP BY ALL ORDER BY 2",
    "large distinct": "SELECT count(DISTINCT md5(range::VARCHAR)) FROM range(1000000000)",
    "large window": "SELECT sum(range) OVER (ORDER BY hash(range)) FROM range(1000000000)",
    "large hash join": "SELECT count(*) FROM range(500000000) a JOIN range(500000000) b ON a.range = b.range",
    "slow pattern": "SELECT regexp_matches(repeat('a', 1000000), '(a+)+$') FROM range(1000000)",
    "pad": "SELECT lpad('x', 2000000000, 'y')",
    "histogram": "SELECT histogram(md5(range::VARCHAR)) FROM range(1000000000)",
    "generated series": "SELECT unnest(generate_series(1, 10000000000))",
    "levenshtein": "SELECT levenshtein(repeat('a', 200000), repeat('b', 200000))",
}


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small published file, and beside it what must not be reached."""
    folder = tmp_path_factory.mktemp("sandbox")
    (folder / "secret.txt").write_text(SECRET)
    (folder / "secret.csv").write_text(f"a\n{SECRET}\n")
    path = folder / "rackledger.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            f"""CREATE SCHEMA meta; CREATE TABLE t AS SELECT 1 AS a;
                CREATE MACRO kept_on(day) AS TABLE SELECT a FROM t WHERE a <= day;
                CREATE TABLE meta.publication AS SELECT 'v1' AS version, TIMESTAMP '2026-01-02' AS built_at,
                    'hash' AS content_hash, {SCHEMA_VERSION} AS schema_version"""
        )
    return path


@pytest.fixture(scope="module")
def sandbox(warehouse: Path) -> Iterator[Sandbox]:
    found = Sandbox(warehouse, LIMITS, processes=2)
    yield found
    found.close()


@pytest.mark.parametrize("name", FORBIDDEN)
def test_what_is_forbidden_has_no_effect(sandbox: Sandbox, warehouse: Path, name: str) -> None:
    before = sorted(path.name for path in warehouse.parent.iterdir())
    with pytest.raises((Refused, Mistake)) as refusal:
        sandbox.ask(FORBIDDEN[name].replace("{folder}", str(warehouse.parent)))
    assert SECRET not in str(refusal.value)
    assert "root:" not in str(refusal.value)
    assert sorted(path.name for path in warehouse.parent.iterdir()) == before
    assert sandbox.ask("SELECT a FROM t").table.to_pylist() == [{"a": 1}]


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_ended_while_another_visitor_is_answered(sandbox: Sandbox, name: str) -> None:
    ended: list[str] = []

    def attack() -> None:
        try:
            answer = sandbox.ask(BOMBS[name])
        except (Stopped, Refused, Mistake) as error:
            ended.append(type(error).__name__)
        else:
            assert answer.table.num_rows <= LIMITS.rows
            assert answer.table.nbytes <= LIMITS.result_bytes
            ended.append("cut" if answer.is_cut else "done")

    attacker = threading.Thread(target=attack)
    attacker.start()
    assert sandbox.ask("SELECT count(*) AS n FROM t").table.to_pylist() == [{"n": 1}]
    attacker.join(timeout=60)
    assert not attacker.is_alive()
    assert ended
    assert ended[0] != "done"
    assert sandbox.ask("SELECT a FROM t").table.to_pylist() == [{"a": 1}]


def test_reading_statements_of_every_kind_run(sandbox: Sandbox) -> None:
    for sql, rows in {
        "SELECT a FROM t": 1,
        "select a from rackledger.main.t;": 1,
        "-- a comment\nFROM t": 1,
        "WITH x AS (SELECT a FROM t) SELECT * FROM x": 1,
        "VALUES (1), (2)": 2,
        "TABLE t": 1,
        "FROM range(3)": 3,
        "SELECT unnest([1, 2])": 2,
        "DESCRIBE t": 1,
        "SUMMARIZE t": 1,
        "SHOW TABLES": 1,
        "EXPLAIN SELECT 1": 1,
        "/* why */ EXPLAIN ANALYZE SELECT 1": 1,
        "/* /* nested */ */ EXPLAIN /* a */ ANALYZE /* b */ SELECT 1": 1,
        "FROM kept_on(1)": 1,
        "PIVOT t ON a IN (1, 2) USING count(*)": 1,
        "FROM duckdb_tables() SELECT count(*)": 1,
        "WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 5) FROM r": 5,
    }.items():
        assert sandbox.ask(sql).table.num_rows == rows, sql


def test_rows_and_bytes_are_cut_and_said_so(sandbox: Sandbox) -> None:
    whole = sandbox.ask("FROM range(500)")
    assert (whole.table.num_rows, whole.is_cut) == (500, False)
    cut = sandbox.ask("FROM range(501)")
    assert (cut.table.num_rows, cut.is_cut) == (500, True)
    wide = sandbox.ask("SELECT repeat('x', 1000) FROM range(400)")
    assert wide.is_cut
    assert 0 < wide.table.num_rows < 400
    assert wide.table.nbytes <= LIMITS.result_bytes


def test_a_newly_published_version_is_what_is_asked_next(warehouse: Path, tmp_path: Path) -> None:
    path = tmp_path / "rackledger.duckdb"
    path.write_bytes(warehouse.read_bytes())
    sandbox = Sandbox(path, LIMITS, processes=1)
    assert sandbox.ask("SELECT a FROM t").version == "v1"
    newer = tmp_path / "newer.duckdb"
    newer.write_bytes(warehouse.read_bytes())
    with duckdb.connect(str(newer)) as connection:
        connection.execute("UPDATE meta.publication SET version = 'v2'; UPDATE t SET a = 2")
    newer.replace(path)
    answer = sandbox.ask("SELECT a FROM t")
    assert (answer.version, answer.table.to_pylist()) == ("v2", [{"a": 2}])
    sandbox.close()


def test_a_statement_finds_nothing_of_another_and_opens_nothing(sandbox: Sandbox) -> None:
    hidden = "/* /* */ EXPLAIN SELECT $q$/* */ */ {} --$q$"
    for write in ("CREATE TABLE memory.main.mine AS SELECT 7 AS a", "CREATE TEMP TABLE mine AS SELECT 7 AS a"):
        for text in (write, hidden.format(write)):
            with pytest.raises((Refused, Mistake)):
                sandbox.ask(text)
    for _ in range(4):  # whichever process answers
        with pytest.raises((Refused, Mistake)):
            sandbox.ask("FROM mine")


def test_tables_that_may_not_be_passed_on_are_not_in_the_file_that_is_opened(warehouse: Path, tmp_path: Path) -> None:
    path = tmp_path / "rackledger.duckdb"
    path.write_bytes(warehouse.read_bytes())
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE SCHEMA facts; CREATE TABLE facts.top500 AS SELECT 'secret' AS name")
        connection.execute("CREATE TABLE meta.tables AS SELECT 'facts.top500' AS \"table\"")
        connection.execute("CREATE TABLE meta.columns AS FROM meta.tables")
    sandbox = Sandbox(path, LIMITS, processes=1)
    names = sandbox.ask("SELECT table_name FROM duckdb_tables()").table.column(0).to_pylist()
    with pytest.raises(Refused, match="top500_aggregates"):
        sandbox.ask("FROM facts.top500")
    sandbox.close()
    assert "top500" not in names
    assert "publication" in names
