"""Every mart as of any day: at a far one it is the mart, at an early one nothing in it was stated later."""

from __future__ import annotations

import datetime as dt
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests import said
from warehouse.present import NAMED_OTHERWISE, NOT_ALIKE, table_of
from warehouse.read import Warehouse

FAR = dt.date(9999, 12, 31)
EARLY = dt.date(2025, 3, 31)
# What a mart calls a day on which something was stated or seen; none may lie after the day that is asked for.
STATED = (
    "stated_on",
    "first_stated_on",
    "latest_stated_on",
    "actual_stated_on",
    "ended_stated_on",
    "open_stated_on",
    "reported_stated_on",
    "known_on",
    "observed_on",
    "first_on",
    "first_seen_on",
    "last_seen_on",
    "judged_by",
    "decided_on",
)
# The sheet of prices as of a day is one of a week; the mart's own rows up to a day have a form of their own.
FORMS = {"prices": "prices_until"}


def marts_of(warehouse: Warehouse) -> list[str]:
    rows = warehouse.rows(
        """SELECT table_name FROM duckdb_tables()
           WHERE database_name = current_database() AND schema_name = 'marts' ORDER BY 1"""
    )
    return [str(row["table_name"]) for row in rows]


def as_of(mart: str) -> str:
    """The table macro that gives a mart as of a day."""
    return f"marts.{FORMS.get(mart, f'{mart}_as_of')}"


def tuples(warehouse: Warehouse, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in warehouse.rows(sql, list(parameters))]


@contextmanager
def answered(market: Warehouse, folder: Path, day: dt.date) -> Iterator[duckdb.DuckDBPyConnection]:
    """A copy of the file in which every form answers for this day alone."""
    path = folder / "answered.duckdb"
    shutil.copyfile(market.path, path)
    with duckdb.connect(str(path), config={"threads": 1}) as connection:
        said.say_all(connection, day)
        yield connection


