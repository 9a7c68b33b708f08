"""The official rules: which runs count, the olympic mean, weak scaling, energy, limits and words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.parse.mlperf.common.kind import RoundKind, recognise
from pipelines.parse.mlperf.training import score
from pipelines.parse.mlperf.training.mllog import RunLog
from pipelines.parse.mlperf.training.score import Benchmark, PowerError, read_node, read_switch
from pipelines.problems import Reason
from pipelines.registry import load_registry

V50 = RoundKind("training", "v5.0")
MINUTE = 60_000


def run(minutes: float = 10, **changes: object) -> RunLog:
    values: dict[str, object] = {"format": "mllog", "start_ms": 0.0, "stop_ms": minutes * MINUTE, "status": "success"}
    return RunLog(**(values | changes))  # type: ignore[arg-type]  # the changes are fields of a run


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("training_results_v5.0-main", ("training", "v5.0")),
        ("hpc_results_v3.0-dfea490", ("hpc", "v3.0")),
        ("mlcommons-training_results_v12.1-06df425", ("training", "v12.1")),
        ("inference_results_v5.1", ("inference", "v5.1")),
        ("training_results_v5.0.1", None),
        ("training_results", None),
    ],
)
def test_the_top_folder_names_the_round(folder: str, kind: tuple[str, str] | None) -> None:
    assert recognise(folder) == (None if kind is None else RoundKind(*kind))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": ""}, Reason.LOG_UNREADABLE),
        ({"malformed": 1}, Reason.LOG_LINE_MALFORMED),
        ({"stop_ms": None}, Reason.LOG_WITHOUT_STOP),
        ({"start_ms": None}, Reason.LOG_WITHOUT_STOP),
        ({"status": "aborted"}, Reason.RUN_NOT_CONVERGED),
        ({"status": None}, Reason.RUN_NOT_CONVERGED),
        ({"init_ms": 30 * MINUTE}, Reason.RUN_REJECTED),
        ({"stop_ms": -1.0}, Reason.RUN_REJECTED),
        ({"init_ms": 30 * MINUTE - 1}, None),
        ({"init_ms": 239 * MINUTE, "division": "open"}, None),
        ({"init_ms": 240 * MINUTE, "division": "open"}, Reason.RUN_REJECTED),
    ],
)
def test_a_run_counts_or_says_why_not(changes: dict[str, object], reason: Reason | None) -> None:
    verdict = score.judge(run(**changes), V50)  # type: ignore[arg-type]  # the changes are fields of a run
    assert verdict.reason is reason
    assert verdict.minutes == (10 if reason is None else None)


@pytest.mark.parametrize(
    ("suite", "version", "division", "minutes"),
    [
        ("training", "v0.6", "closed", None),
        ("training", "v0.7", "open", 20),
        ("training", "v1.1", "open", 30),
        ("training", "v2.0", "open", 240),
        ("training", "v7.0", "closed", 30),
        ("hpc", "v0.7", "closed", None),
        ("hpc", "v3.0", "open", 30),
    ],
)
def test_the_limit_of_initialisation(suite: str, version: str, division: str, minutes: int | None) -> None:
    limit = score.init_limit_ms(RoundKind(suite, version), division)
    assert limit == (None if minutes is None else minutes * MINUTE)


def test_the_olympic_mean_drops_the_ends_and_failed_runs_are_the_slowest() -> None:
    assert score.olympic_mean([1, 2, 3, 4, 5], dropped=0, trim=1) == 3
    assert score.olympic_mean([1, 2, 3, 4], dropped=1, trim=1) == 3
    assert score.olympic_mean([1, 2, 3], dropped=2, trim=1) is None
    assert score.olympic_mean([5, 6, 7], dropped=0, trim=1) == 6
    assert score.olympic_mean([1, 2], dropped=0, trim=1) is None
    forty = [float(n) for n in range(40)]
    assert score.olympic_mean(forty, dropped=0, trim=4) == 19.5
    assert score.olympic_mean(forty[:36], dropped=4, trim=4) == 19.5
    assert score.olympic_mean(forty[:35], dropped=5, trim=4) is None


@given(st.lists(st.floats(0.1, 1e4), min_size=3, max_size=40))
def test_the_mean_lies_between_what_counts(minutes: list[float]) -> None:
    mean = score.olympic_mean(sorted(minutes), dropped=0, trim=1)
    ordered = sorted(minutes)
    assert mean is not None
    assert ordered[1] * (1 - 1e-9) <= mean <= ordered[-2] * (1 + 1e-9)


def test_weak_scaling_is_from_the_first_start_to_the_last_stop() -> None:
    runs = [run(start_ms=1.0 * MINUTE, stop_ms=9.0 * MINUTE), run(start_ms=3.0 * MINUTE, stop_ms=21.0 * MINUTE)]
    assert score.weak_minutes(runs, 2) == 20
    assert score.weak_minutes(runs, 3) is None
    assert score.weak_minutes([], None) is None


def test_energy_is_trimmed_in_the_order_of_time() -> None:
    joules = [900.0, 50.0, 100.0, 1.0]  # of runs from the fastest to the slowest
    assert score.olympic_mean(joules, dropped=0, trim=1) == 75


def power_line(time_ms: int, key: str, value: object = None) -> str:
    shown = "null" if value is None else value
    return f':::MLLOG {{"time_ms": {time_ms}, "key": "{key}", "value": {shown}, "metadata": ""}}\n'


def test_a_nodes_watts_are_the_readings_over_the_measured_time() -> None:
    log = (
        power_line(0, "conversion_eff", 0.9)
        + power_line(1000, "power_measurement_start")
        + power_line(4000, "power_reading", 200)  # written before the earlier one: time decides
        + power_line(2000, "power_reading", 100)
        + power_line(5000, "power_measurement_stop")
        + power_line(6000, "power_reading", 9999)
    )
    assert read_node(log.encode()) == pytest.approx(0.9 * (100 * 1000 + 200 * 2000) / 4000)


@pytest.mark.parametrize(
    ("log", "says"),
    [
        (power_line(1, "power_reading", 5), "no power_measurement_start"),
        (power_line(5, "power_measurement_start") + power_line(5, "power_measurement_stop"), "not after"),
        (power_line(5, "power_measurement_start") + power_line(6, "power_reading", '"x"'), "no number"),
    ],
)
def test_a_power_log_that_gives_no_energy_says_why(log: str, says: str) -> None:
    with pytest.raises(PowerError, match=says):
        read_node(log.encode())


def test_a_switch_is_estimated() -> None:
    log = power_line(0, "conversion_eff", 0.5) + power_line(0, "interconnect_power_est", 300)
    assert read_switch(log.encode()) == 150


@pytest.mark.parametrize(
    ("word", "category"),
    [
        ("Available on-premise", "available on-premise"),
        ("Available on premise", "available on-premise"),
        ("onprem", "available on-premise"),
        ("Available in cloud", "available cloud"),
        ("Cloud", "available cloud"),
        ("Preview", "preview"),
        ("research", "rdi"),
        ("soon", "unknown"),
        ("", "unknown"),
    ],
)
def test_words_of_availability(word: str, category: str) -> None:
    assert load_registry().mlperf.word("training", "availability", word) == category


def test_divisions_runs_and_names() -> None:
    known = load_registry().mlperf
    assert [known.word("hpc", "division", word) for word in ("Closed", "close", "open", "ajar")] == [
        "closed", "closed", "open", "unknown",
    ]  # fmt: skip
    assert score.benchmark_of(known, V50, "unet3d") == Benchmark("unet3d", 40, 4)
    assert score.benchmark_of(known, RoundKind("hpc", "v3.0"), "bert") == Benchmark("bert", None, 1)
    assert score.benchmark_of(known, V50, "mask") == Benchmark("maskrcnn", 5, 1)
    assert score.benchmark_of(known, RoundKind("training", "v4.1"), "ssd") == Benchmark("ssd", 5, 1)


@pytest.mark.parametrize(
    ("version", "directory", "model"), [("v1.1", "ssd", "ssd"), ("v2.0", "ssd", "retinanet"), ("v4.1", "gnn", "rgat")]
)
def test_one_model_has_one_id_over_the_rounds(version: str, directory: str, model: str) -> None:
    found = load_registry().benchmark("training", version, directory)
    assert found is not None
    assert found.id == model
