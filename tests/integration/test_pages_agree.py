"""What two pages say of one thing is the same, on the newest day and on an earlier one."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from dashboard import findings
from dashboard.headlines import adoption, tracks
from dashboard.queries import Ledger, layers, lessons
from dashboard.views.roadmap import _kept
from warehouse.read import Warehouse

DAYS = [dt.date(2026, 11, 21), dt.date(2026, 3, 1)]


@pytest.mark.parametrize("day", DAYS)
def test_promises_that_fall_due_and_are_past_due(market_ledger: Ledger, day: dt.date) -> None:
    said = "".join(findings.promises(market_ledger.rows("today.promises", day=day), day).sentence)
    title = tracks.title(_kept(market_ledger.frame_of("market.milestones", day=day), (), ()), day)
    assert title == re.sub(r", in \d+ days(;.*)\.$", r"\1", said)


@pytest.mark.parametrize("day", DAYS)
def test_who_has_the_newest_generation(market_ledger: Ledger, day: dt.date) -> None:
    newest = market_ledger.row("today.newest_generation", day=day)
    assert newest is not None
    generation = str(newest["generation"])
    service, known = market_ledger.frame_of("layers.service", day=day), layers.known(market_ledger, day)
    finding = findings.adoption("it", service[service["generation"] == generation].to_dict("records"), known, day)
    counts, held = re.findall(r"(\d+) of (\d+)", "".join(finding.sentence)), adoption.had(service, day)
    for group, (has, of) in zip(("clouds", "science centres"), counts, strict=True):
        in_layers = adoption.GROUPS[group]
        assert int(has) == sum(held.get((layer, generation), 0) for layer in in_layers)
        assert int(of) == sum(known.get(layer, 0) for layer in in_layers)


@pytest.mark.parametrize("day", DAYS)
def test_the_first_of_a_layer_is_after_nobody_on_record(market_ledger: Ledger, day: dt.date) -> None:
    events = [row for row in market_ledger.rows("today.events", day=day) if row["kind"] == "taken"]
    assert events
    for row in events:
        others = market_ledger.records(
            "SELECT min(on_high) AS first FROM marts.adoption_as_of(?) WHERE layer = ? AND generation = ?",
            (day, row["state"], row["subject_id"]),
        )
        assert ("first" in findings.event_size(row)[0]) == (row["day"] == others[0]["first"]), row


@pytest.fixture(scope="module")
def market_ledger(market: Warehouse) -> Ledger:
    return Ledger(market.path)


@pytest.mark.parametrize("name", sorted(lessons.named_queries()))
def test_a_figure_of_a_lesson_has_one_value(market: Warehouse, name: str) -> None:
    rows = lessons.run(lambda sql, values: market.rows(sql, list(values)), DAYS[0], lessons.named_queries()[name])
    assert len({row["value"] for row in rows}) == 1
