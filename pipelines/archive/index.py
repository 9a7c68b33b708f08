"""The derived index: one file of JSON lines beside each WARC file, and one listing a month that is over.

    index/<source_id>/<run stamp>-<nnn>.jsonl      derived from the WARC file beside which it stands
    listing/<source_id>/<yyyymm>.jsonl             derived from the index; of this machine alone

One index file a WARC file, because then a process that appends touches only files of its own source: no shared
database, no lock between sources, and a reader takes whole lines as they come. Each line is one capture, or
`{"covered": n}`: the first n bytes of the WARC file need no further look. Where an index lacks, lags or is torn, the
WARC file itself is read from there on, so the index can be deleted at any time and never decides what exists.

A listing's first line is the digest of the rest, and of how captures are told. The second says what most who ask need:
the sizes of the WARC files and the month's newest captures. Then come a line for each WARC file with its name, and the
lines of its captures as its index has them, which are read when captures are asked for. A month is over for a source
that has a file of a later one: no clock is asked. A WARC file of another size than was noted counts as not noted, and
so does a listing that is damaged or missing, or tells captures otherwise.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from datetime import datetime
from operator import itemgetter
from pathlib import Path
from typing import Generic, TypeVar

import orjson

from pipelines.archive.entries import Draft, Entry, RecordPlace, place_of, read_draft
from pipelines.archive.layout import LISTINGS, changed, index_path, replace_file, source_folder
from pipelines.archive.records import Flaw, walk
from pipelines.frozen import frozen
from pipelines.model.capture import Capture, DateBasis, RecordType

MOST_FILES, MOST_KEPT = 20_000, 200_000  # files, and captures in them, that are kept in memory between two looks
SETTLED_NS = 1_000_000_000  # within a second a file may change and bear the same time
BAD_STATUS = 400

T = TypeVar("T")
_State = tuple[int, int, int]  # of a file: its number, its size, its time

_FIELDS = tuple(item.name for item in fields(Capture))
_values = itemgetter(*_FIELDS)
_BASES, _TYPES = {str(basis): basis for basis in DateBasis}, {str(kind): kind for kind in RecordType}
_TOLD = orjson.dumps([1, _FIELDS, [*_BASES], [*_TYPES]])  # how a listing tells captures: its form, fields and words


@frozen
class FileIndex:
    """What is known of one WARC file: its entries, and up to which byte it was looked at."""

    entries: tuple[Entry, ...]
    covered: int


@dataclass(slots=True)
class _Memory(Generic[T]):
    """What this process read of files, each with its state then, and how many captures they hold together."""

    files: dict[Path, tuple[_State, int, T]] = field(default_factory=dict)
    captures: int = 0

    def held(self, path: Path, state: _State) -> T | None:
        """What a file says that stands as it was read."""
        held = self.files.get(path)
        return held[2] if held is not None and held[0] == state else None

    def keep(self, path: Path, state: _State, captures: int, found: T) -> None:
        """Keep what a file says, as far as there is room; what it said before makes some."""
        self.drop(path)
        if len(self.files) < MOST_FILES and self.captures + captures <= MOST_KEPT:
            self.files[path] = state, captures, found
            self.captures += captures

    def drop(self, path: Path) -> None:
        """Forget what a file said."""
        if (before := self.files.pop(path, None)) is not None:
            self.captures -= before[1]


@dataclass(slots=True, eq=False)
class Month:
    """What is known of some WARC files of a source, those of a month: by name the sizes that this holds for, how many
    captures they hold, and the instants of the newest capture and of the newest good one."""

    sizes: Mapping[str, int]
    captures: int
    newest: datetime | None
    newest_good: datetime | None
    _lines: bytes = b""
    _files: Mapping[str, FileIndex] | None = None

    @classmethod
    def of(cls, files: Mapping[str, FileIndex]) -> Month:
        """The month that has these files."""
        captures = [entry.capture for index in files.values() for entry in index.entries]
        return cls(
            {name: index.covered for name, index in files.items()},
            len(captures),
            max((capture.captured_at for capture in captures), default=None),
            max((capture.captured_at for capture in captures if capture.status < BAD_STATUS), default=None),
            _files=files,
        )

    @property
    def files(self) -> Mapping[str, FileIndex]:
        """What is known of each file: read when it is first asked for."""
        lines = self._lines  # before the look: who read them first lets go of them last
        if self._files is None:
            self._files = _parse(lines, self.sizes)
        self._lines = b""
        return self._files

    def entries(self) -> Iterator[Entry]:
        """The captures in the files, in the order they were written."""
        for index in self.files.values():
            yield from index.entries


_INDEXES = _Memory[FileIndex]()
_PAST = _Memory[tuple[Mapping[str, int], Mapping[str, Month]]]()  # of each source its sizes then, and its months
NO_MONTH = Month.of({})


def _state_of(found: os.stat_result) -> _State:
    return found.st_ino, found.st_size, found.st_mtime_ns


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
        if (held := _INDEXES.held(path, _state_of(found))) is not None:
            return held
        index = _parse_index(path.read_bytes())
    except FileNotFoundError:
        return FileIndex((), 0)
    if time.time_ns() - found.st_mtime_ns > SETTLED_NS:
        _INDEXES.keep(path, _state_of(found), len(index.entries), index)
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


_MONTH = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])")


def listed(root: Path, source_id: str, sizes: Mapping[str, int]) -> list[Month]:
    """What is known of a source's WARC files of months that are over, in order; `sizes` are those of all its files.

    Every step of a run asks: of a source whose listings and files stand as this process last found them nothing is
    asked again.
    """
    folder = root / LISTINGS / source_id
    state = _folder_state(folder)
    told, known = (_PAST.held(folder, state) if state is not None else None) or ({}, {})
    if told != sizes or not sizes:
        over = _over(sizes)
        known = {
            month: known[month]
            if month in known and known[month].sizes == its_sizes
            else _listed(folder, month, its_sizes)
            for month, its_sizes in over.items()
        }
        if all(known[month].sizes == over[month] for month in over):
            _keep(folder, sizes, known)
    return list(known.values())


def _keep(folder: Path, sizes: Mapping[str, int], months: Mapping[str, Month]) -> None:
    state = _folder_state(folder)
    if state is not None and time.time_ns() - state[2] > SETTLED_NS:
        _PAST.keep(folder, state, sum(month.captures for month in months.values()), (sizes, months))


def _folder_state(folder: Path) -> _State | None:
    """The state of a folder of listings; None where it is missing."""
    try:
        return _state_of(folder.stat())
    except FileNotFoundError:
        return None


def _listed(folder: Path, month: str, sizes: Mapping[str, int]) -> Month:
    listing, root, source_id = folder / f"{month}.jsonl", folder.parent.parent, folder.name
    read = _read(listing)
    if read.sizes == sizes:
        return read
    kept = {name for name, size in read.sizes.items() if sizes.get(name) == size}
    # files that their index does not cover are left out
    files = source_folder(root, source_id)
    indexes = {name: read_index(index_path(root, files / name)) for name in sizes.keys() - kept}
    anew = {name: index for name, index in indexes.items() if index.covered == sizes[name]}
    found = {name: read.files[name] if name in kept else anew[name] for name in sizes if name in kept or name in anew}
    if anew:
        with suppress(OSError):  # a disk that is full or read-only: the index is asked again the next time
            replace_file(listing, _content(Month.of(found)))
    return Month.of(found)


def forget(root: Path, source_id: str) -> None:
    """Drop the listings of a source: its index is written anew."""
    changed(root, source_id)
    _PAST.drop(root / LISTINGS / source_id)
    shutil.rmtree(root / LISTINGS / source_id, ignore_errors=True)


def _over(sizes: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """The sizes by month, in order, of all months but the last."""
    by_month: dict[str, dict[str, int]] = {}
    for name, size in sizes.items():
        by_month.setdefault(name[:6], {})[name] = size
    return {month: by_month[month] for month in sorted(filter(_MONTH.fullmatch, by_month))[:-1]}


def _content(month: Month) -> bytes:
    told = {name: getattr(month, name) for name in ("sizes", "captures", "newest", "newest_good")}
    lines = [orjson.dumps(told) + b"\n"]
    for name in sorted(month.files):
        lines.append(orjson.dumps({"file": name}) + b"\n")
        lines += map(entry_line, month.files[name].entries)
    rest = b"".join(lines)
    return _digest_line(rest) + rest


def _digest_line(rest: bytes) -> bytes:
    return orjson.dumps({"sha256": hashlib.sha256(_TOLD + rest).hexdigest()}) + b"\n"


def _read(path: Path) -> Month:
    """The month that a listing tells of; none where it is missing or not as this version wrote it."""
    try:
        first, _, rest = path.read_bytes().partition(b"\n")
    except OSError:
        return NO_MONTH
    if first + b"\n" != _digest_line(rest):
        return NO_MONTH
    head, _, lines = rest.partition(b"\n")
    told = orjson.loads(head)
    newest, good = (datetime.fromisoformat(at) if at else None for at in (told["newest"], told["newest_good"]))
    return Month(told["sizes"], told["captures"], newest, good, lines)


def _parse(lines: bytes, sizes: Mapping[str, int]) -> dict[str, FileIndex]:
    noted: dict[str, list[Entry]] = {}
    entries: list[Entry] = []
    for line in lines.splitlines():
        row = orjson.loads(line)
        if "file" in row:
            entries = noted[str(row["file"])] = []
        else:
            entries.append(entry_of(row))
    return {name: FileIndex(tuple(noted[name]), size) for name, size in sizes.items()}
