"""Several processes at one archive: writers of different sources, writers of one, and readers meanwhile."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from pipelines.archive.store import Archive
from tests.archive_kit import STAMP, exchange, warc_files

REPOSITORY = Path(__file__).parents[3]
COUNT = 25

_WRITER = f"""
import sys
from pathlib import Path
from pipelines.archive.store import Archive
from tests.archive_kit import exchange
root, source, stamp, name = Path(sys.argv[1]), *sys.argv[2:5]
with Archive(root, run_stamp=stamp, roll_bytes=20_000) as archive:
    for number in range({COUNT}):
        body = f"{{name}} {{number % 9}} ".encode() * 50
        archive.append(exchange(number, f"https://news.example/{{name}}/{{number}}", body, source_id=source))
"""


def _start(root: Path, source_id: str, stamp: str, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", _WRITER, str(root), source_id, stamp, name], cwd=REPOSITORY)


def test_writers_of_different_sources_and_a_reader(tmp_path: Path) -> None:
    writers = [_start(tmp_path, f"source-{name}", STAMP, name) for name in "abc"]
    counts = [0]
    with Archive(tmp_path) as reader:
        while any(writer.poll() is None for writer in writers):
            captures = list(reader.captures())
            counts.append(len(captures))
            for capture in captures[-3:]:
                name, number = capture.url.split("/")[-2:]
                assert reader.payload(capture) == f"{name} {int(number) % 9} ".encode() * 50
            time.sleep(0.02)
        assert [writer.returncode for writer in writers] == [0, 0, 0]
        assert counts == sorted(counts)
        assert len(list(reader.captures())) == 3 * COUNT
        assert reader.verify().problems == ()


def test_writers_of_one_source_in_one_run_and_in_two(tmp_path: Path) -> None:
    stamps = (STAMP, STAMP, "20260301T120001Z")
    writers = [_start(tmp_path, "news", stamp, name) for stamp, name in zip(stamps, "abc", strict=True)]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0]
    with Archive(tmp_path) as reader:
        captures = list(reader.captures("news"))
        assert len({capture.url for capture in captures}) == 3 * COUNT
        assert len(captures) == 3 * COUNT
        assert reader.verify().problems == ()
        before = captures
        assert reader.reindex() == 3 * COUNT
        assert list(reader.captures("news")) == before
    assert {path.name.partition("-")[0] for path in warc_files(tmp_path)} == set(stamps)


def test_two_archives_in_one_process_take_turns(tmp_path: Path) -> None:
    with Archive(tmp_path, run_stamp=STAMP) as one, Archive(tmp_path, run_stamp=STAMP) as two:
        for number in range(10):
            archive = one if number % 2 else two
            archive.append(exchange(number, f"https://news.example/{number}", str(number).encode()))
        assert one.append(exchange(4, "https://news.example/4", b"4")).url == "https://news.example/4"
        assert len(list(two.captures())) == 10
        assert one.repairs.is_clean
        assert two.repairs.is_clean
        assert two.verify().problems == ()
