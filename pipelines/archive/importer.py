"""Takes in what others archived or saved: WARC files record by record, other files as `resource` records.

Blocks and dates stay as they are. No network. What is held already is passed over; what cannot be taken is reported.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import quote, urljoin

from pipelines.archive.catalog import Catalog
from pipelines.archive.entries import Draft, Entry
from pipelines.archive.foreign import ForeignRecord, Originals, foreign_records
from pipelines.archive.records import DATE_BASIS, format_sha256
from pipelines.archive.warc import NewRecord, check_url, draft_of, hash_body, record_id, warc_date
from pipelines.archive.writer import SourceWriter
from pipelines.frozen import frozen
from pipelines.model.capture import Capture, DateBasis, RecordType, capture_id
from pipelines.problems import Fault, InputError, Reason

_MEDIA_TYPES = {
    ".htm": "text/html",
    ".html": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".pdf": "application/pdf",
    ".txt": "text/plain",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".mdx": "text/markdown",
    ".rst": "text/x-rst",
    ".csv": "text/csv",
    ".json": "application/json",
    ".xml": "application/xml",
    ".xls": "application/vnd.ms-excel",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".zip": "application/zip",
    ".gz": "application/gzip",
}
_PDF = "application/pdf"
_HEAD_BYTES = 1024
_MAGIC = ((b"%PDF-", "application/pdf"), (b"<!doctype html", "text/html"), (b"<html", "text/html"))


@frozen
class AddReport:
    """What an import did. `held` are the ids of captures that were kept before; `passed_over` counts records that are
    no captures: requests, metadata, other addresses."""

    added: tuple[Capture, ...]
    held: tuple[str, ...]
    passed_over: int
    refused: tuple[Fault, ...]


@dataclass(slots=True)
class _Import:
    """An import under way."""

    writer: SourceWriter
    catalog: Catalog
    source_id: str
    url: str | None
    instant: datetime | None
    originals: Originals = field(default_factory=Originals)
    added: list[Capture] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    passed_over: int = 0
    refused: list[Fault] = field(default_factory=list)


def add_path(
    writer: SourceWriter,
    catalog: Catalog,
    path: Path,
    source_id: str,
    url: str | None = None,
    date: datetime | date | None = None,
) -> AddReport:
    """Import a file, or each file of a folder in order of name; hidden files and links in a folder are passed over.

    Raises FileNotFoundError when there is no such path, ValueError for an address or a date that cannot be kept.
    """
    if url is not None:
        check_url(url)
    if not path.exists():
        raise FileNotFoundError(path)
    work = _Import(writer, catalog, source_id, url, _instant(date))
    with writer.locked():
        if path.is_dir():
            for file in _files(path, work.refused):
                try:
                    _add_file(work, file, _address(url, path, file))
                except OSError as error:  # one file that cannot be read does not keep the others out
                    why = f"cannot be read: {error.strerror}"
                    work.refused.append(Fault(file.name, Reason.DOCUMENT_DAMAGED, why))
        else:
            _add_file(work, path, url or "file:///" + quote(os.fsencode(path.name)))
    return AddReport(tuple(work.added), tuple(work.held), work.passed_over, tuple(work.refused))


def _instant(given: datetime | date | None) -> datetime | None:
    if given is None:
        return None
    if not isinstance(given, datetime):
        return datetime(given.year, given.month, given.day, tzinfo=UTC)
    if given.tzinfo is None:
        raise ValueError(f"the date has no time zone: {given.isoformat()}")
    return given.astimezone(UTC)


def _files(folder: Path, refused: list[Fault]) -> Iterator[Path]:
    def closed(error: OSError) -> None:
        name = os.path.relpath(error.filename, folder)
        refused.append(Fault(name, Reason.DOCUMENT_DAMAGED, f"cannot be read: {error.strerror}"))

    found = [Path(root, name) for root, _, names in os.walk(folder, onerror=closed) for name in names]
    for path in sorted(found):
        is_hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not path.is_symlink() and not is_hidden:
            yield path


def _address(url: str | None, folder: Path, file: Path) -> str:
    """A folder's file: joined to the given address, else a `file:` address that begins at the folder itself."""
    base = url or "file:///" + quote(os.fsencode(folder.resolve().name))
    relative = quote(os.fsencode(file.relative_to(folder).as_posix()))
    return urljoin(base if base.endswith("/") else base + "/", relative)


