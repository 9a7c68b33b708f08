"""Whole small inference rounds: what a row says, and every odd thing named. The figures are made up."""

from __future__ import annotations

import io
import json

import pytest

from pipelines.model.mlperf import InferenceResult
from pipelines.parse.mlperf.common.rows import RoundRows
from pipelines.parse.mlperf.inference.result import INFERENCE
from pipelines.parse.mlperf.rounds import parse_round
from pipelines.problems import InputError, Reason
from pipelines.registry import load_registry
from tests import rounds
from tests.inference_rounds import TOP, WINDOW, archive, detail, members, samples, session, summary, system

OFFLINE = {"mlperf_log_summary.txt": summary()}
RUN = "closed/Example/results/ex8/resnet50/Offline/performance"


def parse(files: dict[str, bytes], top: str = TOP) -> RoundRows[InferenceResult]:
    return parse_bytes(archive(files, top))


def parse_bytes(data: bytes) -> RoundRows[InferenceResult]:
    registry = load_registry()
    return parse_round(io.BytesIO(data), names=registry.accelerator_names, rules=registry.mlperf, source_id="test")


def only(files: dict[str, bytes], top: str = TOP) -> InferenceResult:
    (row,) = parse(files, top).results
    return row


def reasons(rows: RoundRows[InferenceResult]) -> dict[str, Reason]:
    return {problem.place: problem.reason for problem in rows.problems}


def test_a_row_says_who_what_where_and_how_fast() -> None:
    files = members(
        run=OFFLINE, other={"accuracy/accuracy.txt": b"accuracy=76.016%, good=38008, total=50000\nhash=1\n"}
    )
    files["closed/Example/measurements/ex8/resnet50/Offline/ex8_Offline.json"] = b'{"weight_data_types": "int8"}'
    row = only(files)
    assert (row.round, row.suite, row.division, row.category) == ("v5.1", "inference", "closed", "datacenter")
    assert (row.submitter, row.system, row.benchmark, row.benchmark_dir) == ("Example", "ex8", "resnet", "resnet50")
    assert (row.scenario, row.result, row.unit, row.valid) == ("Offline", 1234.57, "samples/s", True)
    assert (row.accelerator, row.accelerators, row.nodes) == ("nvidia-h100-sxm5-80gb", 8, 1)
    assert (row.accuracy, row.accuracy_target, row.accuracy_met) == (76.016, 75.6954, True)
    assert (row.weight_type, row.inferred, row.has_power, row.problem) == ("int8", False, False, "")
    assert row.member_dir == "closed/Example/results/ex8/resnet50/Offline"
    assert row.member_paths == (
        "closed/Example/measurements/ex8/resnet50/Offline/ex8_Offline.json",
        f"{row.member_dir}/accuracy/accuracy.txt",
        f"{row.member_dir}/performance/run_1/mlperf_log_summary.txt",
    )


def test_the_detail_logs_six_digits_are_official_and_both_figures_are_kept() -> None:
    run = {"mlperf_log_summary.txt": summary("Server", "Completed samples per second : 12801.95"),
           "mlperf_log_detail.txt": detail(result_completed_samples_per_sec=12801.9)}  # fmt: skip
    row = only(members(scenario="Server", run=run))
    assert (row.result, row.result_summary, row.result_detail) == (12801.9, 12801.95, 12801.9)


def test_spaces_and_unicode_in_names() -> None:
    files = members(where="closed/Müller & Söhne 株式会社", platform="X660 G45_A100 x1", run=OFFLINE)
    row = only(files)
    assert (row.submitter_dir, row.system) == ("Müller & Söhne 株式会社", "X660 G45_A100 x1")
    assert row.member_dir == "closed/Müller & Söhne 株式会社/results/X660 G45_A100 x1/resnet50/Offline"


def test_an_invalid_run_keeps_its_row_and_gives_no_figure() -> None:
    row = only(members(run={"mlperf_log_summary.txt": summary(valid="INVALID")}))
    assert (row.result, row.result_summary, row.valid, row.problem) == (None, 1234.57, False, "run_invalid")


def test_an_invalid_ranging_run_is_no_result() -> None:
    row = only(members(run=OFFLINE, other={"performance/ranging/mlperf_log_summary.txt": summary(valid="INVALID")}))
    assert (row.result, row.valid, row.n_runs, row.problem) == (1234.57, True, 1, "")


