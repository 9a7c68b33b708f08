"""One source's run: its addresses one by one, and where those lead, within the cap on new items.

Answers are put where they belong off the event loop: into the archive, or the store of repository archives.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from urllib.parse import urlsplit

from pipelines.archive.store import Archive
from pipelines.collect.client import GONE
from pipelines.collect.discover import Leads, discover
from pipelines.collect.ports import FetchError, TarballStore
from pipelines.collect.report import Tally
from pipelines.collect.visit import Visited, Visitor
from pipelines.frozen import frozen
from pipelines.model.attempt import AttemptRow, Outcome
from pipelines.model.capture import Capture, Exchange, Validators
from pipelines.model.columns import common
from pipelines.parse.challenge import LARGEST, challenge_in, login_in
from pipelines.problems import InputError, Reason
from pipelines.source_model import Kind, Source


@frozen
class Kept:
    """An answer that is on the disk. `capture` is None for a repository archive, which is kept as a pack."""

    capture: Capture | None
    is_unchanged: bool


@frozen
class Keeper:
    """The stores of a run."""

    archive: Archive
    tarballs: TarballStore | None
    _one_tarball: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def validators(self, source: Source, first: str, url: str) -> Validators | None:
        """What a conditional request for an address may say that was come to from the address `first`."""
        store = self._tarballs_for(source, first)
        if store is None:
            return await asyncio.to_thread(self.archive.validators, url)
        # such a store knows the address that was asked for, and the bytes come from where that redirects to
        return await asyncio.to_thread(store.validators, first)

    async def has_url(self, url: str) -> bool:
        """Whether an address was ever answered well and is held."""
        return await asyncio.to_thread(self.archive.has_url, url)

    async def payload(self, capture: Capture, max_bytes: int) -> bytes:
        """A capture's decoded body; InputError when it cannot be had."""
        return await asyncio.to_thread(self.archive.payload, capture, max_bytes)

    async def keep(self, source: Source, visited: Visited) -> Kept:
        """Store an answer; when this returns, it is on the disk. The body's file is removed. Raises FetchError."""
        exchange = exchange_of(source, visited)
        store = self._tarballs_for(source, visited.url)
        try:
            if store is not None:
                async with self._one_tarball:
                    return await asyncio.to_thread(_keep_tarball, store, exchange)
            return await asyncio.to_thread(self._append, exchange)
        finally:
            visited.answer.discard()

    def _append(self, exchange: Exchange) -> Kept:
        try:
            capture = self.archive.append(exchange)
        except (OSError, ValueError) as error:
            detail = f"answered, but the archive could not take it: {error}"
            raise FetchError(Reason.ARCHIVE_REFUSED, detail) from error
        return Kept(capture, capture.is_revisit)

    def _tarballs_for(self, source: Source, url: str) -> TarballStore | None:
        is_theirs = source.kind == Kind.TARBALL and self.tarballs is not None and self.tarballs.takes(url)
        return self.tarballs if is_theirs else None


def _keep_tarball(store: TarballStore, exchange: Exchange) -> Kept:
    if exchange.status == 304:
        return Kept(None, is_unchanged=True)
    if exchange.status >= 400:
        return Kept(None, is_unchanged=False)
    try:
        return Kept(None, is_unchanged=not store.keep(exchange))
    except InputError as error:
        raise FetchError(error.reason, error.detail) from error
    except OSError as error:
        raise FetchError(Reason.ARCHIVE_REFUSED, f"answered, but it could not be kept: {error}") from error


def exchange_of(source: Source, visited: Visited) -> Exchange:
    """The exchange that gave the answer; redirects on the way show as the difference of `url` and `final_url`."""
    told = common(visited.answer, Exchange) | common(visited, Exchange)
    return Exchange(source_id=source.id, method="GET", **told)


