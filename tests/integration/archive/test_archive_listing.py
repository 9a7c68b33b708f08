"""Months that are over are noted once; what is listed is always what the index and the WARC files say."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.archive import index, layout
from pipelines.archive.catalog import Catalog
from pipelines.archive.entries import Entry
from pipelines.archive.repair import RepairReport
from pipelines.archive.store import Archive
from tests.archive_kit import exchange, warc_files

MONTHS = ("20260115T000000Z", "20260120T000000Z", "20260210T000000Z", "20260305T000000Z")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two files in January, one in February and one in March of one source; the third repeats the first's bytes."""
    for number, stamp in enumerate(MONTHS):
        add(tmp_path, stamp, number)
    return tmp_path


def add(root: Path, stamp: str, number: int, source_id: str = "news") -> None:
    with Archive(root, run_stamp=stamp) as archive:
        archive.append(exchange(number, body=f"<p>{number % 2}</p>".encode(), source_id=source_id))


def entries(root: Path, *, is_listed: bool) -> list[Entry]:
    catalog = Catalog(root, is_listed=is_listed)
    catalog.refresh()
    return list(catalog.entries("news"))


def asked(root: Path, monkeypatch: pytest.MonkeyPatch, look: Callable[[Path], object] | None = None) -> list[str]:
    """The index files that one listing of everything asks, or another look."""
    found: set[str] = set()
    read_index = index.read_index

    def read(path: Path) -> index.FileIndex:
        found.add(path.stem)
        return read_index(path)

    with monkeypatch.context() as patched:
        for module in ("catalog", "index", "repair"):
            patched.setattr(f"pipelines.archive.{module}.read_index", read)
        look(root) if look is not None else entries(root, is_listed=True)
    return sorted(found)


def test_a_month_that_is_over_is_asked_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    every = [f"{stamp}-000" for stamp in MONTHS]
    index.forget(root, "news")
    assert asked(root, monkeypatch) == every
    assert asked(root, monkeypatch) == every[3:]
    add(root, "20260401T000000Z", 9)
    index._PAST.files.clear()  # as in another process
    assert asked(root, monkeypatch) == ["20260305T000000Z-000", "20260401T000000Z-000"]
    assert asked(root, monkeypatch) == ["20260401T000000Z-000"]


