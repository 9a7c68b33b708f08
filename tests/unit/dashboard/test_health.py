"""When a source is current, stale, never captured or not collected."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pytest

from dashboard.health import CURRENT, NEVER, NOT_COLLECTED, STALE, cadence, health_of, with_health

NOW = dt.datetime(2026, 11, 21, 12, tzinfo=dt.UTC).replace(tzinfo=None)


def source(hours_ago: float | None, **changes: object) -> dict[str, object]:
    last = pd.NaT if hours_ago is None else pd.Timestamp(NOW) - pd.Timedelta(hours=hours_ago)
    row = {"source_id": "a", "status": "active", "cadence_hours": 24, "last_capture_at": last, "changed_at": last}
    return row | changes


@pytest.mark.parametrize(
    ("row", "state", "says"),
    [
        (source(1), CURRENT, "looked at today"),
        (source(47.9), CURRENT, "looked at 2 days ago"),
        (source(48.1), STALE, "unchanged since 2026-11-19"),
        (source(48.1, changed_at=pd.Timestamp("2026-05-27")), STALE, "unchanged since 2026-05-27"),
        (source(None), NEVER, "no capture is in this version"),
        (source(1, status="skip"), NOT_COLLECTED, "its terms or its robots file do not allow it"),
        (source(1, status="unproven"), CURRENT, "looked at today"),
    ],
)
def test_the_state_of_a_source(row: dict[str, object], state: str, says: str) -> None:
    found = health_of(row, NOW)
    assert (found.state, found.says) == (state, says)


def test_stale_sources_come_first() -> None:
    rows = [source(1, source_id="b"), source(99, source_id="c"), source(1, source_id="a"), source(None, source_id="d")]
    listed = with_health(pd.DataFrame(rows), NOW)
    assert list(listed["source_id"]) == ["c", "a", "b", "d"]
    assert list(listed["state"]) == [STALE, CURRENT, CURRENT, NEVER]


def test_intervals_are_told_in_words() -> None:
    assert [cadence(hours) for hours in (6, 24, 48, 168, 720)] == [
        "every 6 h", "daily", "every 2 days", "weekly", "every 30 days",
    ]  # fmt: skip
