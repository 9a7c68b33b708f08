"""robots.txt, once per origin and run: read by Protego, judged as RFC 9309 says.

An answer of 4xx means that everything is allowed; 5xx, 429 and no answer mean 'not now'. The file is fetched through
the same guard, lanes and redirect rules as any page.
"""

from __future__ import annotations

import asyncio
import codecs
from collections.abc import Awaitable, Callable

from protego import Protego

from pipelines.archive.decode import decode_body
from pipelines.archive.records import HttpHead
from pipelines.collect.client import Answer
from pipelines.collect.ports import PRODUCT, CollectSettings, FetchError
from pipelines.frozen import frozen
from pipelines.problems import InputError, Reason

Fetch = Callable[[str], Awaitable[Answer]]

# These tell more when they stand alone than as 'robots.txt is not available'.
_OWN_WORDS = frozenset({Reason.ADDRESS_REFUSED, Reason.TLS_FAILED, Reason.CONNECT_FAILED})


@frozen
class Rules:
    """What an origin allows: `parsed` is None when all is allowed; `refusal` when nothing is, for now."""

    parsed: Protego | None = None
    refusal: FetchError | None = None

    def check(self, url: str) -> None:
        """Raise FetchError when the address may not be asked."""
        if self.refusal is not None:
            raise self.refusal
        if self.parsed is not None and not self.parsed.can_fetch(url, PRODUCT):
            raise FetchError(Reason.ROBOTS_DISALLOWED, "robots.txt does not allow this address")

    @property
    def delay_s(self) -> float:
        """Seconds between two requests that the site asks for; its request rate counts too."""
        if self.parsed is None:
            return 0.0
        rate = self.parsed.request_rate(PRODUCT)
        each = rate.seconds / rate.requests if rate is not None and rate.requests else 0.0
        return max(self.parsed.crawl_delay(PRODUCT) or 0.0, each)


class RobotsBook:
    """The rules of every origin met in a run."""

    def __init__(self, settings: CollectSettings) -> None:
        self._settings = settings
        self._rules: dict[tuple[str, bool], Rules] = {}
        self._locks: dict[tuple[str, bool], asyncio.Lock] = {}

    async def rules(self, origin: str, is_local: bool, fetch: Fetch) -> Rules:
        """The rules of an origin, fetched when it is met first. A local source's view is kept apart."""
        key = (origin, is_local)
        async with self._locks.setdefault(key, asyncio.Lock()):
            if key not in self._rules:
                self._rules[key] = await self._fetch(origin, fetch)
            return self._rules[key]

    async def _fetch(self, origin: str, fetch: Fetch) -> Rules:
        try:
            answer = await fetch(f"{origin}robots.txt")
        except FetchError as error:
            if error.reason in _OWN_WORDS or error.is_unreachable:
                return Rules(refusal=error)
            return Rules(refusal=_not_now(error.detail))
        try:
            if 400 <= answer.status < 500:
                return Rules()
            if not 200 <= answer.status < 300:
                return Rules(refusal=_not_now(f"answered {answer.status} {answer.reason}".rstrip()))
            return Rules(parsed=self._parse(answer))
        except InputError as error:
            return Rules(refusal=_not_now(error.detail))
        finally:
            answer.discard()

    def _parse(self, answer: Answer) -> Protego:
        stored = answer.body if isinstance(answer.body, bytes) else answer.body.read_bytes()
        head = HttpHead(f"HTTP/1.1 {answer.status}", answer.response_headers)
        body = decode_body(head, stored, self._settings.robots_cap_bytes, answer.url)
        return Protego.parse(body.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace"))


def _not_now(detail: str) -> FetchError:
    return FetchError(Reason.ROBOTS_UNAVAILABLE, f"not now, robots.txt cannot be had: {detail}")
