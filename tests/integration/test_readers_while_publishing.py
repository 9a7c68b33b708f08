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

PUBLICATIONS, MOST = 200, 20_000  # how many there are at least, and at the most: a slow machine reads less often
VERSIONS = 8  # they come round again: what is tested is the change from one to another
READERS = 8
SEEN = 4  # versions that each reader is to see, or the loop proves nothing

READER = """
import sys, pathlib, time
from warehouse.read import Warehouse
path, stop, enough = (pathlib.Path(each) for each in sys.argv[1:4])
seen = set()
while not stop.exists():
    with Warehouse(path, threads=1) as warehouse:
        version = int(warehouse.publication.version)
        for _ in range(3):
            found = warehouse.rows("SELECT DISTINCT version FROM facts.sample")
            assert found == [{"version": version}], (version, found)
    seen.add(version)
    if len(seen) >= int(sys.argv[4]):
        enough.touch()
    time.sleep(0.02)  # the publications are what is tested, not the machine
"""


def make_version(base: Path, number: int) -> Path:
    """A file of the published layout in which every row of every table names its version."""
    path = base.with_name(f"version-{number}.duckdb")
    shutil.copyfile(base, path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("UPDATE meta.publication SET version = ?", [str(number)])
        connection.execute("UPDATE facts.sample SET version = ?", [number])
    return path


def publish(version: Path, target: Path) -> None:
    """Put a copy of a version in place."""
    building = target.with_name("building.duckdb")
    shutil.copyfile(version, building)
    put_in_place(building, target)


def test_readers_see_whole_versions_without_errors(tmp_path: Path) -> None:
    base, target, stop = tmp_path / "base.duckdb", tmp_path / "rackledger.duckdb", tmp_path / "stop"
    with duckdb.connect(str(base)) as connection:
        connection.execute(
            f"""CREATE SCHEMA meta; CREATE SCHEMA facts;
            CREATE TABLE meta.publication AS SELECT '0' AS version, now() AS built_at, '' AS content_hash,
                {SCHEMA_VERSION} AS schema_version;
            CREATE TABLE facts.sample AS SELECT 0 AS version, i FROM range(20000) AS t(i)"""
        )
    versions = [make_version(base, number) for number in range(VERSIONS)]
    publish(versions[0], target)
    enough = [tmp_path / f"enough-{number}" for number in range(READERS)]
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER, str(target), str(stop), str(mark), str(SEEN)],
            stderr=subprocess.PIPE,
            text=True,
        )
        for mark in enough
    ]
    published = 0
    while published < PUBLICATIONS or not all(mark.exists() for mark in enough):
        published += 1
        publish(versions[published % VERSIONS], target)
        time.sleep(0.005)
        if published == MOST or any(reader.poll() for reader in readers):
            break
    stop.touch()
    assert [reader.communicate()[1] for reader in readers] == [""] * READERS
    assert [mark for mark in enough if not mark.exists()] == [], "too few versions seen: it proved nothing"
