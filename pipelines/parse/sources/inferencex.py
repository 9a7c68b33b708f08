"""InferenceX: the benchmark API's answer for one model, one row a run.

A run that did not finish has no metrics and gives no row. Means, standard deviations and the other percentiles are
left in the capture. Runs of agentic traces count cached prefill and are marked as not comparable with single turns.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs, urlsplit

from pipelines.model.market import CapturedTable, InferencexRun, MarketRows
from pipelines.parse.sources.records import FieldProblem, Reader, Record, numbered, read_json, refuse
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
    metrics.ignore(*_IGNORED_METRICS)
    model_key = record.text("model")
    run_type = record.optional_text("benchmark_type") or _SINGLE_TURN
    concurrency = record.optional_count("conc")
    if concurrency is None:
        raise FieldProblem(Reason.FIELD_MISSING, "no 'conc'")
    for name in ("tput_per_gpu", "median_tpot"):
        if metrics.number(name) <= 0:
            raise FieldProblem(Reason.VALUE_IMPLAUSIBLE, f"{name!r} is {metrics.number(name):g}")
    return InferencexRun(
        stated_on=record.day("date"),
        model=asked_for or model_key,
        model_key=model_key,
        hardware_raw=record.text("hardware"),
        framework=record.text("framework"),
        image=record.optional_text("image"),
        precision=record.text("precision"),
        speculation=record.optional_text("spec_method"),
        run_type=run_type,
        is_disaggregated=record.optional_flag("disagg") is True,
        is_multinode=record.optional_flag("is_multinode") is True,
        input_tokens=record.optional_count("isl"),
        output_tokens=record.optional_count("osl"),
        concurrency=concurrency,
        prefill_tensor_parallel=record.optional_count("prefill_tp"),
        prefill_expert_parallel=record.optional_count("prefill_ep"),
        prefill_workers=record.optional_count("prefill_num_workers"),
        prefill_gpus=record.optional_count("num_prefill_gpu"),
        has_prefill_attention_parallel=record.optional_flag("prefill_dp_attention"),
        decode_tensor_parallel=record.optional_count("decode_tp"),
        decode_expert_parallel=record.optional_count("decode_ep"),
        decode_workers=record.optional_count("decode_num_workers"),
        decode_gpus=record.optional_count("num_decode_gpu"),
        has_decode_attention_parallel=record.optional_flag("decode_dp_attention"),
        total_tokens_per_s_per_gpu=metrics.number("tput_per_gpu"),
        input_tokens_per_s_per_gpu=metrics.optional_number("input_tput_per_gpu"),
        output_tokens_per_s_per_gpu=metrics.optional_number("output_tput_per_gpu"),
        median_ttft_s=metrics.optional_number("median_ttft"),
        p99_ttft_s=metrics.optional_number("p99_ttft"),
        median_tpot_s=metrics.optional_number("median_tpot"),
        p99_tpot_s=metrics.optional_number("p99_tpot"),
        median_itl_s=metrics.optional_number("median_itl"),
        p99_itl_s=metrics.optional_number("p99_itl"),
        median_e2e_s=metrics.optional_number("median_e2el"),
        p99_e2e_s=metrics.optional_number("p99_e2el"),
        median_tokens_per_s_per_user=metrics.optional_number("median_intvty"),
        p99_tokens_per_s_per_user=metrics.optional_number("p99_intvty"),
        gpu_power_w=metrics.optional_number("avg_total_gpu_power_w"),
        joules_per_output_token=metrics.optional_number("joules_per_output_token"),
        is_power_valid=metrics.optional_flag("power_valid"),
        run_url=record.optional_text("run_url"),
        caveats=() if run_type == _SINGLE_TURN else ("not_comparable",),
    )