@pytest.fixture(scope="module")
def early(market: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with answered(market, tmp_path_factory.mktemp("early"), EARLY) as connection:
        yield connection


@pytest.fixture(scope="module")
def far(market: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    with answered(market, tmp_path_factory.mktemp("far"), FAR) as connection:
        yield connection


def rows_apart(far: duckdb.DuckDBPyConnection, form: str, table: str) -> int:
    """Rows that only the form as of a far day has, or only the table."""
    answer = said.table_of(form)
    both = f"(FROM {answer} EXCEPT ALL FROM {table}) UNION ALL (FROM {table} EXCEPT ALL FROM {answer})"
    ((rows,),) = far.execute(f"SELECT count(*) FROM ({both})").fetchall()
    return int(rows)


def test_every_mart_as_of_a_far_day_is_the_mart(market: Warehouse, far: duckdb.DuckDBPyConnection) -> None:
    assert {mart: rows_apart(far, as_of(mart), f"marts.{mart}") for mart in marts_of(market)} == dict.fromkeys(
        marts_of(market), 0
    )


def test_every_other_table_as_of_a_far_day_is_the_table(market: Warehouse, far: duckdb.DuckDBPyConnection) -> None:
    """What readers are given for the newest day instead of the form that computes it anew."""
    forms = tuples(
        market,
        """SELECT DISTINCT t.schema_name || '.' || table_name FROM duckdb_tables() AS t
           JOIN duckdb_functions() AS f ON f.schema_name = t.schema_name AND f.function_name = t.table_name || '_as_of'
           WHERE t.database_name = current_database() AND t.schema_name <> 'marts' ORDER BY 1""",
    )
    alike = [str(name) for (name,) in forms if name not in NOT_ALIKE]
    assert {"evidence.claims", "evidence.conflicts", "facts.promises"} <= set(alike)
    assert {name: rows_apart(far, f"{name}_as_of", name) for name in alike} == dict.fromkeys(alike, 0)
    assert {form: rows_apart(far, form, name) for form, name in NAMED_OTHERWISE.items()} == dict.fromkeys(
        NAMED_OTHERWISE, 0
    )


@pytest.mark.parametrize("name", ["marts.cells_as_of", *NAMED_OTHERWISE])
@pytest.mark.parametrize("ids", [["nvidia-gb200-nvl72"], ["nvidia-b200", "amd-mi300x"], []])
def test_cells_of_some_things_are_those_of_the_table(market: Warehouse, name: str, ids: list[str]) -> None:
    form, table = f"{name}(?, subjects := ?)", f"(FROM {table_of(name)} WHERE list_contains(?, subject_id))"
    sql = f"SELECT * FROM ((FROM {form} EXCEPT ALL FROM {table}) UNION ALL (FROM {table} EXCEPT ALL FROM {form}))"
    assert tuples(market, sql, FAR, ids, ids, ids, FAR, ids) == []
    assert tuples(market, f"SELECT count(*) > 0 FROM {table}", ids) == [(bool(ids),)]


def test_every_mart_as_of_an_early_day_holds_nothing_stated_later(
    market: Warehouse, early: duckdb.DuckDBPyConnection
) -> None:
    filled = {}
    for mart in marts_of(market):
        answer = said.table_of(as_of(mart))
        dated = [row[0] for row in early.execute(f"DESCRIBE {answer}").fetchall() if row[0] in STATED]
        later = " OR ".join(f"{column} > DATE '{EARLY}'" for column in dated) or "false"
        ((filled[mart], found),) = early.execute(f"SELECT count(*), count(*) FILTER ({later}) FROM {answer}").fetchall()
        assert found == 0, mart
    whole = {mart: tuples(market, f"SELECT count(*) FROM marts.{mart}")[0][0] for mart in filled}
    assert [mart for mart in filled if filled[mart] > whole[mart]] == []
    # nothing was listed, nobody's stock was published, and no two layers had five dated adopters, by that day
    assert {mart for mart, rows in filled.items() if not rows} == {"prices", "stratification_stock", "ageing_thesis"}


def test_derived_columns_of_an_early_day_are_of_that_day(market: Warehouse, early: duckdb.DuckDBPyConnection) -> None:
    """Aggregates count anew: vendors' slips, scores, the last round and the trend as they stood."""

    def then(mart: str, sql: str) -> list[tuple[Any, ...]]:
        return early.execute(sql.format(said.table_of(as_of(mart)))).fetchall()

    def now(mart: str, sql: str) -> list[tuple[Any, ...]]:
        return tuples(market, sql.format(f"marts.{mart}"))

    slips = "SELECT promised, revised FROM {} WHERE party_id = 'nvidia'"
    (before,), (after,) = then("slips_by_party", slips), now("slips_by_party", slips)
    assert before[0] < after[0]
    assert before[1] < after[1]
    fp4 = "SELECT state FROM {} WHERE subject LIKE 'FP4%'"
    assert (then("forecasts", fp4), now("forecasts", fp4)) == ([("open",)], [("missed",)])
    seen = "SELECT last_round, last_seen_on FROM {} WHERE subject = 'nvidia-hopper' AND suite = 'training'"
    assert then("mlperf_first_seen", seen) == [("v4.1", dt.date(2024, 11, 13))]
    price = "SELECT price_series FROM {} WHERE subject LIKE 'Hopper%'"
    assert then("forecasts", price) == [([],)]
    sides = "SELECT count(conflict_id) FROM {}"
    assert then("systems", sides)[0][0] < now("systems", sides)[0][0]


def test_the_build_leaves_no_half_made_view_behind(market: Warehouse) -> None:
    """Every macro of the published file answers on a fresh connection: none leans on what only the build had.

    Those of the marts are asked above.
    """
    asked = {as_of(mart) for mart in marts_of(market)}
    macros = tuples(
        market,
        """SELECT function_name FROM duckdb_functions()
           WHERE database_name = current_database() AND schema_name = 'marts' AND function_type = 'table_macro'
             AND parameters[1] = 'day' ORDER BY 1""",
    )
    assert len(macros) >= len(marts_of(market))
    for form in {f"marts.{name}" for (name,) in macros} - asked:
        market.connection.execute(f"SELECT count(*) FROM {form}(DATE '2026-06-30')")
