"""One run at a time in a data folder: the second leaves with a message, or waits; a killed holder frees it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.settings import Settings
from pipelines.upkeep.lock import Busy, hold

HOLDER = """
import sys
from pathlib import Path
from pipelines.upkeep.lock import hold
with hold(Path(sys.argv[1]), "other-run", wait=False):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process(data: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_second_run_leaves_with_the_name_of_the_first_and_may_start_when_that_was_killed(tmp_path: Path) -> None:
    with another_process(tmp_path) as other:
        with pytest.raises(Busy, match=rf"at work in {tmp_path} \(process {other.pid}, run other-run\)"):
            hold(tmp_path, "mine", wait=False).__enter__()
        other.kill()
        other.wait()
        with hold(tmp_path, "mine", wait=False):
            pass


def test_with_wait_it_says_so_once_and_goes_on_when_the_first_has_ended(tmp_path: Path) -> None:
    said: list[str] = []
    with another_process(tmp_path) as other:
        assert other.stdin is not None

        def end_the_other(words: str) -> None:
            said.append(words)
            other.communicate()  # closes its standard input

        with hold(tmp_path, "mine", wait=True, on_wait=end_the_other):
            assert len(said) == 1


def test_a_process_that_holds_it_may_take_it_again(tmp_path: Path) -> None:
    with hold(tmp_path, "mine", wait=False), hold(tmp_path, "mine", wait=False):
        pass


def test_the_command_leaves_the_files_of_the_other_alone_and_says_what_to_do(settings: Settings) -> None:
    half = settings.archive / "collect-abc"
    half.mkdir(parents=True)
    with another_process(settings.data):
        done = CliRunner().invoke(app, ["run"])
    assert done.exit_code == 1
    assert "Another run is at work" in done.output
    assert "--wait" in done.output
    assert half.exists()
    assert not settings.warehouse.exists()
