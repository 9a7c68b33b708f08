"""The derived index: one file of JSON lines beside each WARC file.

One index file a WARC file, because then a process that appends touches only files of its own source: no shared
database, no lock between sources, and a reader takes whole lines as they come. Each line is one capture, or
`{"covered": n}`: the first n bytes of the WARC file need no further look. Where an index lacks, lags or is torn, the
WARC file itself is read from there on, so the index can be deleted at any time and never decides what exists.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, fields
from datetime import datetime
from operator import itemgetter
from pathlib import Path

import orjson

from pipelines.archive.entries import Draft, Entry, RecordPlace, place_of, read_draft
from pipelines.archive.records import Flaw, walk
from pipelines.frozen import frozen
from pipelines.model.capture import Capture, DateBasis, RecordType

MOST_FILES, MOST_KEPT = 20_000, 200_000  # index files, and captures in them, that are kept in memory between two looks
SETTLED_NS = 1_000_000_000  # within a second a file may change and bear the same time

_FIELDS = tuple(item.name for item in fields(Capture))
_values = itemgetter(*_FIELDS)
_BASES, _TYPES = {str(basis): basis for basis in DateBasis}, {str(kind): kind for kind in RecordType}


@frozen
class FileIndex:
    """What is known of one WARC file: its entries, and up to which byte it was looked at."""

    entries: tuple[Entry, ...]
    covered: int


@dataclass(slots=True)
class _Memory:
    """The index files that this process read, each with its state then, and how many captures they hold together."""

    files: dict[Path, tuple[tuple[int, int, int], FileIndex]] = field(default_factory=dict)
    captures: int = 0

    def keep(self, path: Path, state: tuple[int, int, int], index: FileIndex) -> None:
        """Keep what an index file says, as far as there is room."""
        self.forget(path)
        if len(self.files) < MOST_FILES and self.captures + len(index.entries) <= MOST_KEPT:
            self.files[path] = state, index
            self.captures += len(index.entries)

    def forget(self, path: Path) -> None:
        """Make room where the file was another before."""
        if (held := self.files.pop(path, None)) is not None:
            self.captures -= len(held[1].entries)


_MEMORY = _Memory()


@frozen
class Scan:
    """What a look at a WARC file itself gave: drafts with their places, and flaws."""

    drafts: tuple[tuple[Draft, RecordPlace], ...]
    flaws: tuple[Flaw, ...]


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
        held = _MEMORY.files.get(path)
        if held is not None and held[0] == state:
            return held[1]
        index = _parse_index(path.read_bytes())
    except FileNotFoundError:
        return FileIndex((), 0)
    if time.time_ns() - found.st_mtime_ns > SETTLED_NS:
        _MEMORY.keep(path, state, index)
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
                entries.append(entry_of(row))
                covered = max(covered, entries[-1].end)
        except (ValueError, TypeError, KeyError):
            break
    return FileIndex(tuple(entries), covered)


def entry_of(row: dict[str, object]) -> Entry:
    """The entry that a line of an index file says. Raises ValueError, TypeError or KeyError where it is none."""
    told = {
        "captured_at": datetime.fromisoformat(str(row["captured_at"])),
        "date_basis": _BASES[str(row["date_basis"])],
        "record_type": _TYPES[str(row["record_type"])],
    }
    return Entry(Capture(*_values(row | told)), str(row["record_id"]), int(str(row["end"])))


def scan_file(root: Path, path: Path, start: int = 0) -> Scan:
    """Read a WARC file from a record's beginning on."""
    source_id, relative = path.parent.name, path.relative_to(root).as_posix()
    drafts: list[tuple[Draft, RecordPlace]] = []
    flaws: list[Flaw] = []
    with path.open("rb") as file:
        for item in walk(file, read_draft, start):
            if isinstance(item, Flaw):
                flaws.append(item)
                continue
            if item.value is not None:
                drafts.append((item.value, place_of(item, source_id, relative)))
    return Scan(tuple(drafts), tuple(flaws))
