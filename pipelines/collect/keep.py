"""Puts an answer where it belongs, off the event loop: the archive, or the store of repository archives."""

from __future__ import annotations

import asyncio
from dataclasses import field

from pipelines.archive.store import Archive
from pipelines.collect.ports import FetchError, TarballStore
from pipelines.collect.visit import Visited
from pipelines.frozen import frozen
from pipelines.model.capture import Capture, Exchange, Validators
from pipelines.model.columns import common
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
