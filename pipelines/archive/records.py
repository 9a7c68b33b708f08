"""Reads WARC records out of gzip members, one at a time, as a stream; finds the next good one behind a damaged one.

Written here and not taken from a library because repair and verification need to know exactly where a member begins and
ends, and what is wrong with it; a library's reader stops at the first damage. Digests are read as WARC writes them:
`algorithm:value`, the value in hex, base32 or base64. It never writes.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import zlib
from collections.abc import Callable, Iterator
from typing import BinaryIO, Generic, TypeVar

from pipelines.frozen import frozen
from pipelines.model.capture import Headers
from pipelines.problems import Reason

T = TypeVar("T")

# Fields of our own: the standard lets a reader pass over names it does not know.
DATE_BASIS = "X-Rackledger-Date-Basis"
REQUESTED_URI = "X-Rackledger-Requested-URI"

_CHUNK = 1 << 16
_MAX_HEAD = 1 << 20
_GZIP_MAGIC = b"\x1f\x8b\x08"
_BLANK_LINE = re.compile(rb"\n\r?\n")


class RecordError(Exception):
    """The bytes at hand are not a whole, sound record; `reason` is RECORD_TORN when the file ends inside it."""

    def __init__(self, reason: Reason, detail: str) -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(f"{detail} ({reason})")


@frozen
class Flaw:
    """A place where no sound record can be read. `end` is where the next sound one begins, None when there is none."""

    number: int
    offset: int
    end: int | None
    reason: Reason
    detail: str


@frozen
class Found(Generic[T]):
    """A sound record: its number in the file (from 1), where it lies, its fields, and what the visitor made of it."""

    number: int
    offset: int
    length: int
    fields: Headers
    value: T


@frozen
class HttpHead:
    """The first line and the header fields of an HTTP message, as Latin-1 text."""

    first_line: str
    headers: Headers

    @property
    def status(self) -> int:
        """The status code; 0 when the first line has none."""
        parts = self.first_line.split(None, 2)
        return int(parts[1]) if len(parts) > 1 and re.fullmatch("[0-9]{3}", parts[1]) else 0


def field(fields: Headers, name: str) -> str | None:
    """The first value of a header field, by name without regard to case."""
    wanted = name.lower()
    return next((value for key, value in fields if key.lower() == wanted), None)


class Pieces:
    """A file read forwards in pieces that may be handed back."""

    def __init__(self, file: BinaryIO, offset: int) -> None:
        self._file = file
        self._pending = b""
        self.position = offset
        file.seek(offset)

    def take(self) -> bytes:
        data, self._pending = self._pending or self._file.read(_CHUNK), b""
        self.position += len(data)
        return data

    def give_back(self, data: bytes) -> None:
        self._pending = data
        self.position -= len(data)


class GzipMember:
    """One gzip member read as a stream; its checksum is tested when it ends."""

    def __init__(self, source: Pieces) -> None:
        self._source = source
        self._inflate = zlib.decompressobj(wbits=31)
        self._is_over = False

    def read(self, size: int) -> bytes:
        """The next bytes, at most `size`; empty at the member's end."""
        try:
            while not self._is_over:
                fed = self._inflate.unconsumed_tail or self._source.take()
                data = self._inflate.decompress(fed, size)
                self._is_over = self._inflate.eof
                if self._is_over:
                    self._source.give_back(self._inflate.unused_data)
                elif not fed and not data:
                    raise RecordError(Reason.RECORD_TORN, "the file ends inside the record")
                if data:
                    return data
        except zlib.error as error:
            raise RecordError(Reason.RECORD_DAMAGED, f"gzip: {error}") from error
        return b""


