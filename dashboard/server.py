"""The web application: Streamlit's own, with preview texts, a content policy, and the published files by plain address.

`/files/latest.json` names the newest version, `/files/<version>/<file>` never changes, `/files/latest/<file>` is the
newest. Feeds lie below `/feeds/`. Nothing is written; only files of the published folder are served.
"""

from __future__ import annotations

import base64
import gc
import hashlib
import html
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlencode

from altair.utils import schemapi
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route, request_response
from streamlit.starlette import App

from dashboard import api_routes, embed_routes, frame, plain_routes
from dashboard.addresses import MOVED, moved_to, with_names
from dashboard.asked import published_ledger
from dashboard.charts.theme import dark_style
from dashboard.components.page import SITE
from dashboard.components.share import embed_path
from dashboard.edges import KnownAddresses, SafeHeaders
from dashboard.feed_routes import serve_brief, serve_health, serve_watch
from dashboard.frame import ahead
from dashboard.frame.scripts import ScriptsFromMemory
from dashboard.navigation import PageEntry, charts, page_entries
from dashboard.queries.search import search_index
from dashboard.warming import warming
from dashboard.watch_routes import OwnMetricsOnly, show_health, show_metrics
from pipelines.settings import Settings
from warehouse.sandbox import remove_copies

HERE = Path(__file__).parent
INDEX = (ahead.STATIC / "index.html").read_text(encoding="utf-8")
SAYS = "A public, dated, evidence-graded ledger of the AI-hardware market: every figure with who said it, and when."
WITHOUT_SCRIPTS = (
    "<p>Choosing and filtering need JavaScript. The figures do not: every table is at "
    '<a href="./files/latest.json">files/latest.json</a> as DuckDB, Parquet and CSV.</p>'
)
# Pages are one level below the root. Without this the browser would look for the server below the page's own address.
WHERE = '<script>window.__streamlit={BACKEND_BASE_URL:new URL("./",location.href).href.replace(/\\/$/,"")}</script>'
STYLE = (
    f"<style>{dark_style()}{frame.card_style()}</style>"  # before anything is drawn, so that nothing moves or flashes
)
FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
PLAIN = "<!-- the plain page of an id -->"
BY_ID = ("thing", "org", "benchmark")  # pages of one thing, also by an address with its id in the path
FOREVER, BRIEFLY = "public, max-age=31536000, immutable", "public, max-age=60"
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_HOST = re.compile(r"[A-Za-z0-9.\-\[\]:]+")


def without_scripts(entry: PageEntry | None) -> str:
    """What a page shows without scripts: its charts as the plain pages have them; the first page one chart a page.

    A page of one thing has its plain page there, which depends on the address: see `show_page`.
    """
    names = [name for name, chart in charts().items() if entry is not None and chart.page == entry.path]
    if entry is None or entry is page_entries()[0]:
        names = list({chart.page: name for name, chart in reversed(charts().items())}.values())[::-1]
    frames = "".join(_frame(f"./{embed_path(name)}", name.replace("_", " "), "760px") for name in names)
    frames += PLAIN if entry is not None and entry.path in BY_ID else ""
    return f"<noscript>{WITHOUT_SCRIPTS}{frames}</noscript>"


def _frame(address: str, title: str, height: str) -> str:
    where = f'src="{html.escape(address)}" title="{html.escape(title)}"'
    return f'<iframe {where} style="width:100%;height:{height};border:0"></iframe>'


