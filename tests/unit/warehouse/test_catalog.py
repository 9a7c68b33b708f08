"""The lake's tables in a catalog: what changed goes in, what is gone goes out, what others put there stays.

The statements are those of any DuckDB database; tests/integration/test_ducklake.py runs them against DuckLake itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pytest

from pipelines.lake import Lake
from tests.two_writers import put
from warehouse import catalog
from warehouse.catalog import CatalogError, Shared, share


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lake:
    """An empty lake, and a plain database in the catalog's place."""

    @contextmanager
    def plain(place: str, data: Path) -> Iterator[duckdb.DuckDBPyConnection]:
        with duckdb.connect() as connection:
            connection.execute(f"ATTACH '{data}/{place}' AS shared")
            yield connection

    monkeypatch.setattr(catalog, "opened", plain)
    return Lake(tmp_path / "lake")


def held(tmp_path: Path) -> list[tuple[str, str, int]]:
    with duckdb.connect(str(tmp_path / "file")) as connection:
        found = "SELECT partition, detail, count(*) FROM problems GROUP BY ALL ORDER BY ALL"
        return connection.execute(found).fetchall()


def test_what_changed_goes_in_and_what_is_gone_goes_out(lake: Lake, tmp_path: Path) -> None:
    put(lake, "a", "first", 2)
    put(lake, "b", "first", 3)
    assert share(lake, "file", tmp_path, "one") == Shared(put=2, removed=0)
    assert share(lake, "file", tmp_path, "one") == Shared(put=0, removed=0)
    put(lake, "a", "second", 1)
    lake.drop("problems", "b")
    assert share(lake, "file", tmp_path, "one") == Shared(put=1, removed=1)
    assert held(tmp_path) == [("a", "second", 1)]


def test_what_another_writer_put_there_stays(lake: Lake, tmp_path: Path) -> None:
    put(lake, "a", "first", 2)
    share(lake, "file", tmp_path, "one")
    lake.drop("problems", "a")
    put(lake, "b", "first", 1)
    assert share(lake, "file", tmp_path, "two") == Shared(put=1, removed=0)
    assert held(tmp_path) == [("a", "first", 2), ("b", "first", 1)]


def test_a_column_that_is_new_is_added(lake: Lake, tmp_path: Path) -> None:
    put(lake, "a", "first", 1)
    whole = lake.read("problems", "a")
    lake.write("problems", "a", whole.drop_columns(["detail"]), inputs="old", code="1")
    share(lake, "file", tmp_path, "one")
    put(lake, "b", "now", 1)
    share(lake, "file", tmp_path, "one")
    with duckdb.connect(str(tmp_path / "file")) as connection:
        rows = connection.execute("SELECT partition, detail FROM problems ORDER BY 1").fetchall()
    assert rows == [("a", None), ("b", "now")]


def test_a_catalog_without_its_extension_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb_extension_ducklake", None)
    with pytest.raises(CatalogError, match=r"duckdb_extension_ducklake is not installed: pip install"):
        share(Lake(tmp_path), str(tmp_path / "c.ducklake"), tmp_path / "files")
    monkeypatch.delitem(sys.modules, "duckdb_extension_ducklake")
    package = tmp_path / "duckdb_extension_ducklake"
    (package / "extensions" / "v0.9.0").mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(
        CatalogError, match=rf"DuckDB is {duckdb.__version__}, its extension ducklake is made for v0.9.0"
    ):
        share(Lake(tmp_path), str(tmp_path / "c.ducklake"), tmp_path / "files")
