"""One visit to one address: allowed? robots? then hop by hop along redirects, each hop judged like the first.

A hop is one turn in its host's lane; no lane is held while another is waited for.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import urljoin

import httpx

from pipelines.collect.client import ACCEPT_ENCODING, GONE, REDIRECTS, Answer, Client, Limits
from pipelines.collect.lanes import Lanes
from pipelines.collect.links import check_allowed, host_of, origin_of
from pipelines.collect.ports import CollectSettings, FetchError
from pipelines.collect.robots import RobotsBook, Rules
from pipelines.frozen import frozen
from pipelines.model.capture import Validators
from pipelines.problems import Reason
from pipelines.source_model import Kind, Source

Known = Callable[[str], Awaitable[Validators | None]]


async def _nothing_known(url: str) -> None:
    """Ask without conditions."""


@frozen
class Visited:
    """A good answer, or one that says the page is gone; `final_url` gave it, after redirects."""

    url: str
    final_url: str
    answer: Answer


@dataclass(slots=True)
class Visitor:
    """Visits on behalf of one source. Raises FetchError."""

    source: Source
    client: Client
    lanes: Lanes
    robots: RobotsBook
    settings: CollectSettings
    asked_hosts: set[str]

    async def visit(self, url: str, known: Known) -> Visited:
        """Fetch an address; `known` says for an address what a conditional request may be built from."""
        is_tarball = self.source.kind == Kind.TARBALL
        limits = Limits(
            self.source.size_cap_bytes, self.settings.large_total_s if is_tarball else self.settings.total_s
        )
        visited = await self._follow(url, limits, known, obeys_robots=True)
        status = visited.answer.status
        if 200 <= status < 300 or status in GONE or (status == 304 and visited.answer.is_conditional):
            return visited
        raise FetchError(Reason.HTTP_STATUS, f"answered {status} {visited.answer.reason}".rstrip(), status=status)

    async def _follow(self, url: str, limits: Limits, known: Known, *, obeys_robots: bool) -> Visited:
        path = [url]
        while True:
            at = path[-1]
            self._check(at, is_redirect=len(path) > 1)
            delay_s = await self._permitted(at) if obeys_robots else self.source.politeness.delay_s
            answer = await self._turn(at, delay_s, limits, await known(at))
            target = answer.header("Location")
            if answer.status not in REDIRECTS or target is None:
                return Visited(url, at, answer)
            path.append(self._next(path, target))

    def _check(self, url: str, *, is_redirect: bool) -> None:
        try:
            check_allowed(self.source, url)
        except FetchError as error:
            if is_redirect:
                raise FetchError(error.reason, f"redirected to {url[:200]}: {error.detail}") from error
            raise

    def _next(self, path: list[str], target: str) -> str:
        """Where a redirect leads; raises FetchError for a circle and for a path without end."""
        try:
            # a header is bytes; what is no ASCII is UTF-8 in practice
            text = target.encode("latin-1").decode("utf-8", "replace")
            url = str(httpx.URL(urljoin(path[-1], text)).copy_with(fragment=None))
        except (httpx.InvalidURL, ValueError) as error:
            raise FetchError(Reason.HOST_NOT_ALLOWED, f"redirected to no address: {target[:200]!r}") from error
        if url in path:
            raise FetchError(Reason.TOO_MANY_REDIRECTS, f"redirects run in a circle: {' → '.join([*path, url])}"[:600])
        if len(path) > self.settings.max_redirects:
            raise FetchError(Reason.TOO_MANY_REDIRECTS, f"more than {self.settings.max_redirects} redirects")
        return url

    async def _permitted(self, url: str) -> float:
        """The pause before a request to this address; raises FetchError when robots.txt forbids it."""
        rules: Rules = await self.robots.rules(origin_of(url), self.source.is_local, self._fetch_robots)
        rules.check(url)
        delay_s = max(rules.delay_s, self.source.politeness.delay_s)
        host = host_of(url)
        if rules.delay_s > self.settings.max_pause_s and host in self.asked_hosts:
            detail = f"left for another run: robots.txt asks for {rules.delay_s:g} s between two requests"
            raise FetchError(Reason.ROBOTS_UNAVAILABLE, detail)
        self.asked_hosts.add(host)
        return min(delay_s, max(self.settings.max_pause_s, self.source.politeness.delay_s))

    async def _fetch_robots(self, url: str) -> Answer:
        limits = Limits(self.settings.robots_cap_bytes, self.settings.total_s)
        return (await self._follow(url, limits, _nothing_known, obeys_robots=False)).answer

    async def _turn(self, url: str, delay_s: float, limits: Limits, known: Validators | None) -> Answer:
        headers = {"Accept-Encoding": "identity" if self.source.kind == Kind.TARBALL else ACCEPT_ENCODING}
        if known is not None and known.etag:
            headers["If-None-Match"] = known.etag
        if known is not None and known.last_modified:
            headers["If-Modified-Since"] = known.last_modified
        host = host_of(url)

        async def attempt() -> Answer:
            try:
                return await self.client.ask(url, headers, limits)
            except FetchError as error:
                if error.is_unreachable:
                    self.lanes.note_unreachable(host, error)
                raise

        return await self.lanes.run(host, delay_s, attempt)
