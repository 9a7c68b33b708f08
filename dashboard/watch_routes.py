"""For whoever watches the server: `/healthz`, whether the published file can be opened, and `/metrics`, counts and ages
for Prometheus, answered to this machine alone unless the operator opens it."""

from __future__ import annotations

from ipaddress import ip_address

import streamlit.runtime
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from pipelines.settings import current_settings
from warehouse.metrics import Metric, exposition, metrics
from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable

STREAMLITS = "/_stcore/metrics"
FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")  # a proxy stands between: the address is not the reader's


def show_health(request: Request) -> Response:
    """200 with the version that is served and the time of its build; 503 where none can be opened."""
    try:
        with Warehouse(current_settings().warehouse, memory_limit="64MB", threads=1) as warehouse:
            served = warehouse.publication
    except (WarehouseMissing, WarehouseUnreadable):
        return JSONResponse({"is_well": False}, status_code=503, headers={"Cache-Control": "no-store"})
    built_at = f"{served.built_at:%Y-%m-%dT%H:%M:%SZ}"
    told = {"is_well": True, "version": served.version, "built_at": built_at}
    return JSONResponse(told, headers={"Cache-Control": "no-store"})


def show_metrics(request: Request) -> Response:
    """The metrics. Raises HTTPException 404 for a reader elsewhere: to him there is nothing here."""
    if not may_read(request):
        raise HTTPException(404)
    told = [*metrics(current_settings().warehouse), Metric("sessions", "browsers that are connected", sessions())]
    return PlainTextResponse(exposition(told), headers={"Cache-Control": "no-store"})


class OwnMetricsOnly:
    """Streamlit's metrics, which it tells everybody, are for those who may read ours. Its address cannot be taken."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].rstrip("/").endswith(STREAMLITS) and not may_read(Request(scope)):
            await Response(status_code=404)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def may_read(request: Request) -> bool:
    """Whether the metrics are for this reader."""
    return current_settings().metrics_open or is_local(request)


def is_local(request: Request) -> bool:
    """Whether a request comes from this machine itself, not through a proxy on it."""
    if request.client is None or any(name in request.headers for name in FORWARDED):
        return False
    try:
        address = ip_address(request.client.host)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback  # a socket for both kinds tells IPv4 so


def sessions() -> int:
    """Connected sessions; 0 where no page runs here."""
    if not streamlit.runtime.exists():
        return 0
    return int(streamlit.runtime.get_instance()._session_mgr.num_active_sessions())  # no public way tells their number