def _add_file(work: _Import, path: Path, address: str) -> None:
    if path.name.lower().endswith((".warc", ".warc.gz")):
        _add_warc(work, path)
        return
    media_type = _media_type(path)
    if media_type is None:
        detail = "neither WARC nor HTML, PDF, text, markdown, CSV, JSON, XML, spreadsheet, ZIP or gzip"
        if path.suffix.lower() == ".pdf":
            detail = "the name says PDF, the bytes are none"
        work.refused.append(Fault(path.name, Reason.MEDIA_TYPE_UNKNOWN, detail))
        return
    _add_resource(work, path, address, media_type)


def _media_type(path: Path) -> str | None:
    """By the name's ending; without a known one, by how the file begins. None for a PDF by name alone."""
    name = path.name.lower().removesuffix(".txt")  # a source file of Sphinx ends '.rst.txt'
    known = _MEDIA_TYPES.get(".rst" if name.endswith(".rst") else path.suffix.lower())
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    if known == _PDF and b"%PDF-" not in head:  # the mark may stand a little behind the beginning
        return None
    if known is not None:
        return known
    start = head[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return next((media_type for magic, media_type in _MAGIC if start.startswith(magic.lower())), None)


def _add_resource(work: _Import, path: Path, address: str, media_type: str) -> None:
    instant = work.instant or datetime.fromtimestamp(path.stat().st_mtime, UTC)
    basis = DateBasis.GIVEN if work.instant else DateBasis.FILE_MTIME
    sha256, length = hash_body(path)
    same = capture_id(work.source_id, address, instant, 200, sha256)
    if not work.writer.holds(same):
        same = _with_bytes(work, address, sha256) if basis == DateBasis.FILE_MTIME else ""
    if same:
        work.held.append(same)
        return
    fields = (
        ("WARC-Type", RecordType.RESOURCE),
        ("WARC-Record-ID", record_id("resource", work.source_id, address, warc_date(instant), sha256)),
        ("WARC-Target-URI", address),
        ("WARC-Date", warc_date(instant)),
        ("WARC-Payload-Digest", format_sha256(sha256)),
        (DATE_BASIS, basis),
    )
    record = NewRecord(fields, media_type, b"", path, length)
    work.added.append(work.writer.add([record], draft_of(record), None).capture)


def _with_bytes(work: _Import, url: str, sha256: str) -> str:
    """The capture of these bytes, or '': a file's own time is weak, and a younger copy of the same is no news."""
    held = work.catalog.latest(url)
    same = held is not None and held.capture.source_id == work.source_id and held.capture.payload_sha256 == sha256
    return held.capture.capture_id if held is not None and same else ""


def _add_warc(work: _Import, path: Path) -> None:
    if work.instant is not None:
        raise ValueError("a WARC file's records have dates of their own: leave the date out")
    for item in foreign_records(path):
        if isinstance(item, InputError):
            work.refused.append(Fault(item.place, item.reason, item.detail))
        elif item.draft is None or (work.url is not None and work.url != item.draft.capture.final_url):
            work.passed_over += 1
        else:
            _add_foreign(work, item, item.draft)


def _add_foreign(work: _Import, item: ForeignRecord, draft: Draft) -> None:
    record, original = item.record, None
    if draft.capture.is_revisit:
        original = work.catalog.original_of(draft, work.source_id) or work.originals.find(item)
        if original is None:
            work.refused.append(Fault(item.place, Reason.RECORD_DAMAGED, "a revisit of a record that is not held"))
            return
        draft = replace(draft, refers_to_id=original.record_id)
        record = _pointing_to(record, original)
    said, sha256 = draft.capture, (original or draft).capture.payload_sha256
    identity = capture_id(work.source_id, said.url, said.captured_at, said.status, sha256)
    if work.writer.holds(identity):
        work.held.append(identity)
        held = work.catalog.by_id(identity)
    else:
        held = work.writer.add([record], draft, original)
        work.added.append(held.capture)
    if original is None and held is not None:
        work.originals.note(item, held)


def _pointing_to(record: NewRecord, original: Entry) -> NewRecord:
    """The same revisit with the id of the record that it refers to, which WARC 1.0 does not ask for."""
    kept = tuple(pair for pair in record.fields if pair[0].lower() != "warc-refers-to")
    return replace(record, fields=(*kept, ("WARC-Refers-To", original.record_id)))