def run_folders(scenario: str, *figures: float) -> dict[str, bytes]:
    line = "Scheduled samples per second : {}" if scenario == "Server" else "Samples per second: {}"
    return {
        f"performance/run_{number}/mlperf_log_summary.txt": summary(scenario, line.format(figure))
        for number, figure in enumerate(figures, start=1)
    }


@pytest.mark.parametrize(
    ("top", "scenario", "figure"),
    [
        ("inference_results_v0.7-master", "Server", 30.0),  # the last of the five runs up to v0.7
        ("inference_results_v0.7-master", "Offline", 10.0),
        ("inference_results_v2.0-master", "Server", 10.0),
        ("inference_results_v4.0-main", "Offline", 10.0),
    ],
)
def test_of_several_run_folders_the_official_one_counts(top: str, scenario: str, figure: float) -> None:
    row = only(members(scenario=scenario, other=run_folders(scenario, 10.0, 20.0, 30.0)), top)
    assert (row.result, row.n_runs) == (figure, 3)


def test_a_missing_performance_log_is_a_row_without_a_figure() -> None:
    rows = parse(members(other={"accuracy/accuracy.txt": b"accuracy=76.0%\n"}))
    (row,) = rows.results
    assert (row.result, row.accuracy, row.problem) == (None, 76.0, "log_missing")
    assert reasons(rows)[row.member_dir] is Reason.LOG_MISSING


def test_a_missing_system_file_leaves_the_figure() -> None:
    files = members(run=OFFLINE)
    del files["closed/Example/systems/ex8.json"]
    row = only(files)
    assert (row.result, row.accelerator, row.accelerators, row.category) == (1234.57, "unknown", None, "unknown")
    assert (row.availability, row.problem) == ("unknown", "system_missing")


def test_a_system_file_that_is_no_json_is_named() -> None:
    files = members(run=OFFLINE) | {"closed/Example/systems/ex8.json": b"{no json"}
    row = only(files)
    assert (row.result, row.accelerator, row.problem) == (1234.57, "unknown", "system_unreadable")


def powered(
    scenario: str = "Offline", *, ranging: bool = True, run: dict[str, bytes] | None = None
) -> dict[str, bytes]:
    files = {
        "mlperf_log_summary.txt": summary(),
        "mlperf_log_detail.txt": detail(**WINDOW, result_samples_per_second=1234.57),
        "spl.txt": samples([500.0, 600.0, 700.0, 800.0, 5000.0]),
    } | (run or {})
    return members(scenario=scenario, run=files, other={"performance/power/client.json": session(ranging=ranging)})


def test_watts_are_the_mean_within_the_window() -> None:
    row = only(powered())
    assert (row.has_power, row.power_w, row.energy_j, row.problem) == (True, 700.0, None, "")


def test_samples_of_nought_watts_do_not_count() -> None:
    row = only(powered(run={"spl.txt": samples([9.0, 600.0, 0.0, 800.0])}))
    assert row.power_w == 700.0


def test_energy_of_a_latency_scenario_is_joules_a_query() -> None:
    log = detail(**WINDOW, result_query_count=300, early_stopping_latency_ss=5_000_000)
    text = summary("SingleStream", " * Early stopping 90th percentile estimate: 5000000")
    row = only(powered("SingleStream", run={"mlperf_log_summary.txt": text, "mlperf_log_detail.txt": log}))
    assert (row.result, row.unit, row.percentile) == (5.0, "ms", 90.0)
    assert (row.power_w, row.energy_j) == (700.0, 7.0)  # 700 W over 3 s over 300 queries


def test_power_without_a_ranging_run_is_said() -> None:
    rows = parse(powered(ranging=False))
    assert rows.results[0].problem == "power_unreadable"
    assert [problem.detail for problem in rows.problems] == ["the power session has no ranging run"]


def test_power_without_samples_is_said_and_gives_no_watts() -> None:
    row = only(powered(run={"spl.txt": b""}))
    assert (row.has_power, row.power_w, row.problem) == (True, None, "power_unreadable")


def test_a_folder_of_offline_that_ran_single_stream_is_inferred() -> None:
    lines = ("90th percentile latency (ns) : 4775473", " * Early stopping 90th percentile estimate: 4778920")
    text = summary("SingleStream", *lines, stats="QPS w/o loadgen overhead : 220.50")
    row = only(members(run={"mlperf_log_summary.txt": text}))
    assert (row.result, row.unit, row.inferred, row.inferred_from) == (220.5, "samples/s", True, "SingleStream")


