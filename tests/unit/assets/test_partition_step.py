"""The loop of all steps: what is current stays, what is new joins, one failure stops no other, work is shared out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipelines.assets.partition_step import forget, run_steps
from pipelines.lake import Lake
from tests.step_kit import WordsStep


def step(folder: Path, *words: str, name: str = "p", version: str = "1") -> WordsStep:
    return WordsStep(name, words, folder / "log", version)


def run(folder: Path, *steps: WordsStep, workers: int = 1) -> list[tuple[str, int, str]]:
    return [(o.partition, o.counts.get("read_now", -1), o.error) for o in run_steps(steps, folder / "lake", workers)]


def read_so_far(folder: Path) -> list[str]:
    return (folder / "log").read_text().split() if (folder / "log").exists() else []


def letters(folder: Path, name: str = "p") -> str:
    return "".join(Lake(folder / "lake").read("letters", name).column("letter").to_pylist())


def test_a_partition_is_made_once_and_its_counts_are_told_again(tmp_path: Path) -> None:
    (first,) = run_steps([step(tmp_path, "ab", "cde")], tmp_path / "lake", 1)
    (again,) = run_steps([step(tmp_path, "ab", "cde")], tmp_path / "lake", 1)
    assert first.counts == {"letters": 5, "words": 2, "read_now": 2}
    assert again.counts == {**first.counts, "read_now": 0}
    assert read_so_far(tmp_path) == ["ab", "cde"]


def test_only_what_is_new_is_read_and_rows_stand_in_the_order_of_their_items(tmp_path: Path) -> None:
    run(tmp_path, step(tmp_path, "cd", "ef"))
    assert run(tmp_path, step(tmp_path, "ab", "cd", "ef", "gh")) == [("p", 2, "")]
    assert read_so_far(tmp_path) == ["cd", "ef", "ab", "gh"]
    assert letters(tmp_path) == "abcdefgh"
    assert Lake(tmp_path / "lake").read("spelled", "p").num_rows == 8


def test_other_inputs_of_the_same_items_write_no_rows(tmp_path: Path) -> None:
    run(tmp_path, step(tmp_path, "ab", "cd"))
    lake = Lake(tmp_path / "lake")
    before = {path: path.stat().st_mtime_ns for table in ("letters", "words") for path in lake.files(table)}
    assert run(tmp_path, step(tmp_path, "ab", "cd", "ab")) == [("p", 0, "")]
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert run(tmp_path, step(tmp_path, "cd", "ab")) == [("p", 0, "")]
    assert letters(tmp_path) == "cdab"


def test_an_item_that_went_takes_its_rows_along(tmp_path: Path) -> None:
    run(tmp_path, step(tmp_path, "ab", "cd"))
    assert run(tmp_path, step(tmp_path, "cd")) == [("p", 0, "")]
    assert letters(tmp_path) == "cd"


def test_an_item_named_twice_is_read_once(tmp_path: Path) -> None:
    run(tmp_path, step(tmp_path, "ab", "ab"))
    assert letters(tmp_path) == "ab"


def test_other_code_reads_all_again(tmp_path: Path) -> None:
    run(tmp_path, step(tmp_path, "ab", "cd"))
    assert run(tmp_path, step(tmp_path, "ab", "cd", version="2")) == [("p", 2, "")]


@pytest.mark.parametrize("table", ["letters", "words"])
def test_a_table_that_is_missing_is_made_again_from_all_items(tmp_path: Path, table: str) -> None:
    run(tmp_path, step(tmp_path, "ab", "cd"))
    Lake(tmp_path / "lake").drop(table, "p")
    assert run(tmp_path, step(tmp_path, "ab", "cd")) == [("p", 2, "")]
    assert letters(tmp_path) == "abcd"


def test_a_partition_without_items_stands_empty(tmp_path: Path) -> None:
    assert run(tmp_path, step(tmp_path)) == [("p", 0, "")]
    assert letters(tmp_path) == ""
    assert run(tmp_path, step(tmp_path)) == [("p", 0, "")]


def test_a_failure_stops_no_other_keeps_the_last_state_and_is_a_problem_until_it_is_mended(tmp_path: Path) -> None:
    run(tmp_path, step(tmp_path, "ab"))
    outcomes = run(tmp_path, step(tmp_path, "ab", "bad"), step(tmp_path, "xy", name="q"))
    assert outcomes == [("p", -1, "ValueError: no such word"), ("q", 1, "")]
    assert letters(tmp_path) == "ab"
    (problem,) = Lake(tmp_path / "lake").read("problems", "failed-words-p").to_pylist()
    assert (problem["source_id"], problem["place"], problem["reason"], problem["detail"], problem["is_fatal"]) == (
        "p", "words", "partition_failed", "ValueError: no such word", True,
    )  # fmt: skip
    assert run(tmp_path, step(tmp_path, "ab", "good")) == [("p", 1, "")]
    assert not Lake(tmp_path / "lake").path("problems", "failed-words-p").exists()


def test_work_is_shared_out_only_where_it_pays_and_outcomes_keep_their_order(tmp_path: Path) -> None:
    here = os.getpid()
    run(tmp_path, step(tmp_path, "a", name="small"), step(tmp_path, "b", name="other"), workers=2)
    run(tmp_path, step(tmp_path, "a", name="kept"))
    many = [step(tmp_path, "ab", "cd", name="one"), step(tmp_path, "a", name="kept"), step(tmp_path, "bad", name="two")]
    assert run(tmp_path, *many, workers=2) == [("one", 2, ""), ("kept", 0, ""), ("two", -1, "ValueError: no such word")]
    lake = Lake(tmp_path / "lake")
    assert set(lake.read("letters", "small").column("process").to_pylist()) == {here}
    assert here not in lake.read("letters", "one").column("process").to_pylist()


def test_what_is_no_longer_read_so_is_forgotten(tmp_path: Path) -> None:
    run(tmp_path, step(tmp_path, "ab"), step(tmp_path, "cd", name="q"))
    forget(tmp_path / "lake", ("letters", "words", "never"), "p")
    assert Lake(tmp_path / "lake").partitions("letters") == ["q"]
