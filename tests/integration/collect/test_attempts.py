"""Every try of an address is a row, whatever came of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.archive import attempts
from pipelines.archive.attempts import AttemptLog, last_tried, logs_by_month, read_log
from pipelines.model.attempt import AttemptRow
from tests.collect_kit import Collected, Site, make_source, redirect, reply

CHECK = b"<html><head><title>Just a moment...</title></head><body></body></html>"


def outcomes(collected: Collected, site: Site) -> list[tuple[str, int | None, str]]:
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    return [(attempt.outcome, attempt.status, attempt.reason) for attempt in row.attempts]


def test_an_answer_is_fetched_then_unchanged(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"<p>GB300 ships</p>", Content_Type="text/html")
    assert outcomes(collected, site) == [("fetched", 200, "")]
    assert outcomes(collected, site) == [("unchanged", 200, "")]


def test_a_page_that_is_gone_says_so(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"gone", "410 Gone")
    assert outcomes(collected, site) == [("gone", 410, "http_status")]


def test_a_server_in_trouble_is_a_failure_with_its_status(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"", "503 Service Unavailable")
    assert outcomes(collected, site) == [("failed", 503, "http_status")]


def test_robots_refuse_without_an_answer(site: Site, collected: Collected) -> None:
    site.routes["/robots.txt"] = reply(b"User-agent: *\nDisallow: /", Content_Type="text/plain")
    assert outcomes(collected, site) == [("refused", None, "robots_disallowed")]


def test_a_check_of_the_visitor_with_200_is_a_failure_that_is_kept(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(CHECK, Content_Type="text/html")
    assert outcomes(collected, site) == [("failed", 200, "challenge_page")]
    assert len(collected.captures()) == 1


def test_a_login_behind_a_redirect_is_a_failure(site: Site, collected: Collected) -> None:
    site.routes["/a"] = redirect(site.url("/login"))
    site.routes["/login"] = reply(b"<p>Who are you?</p>", Content_Type="text/html")
    assert outcomes(collected, site) == [("failed", 200, "login_wall")]


def tries(root: Path) -> list[AttemptRow]:
    return [row for logs in logs_by_month(root).values() for log in logs for row in read_log(log)]


def test_the_log_survives_a_line_cut_short(tmp_path: Path) -> None:
    at = dt.datetime(2026, 11, 1, 8, tzinfo=dt.UTC)
    row = AttemptRow("news", "https://news.example/a", at, "failed", 503, 0, "http_status", "answered 503", True, "r1")
    log = AttemptLog(tmp_path, "r1")
    log.append([row])
    with (tmp_path / "attempts" / "r1.jsonl").open("a") as file:
        file.write('{"source_id": "ne')
    assert tries(tmp_path) == [row]
    log.drop()
    assert tries(tmp_path) == []


def test_the_last_try_of_each_source_is_known_and_months_that_are_over_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tried(source: str, at: dt.datetime) -> None:
        row = AttemptRow(source, "https://news.example/a", at, "fetched", 200, 9, "", "", True, "r")
        AttemptLog(tmp_path, f"{at:%Y%m%dT%H%M%SZ}-1").append([row])

    days = [dt.datetime(2026, month, 3, 8, tzinfo=dt.UTC) for month in (1, 2, 3)]
    tried("old", days[0])
    tried("news", days[1])
    tried("news", days[2])
    tried("news", dt.datetime(2036, 1, 1, tzinfo=dt.UTC))  # by a wrong clock
    latest = dt.datetime(2026, 3, 4, tzinfo=dt.UTC)
    assert last_tried(tmp_path, latest) == {"old": days[0], "news": days[2]}
    read: list[str] = []

    def reading(path: Path) -> Iterator[AttemptRow]:
        read.append(path.name[:6])
        return iter(())

    monkeypatch.setattr(attempts, "read_log", reading)
    assert last_tried(tmp_path, latest) == {"old": days[0], "news": days[1]}
    assert read == ["202603", "203601"]
    monkeypatch.undo()
    tried("late", days[0] + dt.timedelta(hours=1))  # a month that grows is read again
    assert last_tried(tmp_path, latest)["late"] == days[0] + dt.timedelta(hours=1)
