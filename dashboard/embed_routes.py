"""Cards for others' pages: `/embed/<card>/`, its two pictures, and `/oembed?url=…`. Read-only."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from dashboard.cards import KnownCard, known_card
from dashboard.components import images
from dashboard.components.share import FOLDER, embeddable
from dashboard.embeds import PICTURES, POLICY, embed_page, oembed
from dashboard.navigation import charts
from dashboard.queries import Ledger, open_ledger
from pipelines.settings import current_settings
from warehouse.answers import formats
from warehouse.read import WarehouseMissing, WarehouseUnreadable

_CARD = re.compile(rf".*/{FOLDER}/([a-z][a-z0-9_]*)/?")
_LENGTH = re.compile(r"[1-9][0-9]{0,4}")
HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "public, max-age=300",
}
_OF_PICTURES = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_turn = threading.Lock()  # one chart is drawn at a time: floods wait, pages go on


def routes() -> list[Route]:
    """Where it is served; the cards' own pages offer these addresses from now on."""
    embeddable.update(charts())
    return [
        Route(f"/{FOLDER}/{{card}}", lead_to_folder),
        Route(f"/{FOLDER}/{{card}}/", serve_embed),
        Route(f"/{FOLDER}/{{card}}/{{name}}", serve_picture),
        Route("/oembed", serve_oembed),
    ]


def lead_to_folder(request: Request) -> Response:
    """The page's links are relative to its folder."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{_known(request.path_params['card'])}/{query}", 308)


def serve_embed(request: Request) -> Response:
    """The page of a card."""
    card = _card(_ledger(), _known(request.path_params["card"]))
    whole = f"{_root(request)}{formats.page_address(card.page)}#{card.id.replace('_', '-')}"
    page = embed_page(card, whole, f"{_root(request)}oembed?url={request.url.replace(query='')}")
    return Response(page, media_type="text/html", headers={**HEADERS, "Content-Security-Policy": POLICY})


def serve_picture(request: Request) -> Response:
    """One of its two pictures."""
    if request.path_params["name"] not in PICTURES:
        raise HTTPException(404)
    ledger, place = _ledger(), PICTURES.index(request.path_params["name"])
    name = _known(request.path_params["card"])
    card = _card(ledger, name)
    with _turn:
        shelf = _shelf(ledger.version)
        if (name, place) not in shelf:
            shelf[name, place] = images.screen(card.prepared.chart, card.sizes[place])
        content: bytes = shelf[name, place]
    return Response(content, media_type="image/svg+xml", headers={**HEADERS, "Content-Security-Policy": _OF_PICTURES})


def serve_oembed(request: Request) -> Response:
    """How to embed the card of an address of ours (oembed.com 1.0)."""
    asked = request.query_params
    if asked.get("format", "json") != "json":
        return PlainTextResponse("Only JSON is served.\n", 501, HEADERS)
    found = _CARD.fullmatch(_path_of(asked.get("url", "")[:500]))
    if found is None:
        return PlainTextResponse("No card has this address; cards stand at /embed/<card>/.\n", 404, HEADERS)
    card = _card(_ledger(), _known(found[1]))
    described = oembed(card, _root(request), (_most(asked, "maxwidth"), _most(asked, "maxheight")))
    return JSONResponse(described, headers=HEADERS)


def _path_of(address: str) -> str:
    """The path of an address; '' of what is none."""
    try:
        return urlsplit(address).path
    except ValueError:
        return ""


def _most(asked: Mapping[str, str], name: str) -> int | None:
    return int(asked[name]) if _LENGTH.fullmatch(asked.get(name, "")) else None


def _known(name: str) -> str:
    """The name of a chart. Raises HTTPException 404 for anything else."""
    if name not in charts():
        raise HTTPException(404)
    return name


def _card(ledger: Ledger, name: str) -> KnownCard:
    with _turn:
        shelf = _shelf(ledger.version)
        if name not in shelf:
            shelf[name] = known_card(ledger, name)
        card: KnownCard | None = shelf[name]
    if card is None:
        raise HTTPException(404, "This version holds nothing to show there.")
    return card


@lru_cache(maxsize=1)
def _shelf(version: str) -> dict[object, Any]:
    """What was made of this version: cards by name, pictures by name and place; gone with the version."""
    return {}


def _ledger() -> Ledger:
    try:
        return open_ledger(current_settings().warehouse)
    except (WarehouseMissing, WarehouseUnreadable):
        raise HTTPException(503, "There is no ledger to read yet.") from None


def _root(request: Request) -> str:
    return f"{str(request.base_url).rstrip('/')}/"
