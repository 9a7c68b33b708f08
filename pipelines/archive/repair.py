"""Makes the files of a source whole again after a crash: a torn tail is set aside, the index follows the WARC file.

Nothing is deleted: a tail is copied to `torn/`, made durable there, and only then cut off. A damaged record in the
middle of a file is left where it is; verification reports it.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from pipelines.archive.catalog import Catalog
from pipelines.archive.entries import Entry
from pipelines.archive.index import Scan, covered_line, entry_line, forget, read_index, scan_file
from pipelines.archive.layout import index_path, make_folder, replace_file, sync_folder, torn_path, warc_files
from pipelines.archive.records import walk
from pipelines.frozen import frozen


@frozen
class TornTail:
    """A tail that was cut off: where it began, how long it was, where it lies now (paths relative to the root)."""

    warc_path: str
    record_number: int
    offset: int
    byte_count: int
    set_aside: str
    detail: str


@frozen
class RepairReport:
    """What a repair found: tails set aside, captures whose index line had been missing, and captures that are gone.

    `lost` names captures that had been reported: there are none unless the disk said 'written' too early.
    """

    torn: tuple[TornTail, ...]
    recovered: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def is_clean(self) -> bool:
        """Whether there was nothing to repair."""
        return not self.torn and not self.recovered and not self.lost


def merge(reports: list[RepairReport]) -> RepairReport:
    """Several reports as one."""
    return RepairReport(
        tuple(tail for report in reports for tail in report.torn),
        tuple(found for report in reports for found in report.recovered),
        tuple(gone for report in reports for gone in report.lost),
    )


def repair_source(root: Path, source_id: str, catalog: Catalog) -> RepairReport:
    """Repair each file of a source whose size is not what its index covers. The caller holds the source's lock.

    A file that a listing vouches for is not looked at.
    """
    torn: list[TornTail] = []
    lost: list[str] = []
    known: dict[Path, set[int]] = {}
    for path in catalog.unsettled(source_id):
        index = read_index(index_path(root, path))
        size = path.stat().st_size
        if index.covered == size and size:
            continue
        held = {entry.capture.offset: entry for entry in index.entries if entry.end <= size}
        lost.extend(entry.capture.capture_id for entry in index.entries if entry.end > size)
        scan = scan_file(root, path, max((entry.end for entry in held.values()), default=0))
        if size == 0 or (scan.flaws and scan.flaws[-1].end is None):
            torn.append(_set_aside(root, path, scan))
        if path.exists():
            known[path] = set(held)
    recovered = tuple(
        entry.capture.capture_id
        for entry in write_indexes(root, catalog, list(known))
        if entry.capture.offset not in known[root / entry.capture.warc_path]
    )
    return RepairReport(tuple(torn), recovered, tuple(lost))


def write_indexes(root: Path, catalog: Catalog, paths: list[Path]) -> list[Entry]:
    """Write the index of each of a source's files anew from the WARC file alone; give its entries. The lock is held."""
    if not paths:
        return []
    forget(root, paths[0].parent.name)
    for path in paths:
        index_path(root, path).unlink(missing_ok=True)
    catalog.refresh(paths[0].parent.name)
    written: list[Entry] = []
    for path in paths:
        entries = list(catalog.entries_of(path))
        covered = covered_line(path.stat().st_size)
        replace_file(index_path(root, path), b"".join(map(entry_line, entries)) + covered)
        written.extend(entries)
    return written


def rebuild_indexes(root: Path, source_id: str, catalog: Catalog) -> int:
    """Write every index of a source anew, drop those of files that are gone; give the number of captures."""
    paths = warc_files(root, source_id)
    names = {index_path(root, path) for path in paths}
    folder = root / "index" / source_id
    for index in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
        if index not in names:
            index.unlink()
    return len(write_indexes(root, catalog, paths))


def _set_aside(root: Path, path: Path, scan: Scan) -> TornTail:
    """Move the tail of a file into its own file; a WARC file of which nothing is left is removed."""
    size = path.stat().st_size
    flaw = scan.flaws[-1] if scan.flaws else None
    offset = flaw.offset if flaw else 0
    number = _number(path, offset)
    aside = torn_path(path, offset)
    make_folder(aside.parent)
    with path.open("r+b") as source, aside.open("wb") as target:
        source.seek(offset)
        shutil.copyfileobj(source, target)
        target.flush()
        os.fsync(target.fileno())
        sync_folder(aside.parent)
        source.truncate(offset)
        os.fsync(source.fileno())
    if offset == 0:
        path.unlink()
        index_path(root, path).unlink(missing_ok=True)
        sync_folder(path.parent)
    return TornTail(
        warc_path=path.relative_to(root).as_posix(),
        record_number=number,
        offset=offset,
        byte_count=size - offset,
        set_aside=aside.relative_to(root).as_posix(),
        detail=flaw.detail if flaw else "the file is empty",
    )


def _number(path: Path, offset: int) -> int:
    """The number, from 1, of the record that begins at an offset."""
    with path.open("rb") as file:
        return 1 + sum(1 for item in walk(file, lambda _: None) if item.offset < offset)
