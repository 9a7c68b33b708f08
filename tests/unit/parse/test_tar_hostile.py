"""Archives that mean harm or are broken: every one is refused or read as far as it goes, with memory flat."""

from __future__ import annotations

import contextlib
import gzip
import io
import tarfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.parse.inflate import Limits
from pipelines.parse.tarstream import TarReader
from pipelines.problems import InputError, Reason
from tests import rounds


def tar_of(*entries: tarfile.TarInfo, contents: dict[str, bytes] | None = None, fmt: int = tarfile.GNU_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=fmt) as tar:
        for entry in entries:
            data = (contents or {}).get(entry.name, b"")
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def read_all(content: bytes, limits: Limits | None = None) -> tuple[dict[str, bytes], TarReader]:
    reader = TarReader(io.BytesIO(content), limits=limits or Limits())
    return {member.inner: reader.read() for member in reader}, reader


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (entry("/etc/passwd"), "absolute path"),
        (entry("top/../../outside"), "'..'"),
        (entry("top/link", tarfile.SYMTYPE, "/etc/passwd"), "symbolic link"),
        (entry("top/hard", tarfile.LNKTYPE, "top/a"), "hard link"),
        (entry("top/device", tarfile.CHRTYPE), "character device"),
        (entry("top/pipe", tarfile.FIFOTYPE), "named pipe"),
        (entry("top/" + "n" * 300), "longer than"),
    ],
)
def test_a_hostile_member_is_refused_by_name_and_its_neighbours_are_read(bad: tarfile.TarInfo, says: str) -> None:
    content = tar_of(entry("top/a"), bad, entry("top/b"), contents={"top/a": b"A", "top/b": b"B"})
    members, reader = read_all(gzip.compress(content))
    assert members == {"a": b"A", "b": b"B"}
    (problem,) = reader.problems
    assert problem.reason is Reason.MEMBER_REFUSED
    assert says in problem.detail
    assert reader.is_complete


def test_a_bomb_is_stopped_by_its_ratio() -> None:
    bomb = gzip.compress(tar_of(entry("top/a"), contents={"top/a": bytes(8 << 20)}))
    limits = Limits(ratio=100, ratio_from=1 << 20)
    with pytest.raises(InputError, match="archive_too_large"):
        read_all(bomb, limits)


def test_a_member_beyond_the_limit_for_the_whole_is_refused_before_it_is_read() -> None:
    content = tar_of(entry("top/a"), entry("top/b"), contents={"top/a": b"A", "top/b": bytes(6 << 20)})
    members, reader = {}, TarReader(io.BytesIO(gzip.compress(content)), limits=Limits(unpacked=4 << 20))
    for member in reader:
        members[member.inner] = reader.read()
    assert members == {"a": b"A"}
    assert reader.problems[-1].reason is Reason.ARCHIVE_TOO_LARGE
    assert not reader.is_complete


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", Reason.ARCHIVE_EMPTY),
        (gzip.compress(b""), Reason.ARCHIVE_EMPTY),
        (tar_of(), Reason.ARCHIVE_EMPTY),
        (b"<!doctype html>" + b" " * 600, Reason.NOT_AN_ARCHIVE),
        (gzip.compress(b"no tar at all" * 100), Reason.NOT_AN_ARCHIVE),
    ],
)
def test_what_is_no_archive_is_said(content: bytes, reason: Reason) -> None:
    with pytest.raises(InputError) as raised:
        read_all(content)
    assert raised.value.reason is reason


def test_github_names_commit_time_and_long_names_are_read() -> None:
    long = "x" * 120 + "/" + "y" * 120 + ".txt"
    members, reader = read_all(rounds.archive({long: b"1", "ünïcode name.json": b"2"}))
    assert members == {long: b"1", "ünïcode name.json": b"2"}
    assert (reader.commit, reader.top_folder) == (rounds.COMMIT, "training_results_v9.9-main")
    assert reader.modified == rounds.COMMITTED_AT


def test_a_cut_archive_gives_what_came_before_at_every_length() -> None:
    content = rounds.archive({f"f{i}": bytes([i]) * 700 for i in range(6)})
    whole, _ = read_all(content)
    for length in range(1, len(content)):
        try:
            reader = TarReader(io.BytesIO(content[:length]))
            found = {}
            for member in reader:
                try:
                    found[member.inner] = reader.read()
                except InputError:
                    break
        except InputError:
            continue
        assert all(whole[name] == data for name, data in found.items())
        assert length > len(content) - 9 or not reader.is_complete, f"cut at {length} and called complete"


@given(st.binary(max_size=4000))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_refused_cleanly(data: bytes) -> None:
    for content in (data, b"\x1f\x8b\x08\x00" + data, gzip.compress(data)):
        with contextlib.suppress(InputError):
            read_all(content)


@given(st.integers(0, 3000), st.integers(0, 255))
@settings(max_examples=150, deadline=None)
def test_a_changed_byte_never_crashes_the_reader(place: int, value: int) -> None:
    content = bytearray(gzip.decompress(rounds.archive({"a": b"1" * 100, "b": b"2" * 100})))
    content[place % len(content)] = value
    with contextlib.suppress(InputError):
        read_all(bytes(content))
