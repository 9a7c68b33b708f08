"""`rackledger dashboard` and `rackledger dev`: start Streamlit or Dagster's UI on this project."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Annotated, NoReturn

import typer

from pipelines.commands import EXIT_NO_WAREHOUSE
from pipelines.commands.terminal import fail, load_settings, messages
from pipelines.dagster_home import prepare
from pipelines.settings import PROJECT_ROOT


def dashboard(
    port: Annotated[int | None, typer.Option(help="Port to serve on; default RACKLEDGER_PORT or 8501.")] = None,
    host: Annotated[str, typer.Option(help="Address to serve on; 0.0.0.0 lets other machines in.")] = "127.0.0.1",
) -> None:
    """Serve the dashboard in a browser. It only reads the published warehouse."""
    settings = load_settings()
    if not settings.warehouse.exists():
        fail(f"There is no warehouse at {settings.warehouse} yet. Run `make run` first.", EXIT_NO_WAREHOUSE)
    chosen = port or settings.port
    messages.print(f"Dashboard: http://{host}:{chosen}  (Ctrl+C ends it)")
    _become(
        [
            *(sys.executable, "-m", "streamlit", "run", "dashboard/server.py"),
            *("--server.port", str(chosen), "--server.address", host, "--server.headless", "true"),
        ],
        os.environ,
    )


def dev(
    port: Annotated[int, typer.Option(help="Port of Dagster's UI.")] = 3000,
) -> None:
    """Open Dagster's own UI: the asset graph, runs, checks and schedules."""
    settings = load_settings()
    environment = os.environ | {"DAGSTER_HOME": str(prepare(settings.dagster_home))}
    _become([sys.executable, "-m", "dagster", "dev", "-m", "pipelines.definitions", "--port", str(port)], environment)


def _become(command: list[str], environment: Mapping[str, str]) -> NoReturn:
    """Run a program in place of this one: who ends the one has ended the other."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.chdir(PROJECT_ROOT)
    os.execve(command[0], command, environment)  # noqa: S606 - none is wanted
