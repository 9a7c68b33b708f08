"""Appends to the WARC files of one source and run, so that what is reported as captured is on the disk.

One writer a source and process; a lock keeps processes apart. An append is all or nothing: bytes, fsync, index line,
and only then the report; when anything fails the file is cut back to where it was.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from filelock import FileLock

from pipelines.archive.catalog import Catalog
from pipelines.archive.entries import Draft, Entry, RecordPlace, make_entry
from pipelines.archive.index import entry_line
from pipelines.archive.layout import changed, index_path, lock_path, make_folder, sync_folder, warc_path
from pipelines.archive.repair import RepairReport, repair_source
from pipelines.archive.warc import NewRecord, record_id, warc_date, with_block_digest, write_record

_LOCK_SECONDS = 120.0
_BATCH_BYTES = 64 << 20

OnRepair = Callable[[RepairReport], None]


def source_lock(root: Path, source_id: str) -> FileLock:
    """The lock of a source, not yet taken. Taking it raises filelock.Timeout after two minutes."""
    path = lock_path(root, source_id)
    make_folder(path.parent)
    return FileLock(path, timeout=_LOCK_SECONDS)


class SourceWriter:
    """The open end of one source's archive."""

    def __init__(
        self, root: Path, source_id: str, run_stamp: str, roll_bytes: int, catalog: Catalog, on_repair: OnRepair
    ) -> None:
        self._root = root
        self._source_id = source_id
        self._run_stamp = run_stamp
        self._roll_bytes = roll_bytes
        self._catalog = catalog
        self._on_repair = on_repair
        self._lock = source_lock(root, source_id)
        self._number = 0
        self._path = self._numbered(0)
        self._next_path = self._numbered(1)
        self._handle: int | None = None
        self._size = -1
        self._held: set[str] | None = None
        self._pending: list[Entry] = []
        self._pending_start = 0

    def close(self) -> None:
        """Close the open file."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the source; before the first use, and when another process has written, look at the files and repair.

        What was added inside is durable and indexed when the block ends; when it ends by an error, what was added since
        the last commit is taken back.
        """
        with self._lock:
            self._settle()
            done = False
            try:
                yield
                self.commit()
                done = True
            finally:
                if not done:
                    self._roll_back()

    def holds(self, identity: str) -> bool:
        """Whether the source has a capture of that id."""
        return self._held is not None and identity in self._held

    def add(self, records: list[NewRecord], draft: Draft, original: Entry | None) -> Entry:
        """Write records, the last of which is the capture that `draft` describes; to be used inside `locked`."""
        handle = self._open(draft.capture.captured_at)
        start = self._size
        for record in records:
            start = self._size
            self._write(handle, record)
        relative = self._path.relative_to(self._root).as_posix()
        entry = make_entry(draft, RecordPlace(self._source_id, relative, start, self._size), original)
        self._pending.append(entry)
        if self._held is not None:
            self._held.add(entry.capture.capture_id)
        self._catalog.note(entry)
        if self._size - self._pending_start >= _BATCH_BYTES:
            self.commit()
        return entry

    def commit(self) -> None:
        """Make what was added durable, then index it."""
        if self._handle is None or not self._pending:
            return
        os.fsync(self._handle)
        lines = b"".join(map(entry_line, self._pending))
        self._pending, self._pending_start = [], self._size
        index = index_path(self._root, self._path)
        make_folder(index.parent)
        with index.open("ab", buffering=0) as file:
            _write_all(file.fileno(), lines)

    def _settle(self) -> None:
        """Make sure that the files are as this writer left them; otherwise repair and learn what they hold."""
        if self._held is not None and self._is_as_left():
            return
        self.close()
        self._on_repair(repair_source(self._root, self._source_id, self._catalog))
        self._catalog.refresh(self._source_id)
        self._held = {entry.capture.capture_id for entry in self._catalog.entries(self._source_id)}
        while self._next_path.exists():
            self._turn_to_next()

    def _is_as_left(self) -> bool:
        if self._next_path.exists():
            return False
        if self._handle is None:
            return not self._path.exists()
        try:
            now = self._path.stat()
        except FileNotFoundError:
            return False
        return now.st_size == self._size and now.st_ino == os.fstat(self._handle).st_ino

    def _numbered(self, number: int) -> Path:
        return warc_path(self._root, self._source_id, self._run_stamp, number)

    def _turn_to_next(self) -> None:
        self._number += 1
        self._path = self._next_path
        self._next_path = self._numbered(self._number + 1)

    def _open(self, instant: datetime) -> int:
        """The file to append to: the current one, or a new one when that is full."""
        if self._handle is not None and self._size >= self._roll_bytes:
            self.commit()
            self.close()
            self._turn_to_next()
        if self._handle is not None:
            return self._handle
        path = self._path
        make_folder(path.parent)
        is_new = not path.exists()
        if not is_new:
            changed(self._root, self._source_id)
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self._size = self._pending_start = os.fstat(self._handle).st_size
        if is_new:
            sync_folder(path.parent)
            self._write(self._handle, _warcinfo(path.name, self._source_id, instant))
        elif self._size >= self._roll_bytes:
            return self._open(instant)
        return self._handle

    def _write(self, handle: int, record: NewRecord) -> None:
        self._size += write_record(with_block_digest(record), lambda data: _write_all(handle, data))

    def _roll_back(self) -> None:
        """Cut off what was added since the last commit, and look at everything again before the next use."""
        self._held = None
        self._pending = []
        self._catalog.reset()
        if self._handle is None:
            return
        try:
            if os.fstat(self._handle).st_size > self._pending_start:
                os.ftruncate(self._handle, self._pending_start)
                os.fsync(self._handle)
            if self._pending_start == 0:
                self._path.unlink(missing_ok=True)
        finally:
            self.close()


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _warcinfo(name: str, source_id: str, instant: datetime) -> NewRecord:
    """The record that opens each file; dated by the first capture in it, for the archive has no clock."""
    body = f"software: rackledger\r\nformat: WARC File Format 1.1\r\nisPartOf: {source_id}\r\n".encode()
    fields = (
        ("WARC-Type", "warcinfo"),
        ("WARC-Record-ID", record_id("warcinfo", source_id, name, warc_date(instant))),
        ("WARC-Filename", name),
        ("WARC-Date", warc_date(instant)),
    )
    return NewRecord(fields, "application/warc-fields", b"", body, len(body))
