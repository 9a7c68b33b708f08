"""TLS: the name is checked though an address is dialled, HTTP/2 is spoken where it is offered."""

from __future__ import annotations

import asyncio
import ssl

import h2.config
import h2.connection
import h2.events
import pytest
import trustme

from pipelines.problems import Fault, Reason
from tests.collect_kit import HOST, Collected, Site, make_source, redirect, reply
from tests.served import LoopThread


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def client_context(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def server_context(authority: trustme.CA, name: str, *protocols: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return context


def test_a_good_certificate_for_the_name(authority: trustme.CA, collected: Collected) -> None:
    with Site(server_context(authority, HOST)) as site:
        site.routes["/a"] = reply(b"safe")
        source = make_source("news", site.url("/a"))
        assert collected.run(source, tls=client_context(authority)).row("news").fetched == 1
    (capture,) = collected.captures()
    assert collected.payload(capture) == b"safe"
    assert capture.url.startswith("https://")


def test_a_certificate_for_another_name(authority: trustme.CA, collected: Collected) -> None:
    with Site(server_context(authority, "other.example")) as site:
        source = make_source("news", site.url("/a"))
        row = collected.run(source, tls=client_context(authority)).row("news")
        assert site.asked == []
    detail = f"the certificate is refused: Hostname mismatch, certificate is not valid for '{HOST}'."
    assert row.failures == (Fault(site.url("/a"), Reason.TLS_FAILED, detail),)
    assert collected.captures() == []


def test_a_certificate_that_nobody_vouches_for(authority: trustme.CA, collected: Collected) -> None:
    with Site(server_context(authority, HOST)) as site:
        row = collected.run(make_source("news", site.url("/a"))).row("news")
        assert site.asked == []
    assert [failure.reason for failure in row.failures] == [Reason.TLS_FAILED]
    assert row.failures[0].detail.startswith("the certificate is refused: ")


def test_a_redirect_from_http_to_https_is_followed(authority: trustme.CA, site: Site, collected: Collected) -> None:
    with Site(server_context(authority, HOST)) as safe:
        safe.routes["/a"] = reply(b"safe")
        site.routes["/a"] = redirect(safe.url("/a"))
        source = make_source("news", site.url("/a"))
        assert collected.run(source, tls=client_context(authority)).row("news").fetched == 1
        (capture,) = collected.captures()
        assert (capture.url, capture.final_url) == (site.url("/a"), safe.url("/a"))


class Http2Site:
    """A server that speaks HTTP/2 only: 404 for robots.txt, else a page; counts requests by connection."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._context = context
        self._loop = LoopThread()
        self.requests: list[tuple[int, str]] = []
        self._connections = 0
        self.port = 0

    def __enter__(self) -> Http2Site:
        self._server = self._loop.run(asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._context))
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *exc_info: object) -> None:
        async def stop() -> None:
            self._server.close()
            tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        self._loop.run(stop())
        self._loop.end()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections += 1
        number = self._connections
        connection = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        connection.initiate_connection()
        writer.write(connection.data_to_send())
        while data := await reader.read(65536):
            for event in connection.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    self._answer(connection, event, number)
            writer.write(connection.data_to_send())
            await writer.drain()
        writer.close()

    def _answer(self, connection: h2.connection.H2Connection, event: h2.events.RequestReceived, number: int) -> None:
        headers = {bytes(name): bytes(value) for name, value in event.headers or []}
        path = headers[b":path"].decode()
        self.requests.append((number, path))
        status = "404" if path == "/robots.txt" else "200"
        assert event.stream_id is not None
        connection.send_headers(event.stream_id, [(":status", status), ("content-type", "text/html")])
        connection.send_data(event.stream_id, f"<p>{path}</p>".encode(), end_stream=True)


def test_http2_is_spoken_over_one_connection(authority: trustme.CA, collected: Collected) -> None:
    with Http2Site(server_context(authority, HOST, "h2")) as site:
        urls = [f"https://{HOST}:{site.port}{path}" for path in ("/a", "/b")]
        row = collected.run(make_source("news", *urls), tls=client_context(authority)).row("news")
        assert (row.fetched, row.failed) == (2, 0)
        assert [path for _, path in site.requests] == ["/robots.txt", "/a", "/b"]
        assert len({number for number, path in site.requests if path != "/robots.txt"}) == 1
    assert [collected.payload(capture) for capture in collected.captures()] == [b"<p>/a</p>", b"<p>/b</p>"]
