"""Every mart as of any day: at a far one it is the mart, at an early one nothing in it was stated later."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

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


def rows_apart(warehouse: Warehouse, form: str, table: str) -> int:
    """Rows that only the form as of a far day has, or only the table; the form is computed once."""
    warehouse.connection.execute(f"CREATE OR REPLACE TEMP TABLE answered AS FROM {form}(DATE '{FAR}')")
    both = f"(FROM answered EXCEPT ALL FROM {table}) UNION ALL (FROM {table} EXCEPT ALL FROM answered)"
    return int(tuples(warehouse, f"SELECT count(*) FROM ({both})")[0][0])


def test_every_mart_as_of_a_far_day_is_the_mart(market: Warehouse) -> None:
    assert {mart: rows_apart(market, as_of(mart), f"marts.{mart}") for mart in marts_of(market)} == dict.fromkeys(
        marts_of(market), 0
    )


def test_every_other_table_as_of_a_far_day_is_the_table(market: Warehouse) -> None:
    """What readers are given for the newest day instead of the form that computes it anew."""
    forms = tuples(
        market,
        """SELECT DISTINCT t.schema_name || '.' || table_name FROM duckdb_tables() AS t
           JOIN duckdb_functions() AS f ON f.schema_name = t.schema_name AND f.function_name = t.table_name || '_as_of'
           WHERE t.database_name = current_database() AND t.schema_name <> 'marts' ORDER BY 1""",
    )
    alike = [str(name) for (name,) in forms if name not in NOT_ALIKE]
    assert {"evidence.claims", "evidence.conflicts", "facts.promises"} <= set(alike)
    assert {name: rows_apart(market, f"{name}_as_of", name) for name in alike} == dict.fromkeys(alike, 0)
    assert {form: rows_apart(market, form, name) for form, name in NAMED_OTHERWISE.items()} == dict.fromkeys(
        NAMED_OTHERWISE, 0
    )


@pytest.mark.parametrize("name", ["marts.cells_as_of", *NAMED_OTHERWISE])
@pytest.mark.parametrize("ids", [["nvidia-gb200-nvl72"], ["nvidia-b200", "amd-mi300x"], []])
def test_cells_of_some_things_are_those_of_the_table(market: Warehouse, name: str, ids: list[str]) -> None:
    form, table = f"{name}(?, subjects := ?)", f"(FROM {table_of(name)} WHERE list_contains(?, subject_id))"
    sql = f"SELECT * FROM ((FROM {form} EXCEPT ALL FROM {table}) UNION ALL (FROM {table} EXCEPT ALL FROM {form}))"
    assert tuples(market, sql, FAR, ids, ids, ids, FAR, ids) == []
    assert tuples(market, f"SELECT count(*) > 0 FROM {table}", ids) == [(bool(ids),)]


def test_every_mart_as_of_an_early_day_holds_nothing_stated_later(market: Warehouse) -> None:
    filled = {}
    for mart in marts_of(market):
        market.connection.execute(f"CREATE OR REPLACE TEMP TABLE answered AS FROM {as_of(mart)}(?)", [EARLY])
        dated = [str(row["column_name"]) for row in market.rows("DESCRIBE answered") if row["column_name"] in STATED]
        later = " OR ".join(f"{column} > DATE '2025-03-31'" for column in dated) or "false"
        (found,) = tuples(market, f"SELECT count(*), count(*) FILTER ({later}) FROM answered")
        filled[mart] = found[0]
        assert found[1] == 0, mart
    whole = {mart: tuples(market, f"SELECT count(*) FROM marts.{mart}")[0][0] for mart in filled}
    assert [mart for mart in filled if filled[mart] > whole[mart]] == []
    # nothing was listed, nobody's stock was published, and no two layers had five dated adopters, by that day
    assert {mart for mart, rows in filled.items() if not rows} == {"prices", "stratification_stock", "ageing_thesis"}


def test_derived_columns_of_an_early_day_are_of_that_day(market: Warehouse) -> None:
    """Aggregates count anew: vendors' slips, scores, the last round and the trend as they stood."""
    slips = "SELECT promised, revised FROM marts.slips_by_party_as_of(?) WHERE party_id = 'nvidia'"
    (then,), (now,) = tuples(market, slips, EARLY), tuples(market, slips, FAR)
    assert then[0] < now[0]
    assert then[1] < now[1]
    fp4 = "SELECT state FROM marts.forecasts_as_of(?) WHERE subject LIKE 'FP4%'"
    assert (tuples(market, fp4, EARLY), tuples(market, fp4, FAR)) == ([("open",)], [("missed",)])
    seen = """SELECT last_round, last_seen_on FROM marts.mlperf_first_seen_as_of(?)
              WHERE subject = 'nvidia-hopper' AND suite = 'training'"""
    assert tuples(market, seen, EARLY) == [("v4.1", dt.date(2024, 11, 13))]
    price = "SELECT price_series FROM marts.forecasts_as_of(?) WHERE subject LIKE 'Hopper%'"
    assert tuples(market, price, EARLY) == [([],)]
    sides = "SELECT count(conflict_id) FROM marts.systems_as_of(?)"
    assert tuples(market, sides, EARLY)[0][0] < tuples(market, sides, FAR)[0][0]


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
