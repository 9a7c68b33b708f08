"""Scores worked by hand: how many runs, which are dropped, the three formats of logs, and what is odd in them."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass

import pytest

from pipelines.model.mlperf import TrainingResult
from pipelines.parse.mlperf.common.rows import RoundRows
from pipelines.parse.mlperf.rounds import parse_round
from pipelines.registry import load_registry
from tests import rounds

WHERE = "Example/results/ex8/bert"
SYSTEM = {"Example/systems/ex8.json": rounds.system()}


@dataclass(frozen=True)
class Named:
    accelerator_id: str


class Names:
    """A matcher that knows one accelerator."""

    def match(self, raw_name: str, system_name: str = "") -> Named:
        return Named(
            "nvidia-h100-sxm5-80gb" if "H100" in raw_name else "none" if raw_name in ("", "N/A") else "unknown"
        )


def parse(members: dict[str, bytes], top: str = "training_results_v9.9-main") -> RoundRows[TrainingResult]:
    return parse_round(
        io.BytesIO(rounds.archive(members, top=top)), source_id="test", names=Names(), rules=load_registry().mlperf
    )


def only(members: dict[str, bytes], top: str = "training_results_v9.9-main") -> TrainingResult:
    (result,) = parse(members, top).results
    return result


def reasons(rows: RoundRows[TrainingResult]) -> set[str]:
    return {str(problem.reason) for problem in rows.problems}


def test_the_fastest_and_the_slowest_of_ten_are_dropped() -> None:
    result = only(SYSTEM | rounds.results(rounds.TEN_RUNS, WHERE))
    assert result.raw_minutes == pytest.approx(14.5)  # mean of 11 to 18
    assert (result.n_runs, result.n_runs_required, result.n_not_converged) == (10, 10, 0)


def test_a_committed_scaling_factor_multiplies_the_mean() -> None:
    members = SYSTEM | rounds.results(rounds.TEN_RUNS, WHERE) | {f"{WHERE}/scaling.json": b'{"scaling_factor": 1.1}'}
    result = only(members)
    assert result.scaling_factor == 1.1
    assert result.raw_minutes == pytest.approx(14.5)
    assert result.score_minutes == pytest.approx(15.95)


def test_one_run_that_did_not_converge_counts_as_the_slowest() -> None:
    members = SYSTEM | rounds.results(rounds.TEN_RUNS[:9], WHERE)
    members[f"{WHERE}/result_9.txt"] = rounds.log(1.0, status="aborted")
    result = only(members)
    assert result.score_minutes == pytest.approx(14.5)  # 10 is dropped as the fastest, the aborted one as the slowest
    assert result.n_not_converged == 1


def test_two_runs_that_did_not_converge_leave_no_score_and_it_says_so() -> None:
    members = SYSTEM | rounds.results(rounds.TEN_RUNS[:8], WHERE)
    for i in (8, 9):
        members[f"{WHERE}/result_{i}.txt"] = rounds.log(1.0, status="aborted")
    result = only(members)
    assert result.score_minutes is None
    assert result.problem != ""


def test_unet3d_drops_four_at_each_end_of_forty() -> None:
    where = "Example/results/ex8/unet3d"
    minutes = [1.0, 1.1, 1.2, 1.3, *([20.0] * 16), *([22.0] * 16), 90.0, 91.0, 92.0, 93.0]
    result = only(SYSTEM | rounds.results(minutes, where, benchmark="unet3d"))
    assert result.score_minutes == pytest.approx(21.0)


def test_of_three_runs_the_middle_one_counts() -> None:
    where = "Example/results/ex8/llama31_405b"
    result = only(SYSTEM | rounds.results([30.0, 50.0, 31.0], where, benchmark="llama31_405b"))
    assert result.score_minutes == pytest.approx(31.0)


def test_a_run_with_a_malformed_line_is_dropped_as_the_official_tool_does() -> None:
    members = SYSTEM | rounds.results(rounds.TEN_RUNS, WHERE)
    members[f"{WHERE}/result_9.txt"] = rounds.log(99.0) + b':::MLLOG {"key": "epoch", "value": nullLambda}\n'
    rows = parse(members)
    assert rows.results[0].score_minutes == pytest.approx(14.5)
    assert rows.results[0].n_not_converged == 1
    assert "log_line_malformed" in reasons(rows)


def test_a_run_that_took_too_long_to_initialise_is_rejected() -> None:
    members = SYSTEM | rounds.results(rounds.TEN_RUNS, WHERE)
    early = json.dumps({"time_ms": rounds.START_MS - 40 * 60_000, "key": "init_start", "value": None, "metadata": {}})
    members[f"{WHERE}/result_9.txt"] = b":::MLLOG " + early.encode() + b"\n" + rounds.log(99.0)
    rows = parse(members)
    assert "run_rejected" in reasons(rows)
    assert rows.results[0].n_not_converged == 1


def test_what_stands_before_the_token_line_ends_and_odd_bytes_do_not_matter() -> None:
    members = SYSTEM | rounds.results(rounds.TEN_RUNS, WHERE)
    odd = rounds.log(12.0).replace(b":::MLLOG", b"\r 50%|###|\x1b[0m \xff [0] :::MLLOG").replace(b"\n", b"\r\n")
    members[f"{WHERE}/result_2.txt"] = odd.removesuffix(b"\r\n")
    assert only(members).score_minutes == pytest.approx(14.5)


def test_a_benchmark_nobody_knows_yet_is_kept_and_reported() -> None:
    rows = parse(SYSTEM | rounds.results(rounds.TEN_RUNS, "Example/results/ex8/brandnew", benchmark="brandnew"))
    (result,) = rows.results
    assert (result.benchmark, result.n_runs_required) == ("brandnew", None)
    assert result.score_minutes == pytest.approx(14.5)
    assert "benchmark_unknown" in reasons(rows)


def test_accelerators_are_nodes_times_accelerators_per_node_also_written_as_text() -> None:
    system = rounds.system(number_of_nodes="18", accelerators_per_node="4")
    assert only({"Example/systems/ex8.json": system} | rounds.results(rounds.TEN_RUNS, WHERE)).accelerators == 72


def test_code_that_looks_like_a_system_is_passed_by() -> None:
    decoy = {"Example/benchmarks/bert/implementations/x/systems/ex9.json": rounds.system(system_name="decoy")}
    rows = parse(SYSTEM | decoy | rounds.results(rounds.TEN_RUNS, WHERE))
    assert [system.system for system in rows.systems] == ["ex8"]


def old_log(minutes: float, version: str) -> bytes:
    """A run in the format of v0.5 or v0.6; times are in seconds."""
    start, stop = 1_541_720_000.0, 1_541_720_000.0 + minutes * 60
    if version == "v0.5":
        return (
            f":::MLPv0.5.0 resnet {start:.6f} (run.py:1) run_start\n"
            f':::MLPv0.5.0 resnet {stop:.6f} (run.py:9) run_stop: {{"success": true}}\n'
        ).encode()
    return (
        f':::MLL {start:.3f} run_start: {{"value": null, "metadata": {{"lineno": 1}}}}\n'
        f':::MLL {stop:.3f} run_stop: {{"value": null, "metadata": {{"status": "success"}}}}\n'
    ).encode()


def test_the_format_of_v06() -> None:
    logs = {f"Example/results/ex8/resnet/result_{i}.txt": old_log(m, "v0.6") for i, m in enumerate((5, 6, 7, 8, 30))}
    result = only(SYSTEM | logs, "training_results_v0.6-master")
    assert (result.round, result.suite, result.benchmark) == ("v0.6", "training", "resnet")
    assert result.score_minutes == pytest.approx(7.0)  # mean of 6, 7, 8


def test_the_format_of_v05() -> None:
    entry = {
        "division": "closed", "status": "available", "hardware": "Example", "framework": "Example 1",
        "nodes": [{"num_nodes": "2", "accelerator": "Tesla H100", "num_accelerators": "8"}],
    }  # fmt: skip
    top = "v0.5.0/example/first/"
    members = {
        f"{top}submission.json": b'{"org": "Example", "poc_email": "a@b.example"}',
        f"{top}results/ex16/entry.json": json.dumps(entry).encode(),
    }
    members |= {f"{top}results/ex16/resnet/result_{i}.txt": old_log(m, "v0.5") for i, m in enumerate((5, 6, 7, 8, 30))}
    result = only(members, "training_results_v0.5-master")
    assert (result.system, result.accelerators, result.division) == ("ex16", 16, "closed")
    assert result.score_minutes == pytest.approx(7.0)


def test_weak_scaling_takes_the_time_until_all_models_are_trained() -> None:
    where = "Example/results/ex8/weak/deepcam"
    logs = rounds.results([20.0, 30.0, 25.0, 40.0, 35.0], where, benchmark="deepcam")
    result = only(SYSTEM | logs, "hpc_results_v9.9-main")
    assert (result.suite, result.table, result.n_models) == ("hpc", "weak", 5)
    assert result.score_minutes == pytest.approx(40.0)  # all start together, the last ends after 40 minutes


def test_a_system_description_with_a_trailing_comma_is_read_and_reported() -> None:
    broken = rounds.system().replace(b'"operating_system": "Linux"', b'"operating_system": "Linux",')
    rows = parse({"Example/systems/ex8.json": broken} | rounds.results(rounds.TEN_RUNS, WHERE))
    assert rows.results[0].accelerator == "nvidia-h100-sxm5-80gb"
    assert "text_repaired" in reasons(rows)


def test_unread_keys_are_kept() -> None:
    rows = parse(
        {"Example/systems/ex8.json": rounds.system(a_key_of_tomorrow="42")} | rounds.results(rounds.TEN_RUNS, WHERE)
    )
    assert json.loads(rows.systems[0].raw_json)["a_key_of_tomorrow"] == "42"
    assert "key_unknown" in reasons(rows)
