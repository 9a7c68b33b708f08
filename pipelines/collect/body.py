"""A body while it streams in: kept as served, in memory while small and else in a file, and capped twice.

The archive keeps the entity as served: transfer encoding removed, content encoding kept. So decoding happens here only
to count, piece by piece, and nothing decoded is kept.
"""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import brotli
import zstandard

from pipelines.collect.ports import FetchError
from pipelines.problems import Reason

MAX_CODINGS = 3
_STEP = 1 << 16
_ZSTD_STEP = 256  # a block's four bytes can stand for 128 KiB, so little is fed at a time
_ZSTD_MAX_WINDOW = 1 << 27
_MAGIC = {"gzip": b"\x1f\x8b", "x-gzip": b"\x1f\x8b", "zstd": b"\x28\xb5\x2f\xfd"}

# bytes that tell whether a body is what its label says, or which of two kinds of deflate it is
_HEAD_BYTES = {coding: len(magic) for coding, magic in _MAGIC.items()} | {"deflate": 2}


class BodySink:
    """Takes a body in; `close` gives it as bytes, or as a file in `folder` when it has more than `in_memory_bytes`."""

    def __init__(self, folder: Path, in_memory_bytes: int) -> None:
        self._folder = folder
        self._limit = in_memory_bytes
        self._parts: list[bytes] = []
        self._path: Path | None = None
        self._file: BinaryIO | None = None
        self.size = 0

    def write(self, data: bytes) -> None:
        """Add bytes; OSError when the disk refuses."""
        self.size += len(data)
        if self._file is None and self.size <= self._limit:
            self._parts.append(data)
            return
        if self._file is None:
            number, name = tempfile.mkstemp(dir=self._folder, prefix="body-")
            self._file, self._path = open(number, "wb"), Path(name)  # noqa: PTH123, SIM115
            self._file.write(b"".join(self._parts))
            self._parts.clear()
        self._file.write(data)

    def close(self) -> bytes | Path:
        """End the body."""
        if self._file is None or self._path is None:
            return b"".join(self._parts)
        self._file.close()
        return self._path

    def discard(self) -> None:
        """Forget the body and remove its file."""
        self._parts.clear()
        if self._file is not None and self._path is not None:
            self._file.close()
            self._path.unlink(missing_ok=True)


class _Stage(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]: ...

    def is_whole(self) -> bool: ...


class DecodedSize:
    """Counts a body's bytes with its content encodings undone; memory stays flat whatever comes out.

    Raises FetchError: BODY_TOO_LARGE beyond `cap`, BODY_UNDECODABLE, and on `finish` BODY_TRUNCATED.
    """

    def __init__(self, codings: Sequence[str], cap: int) -> None:
        unknown = [coding for coding in codings if coding not in _STAGES]
        if unknown or len(codings) > MAX_CODINGS:
            raise FetchError(Reason.BODY_UNDECODABLE, f"content encoding {', '.join(unknown or codings)!r} is not read")
        self._stages = [Coding(coding) for coding in reversed(codings)]
        self._cap = cap
        self.size = 0

    def feed(self, data: bytes) -> None:
        """Count what these bytes stand for."""
        try:
            self._pass_on(data, 0)
        except (zlib.error, brotli.error, zstandard.ZstdError) as error:
            raise FetchError(Reason.BODY_UNDECODABLE, f"the body is not in its encoding: {error}") from error

    def finish(self) -> None:
        """Check that the body's encodings came to their end."""
        if not all(stage.is_whole() for stage in self._stages):
            raise FetchError(Reason.BODY_TRUNCATED, "the compressed body ends early", is_passing=True)

    def _pass_on(self, data: bytes, number: int) -> None:
        if number < len(self._stages):
            for piece in self._stages[number].feed(data):
                self._pass_on(piece, number + 1)
            return
        self.size += len(data)
        if self.size > self._cap:
            raise FetchError(Reason.BODY_TOO_LARGE, f"more than {self._cap} bytes once decompressed")


class Coding:
    """One encoding. A body that does not begin as its encoding does counts as it is: some servers label wrongly."""

    def __init__(self, coding: str) -> None:
        self._coding = coding
        self._head = b""
        self._inner: _Stage | None = None
        self._is_plain = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._is_plain:
            yield data
            return
        if self._inner is None:
            self._head += data
            if len(self._head) < _HEAD_BYTES.get(self._coding, 1):
                return
            data, self._head = self._head, b""
            if not data.startswith(_MAGIC.get(self._coding, b"")):
                self._is_plain = True
                yield data
                return
            self._inner = _STAGES[self._coding](data)
        yield from self._inner.feed(data)

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


_STAGES: dict[str, Callable[[bytes], _Stage]] = {
    "gzip": lambda head: _Zlib(31),
    "x-gzip": lambda head: _Zlib(31),
    "deflate": _deflate,
    "br": lambda head: _Brotli(),
    "zstd": lambda head: _Zstd(),
}
