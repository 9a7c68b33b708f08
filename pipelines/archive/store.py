"""The archive as the rest of the product sees it: append an exchange, list captures, give a payload back.

The files and their rules are in the modules beside this one; nothing here knows what a record looks like.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Self

from pipelines.archive.catalog import Catalog
from pipelines.archive.decode import decode_body
from pipelines.archive.importer import AddReport, add_path
from pipelines.archive.index import forget
from pipelines.archive.layout import check_name, source_ids
from pipelines.archive.records import HttpHead, RecordError, has_http_head, open_record, read_http_head
from pipelines.archive.repair import RepairReport, merge, rebuild_indexes, repair_source
from pipelines.archive.verify import VerifyReport, verify_archive
from pipelines.archive.warc import draft_of, hash_body, make_heads, make_records
from pipelines.archive.writer import SourceWriter, source_lock
from pipelines.model.capture import Capture, Exchange, Validators, capture_id
from pipelines.problems import InputError, Reason


def read_stored(root: Path, capture: Capture, max_bytes: int) -> tuple[HttpHead | None, bytes]:
    """The HTTP head, and the body as stored, of a capture that carries its bytes.

    Raises InputError: RECORD_DAMAGED when the record cannot be read or its body is not the one that was captured,
    BODY_TOO_LARGE when the body has more than `max_bytes`.
    """
    parts: list[bytes] = []
    left = max_bytes
    digest = hashlib.sha256()
    try:
        with (root / capture.warc_path).open("rb") as file:
            record = open_record(file, capture.offset)
            head = read_http_head(record) if has_http_head(record) else None
            while piece := record.read():
                left -= len(piece)
                if left < 0:
                    detail = f"the stored body has more than {max_bytes} bytes"
                    raise InputError(Reason.BODY_TOO_LARGE, capture.url, detail)
                digest.update(piece)
                parts.append(piece)
            record.finish()
    except (RecordError, FileNotFoundError) as error:
        raise _damaged(capture, str(error)) from error
    if digest.hexdigest() != capture.payload_sha256:
        raise _damaged(capture, "the body is not the one that was captured")
    return head, b"".join(parts)


def _damaged(capture: Capture, detail: str) -> InputError:
    return InputError(Reason.RECORD_DAMAGED, f"{capture.warc_path} at {capture.offset}", detail)


ROLL_BYTES = 512 << 20
MAX_PAYLOAD_BYTES = 64 << 20


class Archive:
    """An append-only web archive in one folder.

    Any number of processes may read while others append; appends to one source wait for each other. `run_stamp` names
    the files that this run writes and is needed for writing only. Use it as a context manager, or call `close`.
    """

    def __init__(self, root: Path, *, run_stamp: str = "", roll_bytes: int = ROLL_BYTES) -> None:
        self.root = root
        self._run_stamp = check_name(run_stamp, "run stamp") if run_stamp else ""
        self._roll_bytes = roll_bytes
        self._catalog = Catalog(root)
        self._writers: dict[str, SourceWriter] = {}
        self._repairs: list[RepairReport] = []
        self._lock = RLock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the files that are open for writing."""
        with self._lock:
            for writer in self._writers.values():
                writer.close()
            self._writers.clear()

    @property
    def repairs(self) -> RepairReport:
        """What had to be repaired when this run first wrote to a source."""
        return merge(self._repairs)

    def append(self, exchange: Exchange) -> Capture:
        """Store one exchange; when this returns, the capture is on the disk.

        A body that the source already has is stored as a revisit, and so is a 304 for an address whose body is held.
        The same exchange again gives the capture that is held. Raises ValueError for an exchange that no record can
        hold, OSError when the disk refuses (the archive is then as before), filelock.Timeout when another process
        keeps the source for two minutes.
        """
        heads = make_heads(exchange)
        sha256, length = hash_body(exchange.body)
        with self._lock:
            writer = self._writer(exchange.source_id)
            with writer.locked():
                original = self._catalog.by_payload(exchange.source_id, sha256, exchange.status)
                if exchange.status == 304:
                    self._look()  # any source may hold what the address gave
                    original = self._catalog.latest(exchange.final_url) or self._catalog.latest(exchange.url)
                    sha256 = original.capture.payload_sha256 if original else sha256
                identity = capture_id(exchange.source_id, exchange.url, exchange.requested_at, exchange.status, sha256)
                if writer.holds(identity):
                    return self._held(exchange.source_id, identity)
                records = make_records(exchange, heads, sha256, length, original)
                return writer.add(records, draft_of(records[-1]), original).capture

    def validators(self, url: str) -> Validators | None:
        """What a conditional request for an address may say, from the newest good capture of it by any source."""
        with self._lock:
            self._look()
            return self._catalog.validators(url)

    def has_url(self, url: str) -> bool:
        """Whether an address, asked for or arrived at, was ever answered with a 2xx status and is held."""
        return self.validators(url) is not None

    def captures(self, source_id: str | None = None, *, after: datetime | None = None) -> Iterator[Capture]:
        """All captures, or one source's: by source, then date, then place. The same archive gives the same order.

        With `after` those dated later than that: what is over by then is not gone through.
        """
        with self._lock:
            self._catalog.refresh(source_id)
        for name in source_ids(self.root) if source_id is None else [check_name(source_id, "source id")]:
            with self._lock:
                found = [entry.capture for entry in self._catalog.entries(name, after)]
            if after is not None:
                found = [capture for capture in found if capture.captured_at > after]
            yield from sorted(found, key=lambda capture: (capture.captured_at, capture.warc_path, capture.offset))

    def newest_good(self, latest: datetime | None = None) -> dict[str, datetime]:
        """When each source was last captured with success, with `latest` of what is not dated after it."""
        with self._lock:
            self._catalog.refresh()
            found = {name: self._catalog.newest_good(name, latest) for name in source_ids(self.root)}
        return {name: at for name, at in found.items() if at is not None}

    def payload(self, capture: Capture, max_bytes: int = MAX_PAYLOAD_BYTES) -> bytes:
        """The body as a reader of the page would see it: revisit resolved, digest checked, encodings undone.

        Raises InputError: RECORD_DAMAGED when the stored bytes are not the captured ones or are not there,
        BODY_TOO_LARGE beyond `max_bytes` (as stored, or decoded), BODY_UNDECODABLE, BODY_TRUNCATED.
        """
        head, stored = read_stored(self.root, self._holder(capture), max_bytes)
        return decode_body(head, stored, max_bytes, capture.url)

    def verify(self) -> VerifyReport:
        """Check every digest of every record, and that what the index lists is there; change nothing."""
        return verify_archive(self.root)

    def repair(self, *, is_noted_sound: bool = False) -> RepairReport:
        """Set torn tails aside and bring indexes up to date, source by source, each under its lock.

        With `is_noted_sound` files of months that are over are not looked at where their size is the one noted: a kill
        tears what is being written.
        """
        reports = []
        with self._lock:
            for source_id in source_ids(self.root):
                with source_lock(self.root, source_id):
                    if not is_noted_sound:
                        forget(self.root, source_id)
                    reports.append(repair_source(self.root, source_id, self._catalog))
            self._catalog.reset()
        return merge(reports)

    def reindex(self) -> int:
        """Write all indexes anew from the WARC files alone; give the number of captures."""
        with self._lock:
            self._catalog.reset()
            count = 0
            for source_id in source_ids(self.root):
                with source_lock(self.root, source_id):
                    count += rebuild_indexes(self.root, source_id, self._catalog)
        return count

    def add(self, path: Path, source_id: str, url: str | None = None, date: datetime | date | None = None) -> AddReport:
        """Import a file or folder: WARC files of others, HTML, PDF, text, markdown. No network; twice adds nothing.

        For a WARC file `url` keeps only the records of that address and `date` must not be given: records have their
        own. For another file `url` is its address (for a folder, the address that its relative paths are joined to;
        without it, a `file:` address without this machine's folders), and `date` its date, else its modification time.
        """
        with self._lock:
            self._look()
            return add_path(self._writer(source_id), self._catalog, path, source_id, url, date)

    def _look(self) -> None:
        if not self._catalog.has_seen_all:
            self._catalog.refresh()

    def _writer(self, source_id: str) -> SourceWriter:
        if not self._run_stamp:
            raise ValueError("this archive was opened for reading: give a run_stamp to write")
        if source_id not in self._writers:
            check_name(source_id, "source id")
            self._writers[source_id] = SourceWriter(
                self.root, source_id, self._run_stamp, self._roll_bytes, self._catalog, self._repairs.append
            )
        return self._writers[source_id]

    def _held(self, source_id: str, identity: str) -> Capture:
        return next(entry.capture for entry in self._catalog.entries(source_id) if entry.capture.capture_id == identity)

    def _holder(self, capture: Capture) -> Capture:
        """The capture that carries a capture's bytes."""
        if not capture.is_revisit:
            return capture
        with self._lock:
            entry = self._catalog.by_id(capture.refers_to or "")
            for scope in (capture.source_id, None):  # it is nearly always of its own source
                if entry is None:
                    self._catalog.refresh(scope)
                    entry = self._catalog.by_id(capture.refers_to or "")
        if entry is None:
            place = f"{capture.warc_path} at {capture.offset}"
            detail = f"the record it refers to is not held: {capture.refers_to}"
            raise InputError(Reason.RECORD_DAMAGED, place, detail)
        return entry.capture
