"""The derived index: one file of JSON lines beside each WARC file, and what is looked up in all of them.

One index file a WARC file, because then a process that appends touches only files of its own source: no shared
database, no lock between sources, and a reader takes whole lines as they come. Each line is one capture, or
`{"covered": n}`: the first n bytes of the WARC file need no further look. Where an index lacks, lags or is torn, the
WARC file itself is read from there on, so the index can be deleted at any time and never decides what exists.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path

import orjson

from pipelines.archive.entries import Draft, Entry, RecordPlace, make_entry, place_of, read_draft
from pipelines.archive.layout import all_warc_files, index_path, warc_files
from pipelines.archive.records import Flaw, walk
from pipelines.model.capture import Capture, DateBasis, RecordType, Validators

_Pending = tuple[Path, Draft, RecordPlace]

_READ: dict[Path, tuple[tuple[int, int, int], FileIndex]] = {}
MOST_FILES, MOST_BYTES = 20_000, 16_384  # of what is kept in memory: a day of a source is one small file
SETTLED_NS = 1_000_000_000  # within a second a file may change and bear the same time

_FIELDS = tuple(item.name for item in fields(Capture))


@dataclass(frozen=True, slots=True)
class FileIndex:
    """What is known of one WARC file: its entries, and up to which byte it was looked at."""

    entries: tuple[Entry, ...]
    covered: int


@dataclass(frozen=True, slots=True)
class Scan:
    """What a look at a WARC file itself gave: drafts with their places, flaws, and where the sound part ends."""

    drafts: tuple[tuple[Draft, RecordPlace], ...]
    flaws: tuple[Flaw, ...]
    sound_end: int


def entry_line(entry: Entry) -> bytes:
    """One entry as a line of an index file."""
    row = {name: getattr(entry.capture, name) for name in _FIELDS}
    row["captured_at"] = entry.capture.captured_at.isoformat(timespec="microseconds")
    row["record_id"], row["end"] = entry.record_id, entry.end
    return orjson.dumps(row) + b"\n"


def covered_line(size: int) -> bytes:
    """The line that says up to which byte a WARC file was looked at."""
    return orjson.dumps({"covered": size}) + b"\n"


def read_index(path: Path) -> FileIndex:
    """Read an index file up to its first line that is torn or strange; a missing file is empty.

    Each step of a run looks at all captures: an index that stands as this process last read it is not read again.
    """
    try:
        found = path.stat()
        state = (found.st_ino, found.st_size, found.st_mtime_ns)
        if path in _READ and _READ[path][0] == state:
            return _READ[path][1]
        index = _parse_index(path.read_bytes())
    except FileNotFoundError:
        return FileIndex((), 0)
    is_settled = time.time_ns() - found.st_mtime_ns > SETTLED_NS
    if is_settled and (path in _READ or len(_READ) < MOST_FILES) and found.st_size <= MOST_BYTES:
        _READ[path] = state, index
    return index


def _parse_index(data: bytes) -> FileIndex:
    entries: list[Entry] = []
    covered = 0
    for line in data.splitlines(keepends=True):
        try:
            if not line.endswith(b"\n"):
                break
            row = orjson.loads(line)
            if "covered" in row:
                covered = max(covered, int(row["covered"]))
            else:
                entries.append(_entry(row))
                covered = max(covered, entries[-1].end)
        except (ValueError, TypeError, KeyError):
            break
    return FileIndex(tuple(entries), covered)


def _entry(row: dict[str, object]) -> Entry:
    values = {name: row[name] for name in _FIELDS}
    values["captured_at"] = datetime.fromisoformat(str(row["captured_at"]))
    values["date_basis"] = DateBasis(str(row["date_basis"]))
    values["record_type"] = RecordType(str(row["record_type"]))
    return Entry(Capture(**values), str(row["record_id"]), int(str(row["end"])))  # type: ignore[arg-type]


def scan_file(root: Path, path: Path, start: int = 0) -> Scan:
    """Read a WARC file from a record's beginning on."""
    source_id, relative = path.parent.name, path.relative_to(root).as_posix()
    drafts: list[tuple[Draft, RecordPlace]] = []
    flaws: list[Flaw] = []
    end = start
    with path.open("rb") as file:
        for item in walk(file, read_draft, start):
            if isinstance(item, Flaw):
                flaws.append(item)
                continue
            end = item.offset + item.length
            if item.value is not None:
                drafts.append((item.value, place_of(item, source_id, relative)))
    return Scan(tuple(drafts), tuple(flaws), end)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What an address last answered: when, with which validators, and the record that holds the bytes."""

    original: Entry
    captured_at: datetime
    etag: str | None
    last_modified: str | None


class Catalog:
    """Looks captures up over all sources, from the index files, and from WARC files where those lag.

    Holds in memory only captures that carry bytes, not revisits: an address that is asked again each day costs nothing.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self.has_seen_all = False
        self._seen: dict[Path, tuple[int, int]] = {}
        self._tails: dict[Path, tuple[Entry, ...]] = {}
        self._by_record: dict[tuple[str, str], Entry] = {}
        self._by_id: dict[str, Entry] = {}
        self._by_url: dict[str, _Answer] = {}
        self._by_payload: dict[tuple[str, str, int], Entry] = {}

    def reset(self) -> None:
        """Forget everything; the next refresh reads it all again."""
        self.has_seen_all = False
        for held in (self._seen, self._tails, self._by_record, self._by_id, self._by_url, self._by_payload):
            held.clear()

    def refresh(self, source_id: str | None = None) -> None:
        """Take in what has been written since the last look, by any process: everywhere, or by one source.

        A look at one source costs what that source holds. A record of it that is not indexed may point to any other.
        """
        pending = self._look_at(warc_files(self._root, source_id)) if source_id is not None else []
        if source_id is None or (pending and not self.has_seen_all):
            pending += self._look_at(all_warc_files(self._root))
            self.has_seen_all = True
        self._take_tails(pending)

    def _look_at(self, paths: Iterable[Path]) -> list[_Pending]:
        """Take in what the index files say of these; what they do not say yet is pending."""
        pending: list[_Pending] = []
        for path in paths:
            file = index_path(self._root, path)
            state = _state(path, file)
            if state is None or self._seen.get(path) == state:
                continue
            self._seen[path] = state
            index = read_index(file)
            self._tails.pop(path, None)
            for entry in index.entries:
                if entry.end <= state[0]:
                    self.note(entry)
            if index.covered < state[0]:
                scan = scan_file(self._root, path, index.covered)
                pending.extend((path, draft, place) for draft, place in scan.drafts)
            elif index.covered > state[0]:
                self._seen.pop(path)
        return pending

    def _take_tails(self, pending: list[_Pending]) -> None:
        resolved = self.resolve((draft, place) for _, draft, place in pending)
        by_place = {(entry.capture.warc_path, entry.capture.offset): entry for entry in resolved}
        for path, _, place in pending:
            entry = by_place[place.warc_path, place.offset]
            self._tails[path] = (*self._tails.get(path, ()), entry)

    def resolve(self, drafts: Iterable[tuple[Draft, RecordPlace]]) -> list[Entry]:
        """Make entries of drafts and note them; originals first, so that revisits find them whatever the order."""
        drafts = list(drafts)
        entries = [make_entry(*pair) for pair in drafts if pair[0].record_type != RecordType.REVISIT]
        for entry in entries:
            self.note(entry)
        for draft, place in drafts:
            if draft.record_type == RecordType.REVISIT:
                entries.append(make_entry(draft, place, self.original_of(draft, place.source_id)))
                self.note(entries[-1])
        return sorted(entries, key=lambda entry: (entry.capture.warc_path, entry.capture.offset))

    def note(self, entry: Entry) -> None:
        """Remember an entry that carries bytes, and of any good one what its address last answered."""
        capture = entry.capture
        original = self._by_id.get(capture.refers_to or "") if capture.is_revisit else entry
        if not capture.is_revisit:
            self._by_record[capture.source_id, entry.record_id] = entry
            self._by_record.setdefault(("", entry.record_id), entry)
            self._by_id[capture.capture_id] = entry
            if capture.byte_count:
                self._by_payload.setdefault((capture.source_id, capture.payload_sha256, capture.status), entry)
        if original is None or not 200 <= original.capture.status < 300:
            return
        answer = _Answer(original, capture.captured_at, capture.etag, capture.last_modified)
        for url in {capture.url, capture.final_url}:
            held = self._by_url.get(url)
            if held is None or held.captured_at <= answer.captured_at:
                self._by_url[url] = answer

    def original_of(self, draft: Draft, source_id: str) -> Entry | None:
        """The entry that a revisit points to: by record id, in its own source first, else by its payload digest."""
        for scope in (source_id, ""):
            if (entry := self._by_record.get((scope, draft.refers_to_id or ""))) is not None:
                return entry
        if draft.payload_sha256 is None:
            return None
        return self._by_payload.get((source_id, draft.payload_sha256, draft.status))

    def by_id(self, capture_id: str) -> Entry | None:
        """The capture of that id, when it carries bytes."""
        return self._by_id.get(capture_id)

    def by_payload(self, source_id: str, payload_sha256: str, status: int) -> Entry | None:
        """The capture of a source that carries these bytes and was answered with that status."""
        return self._by_payload.get((source_id, payload_sha256, status))

    def latest(self, url: str) -> Entry | None:
        """The capture whose bytes an address gave when it last answered well, asked for or arrived at."""
        answer = self._by_url.get(url)
        return answer.original if answer else None

    def validators(self, url: str) -> Validators | None:
        """What a conditional request for an address may say."""
        answer = self._by_url.get(url)
        if answer is None:
            return None
        return Validators(answer.etag, answer.last_modified, answer.original.capture.payload_sha256)

    def entries(self, source_id: str) -> Iterator[Entry]:
        """All entries of a source, revisits too, in the order they were written."""
        for path in warc_files(self._root, source_id):
            yield from self.entries_of(path)

    def entries_of(self, path: Path) -> Iterator[Entry]:
        """All entries of one WARC file, revisits too, in the order they were written."""
        file = index_path(self._root, path)
        state = _state(path, file)
        if state is None:
            return
        index = read_index(file)
        yield from (entry for entry in index.entries if entry.end <= state[0])
        yield from (entry for entry in self._tails.get(path, ()) if entry.end > index.covered)


def _state(path: Path, index: Path) -> tuple[int, int] | None:
    """Sizes of a WARC file and its index; None when the file has gone since it was listed."""
    try:
        index_size = index.stat().st_size
    except FileNotFoundError:
        index_size = 0
    try:
        return path.stat().st_size, index_size
    except FileNotFoundError:
        return None
