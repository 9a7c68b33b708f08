"""Cards for others' pages: `/embed/<card>/`, its two pictures, and `/oembed?url=…`. Read-only."""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from dashboard.asked import published_ledger, root
from dashboard.cards import KnownCard, known_card
from dashboard.components import images
from dashboard.components.share import FOLDER, embeddable
from dashboard.embeds import PICTURES, POLICY, embed_page, oembed
from dashboard.navigation import charts
from dashboard.queries import Ledger
from dashboard.rate import buckets
from dashboard.stated_cards import StatedCard, state_of, stated_card
from pipelines.settings import current_settings
from warehouse.answers import formats

_CARD = re.compile(rf".*/{FOLDER}/([a-z][a-z0-9_]*)/?")
_LENGTH = re.compile(r"[1-9][0-9]{0,4}")
HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "public, max-age=300",
}
_OF_PICTURES = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
MOST_KEPT, MOST_ADDRESS = 500, 4_000
Made = TypeVar("Made")
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
    """The page of a card, at the state of the address."""
    name = _known(request.path_params["card"])
    ledger = published_ledger()
    stated = _stated(request, ledger, name, request.query_params.multi_items())
    card, query = _found(stated), urlencode(stated.state)
    whole = f"{root(request)}{card.page}{f'?{query}' if query else ''}#{card.id.replace('_', '-')}"
    described = formats.page_address("oembed", url=f"{root(request)}{FOLDER}/{name}/{f'?{query}' if query else ''}")
    page = embed_page(card, whole, root(request) + described, said=stated.said(), query=query)
    return Response(page, media_type="text/html", headers={**HEADERS, "Content-Security-Policy": POLICY})


def serve_picture(request: Request) -> Response:
    """One of its two pictures."""
    if request.path_params["name"] not in PICTURES:
        raise HTTPException(404)
    place = PICTURES.index(request.path_params["name"])
    name = _known(request.path_params["card"])
    ledger = published_ledger()
    stated = _stated(request, ledger, name, request.query_params.multi_items())
    card = _found(stated)
    content = _kept(
        ledger.version, (name, stated.state, place), lambda: images.screen(card.prepared.chart, card.sizes[place])
    )
    return Response(content, media_type="image/svg+xml", headers={**HEADERS, "Content-Security-Policy": _OF_PICTURES})


def serve_oembed(request: Request) -> Response:
    """How to embed the card of an address of ours (oembed.com 1.0)."""
    asked = request.query_params
    if asked.get("format", "json") != "json":
        return PlainTextResponse("Only JSON is served.\n", 501, HEADERS)
    path, query = _parts_of(asked.get("url", "")[:MOST_ADDRESS])
    found = _CARD.fullmatch(path)
    if found is None:
        return PlainTextResponse("No card has this address; cards stand at /embed/<card>/.\n", 404, HEADERS)
    stated = _stated(request, published_ledger(), _known(found[1]), parse_qsl(query))
    most = (_most(asked, "maxwidth"), _most(asked, "maxheight"))
    described = oembed(_found(stated), root(request), most, urlencode(stated.state))
    return JSONResponse(described, headers=HEADERS)


def _parts_of(address: str) -> tuple[str, str]:
    """The path and the query of an address; '' of what is none."""
    try:
        found = urlsplit(address)
    except ValueError:
        return "", ""
    return found.path, found.query


def _most(asked: Mapping[str, str], name: str) -> int | None:
    return int(asked[name]) if _LENGTH.fullmatch(asked.get(name, "")) else None


def _known(name: str) -> str:
    """The name of a chart. Raises HTTPException 404 for anything else."""
    if name not in charts():
        raise HTTPException(404)
    return name


def _stated(request: Request, ledger: Ledger, name: str, asked: Sequence[tuple[str, str]]) -> StatedCard:
    """The card at the state that is asked for; what nobody asked for before is drawn only as often as one may ask."""
    try:
        state = state_of(name, asked)
    except ValueError as error:
        raise HTTPException(400, f"Too much is asked: {error}.") from None
    if not state:
        return _kept(ledger.version, (name, state), lambda: StatedCard(known_card(ledger, name)))
    if (name, state) not in _shelf(ledger.version):
        client = request.client.host if request.client else ""
        if wait := buckets(current_settings().api_rate).wait(client):
            raise HTTPException(429, "Asked too often.", {"Retry-After": f"{math.ceil(wait)}"})
    return _kept(ledger.version, (name, state), lambda: stated_card(name, state))


def _found(stated: StatedCard) -> KnownCard:
    """The card. Raises HTTPException 404 where nothing fits."""
    if stated.card is None:
        raise HTTPException(404, "This version holds nothing to show there.")
    return stated.card


def _kept(version: str, key: tuple[object, ...], make: Callable[[], Made]) -> Made:
    """What was made of this version before, or is made now, one at a time."""
    with _turn:
        shelf = _shelf(version)
        if key not in shelf:
            if len(shelf) >= MOST_KEPT:
                shelf.clear()
            shelf[key] = make()
        made: Made = shelf[key]
    return made


@lru_cache(maxsize=1)
def _shelf(version: str) -> dict[object, Any]:
    """What was made of this version: cards by name and state, pictures also by place; gone with the version."""
    return {}
