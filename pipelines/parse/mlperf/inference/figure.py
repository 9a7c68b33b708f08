"""The official figure of a result: which line counts for which benchmark, scenario and round. Reads no files.

Source: `submission_checker`'s tables RESULT_FIELD and their overwrites, and its rules for scenarios that one run's log
stands for. The detail log's six digits are official; the summary's two decimals stand in where it is not at hand.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pipelines.frozen import frozen
from pipelines.parse.mlperf.inference.collect import Run
from pipelines.parse.mlperf.inference.logs import Served, Summary
from pipelines.parse.mlperf.inference.power import PowerRun
from pipelines.parse.mlperf.inference.rules import LATENCY_SCENARIOS, SECONDS, TOKENS, Benchmark, Version

NS_PER_MS: Final = 1e6
_NOT_PRINTED: Final = "no figure of this scenario is printed"
_STREAM_QUERIES: Final = 8  # a MultiStream query holds eight samples since v2.0


@frozen
class OfficialFigure:
    """The official figure and both that it may come from, in one unit; what it was inferred from; what was odd."""

    result: float | None = None
    result_summary: float | None = None
    result_detail: float | None = None
    inferred_from: str = ""
    why_none: str = ""


def figure_of(run: Run, logged: str, benchmark: Benchmark, scenario: str, version: Version) -> OfficialFigure:
    """The official figure of a run in a scenario's folder; `logged` is the scenario that its summary names."""
    if run.served is not None:
        value = _served(run.served, benchmark, scenario, version)
        why_none = "" if value is not None else "no rate or latency in the result summary"
        return OfficialFigure(value, value, why_none=why_none)
    if run.summary is None:
        return OfficialFigure(why_none="no performance summary")
    if logged == scenario or (logged == "Server" and scenario == "Interactive"):
        return _same(run, run.summary, benchmark, scenario, version)
    inferred = _inferred(run, run.summary, logged, scenario, version)
    if inferred is not None:
        return replace(inferred, inferred_from=logged)
    return OfficialFigure(why_none=f"the log says scenario {logged}; {scenario} cannot be inferred from it")


def _same(run: Run, summary: Summary, benchmark: Benchmark, scenario: str, version: Version) -> OfficialFigure:
    if scenario == "SingleStream":
        return _single_stream(run, summary, benchmark, version)
    if scenario == "MultiStream" and version < (2, 0):
        return _either(summary.number("Samples per query"), run.values.get("effective_samples_per_query"))
    if scenario == "MultiStream":
        return _latency(summary.early_stopping(99), run.values.get("early_stopping_latency_ms"))
    if benchmark.unit(scenario, version) == TOKENS:
        is_inferred = benchmark.entry is not None and benchmark.entry.has_inferred_tokens
        key, name = ("", "Tokens") if scenario == "Offline" else ("completed_", "Completed tokens")
        key = f"result_{'inferred_' if is_inferred else ''}{key}tokens_per_second"
        return _rate(run, version, key, f"{name} per second", f"{name} per second (inferred)")
    if scenario == "Offline":
        return _rate(run, version, "result_samples_per_second", "Samples per second")
    if version >= (4, 1):
        return _rate(run, version, "result_completed_samples_per_sec", "Completed samples per second")
    return _rate(run, version, "result_scheduled_samples_per_sec", "Scheduled samples per second")


def _single_stream(run: Run, summary: Summary, benchmark: Benchmark, version: Version) -> OfficialFigure:
    is_plain = benchmark.entry is not None and not benchmark.entry.has_early_stopping
    if version < (2, 0) or is_plain:
        printed = summary.number("90th percentile latency (ns)", "90.00 percentile latency (ns)")
        return _latency(printed, run.values.get("result_90.00_percentile_latency_ns"))
    percentile = benchmark.percentile("SingleStream", version) or 90
    scale = _ns_per_unit(benchmark, "SingleStream", version)
    return _latency(summary.early_stopping(percentile), run.values.get("early_stopping_latency_ss"), scale)


def _ns_per_unit(benchmark: Benchmark, scenario: str, version: Version) -> float:
    return 1e9 if benchmark.unit(scenario, version) == SECONDS else NS_PER_MS


def _inferred(run: Run, summary: Summary, logged: str, scenario: str, version: Version) -> OfficialFigure | None:
    """A folder whose log ran another scenario: only the three cases that the checker knows."""
    values = run.values
    if scenario == "Offline" and logged == "SingleStream":
        return _rate(run, version, "result_qps_without_loadgen_overhead", "QPS w/o loadgen overhead")
    if scenario == "Offline" and logged == "MultiStream" and version >= (2, 0):
        samples = summary.number("samples_per_query") or _STREAM_QUERIES
        mean, mean_detail = summary.number("Mean latency (ns)"), values.get("result_mean_latency_ns")
        return _either(
            samples * 1e9 / mean if mean else None,
            samples * 1000 / (mean_detail / NS_PER_MS) if mean_detail else None,
        )
    if scenario == "MultiStream" and logged == "SingleStream" and version >= (2, 0):
        printed, detail = summary.early_stopping(99), values.get("early_stopping_latency_ms")
        return _latency(printed, detail, NS_PER_MS / _STREAM_QUERIES)
    return None


def _served(served: Served, benchmark: Benchmark, scenario: str, version: Version) -> float | None:
    if scenario in LATENCY_SCENARIOS:
        latency = served.mean_latency_ns
        return None if latency is None else latency / _ns_per_unit(benchmark, scenario, version)
    in_tokens = benchmark.unit(scenario, version) == TOKENS
    return served.tokens_per_second if in_tokens else served.queries_per_second


def _rate(run: Run, version: Version, key: str, *names: str) -> OfficialFigure:
    """The detail log's rate, else the summary's to six digits, as LoadGen's detail log would have it.

    Up to v0.7 the checker read the summary itself.
    """
    printed, detail = None if run.summary is None else run.summary.number(*names), run.values.get(key)
    figure = _either(printed, detail)
    if detail is None and printed is not None and version >= (1, 0):
        return replace(figure, result=float(f"{printed:.6g}"))
    return figure


def _latency(printed: float | None, detail: float | None, scale: float = NS_PER_MS) -> OfficialFigure:
    return _either(None if printed is None else printed / scale, None if detail is None else detail / scale)


def _either(printed: float | None, detail: float | None) -> OfficialFigure:
    value = detail if detail is not None else printed
    return OfficialFigure(value, printed, detail, why_none="" if value is not None else _NOT_PRINTED)


def energy_of(power: PowerRun, run: Run, scenario: str, inferred_from: str, version: Version) -> float | None:
    """Joules per query of a latency scenario: watts times duration over queries; None for rates and without samples.

    Before v2.0 the queries of SingleStream are rate times duration, those of MultiStream queries times samples.
    """
    if scenario not in LATENCY_SCENARIOS or power.watts is None or power.seconds is None:
        return None
    values = run.values
    queries = values.get("result_query_count")
    if version < (2, 0) and scenario == "SingleStream":
        rate = values.get("result_qps_with_loadgen_overhead")
        queries = None if rate is None else rate * power.seconds
    elif version < (2, 0):
        count, samples = values.get("generated_query_count"), values.get("generated_samples_per_query")
        queries = None if count is None or samples is None else count * samples
    if not queries:
        return None
    joules = power.watts * power.seconds / queries
    is_per_stream = scenario == "MultiStream" and inferred_from == "SingleStream"
    return joules * _STREAM_QUERIES if is_per_stream else joules
