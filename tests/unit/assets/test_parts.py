"""A partition in parts: what comes, goes and changes in any order ends as made at once, also where writers are killed.

Items are words, so that every row is known. A writer is killed by an exception that no step catches.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines import lake as lake_module
from pipelines.assets import partition_step
from pipelines.assets.partition_step import AT_ONCE, TAKEN_UP, run_steps
from pipelines.lake import Lake, Part, standing, write_parquet
from tests.step_kit import WordsStep

TABLES = ("letters", "words", "spelled")
NAMES = [f"{first}{second}" for first in "abcd" for second in "wxyz"]
STATES = st.lists(
    st.tuples(st.lists(st.sampled_from(NAMES), unique=True, max_size=12), st.sets(st.sampled_from(NAMES), max_size=2)),
    min_size=1,
    max_size=8,
)
GROWING = st.integers(1, 12).map(lambda count: (NAMES[:count], set[str]()))


class Killed(BaseException):
    """A writer that is gone: nothing catches it."""


@pytest.fixture(autouse=True, scope="module")
def on_a_quick_disk() -> Iterator[None]:
    """No waiting for the disk: thousands of small files are written here, and no power fails."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("sync_file", "sync_folder"):
            patch.setattr(lake_module, name, lambda _: None)
        yield


@contextmanager
def killed_at(patch: pytest.MonkeyPatch, count: int) -> Iterator[None]:
    """The process ends at the so-manieth change of the disk: a file put in place, or one removed."""
    left = [count]

    def tick() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed

    def write(rows: pa.Table, path: Path) -> None:
        tick()
        write_parquet(rows, path)

    remove = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        tick()
        remove(path, missing_ok=missing_ok)

    with patch.context() as inner:
        inner.setattr(lake_module, "write_parquet", write)
        inner.setattr(Path, "unlink", unlink)
        yield


def reach(folder: Path, words: list[str], again: set[str], version: str = "1") -> None:
    step = WordsStep("p", tuple(words), folder / "log", version, tuple(sorted(again)))
    (outcome,) = run_steps([step], folder / "lake", 1)
    assert outcome.error == ""


def rows(folder: Path) -> dict[str, list[dict[str, Any]]]:
    return {name: Lake(folder / "lake").read(name, "p").drop_columns(PROCESS[name]).to_pylist() for name in TABLES}


PROCESS = {"letters": ["process"], "words": list[str](), "spelled": list[str]()}


def made_at_once(words: list[str]) -> dict[str, list[dict[str, Any]]]:
    with TemporaryDirectory() as name:
        reach(Path(name), words, set())
        return rows(Path(name))


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in (folder / "lake").rglob("*") if path.is_file()}


def counted(folder: Path) -> set[str]:
    """The files that are to be there: those that stand, one that says what was made, and the problems of none."""
    lake = Lake(folder / "lake")
    return {
        path.relative_to(folder).as_posix()
        for table in (*TABLES, partition_step.MADE, "problems")
        for path in lake.files(table)
    }


@settings(max_examples=40, deadline=None)
@given(STATES | st.lists(GROWING, min_size=1, max_size=8))
def test_what_comes_goes_and_changes_ends_as_made_at_once(states: list[tuple[list[str], set[str]]]) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition_step, "AT_ONCE", 3)
        for words, again in states:
            reach(Path(name), words, again)
            assert rows(Path(name)) == made_at_once(words)
            assert files(Path(name)) - {"log"} == counted(Path(name))


@settings(max_examples=60, deadline=None)
@given(STATES | st.lists(GROWING, min_size=2, max_size=6), st.lists(st.integers(0, 14), min_size=1, max_size=8))
def test_a_writer_that_is_killed_anywhere_leaves_nothing_and_takes_nothing(
    states: list[tuple[list[str], set[str]]], kills: list[int]
) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(partition_step, "AT_ONCE", 3)
        for place, (words, again) in enumerate(states):
            with killed_at(patch, kills[place % len(kills)]), suppress(Killed):
                reach(Path(name), words, again, version=str(place // 3))
        words, again = states[-1]
        reach(Path(name), words, again, version="last")
        reach(Path(name), [*words, "zz"], set(), version="last")
        assert rows(Path(name)) == made_at_once([*words, "zz"])
        assert files(Path(name)) - {"log"} == counted(Path(name))


def test_a_run_that_is_killed_has_not_read_in_vain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [f"w{number}" for number in range(3 * AT_ONCE)]
    with killed_at(monkeypatch, 12), pytest.raises(Killed):  # with the third part in place in one table of two
        reach(tmp_path, words, set())
    read = len((tmp_path / "log").read_text().split())
    reach(tmp_path, words, set())
    assert len(Lake(tmp_path / "lake").files("letters", "p")) == 1
    assert (read, len((tmp_path / "log").read_text().split())) == (3 * AT_ONCE, 4 * AT_ONCE)
    assert rows(tmp_path) == made_at_once(words)


def test_one_item_more_costs_a_few_rows_and_a_partition_stays_a_few_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = dict.fromkeys(TABLES, 0)

    def write(table: pa.Table, path: Path) -> None:
        if path.parent.name in written:
            written[path.parent.name] += table.num_rows
        write_parquet(table, path)

    monkeypatch.setattr(lake_module, "write_parquet", write)
    words = [f"w{number:03}" for number in range(150)]
    for count in range(1, len(words) + 1):
        reach(tmp_path, words[:count], set())
        assert len(Lake(tmp_path / "lake").files("words", "p")) <= 1 + math.log(count, TAKEN_UP)
    assert written["words"] <= len(words) * math.log(len(words), 1 + 1 / TAKEN_UP)
    assert rows(tmp_path) == made_at_once(words)


def test_what_comes_at_the_end_has_no_held_item_looked_at_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reach(tmp_path, NAMES[:8], set())
    monkeypatch.setattr(partition_step, "_told", lambda items: pytest.fail(f"{len(items)} items one by one"))
    reach(tmp_path, NAMES[:9], set())
    assert rows(tmp_path) == made_at_once(NAMES[:9])


def test_of_files_that_overlap_the_longest_counts_and_what_lies_behind_a_gap_does_not() -> None:
    assert standing([]) == []
    assert standing([Part(0, 0), Part(1, 1), Part(0, 2), Part(3, 3), Part(3, 5), Part(7, 7)]) == [
        Part(0, 2),
        Part(3, 5),
    ]
    assert standing([Part(1, 1)]) == []


def test_a_part_that_was_taken_away_is_made_again(tmp_path: Path) -> None:
    for count in (8, 9):
        reach(tmp_path, NAMES[:count], set())
    lake = Lake(tmp_path / "lake")
    assert [str(part) for part in lake.parts("letters", "p")] == ["", "~1-1"]
    lake.path("letters", "p", Part(1, 1)).unlink()
    reach(tmp_path, NAMES[:9], set())
    assert rows(tmp_path) == made_at_once(NAMES[:9])


def test_a_part_that_a_killed_writer_left_in_one_table_hides_no_rows_of_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [f"w{number:02}" for number in range(30)]
    for count in (20, 21):
        reach(tmp_path, words[:count], set())
    with killed_at(monkeypatch, 2), pytest.raises(Killed):  # the letters alone, with all that stood taken up
        reach(tmp_path, words[:25], set())
    assert Part(0, 2) in Lake(tmp_path / "lake").parts("letters", "p")
    reach(tmp_path, [*words[:21], "other"], set())
    assert rows(tmp_path) == made_at_once([*words[:21], "other"])
