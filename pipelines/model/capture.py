"""What crosses the border between collecting and the archive: an exchange goes in, a capture comes out.

Only frozen values live here, and the one rule that names a capture. How they are stored belongs to the archive.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from pipelines.frozen import frozen

Headers = tuple[tuple[str, str], ...]


class DateBasis(StrEnum):
    """Where a capture's date comes from."""

    FETCHED = "fetched"  # the moment of the request that was made here
    WARC_DATE = "warc_date"  # the date in a record that somebody else wrote
    GIVEN = "given"  # said by the person who added the file
    FILE_MTIME = "file_mtime"  # the file's modification time: weak, a copy may change it


class RecordType(StrEnum):
    """The kinds of WARC record that can be a capture."""

    RESPONSE = "response"
    REVISIT = "revisit"
    RESOURCE = "resource"
    CONVERSION = "conversion"


@frozen
class Exchange:
    """One request and its response, as they went over the wire.

    `url` is the address that was asked for first, `final_url` the one that gave this response (the same without
    redirects). Header texts are the wire's bytes read as Latin-1. `body` holds the bytes as served: transfer encoding
    removed, content encoding kept; a `Path` is read as a stream and must not change meanwhile. `requested_at` is aware.
    """

    source_id: str
    url: str
    final_url: str
    requested_at: datetime
    method: str
    request_headers: Headers
    status: int
    reason: str
    response_headers: Headers
    body: bytes | Path
    http_version: str = "HTTP/1.1"


@frozen
class Capture:
    """One dated observation of one address, as the archive holds it.

    `payload_sha256` (hex) and `byte_count` speak of the body as served, before content decoding; for a revisit they are
    those of the record that holds the bytes, named by `refers_to`. `media_type` is lower case without parameters, empty
    when not stated. `warc_path` is relative to the archive's root, with forward slashes; `offset` is in bytes. A file
    that was added has no status of its own and carries 200. `captured_at` is UTC.
    """

    capture_id: str
    source_id: str
    url: str
    final_url: str
    captured_at: datetime
    status: int
    media_type: str
    charset_hint: str | None
    payload_sha256: str
    byte_count: int
    is_revisit: bool
    refers_to: str | None
    warc_path: str
    offset: int
    etag: str | None
    last_modified: str | None
    date_basis: DateBasis
    record_type: RecordType


@frozen
class Validators:
    """What a conditional request may be built from: the newest good capture's own words, and its body's digest."""

    etag: str | None
    last_modified: str | None
    payload_sha256: str


def capture_id(source_id: str, url: str, captured_at: datetime, status: int, payload_sha256: str) -> str:
    """Name a capture by what was seen: 32 hex digits of a SHA-256.

    The same bytes from the same address at the same instant are the same capture, whichever record carries them, so
    adding a file twice changes nothing. `captured_at` must be aware, or ValueError is raised.
    """
    if captured_at.tzinfo is None:
        raise ValueError(f"captured_at has no time zone: {captured_at.isoformat()}")
    instant = captured_at.astimezone(UTC).isoformat(timespec="microseconds")
    parts = (source_id, url, instant, str(status), payload_sha256)
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