def test_a_folder_of_multi_stream_that_ran_single_stream_is_inferred_by_eight() -> None:
    text = summary("SingleStream", " * Early stopping 99th percentile estimate: 5274244")
    row = only(members(scenario="multistream", run={"mlperf_log_summary.txt": text}))
    assert (row.scenario, row.result, row.inferred) == ("MultiStream", 5274244 * 8 / 1e6, True)


def test_a_server_log_in_an_interactive_folder_is_not_inferred() -> None:
    text = summary("Server", "Completed samples per second : 29.41", "Completed tokens per second: 8840.42",
                   stats="99.00 percentile first token latency (ns) : 435976100")  # fmt: skip
    row = only(members("llama2-70b-99.9", "Interactive", run={"mlperf_log_summary.txt": text}))
    assert (row.scenario, row.result, row.unit, row.inferred) == ("Interactive", 8840.42, "tokens/s", False)
    assert (row.ttft_p99_ms, row.accuracy_class) == (435.9761, "99.9")


def test_an_offline_log_in_a_server_folder_gives_no_figure() -> None:
    row = only(members(scenario="Server", run=OFFLINE))
    assert (row.result, row.problem) == (None, "figure_missing")


def test_the_form_without_loadgen_logs() -> None:
    served = {"qps": 312.2314212203155, "tps": 1183326.8540322022, "complete": True, "n_samples_failed": 0,
              "latency": {"avg": 2.0e9}, "ttft": {"percentiles": {"99.0": 1.5e9}}, "tpot": {}}  # fmt: skip
    files = members(
        "deepseek-r1",
        other={
            "performance/result_summary.json": json.dumps(served).encode(),
            "accuracy/accuracy_results.json": b'{"average_accuracy": 81.35824977210574}',
            "measurements.json": b'{"weight_data_types": "fp4"}',
        },
    )
    row = only(files, "inference_results_v6.1-main")
    assert (row.result, row.unit, row.valid, row.percentile) == (1183326.8540322022, "tokens/s", True, None)
    assert (row.accuracy, row.accuracy_met, row.weight_type, row.ttft_p99_ms) == (81.35824977210574, True, "fp4", 1500)


def test_a_served_form_of_another_benchmark_counts_queries_and_single_stream_its_mean() -> None:
    served = json.dumps({"qps": 131.5, "tps": 9.0, "latency": {"avg": 5.8e9}}).encode()
    files = {"performance/result_summary.json": served}
    top = "inference_results_v6.1-main"
    row = only(members("qwen3-vl-235b-a22b", "Server", other=files), top)
    assert (row.result, row.unit) == (131.5, "queries/s")
    row = only(members("wan-2.2-t2v-a14b", "SingleStream", other=files), top)
    assert (row.result, row.unit) == (5.8, "s")


def test_a_huge_detail_log_is_streamed_past_and_the_summary_is_used() -> None:
    files = members(run=OFFLINE)
    files[f"{RUN}/run_1/mlperf_log_detail.txt"] = detail(loaded=65 << 20, result_samples_per_second=1.0)
    rows = parse(files)
    assert (rows.results[0].result, rows.results[0].result_detail) == (1234.57, None)
    assert reasons(rows)[f"{RUN}/run_1/mlperf_log_detail.txt"] is Reason.MEMBER_TOO_LARGE


def test_a_detail_log_of_several_pieces_is_read_to_its_end() -> None:
    files = members(run=OFFLINE)
    files[f"{RUN}/run_1/mlperf_log_detail.txt"] = detail(loaded=6 << 20, result_samples_per_second=1234.5678)
    assert only(files).result == 1234.5678


def test_a_summary_in_a_scenario_below_a_scenario_is_named_and_not_read() -> None:
    files = members(run=OFFLINE)
    stray = "closed/Example/results/ex8/resnet50/Offline/Offline/performance/run_1/mlperf_log_summary.txt"
    files[stray] = summary("Offline", "Samples per second: 9")
    row = only(files)
    assert (row.result, row.problem) == (1234.57, "member_layout_unknown")


def test_loose_and_capital_performance_folders() -> None:
    loose = only(members(other={"performance/mlperf_log_summary.txt": summary()}))
    capital = only(members(other={"Performance/run_1/mlperf_log_summary.txt": summary()}))
    assert (loose.result, capital.result) == (1234.57, 1234.57)


