"""`rackledger mcp`: the ledger for assistants, over standard streams or streamable HTTP."""

from __future__ import annotations

from typing import Annotated

import typer

from pipelines.commands.terminal import load_settings


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
