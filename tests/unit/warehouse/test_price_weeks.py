"""The price mart that goes on from the published one is the mart that is made of everything."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import duckdb
import pytest

from bench import price_history as history
from warehouse import price_weeks
from warehouse.declared import QUARANTINE
from warehouse.dictionary import content_hash
from warehouse.sql_files import FOLDER, read_sql
from warehouse.staging import declare_types
from warehouse.unlogged import open_unlogged

# Two scopes of three offers, a look a day for forty days; prices change every week or so, and offers come and go.
OFFERS = """
    SELECT * FROM lake_cloud_offers
    WHERE scope IN ('scope_0', 'scope_1') AND offered_as IN ('instance-0', 'instance-1', 'instance-20')
"""
DAYS = "looked_at BETWEEN TIMESTAMP '2026-03-01' AND TIMESTAMP '2026-04-10'"
ALL = {"offers": "true", "looks": "true", "also": ""}
CHANGES = {
    "a day more": ALL | {"offers": "looked_at < '2026-04-08'", "looks": "looked_at < '2026-04-08'"},
    "looks of one scope went": ALL | {"looks": "NOT (scope = 'scope_1' AND looked_at > '2026-03-20')"},
    "a look between others": ALL | {"looks": "NOT (scope = 'scope_0' AND looked_at::DATE = '2026-03-18')"},
    "an offer was there": ALL | {"offers": "NOT (offered_as = 'instance-1' AND looked_at::DATE = '2026-03-25')"},
    "an offer is new": ALL | {"offers": "offered_as <> 'instance-20' OR looked_at < '2026-03-12'"},
    "nothing": ALL,
    "a rate": ALL | {"also": "UPDATE facts.hardware_specs SET tensor_fp16_pflops = 2"},
    "an address": ALL | {"also": "UPDATE evidence.sources SET page_url = 'https://example.com/' || source_id"},
}
# The Monday from which rows are made; none stays where it is not here.
MADE_FROM = {
    "a day more": "2026-04-06",
    "looks of one scope went": "2026-03-16",
    "a look between others": "2026-03-16",
    "an offer was there": "2026-03-23",
    "an offer is new": "2026-03-09",
    "nothing": "2026-04-06",
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bench's history of two scopes."""
    folder = tmp_path_factory.mktemp("lake") / "lake"
    history.make_lake(folder, 245_000, {"threads": 1})
    return folder


def tables(connection: duckdb.DuckDBPyConnection, lake: Path, given: dict[str, str]) -> None:
    """All that the mart reads, of a part of the history."""
    declare_types(connection)
    history.stage(connection, lake)
    for name, kept in (("offers", OFFERS), ("looks", "SELECT * FROM lake_cloud_looks WHERE scope < 'scope_2'")):
        rows = connection.execute(f"SELECT * FROM ({kept}) WHERE {DAYS} AND ({given[name]})").to_arrow_table()
        connection.execute(f"DROP VIEW lake_cloud_{name}")
        connection.register(f"lake_cloud_{name}", rows)
    for name in history.SETUP:
        history.run_file(connection, name)
    history.make_sources(connection)
    connection.execute(f'CREATE TABLE {QUARANTINE} ("table" VARCHAR)')
    connection.execute(given["also"] or "SELECT 1")
    for name in history.BUILD[:2]:
        history.run_file(connection, name)


@pytest.fixture(scope="module")
def whole(lake: Path) -> Callable[[str], Path]:
    """The file whose mart is made of everything, after a change by its name; nobody may write to it."""

    @cache
    def made(what: str) -> Path:
        path = lake.parent / f"{what}.duckdb"
        with open_unlogged(path, threads=1) as connection:
            tables(connection, lake, CHANGES[what])
            history.run_file(connection, price_weeks.FILE)
        return path

    return made


def going_on(lake: Path, path: Path, published: Path, given: dict[str, str]) -> tuple[duckdb.DuckDBPyConnection, int]:
    """The mart made of what is given, from the published one; and how many of its rows were taken over."""
    connection = open_unlogged(path, threads=1)
    tables(connection, lake, given)
    connection.execute(
        f"ATTACH '{published}' AS old (READ_ONLY); CREATE TABLE marts.prices AS FROM old.marts.prices; DETACH old"
    )
    held: tuple[int, ...] | None = (0,)
    if price_weeks.keep(connection, published):
        held = connection.execute("SELECT count(*) FROM marts.prices").fetchone()
    else:
        connection.execute("DROP TABLE marts.prices")
    history.run_file(connection, price_weeks.FILE)
    assert held is not None
    return connection, int(held[0])


@pytest.mark.parametrize("what", CHANGES)
@pytest.mark.parametrize("way", ["comes", "goes"])
def test_a_mart_that_goes_on_is_one_that_is_made_whole(
    lake: Path, whole: Callable[[str], Path], tmp_path: Path, what: str, way: str
) -> None:
    before, after = (what, "nothing") if way == "comes" else ("nothing", what)
    made, held = going_on(lake, tmp_path / "made.duckdb", whole(before), CHANGES[after])
    with made, duckdb.connect(str(whole(after)), read_only=True) as right:
        assert content_hash(made, "marts.prices") == content_hash(right, "marts.prices")
        earlier = "SELECT count(*) FROM marts.prices WHERE period_start < ?"
        assert right.execute(earlier, [MADE_FROM.get(what, "2026-01-01")]).fetchone() == (held,)


def test_rows_that_were_set_aside_are_looked_for_again(
    lake: Path, whole: Callable[[str], Path], tmp_path: Path
) -> None:
    published = tmp_path / "before.duckdb"
    shutil.copyfile(whole("nothing"), published)
    with duckdb.connect(str(published)) as connection:
        connection.execute(f"INSERT INTO {QUARANTINE} VALUES ('marts.prices')")
    made, held = going_on(lake, tmp_path / "made.duckdb", published, ALL)
    made.close()
    assert held == 0


def test_a_table_made_unless_it_stands_has_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "marts" / "1_t.sql"
    path.parent.mkdir()
    path.write_text(
        "CREATE TEMP TABLE IF NOT EXISTS kept AS FROM marts.a; CREATE TABLE IF NOT EXISTS marts.b AS FROM kept"
    )
    file = read_sql(path)
    assert (file.passing, file.tables) == (frozenset({"kept"}), ("marts.b",))
    assert read_sql(FOLDER / price_weeks.FILE).tables == ("marts.prices",)
