"""A table stands for its own as-of form on the newest day, and only there."""

from __future__ import annotations

import datetime as dt

import pytest

from warehouse.present import of_the_present

NEWEST, EARLIER = dt.date(2026, 11, 22), dt.date(2025, 1, 1)
TABLES = {"marts.density", "marts.sheets", "marts.cells", "marts.prices", "evidence.claims", "evidence.standing"}
SQL = "SELECT x = ? FROM marts.density_as_of(?) AS d WHERE d.y IN (SELECT y FROM marts.sheets_as_of(?)) AND z = ?"
NAMED = "FROM evidence.claims_as_of($as_of) JOIN marts.cells_as_of($as_of, subjects := $thing) ON $thing IS NULL"


@pytest.mark.parametrize("day", [NEWEST, NEWEST + dt.timedelta(days=1)])
def test_on_the_newest_day_and_later_the_tables_themselves_are_asked(day: dt.date) -> None:
    asked = "SELECT x = ? FROM marts.density AS d WHERE d.y IN (SELECT y FROM marts.sheets) AND z = ?"
    assert of_the_present(SQL, ("a", day, day, "b"), NEWEST, TABLES) == (asked, ("a", "b"))


def test_on_an_earlier_day_the_query_stays() -> None:
    asked = ("a", EARLIER, EARLIER, "b")
    assert of_the_present(SQL, asked, NEWEST, TABLES) == (SQL, asked)
    named = {"as_of": EARLIER, "thing": ["x"]}
    assert of_the_present(NAMED, named, NEWEST, TABLES) == (NAMED, named)


def test_each_day_is_looked_at_by_itself() -> None:
    asked = "SELECT x = ? FROM marts.density AS d WHERE d.y IN (SELECT y FROM marts.sheets_as_of(?)) AND z = ?"
    assert of_the_present(SQL, ("a", NEWEST, EARLIER, "b"), NEWEST, TABLES) == (asked, ("a", EARLIER, "b"))


def test_named_days_go_and_subjects_become_a_filter() -> None:
    expected = f"FROM evidence.claims JOIN {some('marts.cells', '$thing')} ON $thing IS NULL", {"thing": ["x"]}
    assert of_the_present(NAMED, {"as_of": NEWEST, "thing": ["x"]}, NEWEST, TABLES) == expected


def some(table: str, ids: str) -> str:
    """What is asked in place of a form of some subjects: the ids stand there once, as often as they are given."""
    asked = f"(SELECT {ids}::VARCHAR[] AS asked_ids)"
    return f"(SELECT t.* FROM {table} AS t, {asked} WHERE asked_ids IS NULL OR list_contains(asked_ids, t.subject_id))"


@pytest.mark.parametrize(
    ("ids", "given"), [("?", (["x"],)), ("?::VARCHAR[]", (["x"],)), ("['x', 'y']", ()), ("[?::VARCHAR]", ("x",))]
)
def test_what_stands_is_read_from_its_table_however_the_subjects_are_given(ids: str, given: tuple[object, ...]) -> None:
    asked = f"FROM evidence.resolved(?, subjects := {ids}) WHERE y = ?"
    expected = f"FROM {some('evidence.standing', ids)} WHERE y = ?", (*given, "z")
    assert of_the_present(asked, (NEWEST, *given, "z"), NEWEST, TABLES) == expected
    assert of_the_present(asked, (EARLIER, *given, "z"), NEWEST, TABLES) == (asked, (EARLIER, *given, "z"))


def test_a_day_that_the_query_asks_for_elsewhere_too_is_kept() -> None:
    asked = of_the_present("FROM marts.density_as_of($as_of) WHERE y < $as_of", {"as_of": NEWEST}, NEWEST, TABLES)
    assert asked == ("FROM marts.density WHERE y < $as_of", {"as_of": NEWEST})


@pytest.mark.parametrize("form", ["marts.prices_as_of($as_of)", "evidence.conflict_members_as_of($as_of)"])
def test_a_form_without_a_table_that_is_alike_stays(form: str) -> None:
    asked = f"FROM {form}", {"as_of": NEWEST}
    assert of_the_present(*asked, NEWEST, TABLES) == asked