def page_html(entry: PageEntry | None) -> str:
    """Streamlit's page with our title, description and preview text, and our words for those without scripts."""
    title = html.escape(f"{entry.title} · {SITE}" if entry else SITE)
    says = html.escape(entry.says if entry else SAYS)
    tags = (
        f'<title>{title}</title>\n    <meta name="description" content="{says}" />\n'
        f'    <meta property="og:title" content="{title}" />\n    <meta property="og:description" content="{says}" />\n'
        f'    <meta property="og:site_name" content="{SITE}" />\n    <meta property="og:type" content="website" />\n'
        '    <meta name="twitter:card" content="summary" />\n    <meta name="referrer" content="no-referrer" />\n'
        f"    {STYLE}"
    )
    head = f"{tags}\n    {WHERE}\n    {frame.head(INDEX)}"
    text = re.sub(r"<title>.*?</title>", lambda _: head, INDEX, count=1, flags=re.DOTALL)
    later = ahead.links(INDEX, entry.uses if entry else ())  # behind what Streamlit itself begins with
    text = re.sub(r"</head>", lambda _: f"    {later}\n  </head>", text, count=1)
    text = re.sub(r"<body>", lambda _: f"<body>\n    {frame.header(entry, SITE)}", text, count=1)
    return re.sub(r"<noscript>.*?</noscript>", lambda _: without_scripts(entry), text, count=1, flags=re.DOTALL)


def content_policy(host: str) -> str:
    """What the browser may load: from here only, whatever a page says. Vega compiles its expressions, hence eval."""
    digests = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
        for text in _SCRIPT.findall(INDEX + WHERE)
    )
    sockets = f"ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    return (
        f"default-src 'self'; script-src 'self' 'unsafe-eval' 'wasm-unsafe-eval' {digests}; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        f"connect-src 'self' {sockets}; worker-src 'self' blob:; object-src 'none'; base-uri 'self'; "
        "form-action 'self'; frame-ancestors 'self'"
    )


PAGES = {entry.path: page_html(entry) for entry in page_entries()}
FRONT = page_html(None)


