"""A temporary folder goes with its process, and after a kill when the next one is made."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dashboard import server
from pipelines.settings import PREFIX, PROJECT_ROOT
from warehouse.held_folder import HELD, UNMARKED, HeldFolder, remove_held

HOLDS = """
import sys, time
from warehouse.held_folder import HeldFolder
folder = HeldFolder("held-test-")
(folder.path / "large").write_bytes(b"x")
print(folder.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def holder(folder: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that holds a folder until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS], cwd=PROJECT_ROOT, env=os.environ | {"TMPDIR": str(folder)}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def ended(process: subprocess.Popen[str]) -> None:
    process.communicate(timeout=60)


def test_what_a_kill_left_goes_and_what_is_held_stays(temporary: Path) -> None:
    (killed, left), (lives, held) = holder(temporary), holder(temporary)
    killed.send_signal(signal.SIGKILL)
    ended(killed)
    assert (left / "large").exists()
    mine = HeldFolder("held-test-")
    assert sorted(temporary.iterdir()) == sorted([held, mine.path])
    ended(lives)  # at its own end it takes its folder along
    assert list(temporary.iterdir()) == [mine.path]
    mine.close()
    mine.close()
    assert list(temporary.iterdir()) == []


def test_one_that_nobody_has_any_more_goes() -> None:
    folder = HeldFolder("held-test-")
    path = folder.path
    del folder
    gc.collect()
    assert not path.exists()


def test_all_of_a_process_go_when_it_is_told_to_end(temporary: Path) -> None:
    folders = [HeldFolder("held-test-"), HeldFolder("held-test-")]
    assert set(temporary.iterdir()) == {folder.path for folder in folders}
    remove_held()
    assert list(temporary.iterdir()) == []


def test_a_server_that_ends_takes_its_copies_along(temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal ends the server's loop, and after that the process without the interpreter's end."""
    monkeypatch.setenv(PREFIX + "DRAW_AHEAD", "false")
    held: list[HeldFolder] = []

    async def live() -> None:
        async with server.lifespan(server.app):
            held.append(HeldFolder("rackledger-sql-"))
            assert list(temporary.iterdir()) == [held[0].path]

    asyncio.run(live())
    assert list(temporary.iterdir()) == []


def test_other_names_links_and_what_was_just_begun_stay(temporary: Path) -> None:
    for name in ("other-1", "held-test-new", "held-test-old"):
        (temporary / name).mkdir()
    (temporary / "other-1" / HELD).touch()
    (temporary / "held-test-link").symlink_to(temporary / "other-1")
    past = (temporary / "held-test-old").stat().st_mtime - UNMARKED - 1
    os.utime(temporary / "held-test-old", (past, past))
    folder = HeldFolder("held-test-")
    left = {path.name for path in temporary.iterdir()} - {folder.path.name}
    assert left == {"other-1", "held-test-new", "held-test-link"}
    folder.close()