class Record:
    """One record while it is being read: its fields, then its block as a stream."""

    def __init__(self, version: str, fields: Headers, pull: Callable[[int], bytes], buffered: bytes = b"") -> None:
        """`pull` gives the bytes that follow `buffered`, at most as many as asked for, and none at the end."""
        self.version = version
        self.fields = fields
        self._pull = pull
        self._buffer = buffered
        printed = self.field("Content-Length") or ""
        if not re.fullmatch("[0-9]{1,18}", printed):
            raise RecordError(Reason.RECORD_DAMAGED, f"Content-Length is {printed!r}")
        self.block_length = int(printed)
        self._left = self.block_length

    def field(self, name: str) -> str | None:
        """The first value of a WARC field."""
        return field(self.fields, name)

    def read(self, size: int = _CHUNK) -> bytes:
        """The next bytes of the block, at most `size`; empty at its end."""
        data = self._next(min(size, self._left)) if self._left else b""
        if not data and self._left:
            raise RecordError(Reason.RECORD_DAMAGED, f"the block ends {self._left} bytes before its Content-Length")
        self._left -= len(data)
        return data

    def read_head(self) -> bytes:
        """The block up to and with its first blank line: an HTTP head. All of it, up to 1 MiB, when it has none."""
        head = b""
        while len(head) < _MAX_HEAD and (data := self.read()):
            start = max(0, len(head) - 2)
            head += data
            if end := _BLANK_LINE.search(head, start):
                self._buffer = head[end.end() :] + self._buffer
                self._left += len(head) - end.end()
                return head[: end.end()]
        return head

    def finish(self) -> None:
        """Read what is left; raise RecordError unless it all ends here, after two blank lines."""
        while self.read():
            pass
        tail = b""
        while len(tail) <= 4 and (data := self._next(8)):
            tail += data
        if tail != b"\r\n\r\n":
            raise RecordError(Reason.RECORD_DAMAGED, f"the record ends with {tail[:8]!r}, expected two blank lines")

    def _next(self, size: int) -> bytes:
        if self._buffer:
            data, self._buffer = self._buffer[:size], self._buffer[size:]
            return data
        return self._pull(size)


def _open_member(source: Pieces) -> Record:
    """Read the fields of the record that a gzip member holds."""
    member = GzipMember(source)
    head = b""
    while (end := head.find(b"\r\n\r\n")) < 0:
        data = member.read(_CHUNK)
        if not data or len(head) > _MAX_HEAD:
            raise RecordError(Reason.RECORD_DAMAGED, "no WARC header")
        head += data
    version, fields = parse_fields(head[:end], "utf-8")
    if not version.startswith("WARC/"):
        raise RecordError(Reason.RECORD_DAMAGED, f"the record begins with {version[:20]!r}, expected 'WARC/'")
    return Record(version, fields, member.read, head[end + 4 :])


def parse_fields(head: bytes, encoding: str) -> tuple[str, Headers]:
    """Split a header block into its first line and its fields; folded lines are joined by a space."""
    try:
        lines = head.decode(encoding).split("\n")
    except UnicodeDecodeError:
        lines = head.decode("latin-1").split("\n")
    fields: list[tuple[str, str]] = []
    for line in lines[1:]:
        line = line.removesuffix("\r")
        if line[:1] in (" ", "\t") and fields:
            fields[-1] = (fields[-1][0], fields[-1][1] + " " + line.strip(" \t"))
        elif line:
            name, _, value = line.partition(":")
            fields.append((name.strip(" \t"), value.strip(" \t")))
    return lines[0].removesuffix("\r"), tuple(fields)


def read_http_head(record: Record) -> HttpHead:
    """Read the HTTP head that opens a record's block; what `record.read` gives afterwards is the payload."""
    first_line, headers = parse_fields(record.read_head(), "latin-1")
    return HttpHead(first_line, headers)


def has_http_head(record: Record) -> bool:
    """Whether a record's block is an HTTP message with its head."""
    media_type = (record.field("Content-Type") or "").lower()
    return media_type.startswith("application/http") and record.block_length > 0


