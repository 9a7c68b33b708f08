"""`rackledger diff`: what differs in three forms, nothing, and versions that cannot be compared."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.settings import Settings
from warehouse import versions
from warehouse.versions import Change

CARRIED = {"evidence": "vendor", "claimant": "NVIDIA", "stated_on": "2026-03-01", "url": "https://nvidia.com/a"}
CHANGED = Change(
    "evidence.claims", "changed", "c1", ("value",), {"value": 120.0}, {"value": 132.0}, "corrected", CARRIED
)
ADDED = Change("evidence.claims", "added", "c2", (), {}, {}, "", CARRIED)


@pytest.fixture
def files(tmp_path: Path, settings: Settings) -> tuple[str, str]:
    for name in ("older", "newer"):
        (tmp_path / name).write_bytes(b"no database")
    return str(tmp_path / "older"), str(tmp_path / "newer")


def told(patch: pytest.MonkeyPatch, *changes: Change) -> None:
    def diff(older: Path, newer: Path, only: str) -> list[Change]:
        assert (older.name, newer.name) == ("older", "newer")
        return [change for change in changes if only in ("", change.table)]

    patch.setattr(versions, "diff", diff)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["diff", *arguments])


def test_json_carries_the_evidence_of_each_row(files: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    told(monkeypatch, CHANGED)
    (row,) = json.loads(run(*files, "-f", "json").stdout)
    expected: dict[str, Any] = {"table": "evidence.claims", "change": "changed", "key": "c1", "columns": ["value"]}
    expected |= {"before": {"value": 120.0}, "reason": "corrected"} | CARRIED
    assert {name: row[name] for name in expected} == expected


def test_csv_has_a_row_a_change_and_a_head_where_there_is_none(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told(monkeypatch, CHANGED, ADDED)
    rows = list(csv.DictReader(io.StringIO(run(*files, "-f", "csv").stdout)))
    assert [(row["key"], row["change"], row["columns"], row["reason"]) for row in rows] == [
        ("c1", "changed", "value", "corrected"),
        ("c2", "added", "", ""),
    ]
    assert json.loads(rows[0]["before"]) == {"value": 120.0}
    told(monkeypatch)
    assert run(*files, "-f", "csv").stdout.split() == ["table,change,key,columns,before,after,reason"]


def test_rows_are_shown_of_one_table_only_and_nothing_is_said_so(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told(monkeypatch, CHANGED, ADDED)
    assert "c1" not in run(*files).stdout
    assert "c1" in run(*files, "--table", "evidence.claims").stdout
    assert run(*files, "--table", "marts.prices").stdout.strip() == "Nothing differs."


def test_a_version_that_is_not_there_and_a_file_that_is_none_are_told_apart(files: tuple[str, str]) -> None:
    unknown = run("20200101T000000Z-1", files[1])
    assert unknown.exit_code == 2
    assert "20200101T000000Z-1" in unknown.output
    damaged = run(*files)
    assert damaged.exit_code == 1
    assert "not a valid DuckDB database file" in " ".join(damaged.output.split())
