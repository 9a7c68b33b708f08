"""Streamlit's own scripts, styles and fonts, answered from memory, packed for browsers that unpack.

Their names change with their content, so a browser keeps them for good. Streamlit reads each from its file again for
every visitor, in small pieces and other threads, and sends four megabytes for one: here it is little more than one.
"""

from __future__ import annotations

import gzip
import mimetypes
import re
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.frame.ahead import STATIC

_NAMED = re.compile(r"/static/((?:js|css|media)/[A-Za-z0-9_.-]{1,150})$")
_PACKED_ALREADY = (".woff2", ".png", ".svgz", ".gz")
MOST_FILES = 1_000
LEAST = 1_000  # bytes; below it the answer's head is as long


class ScriptsFromMemory:
    """Answers for files of Streamlit's static folder; everything else goes on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _NAMED.search(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        answer = None
        if found:
            answer = answered(found[1], "gzip" in Headers(scope=scope).get("accept-encoding", ""))
        await (answer or self.app)(scope, receive, send)


@lru_cache(maxsize=MOST_FILES)
def answered(name: str, is_packed: bool) -> Response | None:
    """A file of the static folder as an answer; None for a name that is no file there."""
    path = STATIC / "static" / name
    if not path.is_file():
        return None
    content = path.read_bytes()
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if is_packed and len(content) > LEAST and not name.endswith(_PACKED_ALREADY):
        content = gzip.compress(content, 6, mtime=0)
        headers["Content-Encoding"] = "gzip"
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(content, media_type=kind, headers=headers)
