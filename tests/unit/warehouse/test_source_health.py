"""The mart of health on tables written by hand: what is wrong with a source's answers shows, and the present alone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

MART = Path(__file__).resolve().parents[3] / "warehouse" / "marts" / "40_source_health.sql"
TABLES = """
CREATE SCHEMA evidence; CREATE SCHEMA marts;
CREATE TABLE evidence.sources (source_id VARCHAR, title VARCHAR, status VARCHAR DEFAULT 'active', kind VARCHAR,
    urls VARCHAR[], cadence_hours INTEGER DEFAULT 24, least_rows INTEGER, set_aside VARCHAR);
CREATE TABLE evidence.attempts (source_id VARCHAR, url VARCHAR, attempted_at TIMESTAMP, outcome VARCHAR, status INTEGER,
    reason VARCHAR, detail VARCHAR, is_entry BOOLEAN, run_id VARCHAR, is_ahead BOOLEAN DEFAULT false);
CREATE TABLE evidence.captures (capture_id VARCHAR, source_id VARCHAR, url VARCHAR, captured_at TIMESTAMP, kind VARCHAR,
    sha256 VARCHAR);
CREATE TABLE evidence.documents (capture_id VARCHAR, source_id VARCHAR, payload_sha256 VARCHAR, captured_at TIMESTAMP,
    problem VARCHAR, detail VARCHAR, character_count BIGINT, table_count BIGINT);
CREATE TABLE evidence.market_captures (capture_id VARCHAR, source_id VARCHAR, url VARCHAR, captured_at TIMESTAMP,
    rows INTEGER, unread VARCHAR[], problem VARCHAR);
CREATE TABLE evidence.problems (source_id VARCHAR, scope VARCHAR, place VARCHAR, reason VARCHAR, detail VARCHAR);
"""
Judged = tuple[str, str]


def _at(day: int, year: int = 2026, hour: int = 6) -> dt.datetime:
    """An instant in UTC without a zone, as the warehouse has it."""
    return dt.datetime(year, 3, day, hour, tzinfo=dt.UTC).replace(tzinfo=None)


class Record:
    """A day's answers, noted as tries, captures and what was read of them."""

    def __init__(self) -> None:
        self.base = duckdb.connect()
        self.base.execute(TABLES)
        self.count = 0

    def source(self, kind: str = "page", floor: int | None = None, urls: tuple[str, ...] = ("u",)) -> None:
        self.base.execute(
            "INSERT INTO evidence.sources (source_id, title, kind, urls, least_rows) VALUES ('s', 'S', ?, ?, ?)",
            [kind, list(urls), floor],
        )

    def tried(
        self, day: int, reason: str = "", url: str = "u", *, run: str = "", is_entry: bool = True, ahead: bool = False
    ) -> None:
        at = _at(day, 2036 if ahead else 2026)
        outcome = "refused" if reason == "robots_disallowed" else "failed" if reason else "fetched"
        self.base.execute(
            "INSERT INTO evidence.attempts VALUES ('s', ?, ?, ?, 200, ?, ?, ?, ?, ?)",
            [url, at, outcome, reason, "words" if reason else "", is_entry, run or f"r{day}", ahead],
        )

    def _captured(self, day: int, url: str, sha: str) -> tuple[str, dt.datetime]:
        self.count += 1
        capture, at = f"c{self.count}", _at(day)
        self.base.execute(
            "INSERT INTO evidence.captures VALUES (?, 's', ?, ?, 'response', ?)", [capture, url, at, sha or capture]
        )
        return capture, at

    def document(
        self, day: int, characters: int, tables: int = 0, problem: str = "", url: str = "u", sha: str = ""
    ) -> None:
        capture, at = self._captured(day, url, sha)
        self.base.execute(
            "INSERT INTO evidence.documents VALUES (?, 's', ?, ?, ?, 'words', ?, ?)",
            [capture, sha or capture, at, problem, characters, tables],
        )

    def again(self, day: int, sha: str, url: str = "u") -> None:
        self._captured(day, url, sha)

    def table(self, day: int, rows: int, problem: str = "", unread: tuple[str, ...] = ()) -> None:
        capture, at = self._captured(day, "u", "")
        self.base.execute(
            "INSERT INTO evidence.market_captures VALUES (?, 's', 'u', ?, ?, ?, ?)",
            [capture, at, rows, list(unread), problem],
        )

    def judged(self) -> Judged:
        self.base.execute(MART.read_text(encoding="utf-8"))
        row = self.base.execute("SELECT verdict, says FROM marts.source_health").fetchone()
        assert row is not None
        return str(row[0]), str(row[1])


