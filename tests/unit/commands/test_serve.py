"""`rackledger dashboard` and `rackledger dev` start other programs: which, where, and with whose exit code."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.settings import PROJECT_ROOT, Settings

RUNNER = CliRunner()


@pytest.fixture
def started(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], dict[str, Any]]]:
    """What would have been started; each program ends with 7."""
    calls: list[tuple[list[str], dict[str, Any]]] = []

    def call(command: list[str], **options: Any) -> int:
        calls.append((command, options))
        return 7

    monkeypatch.setattr("pipelines.commands.serve.subprocess.call", call)
    return calls


def test_the_dashboard_is_a_process_of_its_own(
    settings: Settings, started: list[tuple[list[str], dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.warehouse.parent.mkdir(parents=True)
    settings.warehouse.touch()
    monkeypatch.setenv("RACKLEDGER_PORT", "8600")
    assert RUNNER.invoke(app, ["dashboard", "--host", "0.0.0.0"]).exit_code == 7
    command, options = started[0]
    assert command[:5] == [sys.executable, "-m", "streamlit", "run", "dashboard/server.py"]
    assert command[command.index("--server.port") + 1] == "8600"
    assert command[command.index("--server.address") + 1] == "0.0.0.0"
    assert options["cwd"] == PROJECT_ROOT
    assert RUNNER.invoke(app, ["dashboard", "--port", "9000"]).exit_code == 7
    assert "9000" in started[1][0]


def test_without_a_warehouse_nothing_is_started(started: list[tuple[list[str], dict[str, Any]]]) -> None:
    assert RUNNER.invoke(app, ["dashboard"]).exit_code == 3
    assert started == []


def test_dagsters_own_page_has_its_home_below_the_data(
    settings: Settings, started: list[tuple[list[str], dict[str, Any]]]
) -> None:
    assert RUNNER.invoke(app, ["dev", "--port", "3100"]).exit_code == 7
    command, options = started[0]
    assert command == [sys.executable, "-m", "dagster", "dev", "-m", "pipelines.definitions", "--port", "3100"]
    assert options["env"]["DAGSTER_HOME"] == str(settings.dagster_home)
    assert settings.dagster_home.is_dir()
