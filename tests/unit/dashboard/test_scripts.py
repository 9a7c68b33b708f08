"""Streamlit's own files come from memory, the same bytes as on disk; whatever else is asked goes on to Streamlit."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from dashboard.frame import scripts
from dashboard.frame.ahead import STATIC


def beyond(request: Request) -> PlainTextResponse:
    """What stands for Streamlit."""
    return PlainTextResponse("beyond")


@pytest.fixture
def client() -> Iterator[TestClient]:
    """A browser of a server that answers everything else itself."""
    routes = [Route("/{path:path}", beyond, methods=["GET", "POST"])]
    app = Starlette(routes=routes, middleware=[Middleware(scripts.ScriptsFromMemory)])
    with TestClient(app) as found:
        yield found


FILES = sorted((STATIC / "static").glob("*/*"))
LARGE = max((path for path in FILES if path.suffix == ".js"), key=lambda path: path.stat().st_size)
FONT = next(path for path in FILES if path.suffix == ".woff2")


@pytest.mark.parametrize("path", [LARGE, FONT, next(path for path in FILES if path.suffix == ".css")], ids=str)
@pytest.mark.parametrize("accepts", ["gzip", "identity"])
def test_a_file_has_its_bytes_and_is_kept_for_good(client: TestClient, path: Path, accepts: str) -> None:
    asked = f"/static/{path.parent.name}/{path.name}"
    for prefix in ("", "/below"):
        answer = client.get(f"{prefix}{asked}", headers={"Accept-Encoding": accepts})
        assert answer.content == path.read_bytes()
        assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-type"].partition(";")[0] in {"text/javascript", "text/css", "font/woff2"}


def test_a_browser_that_unpacks_is_sent_less_and_a_font_is_packed_already(client: TestClient) -> None:
    sizes = {}
    for accepts in ("gzip", "identity"):
        with client.stream("GET", f"/static/js/{LARGE.name}", headers={"Accept-Encoding": accepts}) as answer:
            assert ("content-encoding" in answer.headers) == (accepts == "gzip")
            sizes[accepts] = len(b"".join(answer.iter_raw()))
    assert sizes["gzip"] * 2 < sizes["identity"] == LARGE.stat().st_size
    packed = scripts.answered(f"media/{FONT.name}", True)
    assert packed is not None
    assert "content-encoding" not in packed.headers
    assert gzip.compress(FONT.read_bytes()) != packed.body


@pytest.mark.parametrize(
    "path",
    ["/", "/racks", "/static/js/none.js", "/static/js/", "/static/js/..%2f..%2findex.html", "/static/index.html"],
)
def test_what_is_no_such_file_goes_on(client: TestClient, path: str) -> None:
    assert client.get(path).text == "beyond"


def test_only_reading_is_answered(client: TestClient) -> None:
    assert client.post(f"/static/js/{LARGE.name}").text == "beyond"
