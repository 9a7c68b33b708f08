"""An internet on loopback: hosts that answer by the day, faults that lie over them, and a log of what was served.

Every host is a name; a resolver gives all names a public address and a dialler leads that to one server here, so the
product's own guard, TLS and manners are in the path. What a host says is a function of the day alone.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import gzip
import hashlib
import ssl
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import httpcore
import trustme

from pipelines.frozen import frozen
from tests.served import LoopThread

START = dt.datetime(2026, 3, 2, 6, tzinfo=dt.UTC)
PUBLIC = "93.184.215.14"
HTML = "text/html; charset=utf-8"
PERIOD = 40  # days after which what went wrong goes wrong again


@frozen
class Says:
    """An answer. `manner`: whole; bomb (whole, not to be kept); declared (a length and nothing more); endless; cut (in
    half); reset (nothing)."""

    body: bytes = b""
    status: int = 200
    kind: str = HTML
    headers: Mapping[str, str] = field(default_factory=dict)
    manner: str = "whole"


Page = Callable[[int], Says | None]


@frozen
class Fault:
    """What is wrong with a host from one day to another, on paths that begin so, and how health is to name it.

    `verdict` and `reason` are those of marts.source_health; no verdict: nothing is wrong with the source for it.
    `expired` is no answer but a certificate.
    """

    name: str
    first: int
    last: int
    says: Says | Callable[[Says], Says]
    verdict: str
    reason: str
    path: str = "/"
    expired: bool = False

    def is_on(self, day: int) -> bool:
        return self.first <= (day - 1) % PERIOD + 1 <= self.last

    def began(self, day: int) -> int:
        """The day on which the stretch that a day lies in began."""
        return day - (day - 1) % PERIOD - 1 + self.first

    def is_named(self, verdict: str, reason: str, says: str) -> bool:
        """Whether health puts the source into that state, and names this among its reasons."""
        return verdict == self.verdict and (reason == self.reason or self.reason.replace("_", " ") in says)


@dataclass(slots=True)
class Host:
    """One name with its pages by path, its robots file, its faults, and its entry in the list of sources."""

    name: str
    source_id: str
    entry: dict[str, Any]
    pages: dict[str, Page] = field(default_factory=dict)
    more: Callable[[str, int], Says | None] = lambda path, day: None
    faults: list[Fault] = field(default_factory=list)
    is_tls: bool = False
    met: dict[str, int] = field(default_factory=dict)

    def has_met(self, fault: Fault, day: int) -> bool:
        """Whether anybody has asked what a fault lies on since it began: nobody can name one that he has not met."""
        return self.met.get(fault.name, 0) >= fault.began(day)

    def answer(self, path: str, day: int) -> Says:
        """What it says at a path on a day."""
        page = self.pages.get(path)
        said = page(day) if page is not None else self.more(path, day)
        if said is None:
            said = Says(b"nothing here", 404, "text/plain")
        for fault in self.faults:
            if fault.is_on(day) and path.startswith(fault.path) and not fault.expired:
                if path == "/robots.txt" and fault.path != path:
                    continue
                self.met[fault.name] = day
                said = fault.says(said) if callable(fault.says) else fault.says
        return said


@frozen
class Served:
    """A body that was served whole with a good status."""

    url: str
    day: int
    sha256: str


class Internet:
    """All hosts on one socket, and another one for TLS. `now` is the clock of the world."""

    def __init__(self, hosts: Sequence[Host]) -> None:
        self.hosts = {host.name: host for host in hosts}
        self.now = START
        self.served: list[Served] = []
        self.asked = 0
        self.on_ask: Callable[[int], None] = lambda count: None
        self._loop = LoopThread()
        self._authority = trustme.CA()
        self._contexts = {name: self._context(name) for name, host in self.hosts.items() if host.is_tls}
        self.ports: dict[int, int] = {}

    @property
    def day(self) -> int:
        """Days since the start, the first one is 1; by the world's own calendar."""
        return (self.now.date() - START.date()).days + 1

    def __enter__(self) -> Internet:
        self._servers = self._loop.run(self._listen())
        self.ports = {number: s.sockets[0].getsockname()[1] for number, s in zip((80, 443), self._servers, strict=True)}
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._loop.run(self._stop())
        self._loop.end()

    def trust(self) -> ssl.SSLContext:
        """What a client trusts here."""
        context = ssl.create_default_context()
        self._authority.configure_trust(context)
        return context

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Every known name is at one public address."""
        if host not in self.hosts:
            raise OSError("no such name")
        return [PUBLIC]

    def dialler(self) -> httpcore.AsyncNetworkBackend:
        """Leads the public address to the server here."""
        return _Dialler(self.ports)

    def _context(self, name: str, *, expired: bool = False) -> ssl.SSLContext:
        until = dt.datetime(2020, 1, 1, tzinfo=dt.UTC) if expired else dt.datetime(2040, 1, 1, tzinfo=dt.UTC)
        issued = self._authority.issue_cert(
            name, not_before=dt.datetime(2019, 1, 1, tzinfo=dt.UTC), not_after=until, key_type=trustme.KeyType.ECDSA
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        issued.configure_cert(context)
        return context

    def _choose(self, connection: ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> None:
        host = self.hosts.get(name or "")
        if host is None or name not in self._contexts:
            return
        expired = [fault for fault in host.faults if fault.expired and fault.is_on(self.day)]
        host.met |= {fault.name: self.day for fault in expired}
        connection.context = self._context(host.name, expired=True) if expired else self._contexts[host.name]

    async def _listen(self) -> list[asyncio.Server]:
        tls = self._context("nobody.example")
        tls.sni_callback = self._choose
        return [await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=context) for context in (None, tls)]

    async def _stop(self) -> None:
        for server in self._servers:
            server.close()
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while not writer.is_closing():
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                first, *lines = head.split("\r\n")
                headers = {n.lower(): v.strip() for n, _, v in (line.partition(":") for line in lines if line)}
                await self._say(headers.get("host", ""), first.split(" ")[1], headers, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError, ssl.SSLError):
            pass
        finally:
            writer.close()

    async def _say(self, host: str, path: str, headers: Mapping[str, str], writer: asyncio.StreamWriter) -> None:
        self.asked += 1
        self.on_ask(self.asked)
        known = self.hosts.get(host)
        said = known.answer(path, self.day) if known is not None else Says(status=404)
        if said.manner == "reset":
            transport = writer.transport
            assert isinstance(transport, asyncio.WriteTransport)
            transport.abort()
            return
        tag = f'"{hashlib.md5(said.body).hexdigest()}"'
        if said.status == 200 and headers.get("if-none-match") == tag:
            writer.write(b"HTTP/1.1 304 Not Modified\r\n\r\n")
            return
        length = {"declared": 100_000_000, "endless": None, "cut": len(said.body)}.get(said.manner, len(said.body))
        lines = [f"HTTP/1.1 {said.status} Answer", f"Content-Type: {said.kind}", f"ETag: {tag}"]
        lines += ["Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"]
        lines += [f"{name}: {value}" for name, value in said.headers.items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        await self._body(said, writer)
        if said.status == 200 and said.manner == "whole" and known is not None:
            scheme = "https" if known.is_tls else "http"
            digest = hashlib.sha256(_plain(said)).hexdigest()
            self.served.append(Served(f"{scheme}://{host}{path}", self.day, digest))

    async def _body(self, said: Says, writer: asyncio.StreamWriter) -> None:
        if said.manner == "endless":
            piece = b"10000\r\n" + b"." * 65536 + b"\r\n"
            while True:  # the asker hangs up
                writer.write(piece)
                await writer.drain()
        body = said.body[: len(said.body) // 2] if said.manner == "cut" else said.body
        writer.write(b"" if said.manner == "declared" else body)
        await writer.drain()
        if said.manner == "cut":
            writer.close()


def _plain(said: Says) -> bytes:
    return gzip.decompress(said.body) if said.headers.get("Content-Encoding") == "gzip" else said.body


def zipped(said: Says) -> Says:
    """The same answer, sent compressed."""
    return replace(said, body=gzip.compress(said.body, 1, mtime=0), headers={"Content-Encoding": "gzip"})


class _Dialler(httpcore.AsyncNetworkBackend):
    def __init__(self, ports: Mapping[int, int]) -> None:
        self._ports = ports
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(self, host: str, port: int, *args: Any, **kwargs: Any) -> httpcore.AsyncNetworkStream:
        return await self._inner.connect_tcp("127.0.0.1", self._ports[port], timeout=2.0)
