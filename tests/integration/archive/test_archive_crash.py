"""Killed at any instant: what was reported stays readable, a torn tail is set aside and reported, work goes on."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.archive import repair, writer
from pipelines.archive.store import Archive
from pipelines.model.capture import Capture
from tests.archive_kit import STAMP, exchange, run_tool, warc_files

REPOSITORY = Path(__file__).parents[3]
LATER = "20260301T130000Z"

# Prints each capture's id as soon as it is reported, until it is killed.
_APPENDER = """
import sys
from pathlib import Path
from pipelines.archive.store import Archive
from tests.archive_kit import exchange
with Archive(Path(sys.argv[1]), run_stamp=sys.argv[2]) as archive:
    number = 0
    while True:
        body = bytes([number % 251]) * (number % 7) * 40_000 + str(number).encode()
        capture = archive.append(exchange(number, f"https://news.example/{number}", body))
        print(capture.capture_id, flush=True)
        number += 1
"""


def _appender(root: Path, *limits: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", "\n".join(limits) + _APPENDER, str(root), STAMP]
    return subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _filled(root: Path, count: int = 3) -> list[Capture]:
    with Archive(root, run_stamp=STAMP) as archive:
        return [archive.append(exchange(i, f"https://news.example/{i}", f"page {i}".encode())) for i in range(count)]


@pytest.mark.parametrize("reported", [1, 2, 5, 9, 20])
def test_killed_while_writing(tmp_path: Path, reported: int) -> None:
    """Real SIGKILL at an instant that depends on nothing: just after a report, while the next is being written."""
    process = _appender(tmp_path)
    assert process.stdout is not None
    ids = [process.stdout.readline().strip() for _ in range(reported)]
    process.send_signal(signal.SIGKILL)
    rest, _ = process.communicate()
    ids += rest.split()
    with Archive(tmp_path, run_stamp=LATER) as archive:
        report = archive.repair()
        assert report.lost == ()
        held = {capture.capture_id: capture for capture in archive.captures()}
        assert [identity for identity in ids if identity not in held] == []
        for capture in held.values():
            number = capture.url.rpartition("/")[2]
            assert archive.payload(capture).endswith(number.encode())
        archive.append(exchange(10_000, body=b"after"))
        assert archive.verify().problems == ()
    for path in warc_files(tmp_path):
        assert run_tool("warcio.cli", "check", str(path)).returncode == 0


# Writes so many bytes of WARC files, then kills itself in the middle of the write.
_KILL_AT = """
import os, signal, sys
from pipelines.archive import writer
room = int(sys.argv[3])
def write_all(handle, data):
    global room
    if not os.readlink(f"/proc/self/fd/{handle}").endswith(".warc.gz"):
        os.write(handle, data)
        return
    if len(data) >= room:
        os.write(handle, data[:room])
        os.kill(os.getpid(), signal.SIGKILL)
    room -= len(data)
    os.write(handle, data)