async def show_page(request: Request) -> Response:
    """The shell of a page; Streamlit fills it."""
    path, query = request.url.path.strip("/").rsplit("/", 1)[-1], request.query_params.multi_items()
    if (named := with_names(path, query)) != query:
        return RedirectResponse(f"./{path}?{urlencode(named)}", 307)
    text = PAGES.get(path, FRONT)
    if path in BY_ID:
        name = request.query_params.get("id", "")
        address = plain_routes.frame_of(path, name)
        text = text.replace(PLAIN, _frame(address, name, "80vh") if address else "")
    headers = {
        "Cache-Control": "no-cache",
        "Content-Security-Policy": content_policy(request.headers.get("host", "")),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
    return HTMLResponse(text, headers=headers)


async def show_unknown(request: Request) -> Response:
    """404: the shell of a page, which says so and shows the first one, or a word where no page can be."""
    if "/" in request.url.path.strip("/"):
        return PlainTextResponse("Nothing has this address. The pages begin at /.\n", 404)
    response = await show_page(request)
    response.status_code = 404
    return response


def show_moved(request: Request) -> Response:
    """An address of before leads to the one of now, with its state."""
    path = request.url.path.strip("/").rsplit("/", 1)[-1]
    target = moved_to(path, request.query_params.multi_items())
    return RedirectResponse(f"./{target}", 308, {"Cache-Control": BRIEFLY})


def show_by_id(request: Request) -> Response:
    """`/thing/<id>` leads to `/thing?id=<id>`: Streamlit's pages have no addresses below them."""
    path, name = request.url.path.strip("/").rsplit("/", 2)[-2:]
    query = urlencode([("id", name), *request.query_params.multi_items()])
    return RedirectResponse(f"../{path}?{query}", 308, {"Cache-Control": BRIEFLY})


def serve_frame(request: Request) -> Response:
    """A file of the frame; its address changes with its content."""
    name = request.url.path.rsplit("/", 1)[-1]
    return Response(frame.file_bytes(name), media_type=frame.FILES[name], headers={"Cache-Control": FOREVER})


def serve_search(request: Request) -> Response:
    """What the search box offers for `q`, best first."""
    found = search_index(published_ledger()).find(request.query_params.get("q", ""))
    offers = [{name: getattr(each, name) for name in ("name", "kind", "says", "href", "thing")} for each in found]
    return JSONResponse({"offers": offers}, headers={"Cache-Control": BRIEFLY, "X-Content-Type-Options": "nosniff"})


def published_file(published: Path, version: str, name: str) -> Path:
    """The path of a published file. Raises HTTPException 404 for anything else."""
    if version == "latest":
        version = _latest(published)
    if not FILE_NAME.fullmatch(version) or not FILE_NAME.fullmatch(name):
        raise HTTPException(404)
    path = published / version / name
    if not path.is_file():
        raise HTTPException(404)
    return path


def _latest(published: Path) -> str:
    path = published / "latest.json"
    if not path.is_file():
        raise HTTPException(404)
    latest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return str(latest["version"])


def serve_latest(request: Request) -> Response:
    """Which version is the newest."""
    path = Settings().published / "latest.json"
    if not path.is_file():
        raise HTTPException(404)
    return FileResponse(path, headers={"Cache-Control": BRIEFLY, "Access-Control-Allow-Origin": "*"})


def serve_file(request: Request) -> Response:
    """A published file; as a download, so that no browser ever runs what is in it."""
    version, name = request.path_params["version"], request.path_params["name"]
    path = published_file(Settings().published, version, name)
    headers = {
        "Cache-Control": BRIEFLY if version == "latest" else FOREVER,
        "Access-Control-Allow-Origin": "*",
        "X-Content-Type-Options": "nosniff",
    }
    return FileResponse(path, filename=name, headers=headers)


def words_for_machines() -> str:
    """What a program should know: pages, files, feeds and the rules, in the form of llmstxt.org."""
    first = page_entries()[0]  # the one that opens without an address
    pages = "\n".join(
        f"- [{entry.title}]({'./' if entry is first else entry.path}): {entry.says}" for entry in page_entries()
    )
    words = Template((HERE / "llms.txt").read_text(encoding="utf-8"))
    return words.substitute(site=SITE, says=SAYS, pages=pages)


def show_words_for_machines(request: Request) -> Response:
    """The same as an answer."""
    return Response(words_for_machines(), media_type="text/plain; charset=utf-8", headers={"Cache-Control": BRIEFLY})


# The tests check charts against Vega-Lite's schema. Checking again for every visitor took half of a page's time.
schemapi.disable_debug_mode()
# The loop that answers browsers waits for the interpreter's lock at every step. With the default of 5 ms a step and
# fifty visitors, half of all clicks took over a second.
sys.setswitchinterval(0.0005)
# Modules that are loaded by now stay for good: the garbage collector may skip them.
gc.collect()
gc.freeze()


@asynccontextmanager
async def lifespan(_: App) -> AsyncIterator[None]:
    """Cards are drawn ahead of visitors, unless that is switched off; what SQL reads is gone with the server."""
    settings = Settings()
    try:
        with warming(settings.warehouse, is_wanted=settings.draw_ahead):
            yield
    finally:
        remove_copies()


ROUTES = [
    Route("/", show_page),
    *(Route(f"/{path}", show_moved) for path in MOVED),
    *(Route(f"/{entry.path}", show_page) for entry in page_entries()),
    *(Route(f"/{path}/{{id}}", show_by_id) for path in BY_ID),
    *(Route(f"/{name}", serve_frame) for name in frame.FILES),
    Route("/search.json", serve_search),
    Route("/feeds/today.{form}", serve_brief),
    Route("/feeds/health.{form}", serve_health),
    Route("/feeds/{subject}/{metric}.{form}", serve_watch),
    *api_routes.routes(),
    *embed_routes.routes(),
    *plain_routes.routes(),
    Route("/llms.txt", show_words_for_machines),
    Route("/healthz", show_health),
    Route("/metrics", show_metrics),
    Route("/files/latest.json", serve_latest),
    Route("/files/{version}/{name}", serve_file),
]
app = App(
    HERE / "app.py",
    lifespan=lifespan,
    routes=ROUTES,
    middleware=[
        Middleware(SafeHeaders),
        Middleware(ScriptsFromMemory),
        Middleware(OwnMetricsOnly),
        Middleware(KnownAddresses, routes=ROUTES, unknown=request_response(show_unknown)),
    ],
)
