"""What every route of the server begins with: the published file, and its own address."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request

from dashboard.queries import Ledger, open_ledger
from pipelines.settings import current_settings
from warehouse.read import WarehouseMissing, WarehouseUnreadable


def published_ledger() -> Ledger:
    """The published file. Raises HTTPException 503 where there is none that can be read."""
    try:
        return open_ledger(current_settings().warehouse)
    except (WarehouseMissing, WarehouseUnreadable):
        raise HTTPException(503, "There is no ledger to read yet.") from None


def root(request: Request) -> str:
    """The dashboard's own address with a slash at its end."""
    return f"{str(request.base_url).rstrip('/')}/"
