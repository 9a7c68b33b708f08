"""Checks the archive against itself: every record's framing and digests, and that each listed capture is there.

It reads everything and changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pipelines.archive.catalog import Catalog
from pipelines.archive.entries import Entry
from pipelines.archive.index import read_index
from pipelines.archive.layout import source_ids, warc_files
from pipelines.archive.records import DigestCheck, Flaw, Record, has_http_head, walk
from pipelines.archive.writer import source_lock
from pipelines.frozen import frozen
from pipelines.problems import Reason


@frozen
class VerifyProblem:
    """One thing that is wrong, and where: file, record number from 1 (0: not known), offset in bytes."""

    warc_path: str
    record_number: int
    offset: int
    reason: Reason
    detail: str


@frozen
class VerifyReport:
    """What was checked, and what is wrong. `byte_count` is of the files as they lie on the disk."""

    files: int
    records: int
    captures: int
    digests: int
    byte_count: int
    problems: tuple[VerifyProblem, ...]

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


@dataclass(slots=True)
class _FileCheck:
    """What one file's check has found so far."""

    records: int
    digests: int
    size: int
    sound: set[int]
    flaws: list[Flaw]
    problems: list[VerifyProblem]


def verify_archive(root: Path) -> VerifyReport:
    """Check all sources. A record that is being written meanwhile is not reported."""
    catalog = Catalog(root, is_listed=False)
    catalog.refresh()
    checks: dict[str, _FileCheck] = {}
    for source_id in source_ids(root):
        for path in warc_files(root, source_id):
            checks[path.relative_to(root).as_posix()] = _check_settled(root, path)
    problems = [problem for check in checks.values() for problem in check.problems]
    captures = 0
    for source_id in source_ids(root):
        for entry in catalog.entries(source_id):
            captures += 1
            problems.extend(_check_entry(entry, catalog, checks))
    problems.extend(_lost(root))
    return VerifyReport(
        files=len(checks),
        records=sum(check.records for check in checks.values()),
        captures=captures,
        digests=sum(check.digests for check in checks.values()),
        byte_count=sum(check.size for check in checks.values()),
        problems=tuple(sorted(problems, key=lambda item: (item.warc_path, item.offset, item.detail))),
    )


def _lost(root: Path) -> list[VerifyProblem]:
    """Captures that an index lists beyond the end of their WARC file, or of one that is not there."""
    problems = []
    for index in sorted(root.glob("index/*/*.jsonl")):
        for entry in read_index(index).entries:
            capture, path = entry.capture, root / entry.capture.warc_path
            if path.exists() and entry.end <= path.stat().st_size:
                continue
            what = "the file ends before" if path.exists() else "the file is missing, and with it"
            detail = f"{what} the record of a capture of {capture.url}"
            problems.append(VerifyProblem(capture.warc_path, 0, capture.offset, Reason.RECORD_DAMAGED, detail))
    return problems


def _check_settled(root: Path, path: Path) -> _FileCheck:
    """Check a file; when it ends in a torn record, look again while no writer can be at it."""
    check = _check_file(root, path)
    if check.flaws and check.flaws[-1].end is None:
        with source_lock(root, path.parent.name):
            return _check_file(root, path)
    return check


def _check_file(root: Path, path: Path) -> _FileCheck:
    relative = path.relative_to(root).as_posix()
    check = _FileCheck(0, 0, path.stat().st_size, set(), [], [])
    with path.open("rb") as file:
        for item in walk(file, check_digests):
            if isinstance(item, Flaw):
                check.flaws.append(item)
                check.problems.append(VerifyProblem(relative, item.number, item.offset, item.reason, item.detail))
                continue
            check.records += 1
            digests, wrong = item.value
            check.digests += digests
            if not wrong:
                check.sound.add(item.offset)
            for detail in wrong:
                check.problems.append(VerifyProblem(relative, item.number, item.offset, Reason.RECORD_DAMAGED, detail))
    return check


def check_digests(record: Record) -> tuple[int, tuple[str, ...]]:
    """Compare a record's bytes with the digests it prints: how many were checked, and what is wrong."""
    wrong: list[str] = []
    block = _digest(record, "WARC-Block-Digest", wrong)
    # A revisit's payload digest speaks of bytes that lie elsewhere.
    is_revisit = record.field("WARC-Type") == "revisit"
    payload = None if is_revisit else _digest(record, "WARC-Payload-Digest", wrong)
    if has_http_head(record):
        head = record.read_head()
        if block is not None:
            block.update(head)
    checks = [check for check in (block, payload) if check is not None]
    while data := record.read():
        for check in checks:
            check.update(data)
    for name, digest in (("block", block), ("payload", payload)):
        if digest is not None and not digest.matches():
            wrong.append(f"{name} digest is {digest.printed}, the bytes give {digest.computed()}")
    return len(checks), tuple(wrong)


def _digest(record: Record, name: str, wrong: list[str]) -> DigestCheck | None:
    printed = record.field(name)
    if printed is None:
        return None
    try:
        return DigestCheck(printed)
    except ValueError as error:
        wrong.append(f"{name}: {error}")
        return None


def _check_entry(entry: Entry, catalog: Catalog, checks: dict[str, _FileCheck]) -> list[VerifyProblem]:
    """A listed capture must be a sound record, and so must the one whose bytes it points to."""
    capture = entry.capture
    wrong = []
    if not _is_known(capture.warc_path, capture.offset, checks):
        wrong.append(f"the index lists a capture of {capture.url} here, but there is no such record")
    if capture.is_revisit:
        original = catalog.by_id(capture.refers_to or "")
        check = checks.get(original.capture.warc_path) if original else None
        if original is None or check is None or original.capture.offset not in check.sound:
            wrong.append(f"the record that this revisit of {capture.url} points to is not there or not sound")
    return [
        VerifyProblem(capture.warc_path, 0, capture.offset, Reason.RECORD_DAMAGED, detail) for detail in wrong
    ]  # fmt: skip


def _is_known(warc_path: str, offset: int, checks: dict[str, _FileCheck]) -> bool:
    """Whether a record was read at that place, or its flaw is reported already."""
    check = checks.get(warc_path)
    if check is None:
        return False
    if offset in check.sound or any(problem.offset == offset for problem in check.problems):
        return True
    return any(flaw.offset <= offset and (flaw.end is None or offset < flaw.end) for flaw in check.flaws)
