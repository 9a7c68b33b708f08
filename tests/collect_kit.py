"""A web server on a real loopback socket that misbehaves as asked; sources, names and settings to go with it."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpcore

from pipelines.archive.store import Archive
from pipelines.collect.ports import CollectSettings, TarballStore
from pipelines.collect.report import CollectReport
from pipelines.collect.run import collect
from pipelines.frozen import frozen
from pipelines.model.capture import Capture
from pipelines.source_model import Source
from tests.served import LoopThread

HOST = "news.example"
FAST: dict[str, Any] = {
    "connect_s": 5.0,
    "read_s": 5.0,
    "total_s": 10.0,
    "wait_initial_s": 0.01,
    "wait_max_s": 0.02,
    "wait_jitter_s": 0.01,
    "max_pause_s": 3.0,
    "silence_s": 2.0,
    "contact": "mailto:owner@ledger.example",
}


@frozen
class Asked:
    """One request as the server saw it; `connection` counts from 1, `at` and `ended_at` are loop seconds."""

    path: str
    headers: Mapping[str, str]
    connection: int
    at: float


Handler = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]


def reply(body: bytes = b"", status: str = "200 OK", **headers: str) -> Handler:
    """A whole answer with its length; header names are written with `_` for `-`."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    fields.setdefault("Content-Length", str(len(body)))
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return raw(f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + body)


def raw(data: bytes, *, ends: bool = False) -> Handler:
    """Exactly these bytes; with `ends` the connection is closed behind them."""

    async def handle(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(data)
        await writer.drain()
        if ends:
            writer.close()

    return handle


def redirect(location: str, status: str = "302 Found") -> Handler:
    """A redirect."""
    return reply(status=status, Location=location)


def dripping(pieces: Sequence[bytes], pause_s: float) -> Handler:
    """Piece by piece with pauses."""

    async def handle(asked: Asked, writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause_s)

    return handle


async def reset(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """Break the connection without an answer."""
    transport = writer.transport
    assert isinstance(transport, asyncio.WriteTransport)
    transport.abort()


class Site:
    """Routes by path, or by `host/path`; a list of handlers is gone through, its last one repeats. The rest is 404."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.routes: dict[str, Handler | list[Handler]] = {}
        self.asked: list[Asked] = []
        self.busiest = 0
        self._busy = 0
        self._connections = 0
        self._tls = tls
        self._loop = LoopThread()
        self.port = 0

    def __enter__(self) -> Site:
        self._server = self._loop.run(self._listen())
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._loop.run(self._stop())
        self._loop.end()

    def url(self, path: str, host: str = HOST) -> str:
        """An address on this server."""
        scheme = "https" if self._tls else "http"
        return f"{scheme}://{host}:{self.port}{path}"

    def paths(self, with_robots: bool = False) -> list[str]:
        """Paths asked, in order."""
        return [asked.path for asked in self.asked if with_robots or asked.path != "/robots.txt"]

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._tls)

    async def _stop(self) -> None:
        self._server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections += 1
        number = self._connections
        try:
            while not writer.is_closing():
                head = await reader.readuntil(b"\r\n\r\n")
                await self._answer(head, number, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError, ssl.SSLError):
            pass
        finally:
            writer.close()

    async def _answer(self, head: bytes, number: int, writer: asyncio.StreamWriter) -> None:
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
        path = first.split(" ")[1]
        asked = Asked(path, headers, number, asyncio.get_running_loop().time())
        self.asked.append(asked)
        host = headers.get("host", "").partition(":")[0]
        route = self.routes.get(host + path, self.routes.get(path, reply(b"no such page", "404 Not Found")))
        handler = (route.pop(0) if len(route) > 1 else route[0]) if isinstance(route, list) else route
        self._busy += 1
        self.busiest = max(self.busiest, self._busy)
        try:
            await handler(asked, writer)
        finally:
            self._busy -= 1


def make_source(source_id: str, *urls: str, **fields: Any) -> Source:
    """A source with quick manners, declared local unless `is_local=False`."""
    entry: dict[str, Any] = {
        "id": source_id,
        "title": "Test",
        "publisher": "test",
        "producer": "Test",
        "group": "press",
        "layer": "all",
        "signals": ["roadmap"],
        "kind": "page",
        "parser": "html",
        "evidence": "reported",
        "status": "active",
        "is_local": True,
        "allowed_hosts": [HOST],
        "urls": urls,
        "cadence": "1d",
        "terms": "a test",
        "licence": "none",
        "size_cap_bytes": 1_000_000,
        "politeness": {"delay_s": 0.0},
    }
    return Source.model_validate(entry | fields)


@dataclass
class Names:
    """A resolver: names to addresses; what is not listed is 127.0.0.1. Counts the look-ups."""

    known: Mapping[str, Sequence[str] | OSError] = field(default_factory=dict)
    looked_up: list[str] = field(default_factory=list)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.looked_up.append(host)
        found = self.known.get(host, ["127.0.0.1"])
        if isinstance(found, OSError):
            raise found
        return found


class Dialler(httpcore.AsyncNetworkBackend):
    """Opens connections to a test server in place of public addresses, and keeps which ones were dialled."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._inner = httpcore.AnyIOBackend()
        self.dialled: list[str] = []

    async def connect_tcp(self, host: str, *args: Any, **kwargs: Any) -> httpcore.AsyncNetworkStream:
        self.dialled.append(host)
        return await self._inner.connect_tcp("127.0.0.1", self._port, timeout=1.0)


class Collected:
    """A folder with an archive, and collections into it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "archive"
        self.spool = folder / "spool"
        self.spool.mkdir()
        self.runs = 0

    def run(
        self,
        *sources: Source,
        names: Names | None = None,
        dialler: httpcore.AsyncNetworkBackend | None = None,
        tarballs: TarballStore | None = None,
        tls: ssl.SSLContext | None = None,
        **changes: Any,
    ) -> CollectReport:
        """One collection; afterwards nothing may lie in the spool."""
        self.runs += 1
        settings = CollectSettings(**(FAST | {"spool": self.spool, "tls": tls} | changes))
        with Archive(self.root, run_stamp=f"20260301T12000{self.runs}Z") as archive:
            report = collect(
                sources,
                archive,
                settings=settings,
                clock=lambda: datetime.now(UTC),
                resolver=names or Names(),
                dialler=dialler,
                tarballs=tarballs,
            )
            assert archive.verify().is_sound
        assert list(self.spool.iterdir()) == []
        return report

    def captures(self, source_id: str | None = None) -> list[Capture]:
        """What the archive holds, read back from its files."""
        with Archive(self.root) as archive:
            return list(archive.captures(source_id))

    def payload(self, capture: Capture) -> bytes:
        """A capture's decoded body."""
        with Archive(self.root) as archive:
            return archive.payload(capture)
