"""Makes WARC 1.1 records (ISO 28500) of an exchange, a file or a record of others, and writes each as one gzip member.

warcio frames the records; the blocks and their digests are made here, so that a block is the wire's bytes and nothing
is re-encoded. Where records go, and when they are safe, is the writer's business.
"""

from __future__ import annotations

import hashlib
import io
import re
import uuid
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from pipelines.archive.records import format_sha256
from pipelines.frozen import frozen
from pipelines.model.capture import Exchange, Headers

WARC_VERSION = "WARC/1.1"
IDENTICAL_PAYLOAD = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
# Fields of our own: the standard lets a reader pass over names it does not know.
DATE_BASIS = "X-Rackledger-Date-Basis"
REQUESTED_URI = "X-Rackledger-Requested-URI"
# The body is stored without its chunks, so a reader must not see a header that announces chunks.
STORED_TRANSFER_ENCODING = "X-Archive-Orig-Transfer-Encoding"

_CHUNK = 1 << 18
# Level 6 costs two thirds of level 9's time for 0.7% more bytes (39 pages of newsrooms, 2026-11).
_GZIP_LEVEL = 6
_UNFIT_IN_LINE = re.compile(r"[\r\n\0]")
_UNFIT_IN_NAME = re.compile(r"[:\r\n\0 \t]")
_UNFIT_IN_URL = re.compile(r"[\s\x00-\x20\x7f-\x9f\ud800-\udfff]")
_SECRET = frozenset({"authorization", "cookie", "proxy-authorization"})
_ID_SPACE = uuid.UUID("6f0d5f0e-3c7b-5d2e-9a51-2f4f3f0f8a10")


@frozen
class NewRecord:
    """A record ready to be written: its fields without Content-Length, and its block as a head and a body."""

    fields: Headers
    content_type: str
    head: bytes
    body: bytes | Path
    body_length: int
    version: str = WARC_VERSION

    @property
    def length(self) -> int:
        """Bytes of the block."""
        return len(self.head) + self.body_length


def record_id(*parts: str) -> str:
    """A record id that follows from what the record is, so it can be pointed to before it is written."""
    return f"<urn:uuid:{uuid.uuid5(_ID_SPACE, chr(31).join(parts))}>"


def warc_date(instant: datetime) -> str:
    """An instant as WARC-Date prints it: UTC, microseconds, `Z`."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def hash_body(body: bytes | Path) -> tuple[str, int]:
    """SHA-256 (hex) and length of a body, a file read as a stream."""
    digest, length = hashlib.sha256(), 0
    for piece in pieces(body):
        digest.update(piece)
        length += len(piece)
    return digest.hexdigest(), length


def pieces(body: bytes | Path) -> Iterator[bytes]:
    """A body piece by piece."""
    if isinstance(body, bytes):
        yield body
        return
    with body.open("rb") as handle:
        while data := handle.read(_CHUNK):
            yield data


def response_head(exchange: Exchange) -> bytes:
    """The response's first line and headers as bytes, written as HTTP/1.1 whatever the wire's framing was."""
    headers = tuple(
        (STORED_TRANSFER_ENCODING if name.lower() == "transfer-encoding" else name, value)
        for name, value in exchange.response_headers
    )
    return http_head(f"HTTP/1.1 {exchange.status:03d} {exchange.reason}", headers)


def request_head(exchange: Exchange) -> bytes:
    """The request's first line and headers as bytes; what could identify an account is left out."""
    headers = tuple(pair for pair in exchange.request_headers if pair[0].lower() not in _SECRET)
    scheme_less = exchange.final_url.partition("://")[2]
    target = "/" + scheme_less.partition("/")[2].partition("#")[0]
    return http_head(f"{exchange.method} {target} HTTP/1.1", headers)


def http_head(first_line: str, headers: Headers) -> bytes:
    """Serialise an HTTP head; ValueError when a name or value could be read as something else."""
    lines = [first_line]
    for name, value in headers:
        if not name or _UNFIT_IN_NAME.search(name) or _UNFIT_IN_LINE.search(value):
            raise ValueError(f"header {name!r} cannot be written: {value!r}")
        lines.append(f"{name}: {value}")
    if _UNFIT_IN_LINE.search(first_line):
        raise ValueError(f"first line cannot be written: {first_line!r}")
    return b"\r\n".join(_wire(line) for line in lines) + b"\r\n\r\n"


def _wire(text: str) -> bytes:
    """Header text back to the bytes it was read from; text that never was Latin-1 goes out as UTF-8."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogateescape")


def check_url(url: str) -> None:
    """Raise ValueError for an address that a record cannot name: not http(s), or with blanks or control characters."""
    if not url.startswith(("http://", "https://")):
        raise ValueError(f"only http and https addresses can be archived, not {url[:200]!r}")
    if _UNFIT_IN_URL.search(url):
        raise ValueError(f"the address has blanks or control characters: {url[:200]!r}")


def with_block_digest(record: NewRecord) -> NewRecord:
    """The same record with the digest of its block among its fields, unless one is there."""
    if any(name.lower() == "warc-block-digest" for name, _ in record.fields):
        return record
    digest = hashlib.sha256(record.head)
    for piece in pieces(record.body):
        digest.update(piece)
    return replace(record, fields=(*record.fields, ("WARC-Block-Digest", format_sha256(digest.hexdigest()))))


class _Block:
    """A record's block as the stream that warcio reads; fails when the body is not as long as was said."""

    def __init__(self, record: NewRecord) -> None:
        self._pieces = self._read(record)

    def read(self, size: int = -1) -> bytes:
        return next(self._pieces, b"")

    @staticmethod
    def _read(record: NewRecord) -> Iterator[bytes]:
        left = record.body_length
        if record.head:
            yield record.head
        for piece in pieces(record.body):
            left -= len(piece)
            if piece:
                yield piece
        if left:
            raise ValueError(f"the body changed while it was archived: {-left:+d} bytes")


class _Head:
    """A block that warcio takes for an HTTP head and writes as it is."""

    def __init__(self, block: bytes) -> None:
        self.headers_buff = block

    def compute_headers_buffer(self, header_filter: object = None) -> None:
        """Nothing to compute: the bytes are given."""


class _GzipMember(io.RawIOBase):
    """Compresses what warcio writes into one gzip member and hands the bytes on."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._deflate = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, 31)
        self._write = write
        self.size = 0

    def write(self, data: object) -> int:
        if not isinstance(data, bytes):
            raise TypeError(f"bytes expected, not {type(data).__name__}")
        self._emit(self._deflate.compress(data))
        return len(data)

    def end(self) -> None:
        self._emit(self._deflate.flush())

    def _emit(self, data: bytes) -> None:
        if data:
            self._write(data)
            self.size += len(data)


def write_record(record: NewRecord, write: Callable[[bytes], None]) -> int:
    """Write one record as one gzip member; give the member's length in bytes.

    The record must carry its block digest, so that warcio need not read the block twice.
    """
    member = _GzipMember(write)
    fields = StatusAndHeaders("", list(record.fields), protocol=record.version)
    kind = fields.get_header("WARC-Type")
    # warcio writes nothing of a revisit but its HTTP head.
    head = _Head(b"".join((record.head, *pieces(record.body)))) if kind == "revisit" else None
    framed = ArcWarcRecord("warc", kind, fields, _Block(record), head, record.content_type, record.length)
    WARCWriter(member, gzip=False, warc_version="1.1").write_record(framed)
    member.end()
    return member.size
