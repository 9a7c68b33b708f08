"""Content encodings and caps: what is kept is the entity as served; what would be too much stops while it streams."""

from __future__ import annotations

import asyncio
import gzip
import struct
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
import zstandard

from pipelines.problems import Fault, Reason
from tests.collect_kit import Asked, Collected, Handler, Site, make_source, raw, reply

PAGE = b"<p>The rack holds 72 accelerators.</p>" * 500


def _raw_deflate(data: bytes) -> bytes:
    deflate = zlib.compressobj(wbits=-15)
    return deflate.compress(data) + deflate.flush()


ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "br": brotli.compress,
    "zstd": zstandard.ZstdCompressor().compress,
    "deflate": zlib.compress,
}


@pytest.mark.parametrize("coding", ENCODERS)
def test_an_encoded_body_is_kept_as_served_and_read_as_meant(coding: str, site: Site, collected: Collected) -> None:
    served = ENCODERS[coding](PAGE)
    site.routes["/a"] = reply(served, Content_Encoding=coding)
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    assert (row.fetched, row.failed, row.bytes) == (1, 0, len(served))
    (capture,) = collected.captures()
    assert capture.byte_count == len(served)
    assert collected.payload(capture) == PAGE


def test_bare_deflate_and_two_encodings_in_a_row(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(_raw_deflate(PAGE), Content_Encoding="deflate")
    site.routes["/b"] = reply(brotli.compress(gzip.compress(PAGE)), Content_Encoding="gzip, br")
    assert collected.run(make_source("news", site.url("/a"), site.url("/b"))).row("news").fetched == 2
    assert [collected.payload(capture) for capture in collected.captures()] == [PAGE, PAGE]


def bomb(decoded: int) -> Handler:
    """A gzip body of zeros made as it goes: a flushed block of 10 MB is 10 kB, and can stand behind itself."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = deflate.compress(bytes(10_000_000)) + deflate.flush(zlib.Z_FULL_FLUSH)
    last = zlib.compressobj(9, zlib.DEFLATED, -15).flush()

    async def handle(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html\r\n\r\n")
        writer.write(b"\x1f\x8b\x08\0\0\0\0\0\0\x03")
        for _ in range(decoded // 10_000_000):
            writer.write(block)
            await writer.drain()
        writer.write(last + struct.pack("<II", 0, decoded & 0xFFFFFFFF))
        writer.close()

    return handle


def test_a_gzip_bomb_of_10_gb_stops_at_the_cap_with_flat_memory(site: Site, collected: Collected) -> None:
    site.routes["/a"] = bomb(10_000_000_000)
    source = make_source("news", site.url("/a"), size_cap_bytes=50_000_000)
    tracemalloc.start()
    try:
        row = collected.run(source, total_s=20).row("news")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    detail = "more than 50000000 bytes once decompressed"
    assert row.failures == (Fault(site.url("/a"), Reason.BODY_TOO_LARGE, detail),)
    assert peak < 8_000_000
    assert site.paths() == ["/a"]
    assert collected.captures() == []


def test_a_large_body_is_archived_with_flat_memory(site: Site, collected: Collected) -> None:
    async def handle(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 64000000\r\n\r\n")
        for _ in range(64):
            writer.write(bytes(1_000_000))
            await writer.drain()

    site.routes["/a"] = handle
    tracemalloc.start()
    try:
        source = make_source("rounds", site.url("/a"), kind="tarball", size_cap_bytes=64_000_000)
        row = collected.run(source, large_total_s=20).row("rounds")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (row.fetched, row.bytes) == (1, 64_000_000)
    assert peak < 12_000_000
    assert [capture.byte_count for capture in collected.captures()] == [64_000_000]


@pytest.mark.parametrize("coding", ["br", "zstd", "deflate", "gzip, gzip"])
def test_bombs_in_other_encodings_stop_too(coding: str, site: Site, collected: Collected) -> None:
    zeros = bytes(100_000_000)
    encoders = ENCODERS | {"gzip, gzip": lambda data: gzip.compress(gzip.compress(data)), "br": _quick_brotli}
    site.routes["/a"] = reply(encoders[coding](zeros), Content_Encoding=coding)
    tracemalloc.start()
    try:
        row = collected.run(make_source("news", site.url("/a"), size_cap_bytes=5_000_000), total_s=20).row("news")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [failure.reason for failure in row.failures] == [Reason.BODY_TOO_LARGE]
    assert peak < 20_000_000
    assert collected.captures() == []


def _quick_brotli(data: bytes) -> bytes:
    return bytes(brotli.compress(data, quality=1))


def test_a_body_over_the_cap_is_refused_by_its_stated_length(site: Site, collected: Collected) -> None:
    site.routes["/a"] = raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
    row = collected.run(make_source("news", site.url("/a"), size_cap_bytes=1000)).row("news")
    detail = "the body is announced with 1001 bytes, the cap is 1000"
    assert row.failures == (Fault(site.url("/a"), Reason.BODY_TOO_LARGE, detail),)


def test_a_body_over_the_cap_without_a_length_stops_while_it_streams(site: Site, collected: Collected) -> None:
    site.routes["/a"] = raw(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1001, ends=True)
    site.routes["/b"] = raw(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 1000, ends=True)
    row = collected.run(make_source("news", site.url("/a"), site.url("/b"), size_cap_bytes=1000)).row("news")
    assert row.failures == (Fault(site.url("/a"), Reason.BODY_TOO_LARGE, "more than 1000 bytes as sent"),)
    assert [capture.byte_count for capture in collected.captures()] == [1000]


@pytest.mark.parametrize(
    ("coding", "body", "reason"),
    [
        ("gzip", gzip.compress(PAGE)[:-20], Reason.BODY_TRUNCATED),
        ("br", brotli.compress(PAGE)[:-3], Reason.BODY_TRUNCATED),
        ("zstd", zstandard.ZstdCompressor().compress(PAGE)[:-3], Reason.BODY_TRUNCATED),
        ("gzip", b"\x1f\x8b\x08\0" + bytes(40), Reason.BODY_UNDECODABLE),
        ("br", b"\xff" * 40, Reason.BODY_UNDECODABLE),
        ("rot13", PAGE, Reason.BODY_UNDECODABLE),
        ("gzip, gzip, gzip, gzip", PAGE, Reason.BODY_UNDECODABLE),
    ],
)
def test_a_body_that_cannot_be_decoded_is_not_kept(
    coding: str, body: bytes, reason: Reason, site: Site, collected: Collected
) -> None:
    site.routes["/a"] = reply(body, Content_Encoding=coding)
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    assert [failure.reason for failure in row.failures] == [reason]
    assert collected.captures() == []


def test_a_plain_body_that_is_labelled_gzip_is_kept_as_it_is(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(PAGE, Content_Encoding="gzip")
    assert collected.run(make_source("news", site.url("/a"))).row("news").fetched == 1
    (capture,) = collected.captures()
    assert collected.payload(capture) == PAGE


def test_an_empty_body_is_a_capture(site: Site, collected: Collected) -> None:
    site.routes["/a"] = reply(b"", Content_Encoding="gzip")
    row = collected.run(make_source("news", site.url("/a"))).row("news")
    assert (row.fetched, row.bytes) == (1, 0)
    assert [capture.byte_count for capture in collected.captures()] == [0]
