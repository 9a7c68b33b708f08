"""Undoes transfer and content encodings of a body under a cap on bytes, whole or as it streams in. No disk, no network.

Of a body that streams in nothing decoded is kept here: memory stays flat whatever comes out.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol

import brotli
import zstandard

from pipelines.archive.records import HttpHead, field
from pipelines.model.capture import Headers
from pipelines.problems import InputError, Reason

MAX_CODINGS: Final = 3
_STEP: Final = 1 << 16
_ZSTD_STEP: Final = 256  # a block's four bytes can stand for 128 KiB, so little is fed at a time
_ZSTD_MAX_WINDOW: Final = 1 << 27
_CHUNK_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
_MAGIC: Final = {"gzip": b"\x1f\x8b", "x-gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}


def decode_body(head: HttpHead | None, body: bytes, max_bytes: int, place: str) -> bytes:
    """Give the body that a reader of the page would see: encodings named in `head` undone, last one first.

    A body that does not begin as its encoding does is taken as already decoded: other archivers store it so and keep
    the header. Raises InputError as `Decoder` does.
    """
    if head is None:
        return body
    if "chunked" in (field(head.headers, "Transfer-Encoding") or "").lower():
        body = unchunk(body)
    codings = codings_of(head.headers)
    if not body or not codings:
        return body
    decoder = Decoder(codings, max_bytes, place)
    decoded = b"".join(decoder.feed(body))
    decoder.finish()
    return decoded


def codings_of(headers: Headers) -> list[str]:
    """Content encodings in the order in which they were applied."""
    printed = ",".join(value for name, value in headers if name.lower() == "content-encoding")
    return [coding for part in printed.split(",") if (coding := part.strip().lower()) not in ("", "identity")]


class Decoder:
    """Undoes a body's content encodings piece by piece; `size` counts what came out.

    Raises InputError: BODY_UNDECODABLE when an encoding is unknown, there are too many, or the bytes are not in it;
    BODY_TOO_LARGE when more than `cap` bytes come out; on `finish` BODY_TRUNCATED when they ended early.
    """

    def __init__(self, codings: Sequence[str], cap: int, place: str) -> None:
        unknown = [coding for coding in codings if coding not in _STAGES]
        if unknown or len(codings) > MAX_CODINGS:
            detail = f"content encoding {', '.join(unknown or codings)!r} is not read"
            raise InputError(Reason.BODY_UNDECODABLE, place, detail)
        self._stages = [_Coding(coding) for coding in reversed(codings)]
        self._cap = cap
        self._place = place
        self.size = 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        """What these bytes stand for."""
        try:
            for piece in self._through(data, 0):
                self.size += len(piece)
                if self.size > self._cap:
                    detail = f"more than {self._cap} bytes once decompressed"
                    raise InputError(Reason.BODY_TOO_LARGE, self._place, detail)
                yield piece
        except (zlib.error, brotli.error, zstandard.ZstdError) as error:
            detail = f"the body is not in its encoding: {error}"
            raise InputError(Reason.BODY_UNDECODABLE, self._place, detail) from error

    def finish(self) -> None:
        """Check that the body's encodings came to their end."""
        if not all(stage.is_whole() for stage in self._stages):
            raise InputError(Reason.BODY_TRUNCATED, self._place, "the compressed body ends early")

    def _through(self, data: bytes, number: int) -> Iterator[bytes]:
        if number == len(self._stages):
            yield data
            return
        for piece in self._stages[number].feed(data):
            yield from self._through(piece, number + 1)


class _Stage(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]: ...

    def is_whole(self) -> bool: ...


class _Coding:
    """One encoding. A body that does not begin as its encoding does counts as it is: some servers label wrongly."""

    def __init__(self, coding: str) -> None:
        self._coding = coding
        self._magic = _MAGIC.get(coding, b"")
        self._needed = len(self._magic) or (2 if coding == "deflate" else 1)  # bytes that tell which kind it is
        self._head = b""
        self._inner: _Stage | None = None
        self._is_plain = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._inner is None and not self._is_plain:
            data, self._head = self._head + data, b""
            self._is_plain = not data.startswith(self._magic[: len(data)])
            if len(data) < self._needed and not self._is_plain:
                self._head = data
                return
            if not self._is_plain:
                self._inner = _STAGES[self._coding](data)
        yield from [data] if self._inner is None else self._inner.feed(data)

    def is_whole(self) -> bool:
        return not self._head if self._inner is None else self._inner.is_whole()


class _Zlib:
    """A zlib stream, or gzip members one after the other; bytes behind the last are passed over, as browsers do."""

    def __init__(self, wbits: int) -> None:
        self._wbits = wbits
        self._inflate = zlib.decompressobj(wbits)

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._inflate.eof:
                if self._wbits != 31 or not data.startswith(_MAGIC["gzip"][: len(data)]):
                    return
                self._inflate = zlib.decompressobj(self._wbits)
            piece = self._inflate.decompress(data, _STEP)
            data = self._inflate.unused_data if self._inflate.eof else self._inflate.unconsumed_tail
            if piece:
                yield piece

    def is_whole(self) -> bool:
        return self._inflate.eof


class _Brotli:
    def __init__(self) -> None:
        self._decoder: Any = brotli.Decompressor()

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._decoder.is_finished():
            return
        while True:
            piece = self._decoder.process(data, output_buffer_limit=_STEP)
            if piece:
                yield piece
            if self._decoder.is_finished() or self._decoder.can_accept_more_data():
                return
            data = b""

    def is_whole(self) -> bool:
        return bool(self._decoder.is_finished())


class _Zstd:
    def __init__(self) -> None:
        self._frame = self._new()

    @staticmethod
    def _new() -> zstandard.ZstdDecompressionObj:
        return zstandard.ZstdDecompressor(max_window_size=_ZSTD_MAX_WINDOW).decompressobj()

    def feed(self, data: bytes) -> Iterator[bytes]:
        rest = memoryview(data)
        while rest:
            if self._frame.eof:
                if not _MAGIC["zstd"].startswith(bytes(rest[:4])):
                    return
                self._frame = self._new()
            piece = self._frame.decompress(rest[:_ZSTD_STEP])
            unused = len(self._frame.unused_data) if self._frame.eof else 0
            rest = rest[min(len(rest), _ZSTD_STEP) - unused :]
            if piece:
                yield piece

    def is_whole(self) -> bool:
        return self._frame.eof


def _deflate(head: bytes) -> _Stage:
    """`deflate` means a zlib stream; some servers send the bare stream, told apart by zlib's two-byte check."""
    is_zlib = head[0] & 15 == 8 and int.from_bytes(head[:2], "big") % 31 == 0
    return _Zlib(15 if is_zlib else -15)


_STAGES: Final[dict[str, Callable[[bytes], _Stage]]] = {
    "gzip": lambda head: _Zlib(31),
    "x-gzip": lambda head: _Zlib(31),
    "deflate": _deflate,
    "br": lambda head: _Brotli(),
    "zstd": lambda head: _Zstd(),
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
