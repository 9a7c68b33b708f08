"""`rackledger dashboard`, `dev` and `mcp`: start Streamlit, Dagster's UI or the server for assistants."""

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


def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Serve streamable HTTP at /mcp instead of standard streams.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="Address to listen on; another than this machine's needs a proxy.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen on.")] = 8765,
) -> None:
    """Serve the ledger to assistants (Model Context Protocol): questions, calculators, SQL in the sandbox, lessons.

    Example: rackledger mcp --http --port 8765
    """
    import anyio

    from pipelines import __version__
    from pipelines.settings import PROJECT_ROOT
    from warehouse.assistants.server import make_server, readings
    from warehouse.assistants.tools import Desk

    desk = Desk(load_settings().warehouse)
    server = make_server(desk, readings(PROJECT_ROOT / "dashboard" / "lessons", PROJECT_ROOT / "docs"), __version__)
    try:
        if http:
            import uvicorn

            uvicorn.run(
                server.streamable_http_app(host=host, stateless_http=True), host=host, port=port, log_level="warning"
            )
            return

        async def over_streams() -> None:
            from mcp.server.stdio import stdio_server

            async with stdio_server() as (reading, writing):
                await server.run(reading, writing, server.create_initialization_options())

        anyio.run(over_streams)
    finally:
        desk.close()
