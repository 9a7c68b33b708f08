"""Captures dated ahead of the clock are named, one problem a source, and stop nothing."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from pipelines.archive.store import Archive
from pipelines.assets.clock_step import report_ahead
from pipelines.lake import Lake
from tests.archive_kit import STAMP, START, exchange

DAY = 86_400


def test_a_source_with_captures_ahead_is_a_problem_until_the_clock_has_passed_them(tmp_path: Path) -> None:
    archive, lake = tmp_path / "archive", tmp_path / "lake"
    with Archive(archive, run_stamp=STAMP) as opened:
        opened.append(exchange())
        opened.append(exchange(2 * DAY, url="https://news.example/b", body=b"b"))
        opened.append(exchange(3 * DAY, url="https://news.example/c", body=b"c"))
        opened.append(exchange(1800, source_id="near", body=b"half an hour is no fault of a clock"))
    report_ahead(archive, lake, START)
    (row,) = Lake(lake).read("problems", "clock").to_pylist()
    assert (row["source_id"], row["reason"], row["place"]) == ("news", "captured_ahead", "https://news.example/c")
    assert row["detail"] == "2 captures are dated ahead of the clock, up to 2026-03-04 12:00 UTC"
    assert not row["is_fatal"]
    assert report_ahead(archive, lake, START + dt.timedelta(days=4)) == []
    assert Lake(lake).partitions("problems") == []