@pytest.fixture
def record() -> Iterator[Record]:
    made = Record()
    yield made
    made.base.close()


def test_a_page_that_answers_and_cannot_be_read_fails(record: Record) -> None:
    record.source()
    record.tried(1)
    record.document(1, 0, problem="document_empty")
    assert record.judged() == ("failing", "document empty: words")


def test_one_unreadable_page_of_two_is_named_and_the_source_goes_on(record: Record) -> None:
    record.source(urls=("u", "v"))
    record.tried(1)
    record.tried(1, url="v")
    record.document(1, 0, problem="document_damaged")
    record.document(1, 900, url="v")
    assert record.judged() == ("current", "document damaged: words")


def test_a_source_that_the_build_sets_aside_fails_whatever_it_answers(record: Record) -> None:
    record.source()
    record.base.execute("UPDATE evidence.sources SET set_aside = 'it alone makes the build fail'")
    record.tried(1)
    record.document(1, 900)
    assert record.judged() == ("failing", "set aside: it alone makes the build fail")
    assert record.base.execute("SELECT reason FROM marts.source_health").fetchone() == ("set_aside",)


def test_bytes_that_a_wrong_clock_dated_ahead_are_judged_when_they_come_again(record: Record) -> None:
    record.source()
    record.tried(1)
    record.document(1, 900)
    ahead = _at(2, 2036)
    record.base.execute("INSERT INTO evidence.captures VALUES ('ahead', 's', 'u', ?, 'response', 'bad')", [ahead])
    record.base.execute(
        "INSERT INTO evidence.documents VALUES ('ahead', 's', 'bad', ?, 'document_empty', 'words', 0, 0)", [ahead]
    )
    record.tried(2)
    record.again(2, "bad")
    assert record.judged() == ("failing", "document empty: words")


def test_a_page_that_is_read_again_is_well(record: Record) -> None:
    record.source()
    record.tried(1)
    record.tried(2)
    record.document(1, 0, problem="document_empty")
    record.document(2, 900)
    assert record.judged() == ("current", "answers")


@pytest.mark.parametrize(
    ("characters", "tables", "says"),
    [
        (3000, 0, "layout changed: it had 2 tables and has none now"),
        (99, 2, "layout changed: 99 characters of text, 3,000 before"),
        (2000, 1, "answers"),
    ],
)
def test_a_page_that_lost_its_tables_or_its_text_is_told(
    record: Record, characters: int, tables: int, says: str
) -> None:
    record.source()
    record.tried(3)
    record.document(1, 3000, 2)
    record.document(2, 3100, 2, sha="same")
    record.document(3, characters, tables)
    if says != "answers":
        said = says.replace("3,000", "3,050")
        assert record.judged() == ("failing", said)
    else:
        assert record.judged() == ("current", says)


def test_a_page_that_went_back_to_what_it_was_is_judged_by_that(record: Record) -> None:
    record.source()
    record.tried(3)
    record.document(1, 3000, 2, sha="good")
    record.document(2, 80, 0)
    record.again(3, "good")
    assert record.judged() == ("current", "answers")


@pytest.mark.parametrize(
    ("rows", "floor", "expected"),
    [
        (3, None, ("failing", "too few rows: 3 rows, 10 before")),
        (9, 20, ("failing", "too few rows: 9 rows, at least 20 expected")),
        (0, None, ("failing", "too few rows: 0 rows, 10 before")),
        (9, 5, ("current", "answers")),
    ],
)
def test_a_table_with_too_few_rows_fails(record: Record, rows: int, floor: int | None, expected: Judged) -> None:
    record.source(floor=floor)
    record.tried(4)
    for day in (1, 2, 3):
        record.table(day, 10)
    record.table(4, rows)
    assert record.judged() == expected


