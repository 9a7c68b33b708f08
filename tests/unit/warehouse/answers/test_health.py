"""The state of the sources in words, and as entries of a feed."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from warehouse.answers.feeds import Feed, atom
from warehouse.answers.health import Health, entries
from warehouse.outcome import REFUSED, UNCHANGED, Ending, last, note

AT = dt.datetime.fromisoformat("2026-03-02T07:00")  # UTC without a zone, as the warehouse has it
GONE = {
    "source_id": "a",
    "title": "A <page>",
    "verdict": "gone",
    "says": "http status: 404",
    "at": AT,
    "failed_runs": 3,
}
ROW = {
    "quarantine_id": "q1",
    "kind": "row",
    "check": "c",
    "reason": "price > 0 is not met",
    "source_id": "b",
    "url": None,
    "first_seen": AT,
    "table": "facts.t",
    "row_key": "k",
}
WHOLE = ROW | {"quarantine_id": "q2", "kind": "source", "source_id": "d", "reason": "it alone makes the build fail"}


def test_a_failing_source_and_rows_set_aside_are_a_line_each() -> None:
    assert Health([], []).words == []
    assert Health([], [ROW, ROW | {"quarantine_id": "q3"}]).words == ["2 rows are set aside: b 2"]
    assert Health([GONE], [WHOLE, ROW]).words == [
        "2 sources fail: a (http status: 404); d (it alone makes the build fail)",
        "1 row is set aside: b 1",
    ]
    assert [Health([], [ROW]).is_well, Health([GONE], []).is_well, Health([], [WHOLE]).is_well] == [True, False, False]


def test_the_feed_tells_a_refused_run_failing_sources_and_what_is_set_aside() -> None:
    made = entries(Health([GONE], [ROW, WHOLE]), Ending(REFUSED, AT + dt.timedelta(days=1), "checks failed"), AT)
    assert [(entry.kind, entry.title) for entry in made[:1]] == [
        ("run", "The last run was refused; the version before keeps serving")
    ]
    assert (made[0].words, "is published" in made[0].why) == ("checks failed.", False)
    assert {(entry.kind, entry.title) for entry in made[1:]} == {
        ("source", "A <page>: gone"),
        ("quarantine", "b: 1 thing is set aside"),
        ("quarantine", "d: 1 thing is set aside"),
    }
    assert entries(Health([], []), Ending(UNCHANGED, AT), AT) == []
    again = entries(Health([GONE], [ROW, WHOLE]), Ending(REFUSED, AT + dt.timedelta(days=1), "checks failed"), AT)
    assert [entry.id for entry in again] == [entry.id for entry in made]
    feed = Feed("t", "s", "https://x.y/", "feeds/health.atom", "sources", AT.date())
    assert b"A &lt;page&gt;: gone" in atom(feed, made)


def test_how_a_run_ended_is_kept_beside_the_published_file(tmp_path: Path) -> None:
    target = tmp_path / "warehouse" / "rackledger.duckdb"
    assert last(target) is None
    ending = Ending(REFUSED, AT.replace(tzinfo=dt.UTC), "checks failed")
    note(target, ending)
    assert last(target) == ending
    (tmp_path / "warehouse" / "rackledger.duckdb.last-run.json").write_text("{")
    assert last(target) is None
