"""A file that is written without a log holds everything once its connection is closed, and leaves nothing beside it."""

from __future__ import annotations

from pathlib import Path

import duckdb

from warehouse.unlogged import BLOCK, READ_SINCE, open_unlogged


def test_a_file_written_without_a_log_holds_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a 'quoted' file.building"
    with open_unlogged(path, threads=1) as connection:
        connection.execute("CREATE SCHEMA marts")
        for number in range(3):
            connection.execute(f"CREATE TABLE marts.t{number} AS SELECT {number} AS n, range AS i FROM range(5000)")
            connection.execute(f"ALTER TABLE marts.t{number} ADD PRIMARY KEY (i)")
        connection.execute("CREATE VIEW marts.both AS FROM marts.t1; CREATE MACRO marts.of(a) AS TABLE FROM marts.t2")
        connection.execute("DELETE FROM marts.t1 WHERE i >= 10")
        assert [entry.name for entry in tmp_path.iterdir()] == [path.name]
    moved = path.rename(tmp_path / "moved.duckdb")
    with duckdb.connect(str(moved), read_only=True) as read:
        assert read.execute("SELECT count(*), sum(i) FROM marts.both").fetchone() == (10, 45)
        assert read.execute("SELECT count(*), any_value(n) FROM marts.of(1)").fetchone() == (5000, 2)
        assert read.execute("SELECT count(*) FROM duckdb_tables() WHERE schema_name = 'marts'").fetchone() == (3,)
        version = read.execute("SELECT tags['storage_version'] FROM duckdb_databases() WHERE path = ?", [str(moved)])
        assert version.fetchone() == (f"{READ_SINCE}+",)
        assert read.execute("SELECT block_size FROM pragma_database_size()").fetchone() == (BLOCK,)
