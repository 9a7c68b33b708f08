"""What the months of a source that are over hold, one file a month: listing captures then asks no index of theirs.

    listing/<source_id>/<yyyymm>.jsonl      derived from the index; of this machine alone

The first line is the digest of the rest; then come a line for each WARC file, with its name and size, and the lines of
its captures as its index has them. A month is over for a source that has a file of a later one: no clock is asked. A
WARC file of another size than was noted counts as not noted, and so does a listing that is damaged or missing.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import orjson

from pipelines.archive.entries import Entry
from pipelines.archive.index import FileIndex, entry_line, entry_of, read_index
from pipelines.archive.layout import LISTINGS, changed, index_path, replace_file, source_folder
from pipelines.frozen import frozen

MOST_KEPT = 200_000  # captures that are kept in memory between two looks

_MONTH = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])")
_READ: dict[Path, tuple[tuple[int, int, int], int, dict[str, FileIndex]]] = {}  # state, captures, what it notes


@frozen
class _Month:
    """A month of a source that is over: the sizes of its WARC files as they are now."""

    root: Path
    source_id: str
    name: str
    sizes: Mapping[str, int]

    @property
    def path(self) -> Path:
        return self.root / LISTINGS / self.source_id / f"{self.name}.jsonl"


def listed(root: Path, source_id: str, sizes: Mapping[str, int]) -> dict[str, FileIndex]:
    """What is known of a source's WARC files of months that are over, by name; `sizes` are those of all its files."""
    found: dict[str, FileIndex] = {}
    for month in _over(root, source_id, sizes):
        noted = {name: index for name, index in _read(month.path).items() if month.sizes.get(name) == index.covered}
        found |= noted if len(noted) == len(month.sizes) else _noted_anew(month, noted)
    return found


def forget(root: Path, source_id: str) -> None:
    """Drop the listings of a source: its index is written anew."""
    changed(root, source_id)
    shutil.rmtree(root / LISTINGS / source_id, ignore_errors=True)


def _over(root: Path, source_id: str, sizes: Mapping[str, int]) -> list[_Month]:
    by_month: dict[str, dict[str, int]] = {}
    for name, size in sizes.items():
        if _MONTH.fullmatch(name[:6]):
            by_month.setdefault(name[:6], {})[name] = size
    return [_Month(root, source_id, name, by_month[name]) for name in sorted(by_month)[:-1]]


def _noted_anew(month: _Month, noted: dict[str, FileIndex]) -> dict[str, FileIndex]:
    """The month as its index files tell it now; those that do not cover their WARC file are left out."""
    found = dict(noted)
    folder = source_folder(month.root, month.source_id)
    for name in month.sizes.keys() - noted.keys():
        index = read_index(index_path(month.root, folder / name))
        if index.covered == month.sizes[name]:
            found[name] = index
    if len(found) > len(noted):
        with suppress(OSError):  # a disk that is full or read-only: the index is asked again the next time
            replace_file(month.path, _content(found))
    return found


def _content(found: Mapping[str, FileIndex]) -> bytes:
    lines: list[bytes] = []
    for name in sorted(found):
        lines.append(orjson.dumps({"file": name, "size": found[name].covered}) + b"\n")
        lines += map(entry_line, found[name].entries)
    rest = b"".join(lines)
    return _digest_line(rest) + rest


def _digest_line(rest: bytes) -> bytes:
    return orjson.dumps({"sha256": hashlib.sha256(rest).hexdigest()}) + b"\n"


def _read(path: Path) -> dict[str, FileIndex]:
    """The files that a listing notes; none where it is missing or not as it was written."""
    try:
        found = path.stat()
        state = (found.st_ino, found.st_size, found.st_mtime_ns)
        if path in _READ and _READ[path][0] == state:
            return _READ[path][2]
        first, _, rest = path.read_bytes().partition(b"\n")
        noted = _parse(rest) if first + b"\n" == _digest_line(rest) else {}
    except (OSError, ValueError, TypeError, KeyError):  # the last three: written by a version with other fields
        return {}
    count = sum(len(index.entries) for index in noted.values())
    if count + sum(kept for _, kept, _ in _READ.values()) <= MOST_KEPT:
        _READ[path] = state, count, noted
    return noted


def _parse(lines: bytes) -> dict[str, FileIndex]:
    noted: dict[str, tuple[int, list[Entry]]] = {}
    name = ""
    for line in lines.splitlines():
        row = orjson.loads(line)
        if "file" in row:
            name = str(row["file"])
            noted[name] = int(row["size"]), []
        else:
            noted[name][1].append(entry_of(row))
    return {name: FileIndex(tuple(entries), size) for name, (size, entries) in noted.items()}
