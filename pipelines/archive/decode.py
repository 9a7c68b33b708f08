"""Undoes transfer and content encodings of a stored body under a cap on bytes. Pure; bytes in, bytes out."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator

import brotli
import zstandard

from pipelines.archive.records import HttpHead, field
from pipelines.problems import InputError, Reason

_STEP = 1 << 16
_ZSTD_MAX_WINDOW = 1 << 27
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
_MAGIC = {"gzip": b"\x1f\x8b", "x-gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}


def decode_body(head: HttpHead | None, body: bytes, max_bytes: int, place: str) -> bytes:
    """Give the body that a reader of the page would see: encodings named in `head` undone, last one first.

    A body that does not begin as its encoding does is taken as already decoded: other archivers store it so and keep
    the header. Raises InputError: BODY_TOO_LARGE when more than `max_bytes` would come out; BODY_UNDECODABLE
    when the encoding is unknown or the bytes are not in it; BODY_TRUNCATED when they end early.
    """
    if head is None:
        return body
    if "chunked" in (field(head.headers, "Transfer-Encoding") or "").lower():
        body = unchunk(body)
    for coding in reversed(_codings(head)):
        body = _decode(coding, body, max_bytes, place)
    return body


def _codings(head: HttpHead) -> list[str]:
    printed = ",".join(value for name, value in head.headers if name.lower() == "content-encoding")
    return [coding for part in printed.split(",") if (coding := part.strip().lower()) not in ("", "identity")]


def _decode(coding: str, body: bytes, max_bytes: int, place: str) -> bytes:
    if not body:
        return body
    magic = _MAGIC.get(coding)
    if magic is not None and not body.startswith(magic):
        return body
    decoder = _DECODERS.get(coding)
    if decoder is None:
        raise InputError(Reason.BODY_UNDECODABLE, place, f"unknown content encoding {coding!r}")
    try:
        return _collect(decoder(body), max_bytes, place)
    except (zlib.error, brotli.error, zstandard.ZstdError) as error:
        raise InputError(Reason.BODY_UNDECODABLE, place, f"not {coding}: {error}") from error
    except EOFError as error:
        raise InputError(Reason.BODY_TRUNCATED, place, f"the {coding} body ends early") from error


def _collect(pieces: Iterable[bytes], max_bytes: int, place: str) -> bytes:
    parts: list[bytes] = []
    left = max_bytes
    for piece in pieces:
        left -= len(piece)
        if left < 0:
            raise InputError(Reason.BODY_TOO_LARGE, place, f"the body has more than {max_bytes} bytes")
        parts.append(piece)
    return b"".join(parts)


def _inflate(body: bytes, wbits: int) -> Iterator[bytes]:
    """Inflate every member of a gzip body; a zlib body has one."""
    rest = body
    while rest:
        inflate = zlib.decompressobj(wbits=wbits)
        fed = rest
        while not inflate.eof:
            piece = inflate.decompress(fed, _STEP)
            if not piece and not inflate.eof and not inflate.unconsumed_tail:
                raise EOFError
            yield piece
            fed = inflate.unconsumed_tail
        rest = inflate.unused_data if wbits > 15 and inflate.unused_data.startswith(_MAGIC["gzip"]) else b""


def _gzip(body: bytes) -> Iterator[bytes]:
    return _inflate(body, 31)


def _deflate(body: bytes) -> Iterator[bytes]:
    """`deflate` means a zlib stream; some servers send the bare stream, told apart by zlib's two-byte check."""
    is_zlib = len(body) > 1 and body[0] & 15 == 8 and int.from_bytes(body[:2], "big") % 31 == 0
    return _inflate(body, 15 if is_zlib else -15)


def _brotli(body: bytes) -> Iterator[bytes]:
    decoder = brotli.Decompressor()
    piece = decoder.process(body, output_buffer_limit=_STEP)
    while piece or not decoder.is_finished():
        yield piece
        piece = decoder.process(b"", output_buffer_limit=_STEP)
        if not piece and not decoder.is_finished():
            raise EOFError


def _zstd(body: bytes) -> Iterator[bytes]:
    rest = body
    while rest.startswith(_MAGIC["zstd"]):
        frame = zstandard.ZstdDecompressor(max_window_size=_ZSTD_MAX_WINDOW).decompressobj()
        for start in range(0, len(rest), 256):
            yield frame.decompress(rest[start : start + 256])
            if frame.eof:
                rest = frame.unused_data + rest[start + 256 :]
                break
        else:
            raise EOFError


_DECODERS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}


def unchunk(body: bytes) -> bytes:
    """Undo HTTP's chunked transfer encoding; a body that is not chunked comes back as it is."""
    parts: list[bytes] = []
    position = 0
    while match := _CHUNK_SIZE.match(body, position):
        size = int(match[1], 16)
        if size == 0:
            return b"".join(parts)
        parts.append(body[match.end() : match.end() + size])
        position = match.end() + size
        if body[position : position + 2] == b"\r\n":
            position += 2
        elif position >= len(body):
            return b"".join(parts)
        else:
            return body
    return b"".join(parts) if parts and position >= len(body) else body
