"""What a killed run leaves is removed, what is in use or whole stays; and errors of the disk are told with a remedy."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipelines.settings import Settings
from pipelines.upkeep.disk import remedy
from pipelines.upkeep.janitor import tidy

PARENT = """
import os, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pipelines.upkeep.worker import end_with_parent
if __name__ == "__main__":
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=end_with_parent) as pool:
        print(pool.submit(os.getpid).result(), flush=True)
        time.sleep(60)
"""


def put(path: Path, age_s: float = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    os.utime(path, (time.time() - age_s,) * 2)
    return path


def test_only_leftovers_go(settings: Settings) -> None:
    gone = [
        put(settings.archive / "collect-x1" / "body").parent,
        put(settings.published / ".20260101T000000Z-abcd.writing" / "a.csv").parent,
        put(settings.lake / "documents" / ".a.parquet.77.tmp", age_s=7200),
        put(settings.archive / "index" / "news" / ".a-000.jsonl.79.tmp", age_s=7200),
    ]
    stays = [
        put(settings.lake / "documents" / ".b.parquet.78.tmp"),  # a step of another process may be writing it
        put(settings.lake / "documents" / "a.parquet", age_s=7200),
        put(settings.archive / "warc" / "news" / "a-000.warc.gz", age_s=7200),
        put(settings.published / "20260101T000000Z-abcd" / "a.csv", age_s=7200),
    ]
    assert sorted(tidy(settings)) == sorted(gone)
    assert [path for path in gone if path.exists()] == []
    assert [path for path in stays if not path.exists()] == []
    assert tidy(settings) == []


def test_only_folders_that_changed_since_the_last_look_are_looked_into(settings: Settings) -> None:
    assert tidy(settings) == []
    still = put(settings.archive / "warc" / "old" / ".a.77.tmp", age_s=9 * 3600)
    os.utime(still.parent, (time.time() - 9 * 3600,) * 2)
    fresh = put(settings.archive / "warc" / "new" / ".b.78.tmp", age_s=7200)
    assert tidy(settings) == [fresh]
    young = put(settings.lake / "documents" / ".c.79.tmp")
    assert tidy(settings) == []
    os.utime(young, (time.time() - 7200,) * 2)  # an hour has gone by, and nothing else changed there
    assert tidy(settings) == [young]
    assert still.exists()


def test_a_worker_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        os.kill(worker, 0)  # it is there
        parent.kill()
    for _ in range(200):
        if not is_running(worker):
            return
        time.sleep(0.05)
    os.kill(worker, 9)
    pytest.fail("the worker outlived its parent")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "disk is full"),
        ('IO Error: Could not write file "x.building": No space left on device', "disk is full"),
        (OSError(errno.EROFS, "Read-only file system"), "read-only"),
        (PermissionError(errno.EACCES, "Permission denied"), "its owner"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "quota"),
        ("(sqlite3.OperationalError) database or disk is full", "disk is full"),
        ("Error writing bytes to file: File too large", "No file may grow"),
        (ValueError("marts/01.sql: no such column"), ""),
    ],
)
def test_an_error_of_the_disk_says_what_to_do(error: BaseException | str, words: str) -> None:
    assert words in remedy(error)
    assert bool(remedy(error)) == bool(words)
