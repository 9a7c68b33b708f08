"""Inference figures against the organisers' own checker and published summary: the same rows, each value to 1e-6.

Every difference stands in docs/mlperf-inference-differences.csv with its reason: rows and values one by one; those that
come from the shared archives being parts (rounded summaries without detail logs, missing watt samples) by their count.
A difference that is not listed fails the test, and so does a listed one that is no longer there.
"""

from __future__ import annotations

import csv
import functools
import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest

from pipelines.model.mlperf import InferenceResult
from pipelines.parse.mlperf.common.rows import RoundRows
from pipelines.parse.mlperf.rounds import parse_round
from pipelines.registry import load_registry
from pipelines.registry.accelerators import AcceleratorNames
from pipelines.settings import PROJECT_ROOT
from tests.conftest import SHARED

DIFFERENCES = PROJECT_ROOT / "docs" / "mlperf-inference-differences.csv"
FOLDER = SHARED / "mlperf" / "inference"
TOLERANCE = 1e-6
PRINTED = 0.0051  # a summary prints two decimals
ROUNDS = ["v0.5", "v0.7", "v1.1", "v2.1", "v3.0", "v5.1"]
# What the checker calls otherwise: it keeps the submitter's word, the report maps it.
STATUS = {"on-premise": "available"}


@functools.cache
def parsed(name: str) -> RoundRows[InferenceResult]:
    with (FOLDER / f"inference_results_{name}.part.tar.gz").open("rb") as stream:
        return parse_round(stream, names=AcceleratorNames.load(), rules=load_registry().mlperf)


def ours(name: str) -> dict[str, InferenceResult]:
    return {row.member_dir: row for row in parsed(name).results}


@functools.cache
def theirs(name: str) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """The checker's performance rows and power rows by folder."""
    performance: dict[str, dict[str, str]] = {}
    power: dict[str, dict[str, str]] = {}
    with gzip.open(FOLDER / "oracle" / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            is_power = row.get("Units") in ("Watts", "Joules", "millijoules")
            (power if is_power else performance)[row["Location"]] = row
    return performance, power


def listed(name: str, kind: str, compared_with: str = "checker") -> list[dict[str, str]]:
    with DIFFERENCES.open(newline="", encoding="utf-8") as file:
        return [
            row for row in csv.DictReader(file)
            if (row["round"], row["kind"], row["compared_with"]) == (name, kind, compared_with)
        ]  # fmt: skip


def counted(name: str, kind: str) -> int:
    return sum(int(row["count"]) for row in listed(name, kind))


@pytest.mark.parametrize("name", ROUNDS)
def test_the_rows_are_those_of_the_checker_but_for_the_listed(name: str, shared: Path) -> None:
    mine, (official, _) = ours(name), theirs(name)
    assert set(official) - set(mine) == set()
    assert set(mine) - set(official) == {row["member_dir"] for row in listed(name, "row only here")}


@pytest.mark.parametrize("name", ROUNDS)
def test_values_equal_the_checkers_but_for_the_listed(name: str, shared: Path) -> None:
    mine, (official, _) = ours(name), theirs(name)
    wrong, rounded = {}, 0
    for place, row in official.items():
        value = float(row["Result"])
        result = mine[place]
        if result.result is not None and math.isclose(result.result, value, rel_tol=TOLERANCE):
            continue
        if result.result is not None and result.result_detail is None and abs(result.result - value) <= PRINTED:
            rounded += 1
        else:
            wrong[place] = (result.result, value)
    assert wrong == {r["member_dir"]: (float(r["ours"]), float(r["theirs"])) for r in listed(name, "value")}
    assert rounded == counted(name, "rounding")


@pytest.mark.parametrize("name", ROUNDS)
def test_watts_and_energy_equal_the_checkers(name: str, shared: Path) -> None:
    mine, (_, power) = ours(name), theirs(name)
    wrong, absent = {}, 0
    for place, row in power.items():
        result = mine[place]
        value = float(row["Result"])
        if result.power_w is None:
            absent += 1
            continue
        joules = (result.energy_j or 0) * (1000 if row["Units"] == "millijoules" else 1)
        measured = result.power_w if row["Units"] == "Watts" else joules
        if not math.isclose(measured, value, rel_tol=TOLERANCE):
            wrong[place] = (measured, value)
    assert wrong == {}
    assert absent == counted(name, "power absent")


@pytest.mark.parametrize("name", ROUNDS)
def test_benchmark_inference_and_availability_are_the_checkers(name: str, shared: Path) -> None:
    mine, (official, _) = ours(name), theirs(name)
    found = {place: (mine[place].benchmark, mine[place].inferred, mine[place].availability) for place in official}
    expected = {
        place: (
            row["MlperfModel"],
            row.get("inferred", row.get("infered")) == "1",
            STATUS.get(row["Availability"], row["Availability"]),
        )
        for place, row in official.items()
    }
    assert {place: value for place, value in found.items() if value != expected[place]} == {}


@pytest.mark.parametrize("name", ["v3.0", "v5.1"])
def test_accuracy_is_the_checkers(name: str, shared: Path) -> None:
    mine, (official, _) = ours(name), theirs(name)
    wrong = {}
    for place, row in official.items():
        first = row["Accuracy"].partition("  ")[0]
        value = float(first.partition(": ")[2] or first)
        accuracy = mine[place].accuracy
        if accuracy is None or not math.isclose(accuracy, value, rel_tol=1e-4):
            wrong[place] = (accuracy, value)
    assert wrong == {}
    assert all(row.accuracy_met for row in mine.values() if row.division == "closed")


def test_the_published_summary_of_v5_1_has_our_rows_figures_and_data_types(shared: Path) -> None:
    with gzip.open(FOLDER / "oracle" / "v5.1_summary_results.json.gz", "rb") as file:
        published: dict[str, dict[str, Any]] = {row["Location"]: row for row in json.load(file)}
    mine = ours("v5.1")
    extra = [row["member_dir"] for row in listed("v5.1", "row only here", "published summary")]
    assert set(mine) - set(published) == set(extra)
    assert set(published) <= set(mine)
    assert {
        place: (mine[place].result, row["Performance_Result"]) for place, row in published.items()
        if not math.isclose(mine[place].result or 0, row["Performance_Result"], rel_tol=TOLERANCE)
    } == {}  # fmt: skip
    assert {
        place: (mine[place].weight_type, row["weight_data_types"]) for place, row in published.items()
        if mine[place].weight_type and mine[place].weight_type != row["weight_data_types"]
    } == {}  # fmt: skip


def test_every_difference_says_why_and_who_is_right() -> None:
    with DIFFERENCES.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            assert row["who_is_right"] in {"ours", "theirs", "open"}
            assert len(row["reason"]) > 40


def test_every_accelerator_of_the_distinct_list_is_known_but_one(shared: Path) -> None:
    names = AcceleratorNames.load()
    with (FOLDER / "accelerators_distinct.csv").open(newline="", encoding="utf-8") as file:
        raws = [row["raw_name"] for row in csv.DictReader(file)]
    assert [raw for raw in raws if names.match(raw).accelerator_id == "unknown"] == ["NPU 3.0"]


def test_the_reference_archives_are_there_or_it_is_said(shared: Path) -> None:
    assert [name for name in ROUNDS if (FOLDER / f"inference_results_{name}.part.tar.gz").exists()] == ROUNDS