@dataclass(slots=True)
class SourceRun:
    """Goes through one source and counts."""

    source: Source
    visitor: Visitor
    keeper: Keeper
    tally: Tally

    async def all(self) -> None:
        """Every address of the source; feeds and listings lead on to their items."""
        leads_on = self.source.kind in (Kind.FEED, Kind.LISTING) and not self.source.link_only
        for url in self.source.urls:
            capture = await self.take(url)
            if capture is None or not leads_on:
                continue
            leads = await self._leads(capture)
            await self._items(leads)
            for place in leads.lists[: self.source.max_new_items]:
                capture = await self.take(place)
                if capture is not None:
                    await self._items(await self._leads(capture))

    async def take(self, url: str) -> Capture | None:
        """Fetch an address and store the answer; its capture when that is good."""
        self.tally.asked.add(url)
        started = self.visitor.client.clock()
        known = partial(self.keeper.validators, self.source, url)
        visited = None
        try:
            is_first = await known(url) is None
            visited = await self.visitor.visit(url, known)
            self.tally.bytes += visited.answer.byte_count
            kept = await self.keeper.keep(self.source, visited)
            await self._judge(visited, kept)
        except FetchError as error:
            self.tally.fail(url, error.reason, error.detail)
            self._log(url, started, visited, error)
            return None
        self._log(url, started, visited, None, is_unchanged=kept.is_unchanged)
        return self._count(kept, is_first)

    async def _judge(self, visited: Visited, kept: Kept) -> None:
        """Raise FetchError for an answer that is kept and is not the page: gone, a check of the visitor, a login."""
        answer, capture = visited.answer, kept.capture
        if answer.status >= 400:
            detail = f"answered {answer.status} {answer.reason}".rstrip()
            raise FetchError(Reason.HTTP_STATUS, detail, status=answer.status)
        if is_login(visited.final_url) and not is_login(visited.url):
            detail = f"led to a login at {visited.final_url[:200]}"
            raise FetchError(Reason.LOGIN_WALL, detail, status=answer.status)
        if capture is None or capture.byte_count > LARGEST or "html" not in capture.media_type:
            return
        with contextlib.suppress(InputError):  # whoever reads the capture says so
            payload = await self.keeper.payload(capture, self.source.size_cap_bytes)
            if login_in(payload, capture.media_type):
                raise FetchError(Reason.LOGIN_WALL, "a form for a password stands in its place", status=answer.status)
            sign = challenge_in(payload, capture.media_type)
            if sign is not None:
                detail = f"a check of the visitor stands in front of the page, {sign}"
                raise FetchError(Reason.CHALLENGE_PAGE, detail, status=answer.status)

    def _log(
        self,
        url: str,
        started: datetime,
        visited: Visited | None,
        error: FetchError | None,
        *,
        is_unchanged: bool = False,
    ) -> None:
        status = error.status if error is not None else visited.answer.status if visited is not None else None
        self.tally.attempts.append(
            AttemptRow(
                source_id=self.source.id,
                url=url,
                attempted_at=started,
                outcome=_outcome(error, is_unchanged),
                status=status,
                byte_count=visited.answer.byte_count if visited is not None else 0,
                reason="" if error is None else error.reason.value,
                detail="" if error is None else error.detail[:500],
                is_entry=url in self.source.urls,
                run_id="",
            )
        )

    def _count(self, kept: Kept, is_first: bool) -> Capture | None:
        if kept.is_unchanged:
            self.tally.unchanged += 1
        else:
            self.tally.fetched += 1
            self.tally.new += is_first
        return kept.capture

    async def _leads(self, capture: Capture) -> Leads:
        try:
            payload = await self.keeper.payload(capture, self.source.size_cap_bytes)
            leads = discover(self.source, payload, capture.final_url, capture.charset_hint, capture.captured_at.date())
        except InputError as error:
            self.tally.fail(capture.url, error.reason, error.detail)
            return Leads(())
        floor = self.source.expected.min_items or 0
        if len(leads.items) < floor and not leads.lists:
            self.tally.fail(capture.url, Reason.TOO_FEW_ITEMS, f"{len(leads.items)} items, at least {floor} expected")
        if leads.left_hosts:
            hosts = ", ".join(sorted(leads.left_hosts)[:5])
            self.tally.notes.append(f"links to {len(leads.left_hosts)} hosts that are not allowed were left: {hosts}")
        return leads

    async def _items(self, leads: Leads) -> None:
        for url in leads.items:
            if self.tally.items_left <= 0:
                return
            if url in self.tally.asked or await self.keeper.has_url(url):
                continue
            refused = self.tally.refused
            await self.take(url)
            # what robots.txt disallows costs no request
            self.tally.items_left -= self.tally.refused == refused


_LOGIN = re.compile(r"/(log-?in|sign-?in|sso|authorize|oauth2?)(/|$)", re.IGNORECASE)


def is_login(url: str) -> bool:
    """Whether an address asks who one is, by its path."""
    return _LOGIN.search(urlsplit(url).path) is not None


def _outcome(error: FetchError | None, is_unchanged: bool) -> Outcome:
    if error is None:
        return Outcome.UNCHANGED if is_unchanged else Outcome.FETCHED
    if error.reason == Reason.ROBOTS_DISALLOWED:
        return Outcome.REFUSED
    return Outcome.GONE if error.status in GONE else Outcome.FAILED
