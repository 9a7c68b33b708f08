"""Watched figures: an entry where what stands changes in value or tag, and nowhere else."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import pytest

from warehouse.answers.news import watch, watched

FIRST, SECOND, THIRD = dt.date(2025, 3, 18), dt.date(2025, 9, 30), dt.date(2026, 1, 5)
TODAY = dt.date(2026, 11, 21)
COLUMNS = """claim_id VARCHAR, subject VARCHAR, subject_id VARCHAR, metric VARCHAR, topic VARCHAR,
    qualifiers MAP(VARCHAR, VARCHAR), value DOUBLE, value_text VARCHAR, value_start DATE, value_end DATE,
    value_low DOUBLE, value_high DOUBLE, unit VARCHAR, claimant VARCHAR, claimants INTEGER, is_copied BOOLEAN,
    evidence ENUM('audited', 'measured', 'operator', 'vendor', 'observed', 'reported', 'estimated', 'derived',
                  'illustrative', 'unverified'),
    stated_on DATE, stated_on_precision VARCHAR, modality VARCHAR, period_start DATE, period_end DATE, url VARCHAR,
    last_seen TIMESTAMP, mentions INTEGER"""

# Stands for the rule, which has tests of its own: the stronger tag, then the newer.
RULE = """CREATE MACRO evidence.resolved(day, subjects := NULL) AS TABLE
    SELECT * FROM evidence.claims
    WHERE stated_on <= day AND evidence <> 'illustrative' AND modality <> 'withdrawn'
      AND (subjects IS NULL OR list_contains(subjects, subject_id))
    QUALIFY row_number() OVER (PARTITION BY topic ORDER BY is_copied, evidence, stated_on DESC, claim_id) = 1"""


class Ledger:
    """Claims about the power of one rack, as many as a test states."""

    def __init__(self) -> None:
        self._claims = duckdb.connect()
        self._claims.execute(
            f"CREATE SCHEMA evidence; CREATE SCHEMA registry; CREATE TABLE evidence.claims ({COLUMNS})"
        )
        self._claims.execute("CREATE TABLE registry.metrics AS SELECT 'power' AS metric_id, 'Electric power' AS title")
        self._claims.execute(RULE)

    def state(
        self,
        value: float,
        day: dt.date,
        tag: str = "vendor",
        *,
        topic: str = "{per=rack}",
        modality: str = "announced",
        is_copied: bool = False,
        seen: dt.date = TODAY,
        mentions: int = 1,
    ) -> None:
        number = self._claims.execute("SELECT count(*) FROM evidence.claims").fetchone()
        assert number is not None
        self._claims.execute(
            """INSERT INTO evidence.claims VALUES (?, 'A rack', 'a-rack', 'power', ?, MAP {'per': 'rack'}, ?, '', NULL,
               NULL, NULL, NULL, 'kW', 'Maker', 1, ?, ?, ?, 'day', ?, NULL, NULL, 'https://example.org/', ?, ?)""",
            [f"claim{number[0]}", topic, value, is_copied, tag, day, modality, seen, mentions],
        )

    def ask(self, sql: str, parameters: tuple[Any, ...]) -> Sequence[Mapping[str, Any]]:
        result = self._claims.execute(sql, list(parameters))
        names = [column[0] for column in result.description or []]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]

    def entries(self, day: dt.date = TODAY) -> list[tuple[dt.date, str, str]]:
        return [(entry.day, entry.kind, entry.words) for entry in watch(self.ask, "a-rack", "power", day)]


@pytest.fixture
def ledger() -> Ledger:
    found = Ledger()
    found.state(120, FIRST)
    return found


def test_the_first_value_is_news_once(ledger: Ledger) -> None:
    assert ledger.entries() == [(FIRST, "first value", "120 kW, ▲ V vendor, says Maker.")]


def test_a_page_that_is_seen_again_is_no_news(ledger: Ledger) -> None:
    before = watch(ledger.ask, "a-rack", "power", TODAY)
    ledger.state(120, SECOND, seen=THIRD, mentions=40)
    assert watch(ledger.ask, "a-rack", "power", TODAY) == before


def test_another_value_is_news_once(ledger: Ledger) -> None:
    ledger.state(132, SECOND)
    ledger.state(132, THIRD)
    assert ledger.entries()[:-1] == [(SECOND, "new value", "132 kW, ▲ V vendor, says Maker, before 120 kW (vendor).")]


def test_the_same_value_with_another_tag_is_news(ledger: Ledger) -> None:
    ledger.state(120, SECOND, "audited")
    assert ledger.entries()[0] == (SECOND, "new evidence", "120 kW, ■ A audited, says Maker, before vendor.")


def test_what_does_not_stand_is_no_news(ledger: Ledger) -> None:
    ledger.state(500, SECOND, "unverified")
    ledger.state(500, SECOND, is_copied=True)
    ledger.state(500, SECOND, "illustrative")
    ledger.state(500, SECOND, modality="withdrawn")
    assert len(ledger.entries()) == 1


def test_what_is_counted_otherwise_has_entries_of_its_own(ledger: Ledger) -> None:
    ledger.state(2, SECOND, topic="{per=accelerator}")
    assert [kind for _, kind, _ in ledger.entries()] == ["first value", "first value"]


def test_an_entry_keeps_its_id_when_more_comes(ledger: Ledger) -> None:
    (first,) = watch(ledger.ask, "a-rack", "power", TODAY)
    ledger.state(132, SECOND)
    assert watch(ledger.ask, "a-rack", "power", TODAY)[-1].id == first.id


def test_the_day_is_a_horizon(ledger: Ledger) -> None:
    ledger.state(132, SECOND)
    assert len(ledger.entries(FIRST)) == 1


def test_what_nobody_states_cannot_be_watched(ledger: Ledger) -> None:
    assert watched(ledger.ask, "a-rack", "weight") is None
    found = watched(ledger.ask, "a-rack", "power")
    assert found is not None
    assert (found.subject, found.metric) == ("A rack", "Electric power")
