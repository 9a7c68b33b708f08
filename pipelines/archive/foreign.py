"""Reads WARC files that others wrote: plain, gzipped by record or as a whole, Common Crawl's included.

warcio finds the records; their blocks are kept as they are. Only what this archive needs to check them later is added.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from pipelines.archive.decode import unchunk
from pipelines.archive.entries import Draft, Entry, parse_date, read_draft
from pipelines.archive.records import (
    DATE_BASIS,
    DigestCheck,
    GzipMember,
    Pieces,
    Record,
    RecordError,
    format_sha256,
    has_http_head,
    read_http_head,
)
from pipelines.archive.records import field as header
from pipelines.archive.verify import check_digests
from pipelines.archive.warc import NewRecord, open_body
from pipelines.frozen import frozen
from pipelines.model.capture import DateBasis, Headers
from pipelines.problems import InputError, Reason

# A digest that the bytes as stored do not bear out, kept under another name so that it can still be read.
_ORIGINAL_DIGEST = "X-Rackledger-Original-Payload-Digest"
_IN_MEMORY = 4 << 20
_CHUNK = 1 << 18
_WRITTEN_BY_US = frozenset({"content-length", "content-type"})


@frozen
class ForeignRecord:
    """A record of others, ready to be written. `draft` is None when it is no capture. A body on disk is short-lived."""

    place: str
    record: NewRecord
    draft: Draft | None
    payload_digest: str | None


@dataclass(slots=True)
class Originals:
    """Records met in an import that revisits may point to, by printed digest and by address and date."""

    _by_digest: dict[str, Entry] = field(default_factory=dict)
    _by_visit: dict[tuple[str, datetime], Entry] = field(default_factory=dict)

    def note(self, item: ForeignRecord, entry: Entry) -> None:
        """Remember a record that carries its bytes."""
        if item.payload_digest:
            self._by_digest.setdefault(item.payload_digest, entry)
        self._by_visit[entry.capture.final_url, entry.capture.captured_at] = entry

    def find(self, item: ForeignRecord) -> Entry | None:
        """The record that a revisit points to, when it was met."""
        draft = item.draft
        if draft is not None and draft.refers_to_url and draft.refers_to_date:
            found = self._by_visit.get((draft.refers_to_url, parse_date(draft.refers_to_date)))
            if found is not None:
                return found
        return self._by_digest.get(item.payload_digest or "")


def foreign_records(path: Path) -> Iterator[ForeignRecord | InputError]:
    """Each record of a WARC file, or what is wrong with it. After damage to the framing the rest cannot be read."""
    number = 0
    with tempfile.TemporaryDirectory(prefix="rackledger-") as folder, path.open("rb") as file:
        stream = _Inflated(file)
        records = iter(ArchiveIterator(stream, no_record_parse=True))
        while True:
            number += 1
            place = f"{path.name}, record {number}"
            try:
                item = next(records, None)
                if item is None:
                    break
                yield _read_record(item, place, Path(folder) / "block")
            except ArchiveLoadFailed as error:
                yield InputError(Reason.NOT_AN_ARCHIVE, place, f"no WARC record: {str(error).strip()}")
                return
            except (RecordError, ValueError) as error:
                yield InputError(Reason.RECORD_DAMAGED, place, str(error))
    if stream.problem is not None:
        yield InputError(Reason.ARCHIVE_TRUNCATED, path.name, f"the file cannot be read on: {stream.problem}")
    elif number == 1:
        yield InputError(Reason.ARCHIVE_EMPTY, path.name, "no WARC record")


class _Inflated:
    """A file's bytes, inflated when they are gzip, by member or as a whole; damage ends them and is told in `problem`.

    Python's own gzip reader would throw away what it had read ahead of the damage.
    """

    def __init__(self, file: BinaryIO) -> None:
        self.problem: str | None = None
        self._file = file
        is_gzip = file.read(2) == b"\x1f\x8b"
        self._source = Pieces(file, 0)
        self._member = GzipMember(self._source) if is_gzip else None

    def read(self, size: int) -> bytes:
        """The next bytes, at most `size`; empty at the end or at damage."""
        if self._member is None:
            return self._file.read(size)
        try:
            while self.problem is None:
                if data := self._member.read(size):
                    return data
                while (rest := self._source.take()) and not rest.strip(b"\0"):
                    pass
                if not rest:
                    break
                self._source.give_back(rest.lstrip(b"\0"))
                self._member = GzipMember(self._source)
        except RecordError as error:
            self.problem = error.detail
        return b""


def _read_record(item: Any, place: str, spool: Path) -> ForeignRecord:
    fields: Headers = tuple((str(name), str(value)) for name, value in item.rec_headers.headers)
    version = str(item.rec_headers.protocol)
    body, length = _spooled(item.raw_stream, spool)
    if str(length) != (header(fields, "Content-Length") or "").strip():
        raise RecordError(Reason.RECORD_TORN, f"the block has {length} bytes, not its Content-Length")
    fields = _with_true_digests(fields, body, version)
    with open_body(body) as stream:
        draft = read_draft(Record(version, fields, stream.read))
    if draft is not None:
        fields = _with_own_fields(fields, draft)
    kept = tuple(pair for pair in fields if pair[0].lower() not in _WRITTEN_BY_US)
    content_type = header(fields, "Content-Type") or "application/octet-stream"
    record = NewRecord(kept, content_type, b"", body, length, version)
    return ForeignRecord(place, record, draft, header(fields, "WARC-Payload-Digest"))


def _spooled(stream: Any, spool: Path) -> tuple[bytes | Path, int]:
    """A block in memory when it is small, else in a file."""
    start = b""
    while len(start) <= _IN_MEMORY and (data := stream.read(_CHUNK)):
        start += data
    if len(start) <= _IN_MEMORY:
        return start, len(start)
    with spool.open("wb") as file:
        file.write(start)
        while data := stream.read(_CHUNK):
            file.write(data)
        return spool, file.tell()


def _with_true_digests(fields: Headers, body: bytes | Path, version: str) -> Headers:
    """Refuse a record whose bytes are not those it was written with.

    Some archivers take the payload's digest after undoing chunks: such a digest is true, but not of the bytes as
    stored. It is set aside under another name, and so is one of an unknown algorithm: every tool accepts the file.
    """
    with open_body(body) as stream:
        _, wrong = check_digests(Record(version, fields, stream.read))
    if not wrong:
        return fields
    if len(wrong) > 1 or wrong[0].startswith(("block", "WARC-Block-Digest")):
        raise RecordError(Reason.RECORD_DAMAGED, "; ".join(wrong))
    if wrong[0].startswith("payload") and not _matches_unchunked(fields, body, version):
        raise RecordError(Reason.RECORD_DAMAGED, wrong[0])
    return tuple((_ORIGINAL_DIGEST if name.lower() == "warc-payload-digest" else name, value) for name, value in fields)


def _matches_unchunked(fields: Headers, body: bytes | Path, version: str) -> bool:
    with open_body(body) as stream:
        record = Record(version, fields, stream.read)
        if not has_http_head(record) or record.block_length > _IN_MEMORY:
            return False
        head = read_http_head(record)
        if "chunked" not in (header(head.headers, "Transfer-Encoding") or "").lower():
            return False
        payload = b"".join(iter(record.read, b""))
    check = DigestCheck(header(fields, "WARC-Payload-Digest") or "")
    check.update(unchunk(payload))
    return check.matches()


def _with_own_fields(fields: Headers, draft: Draft) -> Headers:
    """Add what is needed to check the record later and to know where its date comes from."""
    added = [] if header(fields, DATE_BASIS) else [(DATE_BASIS, str(DateBasis.WARC_DATE))]
    if header(fields, "WARC-Payload-Digest") is None and not draft.capture.is_revisit:
        added.append(("WARC-Payload-Digest", format_sha256(draft.capture.payload_sha256)))
    return (*fields, *added)
