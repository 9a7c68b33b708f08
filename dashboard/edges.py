"""What holds for every answer of the server: safe headers, and 404 for an address that is nobody's.

Streamlit answers an address that it does not know with its first page and 200.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.frame.ahead import STATIC

STREAMLITS = ("_stcore", "media", "component")  # first parts of addresses that are Streamlit's own
LONGEST = 200  # characters; the system refuses to look for much longer names
POLICY = "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'"  # where none is said
SAFE = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer"}


class SafeHeaders:
    """Adds the safe headers that an answer does not have."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=[*message["headers"]])  # an answer that is kept has its own list
                for name, value in SAFE.items():
                    headers.setdefault(name, value)
                message = {**message, "headers": headers.raw}
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


class KnownAddresses:
    """Leads to `unknown` what is neither one of `routes` nor Streamlit's."""

    def __init__(self, app: ASGIApp, routes: Sequence[Route], unknown: ASGIApp) -> None:
        self.app, self.routes, self.unknown = app, routes, unknown

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_nobodys = scope["type"] == "http" and not self._is_known(scope)
        await (self.unknown if is_nobodys else self.app)(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        path = scope["path"].lstrip("/")
        if path.partition("/")[0] in STREAMLITS:
            return True
        if len(path) <= LONGEST and path != "index.html" and (STATIC / path).is_file():
            return True
        return any(route.matches(scope)[0] is not Match.NONE for route in self.routes)
