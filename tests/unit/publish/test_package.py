"""Published files: a table that did not change keeps its files, others are written, old versions go."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import duckdb

from pipelines.publish.package import KEPT_VERSIONS, publish_package
from warehouse.dictionary import content_hash
from warehouse.read import SCHEMA_VERSION


def warehouse(folder: Path, number: int, figure: int) -> Path:
    """A published file of two tables; `figure` is the one row of the second."""
    path = folder / f"{number}.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            f"""CREATE SCHEMA meta; CREATE SCHEMA facts;
            CREATE TABLE meta.publication AS SELECT '2026010{number // 10}T0{number % 10}' AS version,
                TIMESTAMP '2026-01-01' AS built_at, 'h{number}' AS content_hash, {SCHEMA_VERSION} AS schema_version;
            CREATE TABLE facts.a AS SELECT 1 AS n;
            CREATE TABLE facts.b AS SELECT {figure} AS n;
            CREATE TABLE meta.tables ("table" VARCHAR, title VARCHAR, says VARCHAR, grain VARCHAR, licence VARCHAR,
                row_count BIGINT, content_hash VARCHAR);
            CREATE TABLE meta.columns AS SELECT unnest(['facts.a', 'facts.b']) AS "table", 'n' AS "column",
                1 AS position, 'INTEGER' AS data_type, 'a number' AS says, '' AS unit"""
        )
        for name, licence in (("facts.a", "CC BY 4.0"), ("facts.b", "facts only")):
            content = content_hash(connection, name)
            connection.execute(
                "INSERT INTO meta.tables VALUES (?, 'T', 'S.', 'a row', ?, ?, ?)",
                [name, licence, content.rows, content.digest],
            )
    return path


def inode(path: Path) -> int:
    return path.stat().st_ino


def test_only_the_table_that_changed_is_written_anew(tmp_path: Path) -> None:
    before = os.umask(0o077)
    first = publish_package(warehouse(tmp_path, 1, 7), tmp_path / "published").folder
    second = publish_package(warehouse(tmp_path, 2, 8), tmp_path / "published").folder
    os.umask(before)
    for kind in ("parquet", "csv"):
        assert inode(first / f"facts.a.{kind}") == inode(second / f"facts.a.{kind}")
        assert inode(first / f"facts.b.{kind}") != inode(second / f"facts.b.{kind}")
    assert [(folder / "facts.b.csv").read_text().split() for folder in (first, second)] == [['"n"', "7"], ['"n"', "8"]]
    resources = {item["path"]: item for item in json.loads((second / "datapackage.json").read_text())["resources"]}
    licences = {name: resource["licenses"][0]["name"] for name, resource in resources.items()}
    terms = {"a": "CC-BY-4.0", "b": "facts only"}
    assert licences == {f"facts.{name}.{kind}": term for name, term in terms.items() for kind in ("csv", "parquet")}
    assert {resource["format"] for resource in resources.values()} == {"csv", "parquet"}
    assert len({resource["name"] for resource in resources.values()}) == len(resources)
    assert all(resource["sources"] for resource in resources.values())
    for name, resource in resources.items():
        assert resource["hash"] == f"sha256:{hashlib.sha256((second / name).read_bytes()).hexdigest()}"
    described = json.loads((second / "croissant.json").read_text())
    assert described["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    for file in described["distribution"]:
        assert file["sha256"] == hashlib.sha256((second / file["contentUrl"]).read_bytes()).hexdigest()
    assert [records["@id"] for records in described["recordSet"]] == ["facts.a", "facts.b"]
    (field,) = described["recordSet"][0]["field"]
    assert (field["dataType"], field["source"]["fileObject"]["@id"]) == ("sc:Integer", "facts.a.parquet")
    assert json.loads((second / "questions.json").read_text())["questions"]["claims"]["sql"]
    assert json.loads((tmp_path / "published" / "latest.json").read_text())["version"] == second.name
    assert {path.stat().st_mode & 0o444 for path in second.iterdir()} == {0o444}
    assert second.stat().st_mode & 0o555 == 0o555


def test_the_newest_versions_stay(tmp_path: Path) -> None:
    folders = [tmp_path / "published" / f"20250101T{number:02}" for number in range(KEPT_VERSIONS + 1)]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "datapackage.json").write_text('{"resources": []}')
    half = tmp_path / "published" / ".20240101T00.writing"
    half.mkdir()
    newest = publish_package(warehouse(tmp_path, 1, 7), tmp_path / "published").folder
    assert [folder for folder in (*folders, newest) if not folder.exists()] == folders[:2]
    assert half.exists()  # not a version; the janitor's
