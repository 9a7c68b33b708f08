"""A new benchmark costs one entry of the registry's YAML: read, scored, judged and named in the warehouse's rows."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import Any

import pytest

from pipelines.parse.mlperf.common.rows import RoundRows
from pipelines.parse.mlperf.rounds import parse_round
from pipelines.registry.load import HERE, read_entries
from pipelines.registry.registry import Registry
from pipelines.registry.rows import registry_rows
from tests import inference_rounds, rounds

NEW = """benchmarks:
  - {suite: training, id: robot_arm, title: Robot arm, area: robotics, unit: minutes, first: v6.0, runs_required: 12,
     runs_trimmed: 2, directories: [{name: robot_arm}, {name: robotarm, is_spelling: true}]}
  - {suite: inference, id: robot-llm, title: Robot LLM, area: robotics, unit: by scenario, first: v6.0,
     directories: [{name: robot-llm}, {name: robot_llm}], targets: [{of: "99", least: {ROUGE1: 40.0}}],
     units: [{unit: tokens/s, scenarios: [Offline]}]}
"""


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """The committed registry with two benchmarks more in its one file."""
    folder = tmp_path_factory.mktemp("registry")
    for path in HERE.glob("*.yaml"):
        shutil.copy(path, folder)
    changed = folder / "mlperf_benchmarks.yaml"
    changed.write_text(changed.read_text(encoding="utf-8").replace("benchmarks:\n", NEW, 1), encoding="utf-8")
    return Registry(read_entries(folder))


def parse(registry: Registry, data: bytes) -> RoundRows[Any]:
    return parse_round(io.BytesIO(data), names=registry.accelerator_names, rules=registry.mlperf)


def test_a_training_benchmark(registry: Registry) -> None:
    minutes = [*range(1, 12), 500]  # twelve runs; two are dropped at each end: the mean of 3 to 10
    members = {"Example/systems/ex8.json": rounds.system()}
    members |= rounds.results([float(n) for n in minutes], "Example/results/ex8/robotarm", benchmark="robot_arm")
    (row,) = parse(registry, rounds.archive(members, top="training_results_v6.0-main")).results
    assert (row.benchmark, row.benchmark_dir, row.n_runs_required) == ("robot_arm", "robotarm", 12)
    assert (row.score_minutes, row.problem) == (6.5, "")


def test_an_inference_benchmark(registry: Registry) -> None:
    run = {"mlperf_log_summary.txt": inference_rounds.summary("Offline", "Tokens per second: 2000")}
    accuracy = {"accuracy/accuracy.txt": b"{'rouge1': 39.0}\n"}
    files = inference_rounds.members("robot-llm-99", run=run, other=accuracy)
    (row,) = parse(registry, inference_rounds.archive(files, "inference_results_v6.0-main")).results
    assert (row.benchmark, row.accuracy_class, row.result, row.unit) == ("robot-llm-99", "99", 2000.0, "tokens/s")
    assert (row.accuracy, row.accuracy_target, row.accuracy_met) == (39.0, 40.0, False)


def test_before_its_first_round_an_inference_benchmark_is_unknown(registry: Registry) -> None:
    run = {"mlperf_log_summary.txt": inference_rounds.summary("Offline", "Tokens per second: 2000")}
    files = inference_rounds.members("robot-llm-99", run=run)
    (row,) = parse(registry, inference_rounds.archive(files, "inference_results_v5.1-main")).results
    assert (row.benchmark, row.problem) == ("unknown", "figure_missing; benchmark_unknown")


def test_the_warehouses_rows_name_it(registry: Registry) -> None:
    rows = {getattr(row, "benchmark_id", ""): row for row in registry_rows(registry.entries)["mlperf_benchmarks"]}
    assert getattr(rows["robot_arm"], "runs_required", 0) == 12
    assert getattr(rows["robot-llm"], "title", "") == "Robot LLM"


def test_an_entry_without_its_suites_rules_is_refused_by_name(tmp_path: Path) -> None:
    for path in HERE.glob("*.yaml"):
        shutil.copy(path, tmp_path)
    changed = tmp_path / "mlperf_benchmarks.yaml"
    text = changed.read_text(encoding="utf-8").replace("benchmarks:\n", NEW.replace(" runs_required: 12,", ""), 1)
    changed.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"robot_arm.*: expected runs_required, which a benchmark of training needs"):
        read_entries(tmp_path)
