"""The lake in a DuckLake catalog of a real PostgreSQL: two writers at once lose nothing, and former states are kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.lake import Lake
from tests import postgres
from tests.two_writers import held, put, write_both
from warehouse.catalog import CatalogError, Shared, opened, share

OWN = 4


@pytest.fixture(scope="module")
def catalog() -> Iterator[str]:
    """A database for the tests of this file."""
    with postgres.served() as address:
        yield address


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds the writers' lakes and the files that they share."""
    return tmp_path_factory.mktemp("writers")


def test_two_writers_at_once_lose_nothing(catalog: str, folder: Path) -> None:
    write_both(catalog, folder, OWN)
    wrong, states = held(catalog, folder, OWN)
    assert wrong == []
    assert states >= 4 * OWN  # each put is a state of its own, and each writer puts its partitions twice
    with opened(catalog, folder / "files") as connection:
        former = f"SELECT DISTINCT detail FROM shared.problems AT (VERSION => {states // 4})"
        assert connection.execute(former).fetchall() == [("first",)]


def test_what_a_writer_holds_no_more_goes_and_the_rest_stays(catalog: str, folder: Path, tmp_path: Path) -> None:
    lake = Lake(tmp_path)
    put(lake, "three-a", "first", 2)
    put(lake, "three-b", "first", 3)
    assert share(lake, catalog, folder / "files", "three") == Shared(put=2, removed=0)
    lake.drop("problems", "three-a")
    assert share(lake, catalog, folder / "files", "three") == Shared(put=0, removed=1)
    with opened(catalog, folder / "files") as connection:
        rows = "SELECT partition, count(*) FROM shared.problems WHERE partition LIKE 'three%' GROUP BY ALL"
        assert connection.execute(rows).fetchall() == [("three-b", 3)]


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="the catalog postgres:dbname=nothing cannot be used"):
        share(Lake(tmp_path), f"postgres:dbname=nothing host={tmp_path}", tmp_path / "files")
