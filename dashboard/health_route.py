"""`/healthz`: whether the published file can be opened, for whoever watches the server."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pipelines.settings import current_settings
from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable


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