def walk(file: BinaryIO, visit: Callable[[Record], T], start: int = 0) -> Iterator[Found[T] | Flaw]:
    """Visit each record of a file of gzip members from `start` on; give what the visitor made of it, or the flaw.

    The visitor reads as much as it likes; the rest is read and checked after it. It must let RecordError pass.
    A visitor's value is given only when its whole record is sound. Numbers count from `start`.
    """
    source = Pieces(file, start)
    number = 1
    while True:
        offset = source.position
        first = source.take()
        if not first:
            return
        source.give_back(first)
        try:
            record = _open_member(source)
            value = visit(record)
            record.finish()
        except RecordError as error:
            end = next_record(file, offset + 1)
            yield Flaw(number, offset, end, error.reason, error.detail)
            if end is None:
                return
            source = Pieces(file, end)
        else:
            yield Found(number, offset, source.position - offset, record.fields, value)
        number += 1


def next_record(file: BinaryIO, start: int) -> int | None:
    """Where the next gzip member that opens a WARC record begins, at or after `start`; None when there is none."""
    position, carried = start, b""
    file.seek(start)
    while data := file.read(_CHUNK):
        window = carried + data
        base = position - len(carried)
        at = window.find(_GZIP_MAGIC)
        while at >= 0:
            if _opens_record(file, base + at):
                return base + at
            at = window.find(_GZIP_MAGIC, at + 1)
        position += len(data)
        carried = window[-2:]
        file.seek(position)
    return None


def _opens_record(file: BinaryIO, offset: int) -> bool:
    file.seek(offset)
    try:
        return zlib.decompressobj(wbits=31).decompress(file.read(4096), 5) == b"WARC/"
    except zlib.error:
        return False


def open_record(file: BinaryIO, offset: int) -> Record:
    """The record at a known offset; RecordError when there is none."""
    return _open_member(Pieces(file, offset))


_ALGORITHMS = frozenset({"md5", "sha1", "sha256", "sha384", "sha512"})


def format_sha256(hexdigest: str) -> str:
    """A SHA-256 as this archive writes it into a record."""
    return f"sha256:{hexdigest}"


class DigestCheck:
    """Compares bytes, given piece by piece, with a digest as printed in a record."""

    def __init__(self, printed: str) -> None:
        """Raise ValueError when the algorithm is unknown or the value is no digest of it."""
        self.printed = printed
        algorithm, _, value = printed.strip().partition(":")
        algorithm = algorithm.lower().replace("-", "")
        if algorithm not in _ALGORITHMS:
            raise ValueError(f"unknown digest algorithm in {printed!r}")
        self._hash = hashlib.new(algorithm, usedforsecurity=False)
        self._wanted = _decode(value, self._hash.digest_size)

    def update(self, data: bytes) -> None:
        """Take the next piece."""
        self._hash.update(data)

    def matches(self) -> bool:
        """Whether all pieces together give the printed digest."""
        return self._hash.digest() == self._wanted

    def computed(self) -> str:
        """The digest of the pieces so far, as `algorithm:hex`."""
        return f"{self._hash.name}:{self._hash.hexdigest()}"


def sha256_hex(printed: str | None) -> str | None:
    """The hex form of a printed digest when it is a SHA-256, else None."""
    if printed is None or not printed.lower().startswith("sha256:"):
        return None
    return _decode(printed.partition(":")[2].strip(), 32).hex()


def _decode(value: str, size: int) -> bytes:
    """Tell hex, base32 and base64 apart by length, which differs for every algorithm in use."""
    value = value.strip()
    bare = value.rstrip("=")
    try:
        if len(bare) == 2 * size:
            raw = bytes.fromhex(bare)
        elif len(bare) == -(-size * 8 // 5):
            raw = base64.b32decode(bare.upper() + "=" * (-len(bare) % 8))
        else:
            raw = base64.b64decode(bare.translate({45: 43, 95: 47}) + "=" * (-len(bare) % 4), validate=True)
    except (ValueError, binascii.Error) as error:
        raise ValueError(f"unreadable digest value {value!r}") from error
    if len(raw) != size:
        raise ValueError(f"digest value {value!r} has {len(raw)} bytes, expected {size}")
    return raw
