"""InferenceX: the benchmark API's answer for one model, one row a run.

A run that did not finish has no metrics and gives no row. Means, standard deviations and the other percentiles are
left in the capture. Runs of agentic traces count cached prefill and are marked as not comparable with single turns.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs, urlsplit

from pipelines.model.market import CapturedTable, InferencexRun, MarketRows
from pipelines.parse.sources.records import (
    Columns,
    FieldProblem,
    Reader,
    Record,
    by,
    numbered,
    read_json,
    refuse,
    there,
)
from pipelines.problems import Reason

TABLES = ("inferencex",)

_BENCHMARKS_PATH: Final = "/api/v1/benchmarks"
_SINGLE_TURN: Final = "single_turn"
_MEASURES: Final = ("ttft", "tpot", "itl", "e2el", "intvty")
_IGNORED_METRICS: Final = tuple(
    f"{statistic}_{measure}" for statistic in ("mean", "std", "p90", "p95", "p99.9") for measure in _MEASURES
)


def parse(table: CapturedTable) -> MarketRows:
    """Runs of one answer. Raises InputError where it is no list of runs.

    The API's other answers (availability) give no runs and are named as unread.
    """
    address = urlsplit(table.url)
    if address.path != _BENCHMARKS_PATH:
        return MarketRows({"inferencex": []}, (), (f"answer of {address.path}",))
    answer = read_json(table)
    if not isinstance(answer, list):
        raise refuse(table, f"a JSON {type(answer).__name__} where a list of runs is expected")
    asked_for = parse_qs(address.query).get("model", [""])[0]
    reader = Reader(table)

    def read(record: Record) -> InferencexRun:
        metrics = record.raw("metrics")
        if metrics is None:
            raise FieldProblem(Reason.FIELD_MISSING, "no 'metrics': the run did not finish")
        measured = Record(metrics)
        run = _parse_run(record, measured, asked_for)
        reader.unread |= {f"metrics.{name}" for name in measured.unread}
        return run

    return reader.done(inferencex=reader.rows(numbered("", answer), read))


def _parse_run(record: Record, metrics: Record, asked_for: str) -> InferencexRun:
    run_type = record.optional_text("benchmark_type") or _SINGLE_TURN
    for name in ("tput_per_gpu", "median_tpot"):
        if metrics.number(name) <= 0:
            raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"{name!r} is {metrics.number(name):g}")
    return _RUN.read(
        record,
        model=asked_for or record.text("model"),
        run_type=run_type,
        caveats=() if run_type == _SINGLE_TURN else ("not_comparable",),
        **_METRICS.values(metrics),
    )


_RUN: Final = Columns(
    InferencexRun,
    stated_on="date", model_key=by(Record.text, "model"), hardware_raw=by(Record.text, "hardware"),
    framework=by(Record.text, "framework"), image="image", precision=by(Record.text, "precision"),
    speculation="spec_method", is_disaggregated="disagg", is_multinode="is_multinode", input_tokens="isl",
    output_tokens="osl", concurrency=lambda record: there("conc", record.optional_count("conc")),
    prefill_tensor_parallel="prefill_tp", prefill_expert_parallel="prefill_ep",
    prefill_workers="prefill_num_workers", prefill_gpus="num_prefill_gpu",
    has_prefill_attention_parallel="prefill_dp_attention", decode_tensor_parallel="decode_tp",
    decode_expert_parallel="decode_ep", decode_workers="decode_num_workers", decode_gpus="num_decode_gpu",
    has_decode_attention_parallel="decode_dp_attention", run_url="run_url",
)  # fmt: skip
_METRICS: Final = Columns(
    InferencexRun, _IGNORED_METRICS,
    total_tokens_per_s_per_gpu="tput_per_gpu", input_tokens_per_s_per_gpu="input_tput_per_gpu",
    output_tokens_per_s_per_gpu="output_tput_per_gpu", median_ttft_s="median_ttft", p99_ttft_s="p99_ttft",
    median_tpot_s="median_tpot", p99_tpot_s="p99_tpot", median_itl_s="median_itl", p99_itl_s="p99_itl",
    median_e2e_s="median_e2el", p99_e2e_s="p99_e2el", median_tokens_per_s_per_user="median_intvty",
    p99_tokens_per_s_per_user="p99_intvty", gpu_power_w="avg_total_gpu_power_w",
    joules_per_output_token="joules_per_output_token",  # noqa: S106 - a key of the answer
    is_power_valid="power_valid",
)  # fmt: skip
