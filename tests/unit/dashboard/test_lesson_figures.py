"""What a lesson places for a directive: what stands, a range where nothing does, and what yielded only if asked for."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from dashboard.lesson_book import Directive, Kind
from dashboard.lesson_figures import LessonFigure, resolve

DAY = dt.date(2026, 2, 1)


def claim(claim_id: str, value: float | None, place: str = "stands", **given: Any) -> dict[str, Any]:
    """A claim on the mass of a rack as the SQL of lessons gives it."""
    row: dict[str, Any] = {
        "claim_id": claim_id, "pick_id": "a", "place": place, "why": None, "subject": "A Rack", "subject_id": "a-rack",
        "metric": "weight", "metric_title": "mass", "value": value, "value_text": None, "value_start": None,
        "value_end": None, "value_low": None, "value_high": None, "low": value, "high": value, "unit": "t",
        "bound": None, "approx": None, "claimant": "A Maker", "claimant_id": "a-maker", "evidence": "vendor",
        "stated_on": dt.date(2025, 3, 18), "is_dated": True, "keys": ["per"], "words": ["rack"],
    }  # fmt: skip
    return row | given


def placed(claims: list[dict[str, Any]], *pairs: tuple[str, str]) -> LessonFigure | None:
    directive = Directive(Kind.FIGURE, ("a-rack", "weight"), pairs)
    return resolve(lambda _sql, _values: claims, DAY, [directive]).get(directive)


def shown(claims: list[dict[str, Any]], *pairs: tuple[str, str]) -> str:
    figure = placed(claims, *pairs)
    assert figure is not None
    return figure.markdown().replace("\\", "")


def test_what_stands_is_placed_with_tag_and_day() -> None:
    assert shown([claim("a", 1.36)]) == "**1.36 t** ([▲ V vendor, 2025-03-18](<evidence?claim=a>))"


def test_what_stands_goes_before_a_less_qualified_claim_that_yielded() -> None:
    beside = claim("b", 2.0, "beside", why="undated", keys=[], words=[])
    assert shown([beside, claim("a", 1.36)]).startswith("**1.36 t**")


def test_a_disputed_cell_is_a_range_with_who_says_what() -> None:
    sides = [
        claim("a", 2.0, "disputed"),
        claim("b", 1.5, "disputed", claimant="Another", evidence="reported", stated_on=dt.date(2025, 4, 1)),
    ]
    assert shown(sides) == (
        "**1.5 to 2 t** (disputed: A Maker 2 t, [▲ V vendor, 2025-03-18](<evidence?claim=a>); "
        "Another 1.5 t, [○ R reported, 2025-04-01](<evidence?claim=b>))"
    )


def test_texts_in_dispute_stand_one_after_the_other() -> None:
    sides = [
        claim("a", None, "disputed", value_text="air"),
        claim("b", None, "disputed", value_text="water"),
        claim("c", None, "disputed", value_text="air"),
    ]
    figure = placed(sides)
    assert figure is not None
    assert (figure.words, figure.is_disputed, len(figure.sides)) == ("air or water", True, 3)


def test_one_side_of_a_dispute_is_placed_where_it_is_asked_for() -> None:
    sides = [claim("a", 2.0, "disputed"), claim("b", 1.5, "disputed", claimant_id="other", claimant="Another")]
    assert shown(sides, ("claimant", "other")).startswith("**1.5 t** (disputed: Another 1.5 t, ")


@pytest.mark.parametrize("name", ["other", "Another"])
def test_a_claimant_is_asked_for_by_id_or_by_name(name: str) -> None:
    claims = [claim("a", 1.36), claim("b", 2.0, "beside", why="undated", claimant_id="other", claimant="Another")]
    assert shown(claims, ("claimant", name)).startswith("**2 t**")


def test_rivals_of_another_cell_do_not_widen_the_range() -> None:
    sides = [claim("a", 2.0, "disputed"), claim("b", 9.0, "disputed", pick_id="other")]
    assert shown(sides).startswith("**2 t** ")


def test_what_yielded_is_placed_with_the_reason_when_nothing_else_fits() -> None:
    claims = [claim("a", 1.36, evidence="observed"), claim("b", 2.0, "beside", why="does not say all that is asked")]
    assert shown(claims, ("tag", "vendor")) == (
        "**2 t** ([▲ V vendor, 2025-03-18](<evidence?claim=b>), does not stand: does not say all that is asked)"
    )


def test_an_undated_page_has_no_day_but_one_by_which_it_was_said() -> None:
    figure = placed([claim("a", 1.36, is_dated=False)])
    assert figure is not None
    assert figure.sides[0].stated_on is None
    assert "by 2025-03-18" in figure.markdown().replace("\\", "")


@pytest.mark.parametrize("pairs", [(("per", "accelerator"),), (("claimant", "nobody"),), (("ton", "tonne"),)])
def test_nothing_is_placed_where_no_claim_fits(pairs: tuple[tuple[str, str], ...]) -> None:
    assert placed([claim("a", 1.36)], *pairs) is None


def test_a_named_query_with_two_answers_that_differ_places_nothing() -> None:
    directive = Directive(Kind.QUERY, ("token-rate-gain",))
    row = {"value": 4.6, "unit": "ratio", "evidence": "derived", "stated_on": DAY, "url": "", "label": "two points"}

    def asked(*rows: dict[str, Any]) -> LessonFigure | None:
        return resolve(lambda _sql, _values: list(rows), DAY, [directive]).get(directive)

    one = asked(row, row)
    assert one is not None
    assert one.sides[0].words == "4.6×"
    assert asked(row, row | {"value": 0.004}) is None
