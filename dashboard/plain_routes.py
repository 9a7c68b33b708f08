"""Pages of things, organisations and benchmarks without a script: `/plain/<path>`, as the plain pages have them.

Who has no scripts sees them within the page of the same name. Made once a version, when the first one asks.
"""

from __future__ import annotations

import re
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from dashboard.asked import published_ledger, root
from dashboard.queries import Ledger, once
from dashboard.queries.corrections import compared
from warehouse.answers.plain_html import ICON, SQL, VERSIONS, SitePage, path_of
from warehouse.answers.site_pages import pages

FOLDER = "plain"
# What stands above every plain page, and where the dashboard has it.
_ELSEWHERE = {"index.html": "", VERSIONS: "data", SQL: "sql"}
_ID = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "public, max-age=60",
}
_HEAD = "<head>"
_LEAVES = '<base target="_top">'  # its links leave the frame in which it is shown


def routes() -> list[Route]:
    """Where they are served, and the icon of all pages that are no page of Streamlit."""
    icon = [Route(f"/{folder}{ICON}", serve_icon) for folder in ("", f"{FOLDER}/")]
    return [*icon, Route(f"/{FOLDER}/{{path:path}}", serve_page)]


def frame_of(kind: str, name: str) -> str:
    """The address of the plain page of an id; '' for what no id can be."""
    return f"./{FOLDER}/{path_of(kind, name)}" if _ID.fullmatch(name) else ""


def serve_page(request: Request) -> Response:
    """One of them, or the page of the dashboard that a link above it means."""
    path = request.path_params["path"]
    if path in _ELSEWHERE:
        return RedirectResponse(f"{'../' * (path.count('/') + 1)}{_ELSEWHERE[path]}", 307)
    page = once(published_ledger(), _by_path).get(path)
    if page is None:
        raise HTTPException(404, "No thing, organisation or benchmark of this name has anything stated.")
    text = page.html(f"{root(request)}{FOLDER}/").replace(_HEAD, _HEAD + _LEAVES, 1)
    return HTMLResponse(text, headers=_HEADERS)


def _by_path(ledger: Ledger) -> dict[str, SitePage]:
    return {page.path: page for page in pages(ledger.within, ledger.built_at.date(), compared(ledger))}


def serve_icon(request: Request) -> Response:
    """The icon."""
    headers = {"Cache-Control": "public, max-age=86400"}
    return Response(Path(__file__).with_name(ICON).read_bytes(), media_type="image/svg+xml", headers=headers)
