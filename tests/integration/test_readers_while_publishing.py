"""200 publications while eight processes read: no error, and never two versions in one reading."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import duckdb

from warehouse.build import put_in_place
from warehouse.read import SCHEMA_VERSION

PUBLICATIONS = 200
READERS = 8

READER = """
import sys, pathlib, time
from warehouse.read import Warehouse
path, stop = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
seen, readings = set(), 0
while not stop.exists() or readings == 0:
    with Warehouse(path, threads=1) as warehouse:
        version = int(warehouse.publication.version)
        for _ in range(3):
            found = warehouse.rows("SELECT DISTINCT version FROM facts.sample")
            assert found == [{"version": version}], (version, found)
    seen.add(version)
    readings += 1
    time.sleep(0.02)  # the publications are what is tested, not the machine
print(readings, len(seen))
"""


def make_version(base: Path, number: int) -> Path:
    """A file of the published layout in which every row of every table names its version."""
    path = base.with_name(f"build-{number}.duckdb")
    shutil.copyfile(base, path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE meta.publication SET version = ?", [str(number)])
        connection.execute("UPDATE facts.sample SET version = ?", [number])
    return path


def test_readers_see_whole_versions_without_errors(tmp_path: Path) -> None:
    base, target, stop = tmp_path / "base.duckdb", tmp_path / "rackledger.duckdb", tmp_path / "stop"
    with duckdb.connect(str(base)) as connection:
        connection.execute(
            f"""CREATE SCHEMA meta; CREATE SCHEMA facts;
            CREATE TABLE meta.publication AS SELECT '0' AS version, now() AS built_at, '' AS content_hash,
                {SCHEMA_VERSION} AS schema_version;
            CREATE TABLE facts.sample AS SELECT 0 AS version, i FROM range(20000) AS t(i)"""
        )
    put_in_place(make_version(base, 0), target)
    command = [sys.executable, "-c", READER, str(target), str(stop)]
    readers = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(READERS)
    ]
    for number in range(1, PUBLICATIONS + 1):
        put_in_place(make_version(base, number), target)
        time.sleep(0.005)
    stop.touch()
    results = [reader.communicate(timeout=120) for reader in readers]
    assert [err for _, err in results] == [""] * READERS
    readings, versions = zip(*((int(n) for n in out.split()) for out, _ in results), strict=True)
    assert min(readings) >= 1
    assert max(versions) > 3, "the readers never saw a new version: the loop proved nothing"
