"""Where things lie under the archive's root, and the few disk habits that make a write durable.

    warc/<source_id>/<run stamp>-<nnn>.warc.gz     the evidence; append-only
    warc/<source_id>/torn/                         tails that were cut off by a crash, set aside
    index/<source_id>/<run stamp>-<nnn>.jsonl      derived, one file beside each WARC file
    listing/<source_id>/<yyyymm>.jsonl             derived, what the index says of a month that is over; not shared
    locks/<source_id>.lock                         one writer a source at a time

What is in the files is the business of the other modules.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import orjson

from pipelines.frozen import frozen

LISTINGS = "listing"
ASKED_AGAIN_S = 60.0  # after so long nothing counts that was found before
OLD_NS = 60_000_000_000  # a file that nobody has written to for so long is none of this run's
SETTLED_NS = 2_000_000_000  # clocks of disks are coarse: a folder that changed just now may change again unseen

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_SUFFIX = ".warc.gz"


@frozen
class _Names:
    """The files of a folder as of its last change: their sizes in order, -1 where none was asked yet, and which of them
    may grow still."""

    changed_at: int
    sizes: Mapping[str, int]
    growing: tuple[str, ...]


_NOTHING = _Names(-1, {}, ())


@dataclass(slots=True)
class _Look:
    """What was found of one folder since an instant; threads that look at once leave what one of them found."""

    at: float
    names: _Names = _NOTHING


_LOOKS: dict[Path, _Look] = {}


def check_name(name: str, what: str) -> str:
    """Return `name` when it is safe as one path component, else raise ValueError saying `what` it is."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{what} {name!r} must be letters, digits, '_', '-' or '.', and start with one of the first")
    return name


def source_ids(root: Path) -> list[str]:
    """Sources that have a WARC folder, sorted."""
    folder = root / "warc"
    if not folder.is_dir():
        return []
    return sorted(entry.name for entry in folder.iterdir() if entry.is_dir() and _NAME.fullmatch(entry.name))


def source_folder(root: Path, source_id: str) -> Path:
    """The folder of a source's WARC files."""
    return root / "warc" / source_id


def warc_sizes(root: Path, source_id: str) -> dict[str, int]:
    """Name and size of the WARC files of one source in the order they were written: by run stamp, then by number.

    A run lists every source some five times: of a folder whose names stand, and of files that nobody has written to
    for a while, what this process found less than a minute ago counts. What writes to such a file or cuts it says so
    (`changed`); what others do to it shows within the minute, and reading checks every digest.
    """
    folder = source_folder(root, source_id)
    try:
        changed_at, now = folder.stat().st_mtime_ns, time.time_ns()
        held = _LOOKS.get(folder)
        if held is None or time.monotonic() - held.at > ASKED_AGAIN_S:
            held = _LOOKS[folder] = _Look(time.monotonic())
        names = held.names
        if names.changed_at != changed_at or now - changed_at < SETTLED_NS:
            names = _listed(folder, changed_at, names)
    except FileNotFoundError:
        return {}
    sizes = dict(names.sizes)
    growing = tuple(name for name in names.growing if _may_grow(folder, name, sizes, now))
    held.names = _Names(changed_at, sizes, growing)
    return dict(sizes)


def _listed(folder: Path, changed_at: int, before: _Names) -> _Names:
    """The names in a folder; the sizes of files that grow no more stay. Raises FileNotFoundError."""
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries if entry.name.endswith(_SUFFIX)]
    sizes = {name: before.sizes.get(name, -1) for name in sorted(names, key=_file_order)}
    grew = set(before.growing)
    return _Names(changed_at, sizes, tuple(name for name, size in sizes.items() if size < 0 or name in grew))


def _may_grow(folder: Path, name: str, sizes: dict[str, int], now: int) -> bool:
    """Note the size of a file; whether it is to be asked again: somebody has written to it a short while ago."""
    try:
        found = os.stat(f"{folder}/{name}")  # noqa: PTH116 - a year of files: joined as text, three times as quick
    except FileNotFoundError:
        del sizes[name]
        return False
    sizes[name] = found.st_size
    return now - found.st_mtime_ns <= OLD_NS


def changed(root: Path, source_id: str) -> None:
    """Forget what was found of a source's WARC files."""
    _LOOKS.pop(source_folder(root, source_id), None)


def warc_files(root: Path, source_id: str) -> list[Path]:
    """The WARC files of one source in the order they were written."""
    folder = source_folder(root, source_id)
    return [folder / name for name in warc_sizes(root, source_id)]


@lru_cache(maxsize=1 << 16)  # a folder of which a name is new is sorted again
def _file_order(name: str) -> tuple[str, int, str]:
    stamp, _, number = name.removesuffix(_SUFFIX).rpartition("-")
    return (stamp, int(number), name) if number.isdecimal() else (name, -1, name)


def warc_path(root: Path, source_id: str, run_stamp: str, number: int) -> Path:
    """The path of one numbered WARC file of a source and run."""
    return source_folder(root, source_id) / f"{run_stamp}-{number:03d}{_SUFFIX}"


def index_path(root: Path, path: Path) -> Path:
    """The index file that is derived from a WARC file."""
    return root.joinpath("index", path.parent.name, path.name.removesuffix(_SUFFIX) + ".jsonl")


def torn_path(path: Path, offset: int) -> Path:
    """Where the tail of a WARC file from `offset` on is set aside."""
    return path.parent / "torn" / f"{path.name.removesuffix(_SUFFIX)}-{offset}.part"


def lock_path(root: Path, source_id: str) -> Path:
    """The lock that every writer of a source holds while it writes."""
    return root / "locks" / f"{source_id}.lock"


def sync_folder(folder: Path) -> None:
    """Make a new, renamed or removed name in a folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Create a folder and its parents, each made durable in its own parent."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    sync_folder(folder.parent)


def append_lines(path: Path, rows: Iterable[object]) -> None:
    """Append frozen rows to a file, a line of JSON each; when this returns, they are on the disk. Raises OSError."""
    lines = b"".join(orjson.dumps(row) + b"\n" for row in rows)
    if not lines:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def replace_file(path: Path, content: bytes) -> None:
    """Put `content` in place of a file in one step: a reader sees the old file or the new one, never a half."""
    make_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as handle:
            handle.write(content)
            handle.flush()
            os.fsync(handle.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)
