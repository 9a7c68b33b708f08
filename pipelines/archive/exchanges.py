"""Turns an exchange into the records and the draft that the writer stores. Makes values only, writes nothing."""

from __future__ import annotations

from datetime import UTC

from pipelines.archive.entries import Draft, Entry
from pipelines.archive.records import field, format_sha256, parse_fields
from pipelines.archive.warc import (
    DATE_BASIS,
    IDENTICAL_PAYLOAD,
    NOT_MODIFIED,
    REQUESTED_URI,
    NewRecord,
    check_url,
    record_id,
    request_head,
    response_head,
    warc_date,
)
from pipelines.frozen import frozen
from pipelines.model.capture import DateBasis, Exchange, Headers, RecordType

_EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@frozen
class Heads:
    """An exchange's HTTP heads as the records will hold them."""

    request: bytes
    response: bytes


def make_heads(exchange: Exchange) -> Heads:
    """Serialise the heads; ValueError for an exchange that no record can hold truly."""
    check_url(exchange.url)
    check_url(exchange.final_url)
    if exchange.requested_at.tzinfo is None:
        raise ValueError(f"requested_at has no time zone: {exchange.requested_at.isoformat()}")
    if not 100 <= exchange.status <= 999:
        raise ValueError(f"status {exchange.status} is no HTTP status")
    return Heads(request_head(exchange), response_head(exchange))


def make_draft(exchange: Exchange, heads: Heads, sha256: str, length: int, original: Entry | None) -> Draft:
    """What the capture's record will say when it is read back; a revisit when there is an original."""
    _, headers = parse_fields(heads.response, "latin-1")
    capture = original.capture if original else None
    return Draft(
        url=exchange.url,
        final_url=exchange.final_url,
        captured_at=exchange.requested_at.astimezone(UTC),
        date_basis=DateBasis.FETCHED,
        record_type=RecordType.REVISIT if capture else RecordType.RESPONSE,
        record_id=_record_id("response", exchange, sha256),
        status=exchange.status,
        content_type=field(headers, "Content-Type") or "",
        payload_sha256=capture.payload_sha256 if capture else sha256,
        byte_count=0 if capture else length,
        etag=field(headers, "ETag"),
        last_modified=field(headers, "Last-Modified"),
        refers_to_id=original.record_id if original else None,
        refers_to_url=capture.final_url if capture else None,
        refers_to_date=warc_date(capture.captured_at) if capture else None,
    )


def make_records(exchange: Exchange, heads: Heads, draft: Draft, body_length: int) -> list[NewRecord]:
    """The request, then the response or revisit: the capture is whole when its last record is."""
    request = NewRecord(
        (
            *_common("request", exchange, _record_id("request", exchange, draft.payload_sha256 or "")),
            ("WARC-Concurrent-To", draft.record_id),
            ("WARC-Payload-Digest", format_sha256(_EMPTY_SHA256)),
        ),
        "application/http; msgtype=request",
        heads.request,
        b"",
        0,
    )
    return [request, _answer(exchange, heads, draft, body_length)]


def _answer(exchange: Exchange, heads: Heads, draft: Draft, body_length: int) -> NewRecord:
    is_revisit = draft.record_type == RecordType.REVISIT
    fields = (
        *_common(draft.record_type, exchange, draft.record_id),
        ("WARC-Payload-Digest", format_sha256(draft.payload_sha256 or "")),
        (DATE_BASIS, DateBasis.FETCHED),
        *(((REQUESTED_URI, exchange.url),) if exchange.url != exchange.final_url else ()),
        *(_revisit_fields(exchange, draft) if is_revisit else ()),
    )
    return NewRecord(
        fields,
        "application/http; msgtype=response",
        heads.response,
        b"" if is_revisit else exchange.body,
        0 if is_revisit else body_length,
    )


def _revisit_fields(exchange: Exchange, draft: Draft) -> Headers:
    pointers = (
        ("WARC-Refers-To", draft.refers_to_id or ""),
        ("WARC-Refers-To-Target-URI", draft.refers_to_url or ""),
        ("WARC-Refers-To-Date", draft.refers_to_date or ""),
    )
    if exchange.status == 304:
        return (("WARC-Profile", NOT_MODIFIED), *pointers)
    # The standard asks for WARC-Truncated where the block leaves out the payload that is held elsewhere.
    return (("WARC-Profile", IDENTICAL_PAYLOAD), *pointers, ("WARC-Truncated", "length"))


def _common(kind: str, exchange: Exchange, identity: str) -> Headers:
    """Fields that every record of an exchange carries; HTTP/2 and later are named, as heads are written as HTTP/1.1."""
    protocol = {"HTTP/1.0": "http/1.0", "HTTP/1.1": "http/1.1", "HTTP/2": "h2", "HTTP/3": "h3"}
    name = protocol.get(exchange.http_version)
    return (
        ("WARC-Type", kind),
        ("WARC-Record-ID", identity),
        ("WARC-Target-URI", exchange.final_url),
        ("WARC-Date", warc_date(exchange.requested_at)),
        *((("WARC-Protocol", name),) if name else ()),
    )


def _record_id(kind: str, exchange: Exchange, sha256: str) -> str:
    return record_id(
        kind, exchange.source_id, exchange.url, warc_date(exchange.requested_at), str(exchange.status), sha256
    )