writer._write_all = write_all
"""


@pytest.mark.parametrize(("at", "whole"), [(1, 0), (310, 0), (1100, 1), (2500, 1), (30_000, 3), (100_000, 6)])
def test_killed_at_a_byte(tmp_path: Path, at: int, whole: int) -> None:
    """SIGKILL inside a write: in the first record, in a request, in a response, in a large body."""
    command = [
        sys.executable,
        "-c",
        _KILL_AT + _APPENDER.replace("bytes([number % 251]) * (number % 7) * 40_000", _NOISE),
    ]
    process = subprocess.run(
        [*command, str(tmp_path), STAMP, str(at)], cwd=REPOSITORY, capture_output=True, text=True, check=False
    )
    assert process.returncode == -signal.SIGKILL
    ids = process.stdout.split()
    assert len(ids) == whole
    with Archive(tmp_path, run_stamp=LATER) as archive:
        assert [capture.capture_id for capture in archive.captures()] == ids
        report = archive.repair()
        assert (len(report.torn), report.recovered, report.lost) == (1, (), ())
        assert archive.verify().problems == ()
        archive.append(exchange(10_000, body=b"after"))
        assert len(list(archive.captures())) == whole + 1


_NOISE = "__import__('random').Random(number).randbytes((number % 7) * 5000)"


def test_repair_that_is_cut_short_is_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    captures = _filled(tmp_path)
    path = warc_files(tmp_path)[0]
    with path.open("ab") as file:
        file.write(b"\x1f\x8b\x08\x00torn")

    def power_cut(folder: Path) -> None:
        raise KeyboardInterrupt

    for name in ("sync_folder", "replace_file"):
        with Archive(tmp_path) as archive, monkeypatch.context() as patch:
            patch.setattr(repair, name, power_cut if name == "sync_folder" else lambda *_: power_cut(tmp_path))
            with pytest.raises(KeyboardInterrupt):
                archive.repair()
    with Archive(tmp_path) as archive:
        archive.repair()
        assert list(archive.captures()) == captures
        assert archive.repair().is_clean
        assert archive.verify().problems == ()
    [aside] = (path.parent / "torn").iterdir()
    assert aside.read_bytes() == b"\x1f\x8b\x08\x00torn"


def test_cut_at_every_byte_of_the_last_record(tmp_path: Path) -> None:
    """A power cut that loses any part of the last, not yet reported, write: all earlier captures are read and kept."""
    captures = _filled(tmp_path)
    path = warc_files(tmp_path)[0]
    index = next(tmp_path.glob("index/*/*.jsonl"))
    whole, lines = path.read_bytes(), index.read_bytes().splitlines(keepends=True)
    with Archive(tmp_path) as archive:
        ends = [int(json.loads(line)["end"]) for line in lines]
        assert (list(archive.captures()), ends[-1]) == (captures, len(whole))
    request_start = ends[1]
    for cut in range(request_start, len(whole)):
        path.write_bytes(whole[:cut])
        index.write_bytes(b"".join(lines[:2]))
        with Archive(tmp_path, run_stamp=LATER) as archive:
            assert list(archive.captures()) == captures[:2]
            report = archive.repair()
            assert [archive.payload(capture) for capture in captures[:2]] == [b"page 0", b"page 1"]
            assert archive.verify().problems == ()
        is_between = cut in (request_start, captures[2].offset)
        assert (len(report.torn), report.lost) == (0 if is_between else 1, ()), cut
        for tail in report.torn:
            assert tail.offset == (request_start if cut < captures[2].offset else captures[2].offset)
            assert tail.record_number == (6 if cut < captures[2].offset else 7)
            assert tail.byte_count == cut - tail.offset
            assert (tmp_path / tail.set_aside).read_bytes() == whole[tail.offset : cut]
            assert path.read_bytes() == whole[: tail.offset]


def test_cut_into_what_had_been_reported_names_the_loss(tmp_path: Path) -> None:
    """When the disk itself breaks its word, anywhere in the file, the report says which captures are gone."""
    captures = _filled(tmp_path)
    path = warc_files(tmp_path)[0]
    index = next(tmp_path.glob("index/*/*.jsonl"))
    whole, lines = path.read_bytes(), index.read_bytes()
    ends = [json.loads(line)["end"] for line in lines.splitlines()]
    for cut in sorted({*range(0, len(whole), 23), *(capture.offset for capture in captures), *ends[:-1]}):
        path.write_bytes(whole[:cut])
        index.write_bytes(lines)
        kept = [capture for capture, end in zip(captures, ends, strict=True) if end <= cut]
        with Archive(tmp_path, run_stamp=LATER) as archive:
            assert list(archive.captures()) == kept
            report = archive.repair()
            assert list(archive.captures()) == kept
            assert archive.verify().problems == ()
        assert report.lost == tuple(capture.capture_id for capture in captures[len(kept) :])


def test_index_that_lags_is_caught_up(tmp_path: Path) -> None:
    captures = _filled(tmp_path)
    index = next(tmp_path.glob("index/*/*.jsonl"))
    lines = index.read_bytes().splitlines(keepends=True)
    for kept in (b"", lines[0], lines[0] + lines[1][:40], lines[0] + b"rubbish\n" + lines[1]):
        index.write_bytes(kept)
        with Archive(tmp_path) as reader:
            assert list(reader.captures()) == captures
        with Archive(tmp_path, run_stamp=LATER) as archive:
            report = archive.repair()
        missing = captures if not kept else captures[1:]
        assert (report.torn, report.recovered) == ((), tuple(capture.capture_id for capture in missing))
        with Archive(tmp_path, run_stamp=LATER) as archive:
            assert archive.repair().is_clean


def test_the_next_append_repairs_by_itself(tmp_path: Path) -> None:
    captures = _filled(tmp_path)
    path = warc_files(tmp_path)[0]
    with path.open("ab") as file:
        file.write(b"\x1f\x8b\x08\x00torn")
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        fourth = archive.append(exchange(3, body=b"page 3"))
        assert [(tail.byte_count, tail.record_number) for tail in archive.repairs.torn] == [(8, 8)]
        assert list(archive.captures()) == [*captures, fourth]
        assert archive.verify().problems == ()


def test_a_reader_passes_over_what_is_being_written(tmp_path: Path) -> None:
    captures = _filled(tmp_path)
    path = warc_files(tmp_path)[0]
    content = path.read_bytes() + b"\x1f\x8b\x08\x00half"
    path.write_bytes(content)
    with Archive(tmp_path) as reader:
        assert list(reader.captures()) == captures
        assert reader.has_url("https://news.example/2")
    assert path.read_bytes() == content


class _FullDisk:
    """Takes so many bytes, then refuses, as a full disk does."""

    def __init__(self, room: int) -> None:
        self.room = room

    def __call__(self, handle: int, data: bytes) -> None:
        if len(data) > self.room:
            os.write(handle, data[: self.room])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.room -= len(data)
        os.write(handle, data)


@pytest.mark.parametrize("room", [0, 1, 17, 300, 500, 800, 1000, 1500])
def test_full_disk_takes_the_write_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    captures = _filled(tmp_path)
    before = warc_files(tmp_path)[0].read_bytes()
    body = os.urandom(2000)
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        with monkeypatch.context() as patch:
            patch.setattr(writer, "_write_all", _FullDisk(room))
            with pytest.raises(OSError, match="No space left") as caught:
                archive.append(exchange(9, body=body))
            assert caught.value.errno == errno.ENOSPC
        assert warc_files(tmp_path)[0].read_bytes() == before
        assert list(archive.captures()) == captures
        assert not archive.has_url("https://news.example/a")
        again = archive.append(exchange(9, body=body))
        assert (again.is_revisit, archive.payload(again)) == (False, body)
        assert archive.verify().problems == ()


def test_full_disk_before_the_first_record_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as archive, monkeypatch.context() as patch:
        patch.setattr(writer, "_write_all", _FullDisk(100))
        with pytest.raises(OSError, match="No space left"):
            archive.append(exchange())
    assert warc_files(tmp_path) == []


def test_file_size_limit_of_the_system(tmp_path: Path) -> None:
    """A real refusal by the kernel in the middle of a record: the process reports it and the archive is whole."""
    process = _appender(tmp_path, "import resource", "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))")
    output, errors = process.communicate(timeout=300)
    ids = output.split()
    assert "File too large" in errors
    assert len(ids) > 3
    with Archive(tmp_path, run_stamp=LATER) as archive:
        assert archive.repair().torn == ()
        assert [capture.capture_id for capture in archive.captures()] == ids
        assert archive.verify().problems == ()


def test_a_capture_is_on_the_disk_before_it_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The WARC file is synchronised after its last byte and before its index line is written."""
    seen: list[tuple[str, int, int]] = []
    real = os.fsync

    def watched(handle: int) -> None:
        name = Path(f"/proc/self/fd/{handle}").readlink()
        if name.name.endswith(".warc.gz"):
            lines = [len(path.read_bytes().splitlines()) for path in tmp_path.glob("index/*/*.jsonl")]
            seen.append((name.name, name.stat().st_size, sum(lines)))
        real(handle)

    monkeypatch.setattr(os, "fsync", watched)
    with Archive(tmp_path, run_stamp=STAMP) as archive:
        sizes = [_appended_size(archive, tmp_path, number) for number in range(3)]
    assert seen == [(f"{STAMP}-000.warc.gz", size, number) for number, size in enumerate(sizes)]


def _appended_size(archive: Archive, root: Path, number: int) -> int:
    archive.append(exchange(number, body=str(number).encode()))
    return warc_files(root)[0].stat().st_size


def test_a_body_that_changes_meanwhile_is_not_archived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = tmp_path / "body"
    body.write_bytes(b"12345")
    reads: list[int] = []
    real = Path.open

    def opened(path: Path, *arguments: str, **named: str) -> object:
        if path == body:
            reads.append(1)
            if len(reads) == 2:
                body.write_bytes(b"1234567")
        return real(path, *arguments, **named)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", opened)
    with Archive(tmp_path / "archive", run_stamp=STAMP) as archive, pytest.raises(ValueError, match="changed while"):
        archive.append(exchange(body=body))
    assert warc_files(tmp_path / "archive") == []


@pytest.fixture(autouse=True)
def _no_left_over_handles() -> Iterator[None]:
    """Every file that a test's archive opened is closed again."""
    before = len(list(Path("/proc/self/fd").iterdir()))
    yield
    assert len(list(Path("/proc/self/fd").iterdir())) <= before
