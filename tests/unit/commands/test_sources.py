"""`rackledger sources`: what check and list print, and where they look."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner

from pipelines.archive.store import Archive
from pipelines.commands import sources as command
from pipelines.model.capture import Exchange
from pipelines.settings import Settings
from pipelines.source_model import Status
from pipelines.sources import parse_sources
from warehouse.read import SCHEMA_VERSION

ROOT = Path(__file__).parents[3]

ENTRY = (ROOT / "tests/fixtures/sources_yaml/entry.yaml").read_text(encoding="utf-8")
MISTAKEN = (ROOT / "tests/fixtures/sources_yaml/mistaken.yaml").read_text(encoding="utf-8")


def test_rows_put_age_beside_cadence() -> None:
    now = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
    source = parse_sources(ENTRY)["example_feed"]
    states = {}
    for hours in (1, 6, 7, 12, 13):
        captures = {"example_feed": now - dt.timedelta(hours=hours)}
        row = command.source_rows([source], now, captures, {"example_feed": 42})[0]
        assert (row.age_hours, row.cadence_hours, row.claims) == (float(hours), 6.0, 42)
        states[hours] = row.state
    assert states == {1: "fresh", 6: "fresh", 7: "due", 12: "due", 13: "late"}
    unknown = command.source_rows([source], now, {}, {})[0]
    assert (unknown.state, unknown.last_capture_at, unknown.age_hours, unknown.claims) == ("never", None, None, None)
    skipped = source.model_copy(update={"status": Status.SKIP})
    assert command.source_rows([skipped], now, {}, {})[0].state == "skipped"


def test_check_prints_the_count_or_every_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "known_organisations", lambda: {"example"})
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(ENTRY, encoding="utf-8")
    bad.write_text(MISTAKEN, encoding="utf-8")
    fine = CliRunner().invoke(command.app, ["check", "--path", str(good)])
    assert (fine.exit_code, fine.stdout) == (0, "1 sources, all good\n")
    wrong = CliRunner().invoke(command.app, ["check", "--path", str(bad)])
    assert wrong.exit_code == 1
    assert "line 19: example_feed.urls.1: expected a URL whose host is one of allowed_hosts" in wrong.stdout
    as_json = CliRunner().invoke(command.app, ["check", "--json", "--path", str(bad)])
    assert as_json.exit_code == 1
    told = json.loads(as_json.stdout)
    assert told["sources"] == 0
    assert told["mistakes"][0] == {
        "source_id": "",
        "field": "provider_denylist.0.reason",
        "line": 2,
        "expected": "a value (the field is required)",
        "found": "nothing",
    }


def test_check_refuses_a_publisher_that_the_registry_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "known_organisations", lambda: {"other"})
    path = tmp_path / "sources.yaml"
    path.write_text(ENTRY, encoding="utf-8")
    result = CliRunner().invoke(command.app, ["check", "--path", str(path)])
    assert result.exit_code == 1
    assert "example_feed.publisher: expected an organisation of the registry; found 'example'" in result.stdout


def test_list_shows_a_dash_for_what_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACKLEDGER_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("RACKLEDGER_WAREHOUSE", str(tmp_path / "none.duckdb"))
    path = tmp_path / "sources.yaml"
    path.write_text(ENTRY, encoding="utf-8")
    result = CliRunner().invoke(command.app, ["list", "--path", str(path)])
    assert result.exit_code == 0, result.output
    row = next(line for line in result.stdout.splitlines() if "example_feed" in line)
    assert row.split() == ["example_feed", "feed", "example", "active", "-", "-/6h", "never", "-"]
    none = CliRunner().invoke(command.app, ["list", "--path", str(path), "--status", "skip", "--json"])
    assert json.loads(none.stdout) == []


def _exchange(source_id: str, status: int, at: dt.datetime) -> Exchange:
    url = f"https://www.example.org/{source_id}/{status}"
    headers = (("Content-Type", "text/html"),)
    body = f"{source_id} {at}".encode()
    return Exchange(source_id, url, url, at, "GET", (), status, "-", headers, body)


def test_the_last_capture_is_the_newest_good_one_of_the_archive(tmp_path: Path) -> None:
    first = dt.datetime(2026, 11, 1, 8, tzinfo=dt.UTC)
    settings = Settings(data=tmp_path, warehouse=tmp_path / "none.duckdb")
    with Archive(settings.archive, run_stamp="20261101T080000Z-1") as archive:
        for source_id, status, days in (("one", 200, 0), ("one", 200, 2), ("one", 404, 5), ("two", 500, 1)):
            archive.append(_exchange(source_id, status, first + dt.timedelta(days=days)))
    assert command.last_captures(settings) == {"one": first + dt.timedelta(days=2)}


def test_captures_and_claims_of_a_warehouse_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "w.duckdb"
    settings = Settings(data=tmp_path, warehouse=path)
    with duckdb.connect(str(path)) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        connection.execute("CREATE SCHEMA meta; CREATE SCHEMA evidence")
        connection.execute(
            "CREATE TABLE meta.publication AS SELECT 'v' AS version, now() AS built_at, 'h' AS content_hash, "
            f"{SCHEMA_VERSION} AS schema_version"
        )
        connection.execute(
            "CREATE TABLE evidence.captures AS "
            "SELECT 'one' AS source_id, TIMESTAMPTZ '2026-11-03 08:00:00+00' AS captured_at"
        )
    assert command.claims_given(settings) == {}
    assert command.last_captures(settings) == {"one": dt.datetime(2026, 11, 3, 8, tzinfo=dt.UTC)}
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE evidence.claims AS SELECT unnest(['one', 'one', 'two']) AS source_id")
    assert command.claims_given(settings) == {"one": 2, "two": 1}