def test_an_index_that_stands_is_read_once_however_long_as_far_as_memory_reaches(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = sorted((root / "index" / "news").iterdir())
    for path in paths:
        path.write_bytes(path.read_bytes() + b"\n" * 100_000)
        os.utime(path, (1_700_000_000, 1_700_000_000))
    monkeypatch.setattr(index, "_INDEXES", memory := index._Memory[index.FileIndex]())
    monkeypatch.setattr(index, "MOST_KEPT", 3)
    kept = [index.read_index(path) is index.read_index(path) for path in paths]
    assert (kept, memory.captures) == ([True, True, True, False], 3)
    os.utime(paths[0], (1_600_000_000, 1_600_000_000))
    before = memory.files[paths[0]][2]
    assert index.read_index(paths[0]) is not before  # another time, another look
    assert (index.read_index(paths[0]) is index.read_index(paths[0]), memory.captures) == (True, 3)


def test_what_is_listed_is_what_the_index_says(root: Path) -> None:
    plain = entries(root, is_listed=False)
    assert [entry.capture.is_revisit for entry in plain] == [False, False, True, True]
    assert entries(root, is_listed=True) == entries(root, is_listed=True) == plain
    with Archive(root) as archive:
        assert [archive.payload(capture) for capture in archive.captures()] == [b"<p>0</p>", b"<p>1</p>"] * 2


def remove(root: Path) -> None:
    warc_files(root)[0].unlink()


def cut(root: Path) -> None:
    path = warc_files(root)[1]
    path.write_bytes(path.read_bytes()[:-30])


def grow(root: Path) -> None:
    """A capture more, in the file of a month that is over."""
    add(root, MONTHS[0], 77)


def grow_and_die(root: Path) -> None:
    """A capture more there, whose writer was killed before it was indexed."""
    index_file = root / "index" / "news" / f"{MONTHS[0]}-000.jsonl"
    before = index_file.read_bytes()
    grow(root)
    index_file.write_bytes(before)


def forge(root: Path) -> None:
    """A listing whose bytes are another's: one digit is changed."""
    [path] = (root / "listing" / "news").glob("202602.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"status":200', b'"status":500'))


def garble(root: Path) -> None:
    for path in (root / "listing" / "news").iterdir():
        path.write_bytes(b"\x00" + path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize("is_another_process", [False, True])
@pytest.mark.parametrize("change", [remove, cut, grow, grow_and_die, forge, garble])
def test_a_change_of_what_is_noted_shows(root: Path, change: Callable[[Path], None], is_another_process: bool) -> None:
    before = entries(root, is_listed=True)
    change(root)
    if is_another_process:
        index._PAST.files.clear()
    plain = entries(root, is_listed=False)
    assert (plain != before) == (change not in (forge, garble))
    assert entries(root, is_listed=True) == plain
    assert entries(root, is_listed=True) == plain


def test_a_listing_that_another_version_wrote_is_made_anew(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sound = entries(root, is_listed=True)
    listing = root / "listing" / "news" / "202601.jsonl"
    before = listing.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(index, "_TOLD", b"other fields")
        index._PAST.files.clear()
        assert asked(root, monkeypatch) == [f"{stamp}-000" for stamp in MONTHS]
        assert listing.read_bytes() != before
    index._PAST.files.clear()
    assert entries(root, is_listed=True) == sound
    assert listing.read_bytes() == before


def settle(root: Path) -> None:
    """The folder of listings was last written to a while ago."""
    os.utime(root / "listing" / "news", (1_700_000_000, 1_700_000_000))


def test_what_stands_is_listed_once_a_process(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    plain = index._read
    monkeypatch.setattr(index, "_read", lambda path: read.append(path.stem) or plain(path))  # type: ignore[func-returns-value]
    entries(root, is_listed=True)
    settle(root)
    read.clear()
    sound = [entries(root, is_listed=True) for _ in range(3)]
    assert read == ["202601", "202602"]
    add(root, "20260306T000000Z", 8)  # of the month that is not over
    assert entries(root, is_listed=True)[:-1] == sound[2] == sound[0]
    assert read == ["202601", "202602"]
    index.forget(root, "news")
    assert entries(root, is_listed=True)[:-1] == sound[0]
    assert read == ["202601", "202602"] * 2


def test_asking_for_the_newest_reads_no_capture_of_a_month_that_is_over(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Archive(root) as archive:
        newest = archive.newest_good()
        newest_then = archive.newest_good(newest["news"])
    monkeypatch.setattr(index, "_parse", lambda lines, sizes: pytest.fail("captures were read"))
    index._PAST.files.clear()
    with Archive(root) as archive:
        assert (archive.newest_good(), archive.newest_good(newest["news"])) == (newest, newest_then)


def test_a_damaged_index_is_found_and_made_good_though_its_month_is_noted(root: Path) -> None:
    sound = entries(root, is_listed=True)
    path = root / "index" / "news" / f"{MONTHS[0]}-000.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"offset":', b'"offset":1'))
    index.forget(root, "news")
    assert entries(root, is_listed=True) != sound  # what the index told was noted
    with Archive(root) as archive:
        assert not archive.verify().is_sound
        archive.reindex()
        assert archive.verify().is_sound
    assert entries(root, is_listed=True) == sound


def test_verification_asks_the_index_itself(root: Path) -> None:
    entries(root, is_listed=True)
    path = root / "index" / "news" / f"{MONTHS[0]}-000.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"offset":', b'"offset":1'))
    with Archive(root) as archive:
        assert not archive.verify().is_sound


def test_a_missing_index_is_made_good_though_its_month_is_noted(root: Path) -> None:
    entries(root, is_listed=True)
    path = root / "index" / "news" / f"{MONTHS[0]}-000.jsonl"
    path.unlink()
    with Archive(root) as archive:
        archive.repair()
    assert path.exists()


def begin_a_run(root: Path) -> RepairReport:
    with Archive(root) as archive:
        return archive.repair(is_noted_sound=True)


def test_a_run_begins_without_a_look_at_months_that_are_over(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries(root, is_listed=True)
    assert asked(root, monkeypatch, begin_a_run) == [f"{MONTHS[3]}-000"]


@pytest.mark.parametrize("harm", [cut, grow_and_die])
def test_a_run_begins_by_mending_what_was_torn_in_a_month_that_is_over(
    root: Path, harm: Callable[[Path], None]
) -> None:
    entries(root, is_listed=True)
    harm(root)
    assert not begin_a_run(root).is_clean
    with Archive(root) as archive:
        assert archive.repair().is_clean


def test_an_archive_that_cannot_be_written_is_listed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, content: bytes) -> None:
        raise OSError(30, "read-only", str(path))

    index.forget(root, "news")
    monkeypatch.setattr("pipelines.archive.index.replace_file", refuse)
    assert entries(root, is_listed=True) == entries(root, is_listed=False)
    assert not (root / "listing" / "news").exists()


def sizes_asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The WARC files whose size one listing asks."""
    found: list[str] = []
    ask = os.stat

    def stat(path: str | Path, **said: bool) -> os.stat_result:
        if Path(path).name.endswith(".warc.gz"):
            found.append(Path(path).name[:8])
        return ask(path, **said)

    with monkeypatch.context() as patched:
        patched.setattr("os.stat", stat)
        layout.warc_sizes(root, "news")
    return found


def test_the_size_of_a_file_that_is_left_alone_is_asked_once_a_minute(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in warc_files(root)[:3]:
        os.utime(path, (1_700_000_000, 1_700_000_000))
    every = [stamp[:8] for stamp in MONTHS]
    assert sizes_asked(root, monkeypatch) == every
    assert sizes_asked(root, monkeypatch) == every[3:]
    add(root, "20260401T000000Z", 9)
    warc_files(root)[1].unlink()
    assert sizes_asked(root, monkeypatch) == [every[3], "20260401"]
    layout._LOOKS[root / "warc" / "news"].at -= layout.ASKED_AGAIN_S
    assert sizes_asked(root, monkeypatch) == [every[0], *every[2:], "20260401"]


@pytest.mark.parametrize("harm", [cut, grow_and_die])
def test_a_repair_asks_the_size_of_each_file_itself(root: Path, harm: Callable[[Path], None]) -> None:
    for path in warc_files(root):
        os.utime(path, (1_700_000_000, 1_700_000_000))
    plain = entries(root, is_listed=True)
    harm(root)
    with Archive(root) as archive:
        assert not archive.repair().is_clean
    assert entries(root, is_listed=True) == entries(root, is_listed=False) != plain
