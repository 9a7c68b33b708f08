"""Metrics for Prometheus: the text that it reads, the counts of runs, and who may see them."""

from __future__ import annotations

import asyncio
import datetime as dt
from pathlib import Path

import duckdb
import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message

from dashboard.watch_routes import OwnMetricsOnly, show_metrics
from pipelines.publish.metrics import write_metrics
from pipelines.settings import Settings
from warehouse.metrics import SQL, Metric, exposition, of_runs
from warehouse.outcome import PUBLISHED, REFUSED, Ending, note, records
from warehouse.read import rows_of

AT = dt.datetime(2026, 3, 1, 6, tzinfo=dt.UTC)


def published() -> list[Metric]:
    """What a file with two sources tells, one of which never answered."""
    with duckdb.connect() as connection:
        connection.execute(
            """CREATE SCHEMA evidence; CREATE SCHEMA marts; CREATE SCHEMA meta;
               CREATE TABLE meta.publication AS SELECT TIMESTAMP '2026-03-01 06:00:00' AS built_at;
               CREATE TABLE evidence.attempts AS SELECT 'fetched' AS outcome FROM range(7);
               CREATE TABLE evidence.quarantine AS FROM (VALUES ('open'), ('released')) AS t(state);
               CREATE TABLE marts.source_health AS FROM (VALUES
                   ('a', 'current', 0, TIMESTAMP '2026-03-01 06:00:00', TIMESTAMP '2026-03-01 06:00:00'),
                   ('b"\\', 'never', 3, NULL, NULL)
               ) AS t(source_id, verdict, failed_runs, last_success_at, last_attempt_at)"""
        )
        for name in ("captures", "documents", "claims", "problems"):
            connection.execute(f"CREATE TABLE evidence.{name} AS FROM range(5)")
        return [Metric(**row) for row in rows_of(connection.execute(SQL["published"]))]


def test_the_text_has_a_line_for_each_value_that_is_known() -> None:
    lines = exposition(published()).splitlines()
    assert lines[:3] == [
        "# HELP rackledger_published_timestamp_seconds when the published file was built",
        "# TYPE rackledger_published_timestamp_seconds gauge",
        "rackledger_published_timestamp_seconds 1772344800",
    ]
    assert "rackledger_captures 5" in lines
    assert "rackledger_quarantine_open 1" in lines
    assert 'rackledger_attempts{outcome="fetched"} 7' in lines
    assert 'rackledger_sources{verdict="never"} 1' in lines
    assert 'rackledger_source_failed_runs{source_id="b\\"\\\\"} 3' in lines
    ages = [line for line in lines if line.startswith("rackledger_source_success_timestamp_seconds{")]
    assert ages == ['rackledger_source_success_timestamp_seconds{source_id="a"} 1772344800']


def test_runs_are_counted_by_how_they_ended_and_the_file_is_written_for_a_collector(settings: Settings) -> None:
    note(settings.warehouse, Ending(PUBLISHED, AT))
    note(settings.warehouse, Ending(REFUSED, AT, "a check failed"))
    note(settings.warehouse, Ending(PUBLISHED, AT))
    record = records(settings.warehouse)
    assert record is not None
    told = exposition(of_runs(record)).splitlines()
    assert 'rackledger_runs_total{outcome="published"} 2' in told
    assert 'rackledger_runs_total{outcome="refused"} 1' in told
    assert told[-1] == "rackledger_last_run_is_well 1"
    write_metrics(settings)
    assert settings.metrics.read_text(encoding="utf-8").splitlines() == told
    assert settings.metrics.stat().st_mode & 0o777 == 0o644


def request(host: str, *headers: tuple[bytes, bytes], path: str = "/metrics") -> Request:
    return Request({"type": "http", "method": "GET", "path": path, "headers": list(headers), "client": (host, 4000)})


@pytest.mark.parametrize(
    ("reader", "may"),
    [
        (request("127.0.0.1"), True),
        (request("::1"), True),
        (request("::ffff:127.0.0.1"), True),
        (request("192.0.2.7"), False),
        (request("::ffff:192.0.2.7"), False),
        (request("127.0.0.1", (b"x-forwarded-for", b"192.0.2.7")), False),
    ],
)
def test_this_machine_alone_sees_metrics_unless_they_are_opened(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, reader: Request, may: bool
) -> None:
    note(settings.warehouse, Ending(PUBLISHED, AT))
    if not may:
        with pytest.raises(HTTPException):
            show_metrics(reader)
        assert streamlits(reader) == 404
        monkeypatch.setenv("RACKLEDGER_METRICS_OPEN", "true")
    assert b"rackledger_sessions 0" in show_metrics(reader).body
    assert streamlits(reader) == 200


def streamlits(reader: Request) -> int:
    """The status of an answer to Streamlit's own address of metrics."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    scope = dict(reader.scope) | {"path": "/_stcore/metrics"}
    asyncio.run(OwnMetricsOnly(PlainTextResponse("families"))(scope, receive, send))
    return int(sent[0]["status"])


def test_a_folder_without_runs_tells_nothing(tmp_path: Path) -> None:
    assert records(tmp_path / "rackledger.duckdb") is None
