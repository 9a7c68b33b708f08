"""`rackledger dashboard` and `rackledger dev` become other programs: which, where, and with what environment."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.settings import PROJECT_ROOT, Settings

RUNNER = CliRunner()
Started = tuple[list[str], Path, Mapping[str, str]]


@pytest.fixture
def started(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> list[Started]:
    """What this process would have become, where, with which environment; each program ends with 7."""
    calls: list[Started] = []
    folders: list[Path] = []

    def become(program: str, command: list[str], environment: Mapping[str, str]) -> NoReturn:
        assert program == command[0]
        calls.append((command, folders[-1], environment))
        raise SystemExit(7)

    monkeypatch.setattr("pipelines.commands.serve.os.chdir", folders.append)
    monkeypatch.setattr("pipelines.commands.serve.os.execve", become)
    return calls


def test_the_command_becomes_the_dashboard(
    settings: Settings, started: list[Started], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.warehouse.parent.mkdir(parents=True)
    settings.warehouse.touch()
    monkeypatch.setenv("RACKLEDGER_PORT", "8600")
    assert RUNNER.invoke(app, ["dashboard", "--host", "0.0.0.0"]).exit_code == 7
    command, folder, _ = started[0]
    assert command[:5] == [sys.executable, "-m", "streamlit", "run", "dashboard/server.py"]
    assert command[command.index("--server.port") + 1] == "8600"
    assert command[command.index("--server.address") + 1] == "0.0.0.0"
    assert folder == PROJECT_ROOT
    assert RUNNER.invoke(app, ["dashboard", "--port", "9000"]).exit_code == 7
    assert "9000" in started[1][0]


def test_without_a_warehouse_nothing_is_started(started: list[Started]) -> None:
    assert RUNNER.invoke(app, ["dashboard"]).exit_code == 3
    assert started == []


def test_dagsters_own_page_has_its_home_below_the_data(settings: Settings, started: list[Started]) -> None:
    assert RUNNER.invoke(app, ["dev", "--port", "3100"]).exit_code == 7
    command, _, environment = started[0]
    assert command == [sys.executable, "-m", "dagster", "dev", "-m", "pipelines.definitions", "--port", "3100"]
    assert environment["DAGSTER_HOME"] == str(settings.dagster_home)
    assert settings.dagster_home.is_dir()
