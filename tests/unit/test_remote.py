"""Archive and lake at an fsspec URL: two working copies of one bucket hold the same, and nothing captured is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines.remote import Moved, Remote, RemoteError, fetch, working_copy
from pipelines.settings import Settings
from tests.s3_server import served

WARC = "archive/warc/news/20260101T000000Z-1-000.warc.gz"
NOTES = "archive/notes/documents.jsonl"
PARTITION = "lake/documents/news.parquet"


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    with served() as settings:
        yield settings["RACKLEDGER_REMOTE"]


@pytest.fixture(params=["file", "s3"])
def bucket(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "file":
        return f"file://{tmp_path}/bucket"
    return f"{request.getfixturevalue('s3')}/{tmp_path.name}"


def write(data: Path, name: str, content: bytes) -> None:
    path = data / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def held(data: Path) -> dict[str, bytes]:
    names = ((path.relative_to(data).as_posix(), path) for path in data.rglob("*") if path.is_file())
    return {name: path.read_bytes() for name, path in names if not name.startswith("remote.")}


def test_what_one_machine_writes_another_has(bucket: str, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for name in (WARC, PARTITION):
        write(one, name, name.encode())
    write(one, "archive/locks/news.lock", b"")  # of this machine alone, as are half files
    write(one, "archive/listing/news/202601.jsonl", b"{}")
    write(one, "archive/warc/news/.x.tmp", b"half")
    write(one, "builds/x", b"")
    assert Remote(bucket, one).send() == Moved(sent=2)
    assert Remote(bucket, one).send() == Moved()
    two.mkdir()
    assert Remote(bucket, two).fetch() == Moved(fetched=2)
    assert held(two) == {WARC: WARC.encode(), PARTITION: PARTITION.encode()}
    assert Remote(bucket, two).fetch() == Moved()
    assert Remote(bucket, two).send() == Moved()


def test_a_partition_that_is_made_anew_or_dropped_is_so_everywhere(bucket: str, tmp_path: Path) -> None:
    one, two = Remote(bucket, tmp_path / "one"), Remote(bucket, tmp_path / "two")
    write(tmp_path / "one", PARTITION, b"old")
    write(tmp_path / "one", "lake/documents/gone.parquet", b"gone")
    one.send()
    (tmp_path / "two").mkdir()
    two.fetch()
    write(tmp_path / "one", PARTITION, b"newer")
    (tmp_path / "one" / "lake/documents/gone.parquet").unlink()
    assert one.fetch() == Moved()  # what was dropped here does not come back
    assert one.send() == Moved(sent=1, removed=1)
    assert two.fetch() == Moved(fetched=1, removed=1)
    assert held(tmp_path / "two") == {PARTITION: b"newer"}


def test_files_of_the_archive_come_back_and_never_go(bucket: str, tmp_path: Path) -> None:
    data = tmp_path / "one"
    write(data, WARC, b"bytes")
    Remote(bucket, data).send()
    (data / WARC).unlink()
    assert Remote(bucket, data).send() == Moved()
    assert Remote(bucket, data).fetch() == Moved(fetched=1)
    assert held(data) == {WARC: b"bytes"}


def test_lines_that_two_machines_add_at_once_are_all_kept(bucket: str, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one, NOTES, b"first\n")
    Remote(bucket, one).send()
    two.mkdir()
    Remote(bucket, two).fetch()
    write(one, NOTES, b"first\nof one\n")
    write(two, NOTES, b"first\nof two, longer\n")
    Remote(bucket, one).send()
    Remote(bucket, two).send()
    Remote(bucket, one).fetch()
    assert held(one) == held(two) == {NOTES: b"first\nof one\nof two, longer\n"}


def test_another_capture_file_of_the_same_name_is_refused(bucket: str, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write(one, WARC, b"aaaa")
    write(two, WARC, b"bbbbbb")
    Remote(bucket, one).send()
    for move in (Remote(bucket, two).fetch, Remote(bucket, two).send):
        with pytest.raises(RemoteError, match="is another file there than here"):
            move()
    assert held(two) == {WARC: b"bbbbbb"}
    write(two, WARC, b"aaaaaa")  # the same, with more at its end: a copy that caught the other half written
    Remote(bucket, two).fetch()
    assert Remote(bucket, two).send() == Moved(sent=1)
    Remote(bucket, one).fetch()
    assert held(one) == {WARC: b"aaaaaa"}


def test_a_step_that_fails_sends_what_it_wrote(bucket: str, settings: Settings) -> None:
    given = settings.model_copy(update={"remote": bucket})

    def failing() -> None:
        with working_copy(given):
            write(settings.data, WARC, b"bytes")
            raise ValueError("half way")

    settings.data.mkdir(parents=True, exist_ok=True)
    with pytest.raises(ValueError, match="half way"):
        failing()
    (settings.data / WARC).unlink()
    assert fetch(given) == Moved(fetched=1)
    assert fetch(settings) == Moved()  # no bucket: nothing is asked


def test_a_bucket_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    with pytest.raises(RemoteError, match="nosuch://bucket: ValueError: Protocol not known"):
        Remote("nosuch://bucket", tmp_path)
