"""What the benches of round archives share: the floor, Python's own tar reader, and members that stand in for code."""

from __future__ import annotations

import gzip
import io
import os
import resource
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from pipelines.parse.tarstream import TarReader


class NoNames:
    """A matcher that knows nothing: the registry is not part of what is measured."""

    accelerator_id = "unknown"

    def match(self, raw_name: str, system_name: str = "") -> NoNames:
        return self


def files_of(script: str, archives: Iterable[Path], *, is_whole: bool) -> Iterator[tuple[Path, Path]]:
    """The file to measure for each archive: itself, or a copy that the script's child `pad` made larger."""
    with tempfile.TemporaryDirectory(prefix="rackledger-bench-") as folder:
        for archive in archives:
            if not is_whole:
                yield archive, archive
                continue
            path = Path(folder) / archive.name
            # in a process of its own: a child inherits its parent's peak memory
            subprocess.run([sys.executable, script, str(archive), str(path), "--child", "pad"], check=True)
            yield path, archive
            path.unlink()


def use_one_core() -> None:
    """Keep this process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def peak_mb(who: int = resource.RUSAGE_SELF) -> float:
    """Peak memory of this process, or of its children."""
    return resource.getrusage(who).ru_maxrss / 1024


def walk_only(stream: BinaryIO) -> str:
    """The floor: the header walk and decompression that the parsers use, no member read."""
    reader = TarReader(stream)
    count = sum(1 for _ in reader)
    return f"{count} members, {reader.unpacked_size / 1e6:.0f} MB unpacked"


def walk_by_tarfile(stream: BinaryIO) -> str:
    """Python's tarfile and gzip over the same file, no member read."""
    with gzip.open(stream) as unpacked, tarfile.open(fileobj=unpacked, mode="r|") as archive:
        count = sum(member.isfile() for member in archive)
    return f"{count} members"


def add_code(whole: tarfile.TarFile, folder: str, size: int, files: int | None = None) -> None:
    """Members that no parser needs, of so many bytes in all: files of the installed packages, over and over.

    With `files` they are joined until about so many members come out.
    """
    least, held = (size // files if files else 0), b""
    for at, piece in enumerate(_padding()):
        if size <= 0:
            return
        held += piece
        if len(held) >= least:
            write_member(whole, f"{folder}/{at % 97}/file_{at}.py", held)
            size -= len(held)
            held = b""


def write_member(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    """One regular file."""
    entry = tarfile.TarInfo(name)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


def _padding() -> Iterator[bytes]:
    """Sources as they are, large binaries cut."""
    paths = sorted(path for path in Path(sys.prefix).rglob("*") if path.is_file() and path.stat().st_size > 0)
    while True:
        for path in paths:
            with path.open("rb") as file:
                yield file.read(1 << 18)
