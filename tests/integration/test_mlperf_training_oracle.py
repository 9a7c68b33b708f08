"""Scores against MLCommons' own summarizer and against computed scores of whole rounds, each to 1e-6.

Every difference stands in docs/mlperf-training-differences.csv with its reason; one that is not listed fails the test,
and so does a listed one that is no longer there.
"""

from __future__ import annotations

import csv
import functools
import math
from pathlib import Path

import pytest

from pipelines.model.mlperf import TrainingResult
from pipelines.parse.mlperf.common.rows import RoundRows
from pipelines.parse.mlperf.rounds import parse_round
from pipelines.registry import load_registry
from pipelines.registry.accelerators import AcceleratorNames
from pipelines.settings import PROJECT_ROOT
from tests.conftest import SHARED

DIFFERENCES = PROJECT_ROOT / "docs" / "mlperf-training-differences.csv"
TOLERANCE = 1e-6
ARCHIVES = sorted((SHARED / "mlperf" / "training").glob("*.tar.gz"))


@functools.cache
def parsed(path: Path) -> RoundRows[TrainingResult]:
    with path.open("rb") as stream:
        return parse_round(stream, names=AcceleratorNames.load(), rules=load_registry().mlperf)


def records(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def name_of(path: Path) -> str:
    """`training_results_v5.0` for a file of a whole or a part of the round."""
    return path.name.removesuffix(".tar.gz").removesuffix(".part")


def is_close(left: float | None, right: float | None) -> bool:
    if left is None or right is None:
        return left is right
    return math.isclose(left, right, rel_tol=TOLERANCE)


def official(result: TrainingResult, metric: str) -> float | None:
    """What the summarizer calls by this metric: `bert`, or for weak scaling `deepcam:number_of_models`."""
    values = {"number_of_models": result.n_models, "instance_scale": result.instance_scale}
    return values.get(metric.partition(":")[2], result.score_minutes)


@pytest.mark.parametrize("path", ARCHIVES, ids=name_of)
def test_scores_equal_the_official_summarizer(path: Path, shared: Path) -> None:
    rows = parsed(path)
    found: dict[tuple[str, str, str], list[TrainingResult]] = {}
    for result in rows.results:
        found.setdefault((result.table, result.system, result.benchmark_dir), []).append(result)
    submitters = {result.submitter_raw for result in rows.results}
    expected = [r for r in records(shared / "mlperf/training/oracle.csv") if r["round"] == name_of(path)]
    wrong, compared = [], 0
    for row in expected:
        candidates = found.get((row["table"], row["system_dir"], row["metric"].partition(":")[0]), [])
        if not candidates and row["submitter"] not in submitters:
            continue  # a submitter that this part of the round does not hold
        compared += 1
        if not any(is_close(official(result, row["metric"]), float(row["value"])) for result in candidates):
            wrong.append((row["submitter"], row["system_dir"], row["metric"], row["value"]))
    assert wrong == []
    assert compared > 0 or not expected


@pytest.mark.parametrize("path", ARCHIVES, ids=name_of)
def test_scores_equal_the_computed_table_but_for_the_listed_differences(path: Path, shared: Path) -> None:
    ours = {result.member_dir: result for result in parsed(path).results}
    submitters = {result.submitter_dir for result in ours.values()}
    differing, absent = {}, []
    for row in records(shared / "facts/mlperf_training_scores.csv"):
        if row["round"] != name_of(path) or row["submitter_dir"] not in submitters:
            continue
        theirs = None if row["score_minutes"] in ("", "None") else float(row["score_minutes"])
        result = ours.get(row["path"])
        if result is None:
            absent += [row["path"]] if theirs is not None else []
        elif not is_close(result.score_minutes, theirs):
            differing[row["path"]] = (result.score_minutes, theirs)
    listed = {
        row["member_dir"]: (float(row["ours_minutes"]), float(row["theirs_minutes"]))
        for row in records(DIFFERENCES)
        if row["round"] == name_of(path)
    }
    assert absent == []
    assert set(differing) == set(listed)
    for place, (mine, theirs) in listed.items():
        assert is_close(differing[place][0], mine)
        assert is_close(differing[place][1], theirs)


def test_every_difference_says_why_and_who_is_right() -> None:
    for row in records(DIFFERENCES):
        assert row["who_is_right"] in {"ours", "theirs", "open"}
        assert len(row["reason"]) > 40


def test_every_accelerator_name_of_every_round_is_known(shared: Path) -> None:
    names = AcceleratorNames.load()
    unknown = [
        row["raw_name"]
        for row in records(shared / "mlperf/training/accelerators.csv")
        if names.match(row["raw_name"]).accelerator_id == "unknown"
    ]
    assert unknown == []


def test_the_reference_archives_are_there_or_it_is_said(shared: Path) -> None:
    assert len(ARCHIVES) >= 9