def test_a_table_that_cannot_be_read_fails_and_a_new_field_is_named(record: Record) -> None:
    record.source()
    record.tried(2)
    record.table(1, 10, unread=("old",))
    record.table(2, 10, unread=("old", "term"))
    assert record.judged() == ("current", "fields new: nobody reads term")
    record.base.execute("DROP TABLE marts.source_health; DROP MACRO TABLE marts.source_health_as_of")
    record.tried(3)
    record.table(3, 0, "table_unreadable")
    assert record.judged() == ("failing", "table unreadable: the answer could not be read")


def test_items_that_cannot_be_had_or_read_make_a_feed_fail(record: Record) -> None:
    record.source("feed")
    record.tried(1)
    record.tried(1, url="a", is_entry=False)
    record.tried(2)
    record.tried(2, "http_status", "b", is_entry=False)
    record.document(1, 900)
    assert record.judged() == ("failing", "1 of 1 items failed, http status: words")


def test_items_that_robots_refuse_are_refused_by_robots(record: Record) -> None:
    record.source("feed")
    record.tried(1)
    record.tried(1, "robots_disallowed", "b", is_entry=False)
    assert record.judged()[0] == "refused by robots"


def test_newest_items_without_text_make_a_feed_fail(record: Record) -> None:
    record.source("feed")
    record.tried(1)
    record.document(1, 900)
    for number in range(3):
        record.document(1, 0, problem="document_empty", url=f"item{number}")
    assert record.judged() == ("failing", "3 of its 3 newest items cannot be read, document empty: words")


@pytest.mark.parametrize(("readable_too", "verdict"), [(False, "failing"), (True, "current")])
def test_the_last_days_items_decide_for_a_feed_that_could_be_read_before(
    record: Record, *, readable_too: bool, verdict: str
) -> None:
    record.source("feed")
    for day in range(1, 5):
        record.tried(day)
        record.document(day, 900, url=f"item{day}")
    record.tried(5)
    record.document(5, 0, problem="document_empty", url="item5")
    if readable_too:
        record.document(5, 900, url="item6")
    assert record.judged() == (verdict, "1 of its 5 newest items cannot be read, document empty: words")


def test_items_that_all_give_the_bytes_of_an_earlier_empty_one_are_unread(record: Record) -> None:
    """Equal bytes are one document, of the day on which they were first seen."""
    record.source("feed")
    for day in range(1, 13):
        record.tried(day)
    record.document(1, 0, problem="document_empty", url="old", sha="shell")
    for day in range(2, 8):
        record.document(day, 900, url=f"item{day}")
    for day in range(8, 13):
        record.again(day, "shell", f"item{day}")
    assert record.judged() == ("failing", "5 of its 5 newest items cannot be read, document empty: words")


def test_a_run_by_a_clock_that_was_ahead_decides_nothing(record: Record) -> None:
    record.source()
    record.tried(1, "timed_out", ahead=True, run="9999")
    record.tried(2)
    record.document(2, 900)
    assert record.judged() == ("current", "answers")


def test_what_the_steps_found_of_the_whole_source_is_told(record: Record) -> None:
    record.source("listing")
    record.tried(1)
    record.base.execute("INSERT INTO evidence.problems VALUES ('s', 's', 'u', 'too_few_items', '0 entries')")
    assert record.judged() == ("failing", "too few items: 0 entries")


def test_a_source_that_fails_is_due_after_a_quarter_of_its_cadence(record: Record) -> None:
    record.source()
    record.tried(1)
    record.tried(2, "timed_out")
    record.judged()
    row = record.base.execute("SELECT next_due_at, last_success_at FROM marts.source_health").fetchone()
    assert row == (_at(2, hour=12), _at(1))
