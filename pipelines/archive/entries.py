"""Reads captures out of WARC records: the one place that says which record is a capture and what its fields mean."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from datetime import UTC, datetime

from pipelines.archive.records import (
    DATE_BASIS,
    REQUESTED_URI,
    Found,
    Record,
    field,
    has_http_head,
    read_http_head,
    sha256_hex,
)
from pipelines.frozen import frozen
from pipelines.model.capture import Capture, DateBasis, RecordType, capture_id

_CHARSET = re.compile(r"""charset\s*=\s*["']?([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
_DATE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z")
_CAPTURE_TYPES = frozenset(RecordType)


@frozen
class Entry:
    """A capture with what only the archive needs of its record. `end` is the offset behind the record, in bytes."""

    capture: Capture
    record_id: str
    end: int


@frozen
class Draft:
    """What one record says by itself: a capture without id and place, and what a revisit points to.

    A revisit still lacks the record that it points to; its digest is '' where it prints none.
    """

    capture: Capture
    record_id: str
    refers_to_id: str | None
    refers_to_url: str | None
    refers_to_date: str | None


@frozen
class RecordPlace:
    """Where a draft's record lies."""

    source_id: str
    warc_path: str
    offset: int
    end: int


def read_draft(record: Record) -> Draft | None:
    """What a record says; None when it is no capture: warcinfo, request, metadata, or a record without an address."""
    kind = record.field("WARC-Type")
    target = (record.field("WARC-Target-URI") or "").removeprefix("<").removesuffix(">")
    if kind not in _CAPTURE_TYPES or not target:
        return None
    head = read_http_head(record) if has_http_head(record) else None
    if head is None and kind == RecordType.RESPONSE:
        return None
    sha256, length = _payload(record, RecordType(kind))
    headers = head.headers if head else ()
    printed = field(headers, "Content-Type") if head else record.field("Content-Type")
    media_type, charset = parse_content_type(printed or "")
    capture = Capture(
        capture_id="",
        source_id="",
        url=record.field(REQUESTED_URI) or target,
        final_url=target,
        captured_at=parse_date(record.field("WARC-Date") or ""),
        status=head.status if head else 200,
        media_type=media_type,
        charset_hint=charset,
        payload_sha256=sha256,
        byte_count=length,
        is_revisit=kind == RecordType.REVISIT,
        refers_to=None,
        warc_path="",
        offset=0,
        etag=field(headers, "ETag"),
        last_modified=field(headers, "Last-Modified"),
        date_basis=_date_basis(record),
        record_type=RecordType(kind),
    )
    pointers = ("WARC-Refers-To", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date")
    return Draft(capture, record.field("WARC-Record-ID") or "", *map(record.field, pointers))


def _date_basis(record: Record) -> DateBasis:
    printed = record.field(DATE_BASIS)
    return DateBasis(printed) if printed in frozenset(DateBasis) else DateBasis.WARC_DATE


def _payload(record: Record, kind: RecordType) -> tuple[str, int]:
    """Digest and length of the payload; read from the bytes only when no SHA-256 is printed."""
    printed = record.field("WARC-Payload-Digest")
    try:
        sha256 = sha256_hex(printed)
    except ValueError:
        sha256 = None
    if kind == RecordType.REVISIT:
        return sha256 or "", 0
    digest, length = hashlib.sha256(), 0
    while data := record.read():
        length += len(data)
        if sha256 is None:
            digest.update(data)
    return sha256 or digest.hexdigest(), length


def parse_date(printed: str) -> datetime:
    """A WARC-Date; digits finer than a microsecond are cut. An unreadable one is 1970-01-01, so it shows as wrong."""
    match = _DATE.fullmatch(printed.strip())
    try:
        whole = datetime.fromisoformat(match[1]) if match else datetime.fromtimestamp(0, UTC)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    micros = int((match[2] or "").ljust(6, "0")[:6]) if match else 0
    return whole.replace(tzinfo=UTC, microsecond=micros)


def parse_content_type(printed: str) -> tuple[str, str | None]:
    """Media type in lower case, and the charset it names, in lower case."""
    media_type, _, parameters = printed.partition(";")
    charset = _CHARSET.search(parameters)
    return media_type.strip().lower(), charset[1].lower() if charset else None


def place_of(found: Found[Draft | None], source_id: str, warc_path: str) -> RecordPlace:
    """The place of a record that a walk over a file found."""
    return RecordPlace(source_id, warc_path, found.offset, found.offset + found.length)


def make_entry(draft: Draft, place: RecordPlace, original: Entry | None = None) -> Entry:
    """Turn a draft into an entry; a revisit takes digest, length and unstated headers from its original.

    A revisit without an original keeps `refers_to` None and the digest it prints, or none.
    """
    capture, known = draft.capture, original.capture if original else None
    sha256 = known.payload_sha256 if known else capture.payload_sha256
    capture = replace(
        capture,
        capture_id=capture_id(place.source_id, capture.url, capture.captured_at, capture.status, sha256),
        source_id=place.source_id,
        payload_sha256=sha256,
        warc_path=place.warc_path,
        offset=place.offset,
    )
    return Entry(_inherit(capture, known) if known else capture, draft.record_id, place.end)


def _inherit(capture: Capture, original: Capture) -> Capture:
    return replace(
        capture,
        refers_to=original.capture_id,
        byte_count=original.byte_count,
        media_type=capture.media_type or original.media_type,
        charset_hint=capture.charset_hint if capture.media_type else original.charset_hint,
        etag=capture.etag or original.etag,
        last_modified=capture.last_modified or original.last_modified,
    )