def test_an_archive_that_breaks_off_keeps_what_was_before() -> None:
    data = archive(members(run=OFFLINE))
    rows = parse_bytes(data[:-40])
    assert next(problem.reason for problem in rows.problems) in (Reason.ARCHIVE_TRUNCATED, Reason.ARCHIVE_DAMAGED)


def test_a_submitters_mapping_says_which_benchmark_its_model_is() -> None:
    text = summary("Offline", "Samples per second: 10", "Tokens per second: 2500.5")
    files = members("our-llama", where="open/Example", run={"mlperf_log_summary.txt": text})
    assert (only(files).benchmark, only(files).problem) == ("unknown", "benchmark_unknown")
    files["open/Example/model_mapping.json"] = b'{"our-llama": "llama2-70b-99"}'
    row = only(files)
    assert (row.benchmark, row.result, row.unit, row.problem) == ("llama2-70b-99", 2500.5, "tokens/s", "")


@pytest.mark.parametrize(
    ("description", "total", "basis"),
    [
        ({"number_of_nodes": 18, "accelerators_per_node": "4"}, 72, "nodes x accelerators per node"),
        ({"number_of_nodes": 11, "accelerator_model_name": "AMD Instinct MI355X (x87)"}, 87, "name"),
        ({"number_of_nodes": 6, "accelerators_per_node": "(8,4)",
          "accelerator_model_name": "2 Nodes: NVIDIA A100-SXM-80GBx8, 4 Nodes: NVIDIA A30x4"}, 32, "name"),
        ({"accelerators_per_node": "", "accelerator_model_name": "N/A"}, 0, "nodes x accelerators per node"),
    ],
)  # fmt: skip
def test_accelerators_are_counted_over_the_system(description: dict[str, object], total: int, basis: str) -> None:
    files = members(run=OFFLINE) | {"closed/Example/systems/ex8.json": system(**description)}
    row = only(files)
    assert (row.accelerators, row.accelerators_basis) == (total, basis)


def test_a_bare_accelerator_name_is_told_by_its_memory() -> None:
    changes = {"accelerator_model_name": "NVIDIA A100-PCIe", "accelerator_memory_capacity": "40 GB"}
    files = members(run=OFFLINE) | {"closed/Example/systems/ex8.json": system(**changes)}
    assert only(files).accelerator == "nvidia-a100-pcie-40gb"


def test_all_keys_of_a_description_and_its_design_power_are_kept() -> None:
    files = members(run=OFFLINE) | {"closed/Example/systems/ex8.json": system(power_supply_details="odd")}
    files["closed/Example/systems/ex8_power.yaml"] = b"design_power_watts: 10200\n"
    rows = parse(files)
    (row,) = rows.systems
    raw = json.loads(row.raw_json)
    assert (raw["power_supply_details"], raw["design_power_watts"], row.has_results) == ("odd", 10200, True)


def test_any_round_is_recognised_and_no_round_is_refused() -> None:
    assert parse_bytes(archive(members(run=OFFLINE))).suite == "inference"
    assert parse_bytes(rounds.archive()).suite == "training"
    with pytest.raises(InputError) as error:
        parse_bytes(archive(members(run=OFFLINE), "something-else"))
    assert error.value.reason is Reason.ROUND_UNKNOWN


@pytest.mark.parametrize(
    ("path", "size", "wanted"),
    [
        (f"{RUN}/run_1/mlperf_log_summary.txt", 3000, True),
        (f"{RUN}/run_1/mlperf_log_detail.txt", 5 << 20, True),
        (f"{RUN}/run_1/mlperf_log_detail.txt", 500 << 20, False),
        (f"{RUN}/run_1/mlperf_log_accuracy.json", 10, False),
        (f"{RUN}/ranging/mlperf_log_summary.txt", 10, False),
        (f"{RUN}/power/ptd_logs.txt", 10, False),
        ("closed/Example/compliance/ex8/resnet50/Offline/TEST01/performance/run_1/mlperf_log_summary.txt", 10, False),
        ("closed/Example/results/ex8/resnet50/Offline/TEST01/performance/run_1/mlperf_log_summary.txt", 10, False),
        ("closed/Example/systems/ex8.json", 10, True),
        ("closed/Example/systems/code/ex8.json", 10, False),
        ("closed/Example/code/results/ex8/resnet50/Offline/performance/run_1/mlperf_log_summary.txt", 10, False),
        ("README.md", 10, False),
    ],
)
def test_only_what_the_parser_needs_is_kept(path: str, size: int, wanted: bool) -> None:
    assert INFERENCE.is_wanted(path, size) is wanted
