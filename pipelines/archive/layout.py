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
from contextlib import suppress
from pathlib import Path

LISTINGS = "listing"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")
_SUFFIX = ".warc.gz"


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
    """Name and size of the WARC files of one source in the order they were written: by run stamp, then by number."""
    found: dict[str, int] = {}
    try:
        with os.scandir(source_folder(root, source_id)) as entries:
            for entry in entries:
                if entry.name.endswith(_SUFFIX):
                    with suppress(FileNotFoundError):  # gone since it was listed
                        found[entry.name] = entry.stat().st_size
    except FileNotFoundError:
        return {}
    return {name: found[name] for name in sorted(found, key=_file_order)}


def warc_files(root: Path, source_id: str) -> list[Path]:
    """The WARC files of one source in the order they were written."""
    folder = source_folder(root, source_id)
    return [folder / name for name in warc_sizes(root, source_id)]


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
