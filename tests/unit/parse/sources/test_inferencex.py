"""Answers of InferenceX: a run's figures, compressed bodies, unfinished runs, later fields, and the real answers."""

from __future__ import annotations

import datetime as dt
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pipelines.model.market import InferencexRun
from pipelines.parse.sources.inferencex import parse
from pipelines.problems import InputError, Reason
from tests.market_kit import captured

URL = "https://inferencex.semianalysis.com/api/v1/benchmarks?model=Example-Model-1"
METRICS: dict[str, Any] = {
    "tput_per_gpu": 300.0, "input_tput_per_gpu": 200.0, "output_tput_per_gpu": 100.0,
    "median_ttft": 0.5, "p99_ttft": 1.5, "median_tpot": 0.02, "p99_tpot": 0.03, "median_itl": 0.021, "p99_itl": 0.04,
    "median_e2el": 20.0, "p99_e2el": 25.0, "median_intvty": 50.0, "p99_intvty": 33.3,
    "mean_ttft": 0.6, "std_intvty": 800.0, "p99.9_itl": 0.2, "p90_tpot": 0.025,
}  # fmt: skip
RUN: dict[str, Any] = {
    "model": "example1", "hardware": "b200", "framework": "vllm", "precision": "fp4", "spec_method": "mtp",
    "disagg": False, "is_multinode": False, "isl": 8192, "osl": 1024, "conc": 64, "date": "2026-03-01",
    "image": None, "run_url": "https://github.com/example/runs/1", "prefill_tp": 8, "prefill_ep": 1,
    "prefill_num_workers": 0, "num_prefill_gpu": 8, "prefill_dp_attention": False, "decode_tp": 8, "decode_ep": 1,
    "decode_num_workers": 0, "num_decode_gpu": 8, "decode_dp_attention": False, "metrics": METRICS,
}  # fmt: skip


def runs(body: object) -> list[InferencexRun]:
    found = parse(captured("inferencex", URL, body)).rows["inferencex"]
    return [run for run in found if isinstance(run, InferencexRun)]


def test_a_run_is_read_with_its_stack_load_and_figures() -> None:
    rows = parse(captured("inferencex", URL, [RUN]))
    (run,) = runs([RUN])
    assert (run.stated_on, run.model, run.model_key) == (dt.date(2026, 3, 1), "Example-Model-1", "example1")
    assert (run.hardware_raw, run.framework, run.precision, run.speculation) == ("b200", "vllm", "fp4", "mtp")
    assert (run.input_tokens, run.output_tokens, run.concurrency) == (8192, 1024, 64)
    assert (run.run_type, run.image, run.caveats) == ("single_turn", "", ())
    assert (run.total_tokens_per_s_per_gpu, run.input_tokens_per_s_per_gpu, run.output_tokens_per_s_per_gpu) == (
        300.0, 200.0, 100.0,
    )  # fmt: skip
    assert (run.median_ttft_s, run.p99_tpot_s, run.median_e2e_s, run.median_tokens_per_s_per_user) == (
        0.5, 0.03, 20.0, 50.0,
    )  # fmt: skip
    assert (rows.problems, rows.unread) == ((), ())


def test_a_body_may_be_compressed_unasked() -> None:
    assert runs(gzip.compress(json.dumps([RUN]).encode())) == runs([RUN])


def test_early_runs_have_fewer_metrics() -> None:
    few = {name: value for name, value in METRICS.items() if not name.endswith("put_tput_per_gpu")}
    (run,) = runs([RUN | {"metrics": few}])
    assert (run.input_tokens_per_s_per_gpu, run.total_tokens_per_s_per_gpu) == (None, 300.0)


def test_later_runs_have_power_and_fields_that_are_named() -> None:
    later = METRICS | {
        "avg_total_gpu_power_w": 900.5, "joules_per_output_token": 9.0, "power_valid": True, "server_version": 3,
    }  # fmt: skip
    rows = parse(captured("inferencex", URL, [RUN | {"metrics": later, "kv_cache": "fp8"}]))
    (run,) = rows.rows["inferencex"]
    assert isinstance(run, InferencexRun)
    assert (run.gpu_power_w, run.joules_per_output_token, run.is_power_valid) == (900.5, 9.0, True)
    assert rows.unread == ("kv_cache", "metrics.server_version")


def test_agentic_traces_are_not_comparable() -> None:
    (run,) = runs([RUN | {"benchmark_type": "agentic_traces", "isl": None, "osl": None}])
    assert (run.run_type, run.input_tokens, run.caveats) == ("agentic_traces", None, ("not_comparable",))


@pytest.mark.parametrize(
    ("changes", "reason", "detail"),
    [
        ({"metrics": None}, Reason.FIELD_MISSING, "no 'metrics': the run did not finish"),
        ({"metrics": METRICS | {"tput_per_gpu": 0}}, Reason.VALUE_IMPLAUSIBLE, "'tput_per_gpu' is 0"),
        ({"metrics": METRICS | {"median_tpot": None}}, Reason.FIELD_MISSING, "no 'median_tpot'"),
        ({"date": "yesterday"}, Reason.FIELD_UNREADABLE, "'date' is 'yesterday', not a date"),
        ({"conc": None}, Reason.FIELD_MISSING, "no 'conc'"),
        ({"disagg": "no"}, Reason.FIELD_UNREADABLE, "'disagg' is 'no', not true or false"),
    ],
)
def test_an_odd_run_is_named_and_the_rest_goes_on(changes: dict[str, Any], reason: Reason, detail: str) -> None:
    rows = parse(captured("inferencex", URL, [RUN | changes, RUN]))
    assert [(p.reason, p.detail, p.place) for p in rows.problems] == [(reason, detail, f"{URL}: [0]")]
    assert len(rows.rows["inferencex"]) == 1


@pytest.mark.parametrize("body", [b'{"error": "unknown model"}', b"", gzip.compress(b"[]" * 9)[:20]])
def test_what_is_no_list_of_runs_is_refused(body: bytes) -> None:
    with pytest.raises(InputError) as caught:
        parse(captured("inferencex", URL, body))
    assert caught.value.reason is Reason.TABLE_UNREADABLE


def test_the_list_of_what_is_available_gives_no_runs() -> None:
    rows = parse(captured("inferencex", "https://inferencex.semianalysis.com/api/v1/availability", b"[]"))
    assert (rows.rows["inferencex"], rows.unread) == ([], ("answer of /api/v1/availability",))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("DeepSeek-V4-Pro", {"b300": 170, "b200": 102, "h200": 88, "mi355x": 39, "gb200": 32, "gb300": 17}),
        (
            "gpt-oss-120b",
            {"b200": 159, "h200": 155, "mi355x": 89, "mi300x": 66, "mi325x": 60, "h100": 54, "gb200": 34},
        ),
    ],
)
def test_the_real_answers_are_read_whole(shared: Path, name: str, expected: dict[str, int]) -> None:
    url = URL.replace("Example-Model-1", name)
    rows = parse(captured("inferencex", url, (shared / f"market/inferencex/raw_{name}.json.gz").read_bytes()))
    found = [run for run in rows.rows["inferencex"] if isinstance(run, InferencexRun)]
    assert Counter(run.hardware_raw for run in found) == expected
    assert {run.model for run in found} == {name}
    assert (rows.problems, rows.unread) == ((), ())
