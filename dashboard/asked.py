"""What every route of the server begins with: the published file, and its own address."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request

from dashboard.queries import Ledger, open_ledger
from pipelines.settings import current_settings
from warehouse.read import WarehouseMissing, WarehouseUnreadable

HTTP = 80


def published_ledger() -> Ledger:
    """The published file. Raises HTTPException 503 where there is none that can be read."""
    try:
        return open_ledger(current_settings().warehouse)
    except (WarehouseMissing, WarehouseUnreadable):
        raise HTTPException(503, "There is no ledger to read yet.") from None


def root(request: Request) -> str:
    """The dashboard's own address with a slash at its end: the one that is set, else that of the socket.

    Never the Host header: anybody may write there what he likes, and answers are kept for others.
    """
    if public := current_settings().public_address:
        return f"{public.rstrip('/')}/"
    host, port = request.scope.get("server") or ("127.0.0.1", None)
    place = (f"[{host}]" if ":" in host else host) + (f":{port}" if port and port != HTTP else "")
    return f"{request.url.scheme}://{place}{request.scope.get('root_path', '')}/"
