"""What the rules of MLPerf Training and HPC ask of a run, and what it scores: minutes, and watts from its power logs.

Sources: the compliance checker's rule sets and the summarizer's `config.yaml` of MLCommons' logging repository
(4.1.68). What is particular to a benchmark stands in the registry; one that it does not know is reported, not guessed.
Of watts the mean over the run counts, with the conversion efficiency applied: nodes are measured, switches estimated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import orjson

from pipelines.frozen import frozen
from pipelines.model.mlperf import UNKNOWN
from pipelines.parse.mlperf.common.kind import RoundKind
from pipelines.parse.mlperf.common.system import load_loosely
from pipelines.parse.mlperf.training.mllog import RunLog
from pipelines.problems import Reason
from pipelines.registry.mlperf import MlperfRules


@frozen
class Benchmark:
    """A benchmark as its round calls it; `runs_required` is None for one that the registry does not know.

    `runs_trimmed` are dropped at each end of the ordered runs, and as many may fail.
    """

    name: str = UNKNOWN
    runs_required: int | None = None
    runs_trimmed: int = 1


def benchmark_of(rules: MlperfRules, kind: RoundKind, benchmark_dir: str) -> Benchmark:
    """The benchmark of a folder: by the folder's name, unless that is another spelling (`mask`, v0.6)."""
    entry, named = next(rules.named(kind.suite, kind.round, benchmark_dir), (None, None))
    if entry is None or named is None:
        return Benchmark(benchmark_dir)
    return Benchmark(entry.id if named.is_spelling else benchmark_dir, entry.runs_required, entry.runs_trimmed)


def init_limit_ms(kind: RoundKind, division: str) -> float | None:
    """How long initialisation may take: 30 minutes; 20 in v0.7; 240 for open training runs since v2.0.

    None where MLCommons' tool has no rule set (v0.5, v0.6 and HPC v0.7). `division` is the log's own word.
    """
    if kind.version < (0, 7) or (kind.suite == "hpc" and kind.version < (1, 0)):
        return None
    minutes = 30
    if kind.version == (0, 7):
        minutes = 20
    elif kind.suite == "training" and kind.version >= (2, 0) and division == "open":
        minutes = 240
    return minutes * 60_000.0


MS_PER_MINUTE = 60_000.0


@frozen
class Verdict:
    """What a run is worth: its minutes, or the reason why it does not count."""

    minutes: float | None
    reason: Reason | None = None
    detail: str = ""


def judge(run: RunLog, kind: RoundKind) -> Verdict:
    """Whether a run counts, by the rules that MLCommons' tool applies; first reason found.

    A run counts when its log is well formed, it has a start and a stop, its stop says success and its initialisation
    kept within the limit.
    """
    if not run.format:
        return Verdict(None, Reason.LOG_UNREADABLE, "no line of a known MLPerf log format")
    if run.malformed:
        return Verdict(
            None, Reason.LOG_LINE_MALFORMED, f"{run.malformed} malformed log lines; first: {run.malformed_line}"
        )
    if run.start_ms is None or run.stop_ms is None:
        times = {"run_start": run.start_ms, "run_stop": run.stop_ms}
        missing = " and ".join(name for name, at in times.items() if at is None)
        return Verdict(None, Reason.LOG_WITHOUT_STOP, f"no {missing}")
    if run.status != "success":
        stated = "states no status" if run.status is None else f"says {run.status!r}"
        return Verdict(None, Reason.RUN_NOT_CONVERGED, f"run_stop {stated}")
    limit = init_limit_ms(kind, run.division)
    if limit is not None and run.init_ms is not None and run.init_ms >= limit:
        detail = f"initialisation took {run.init_ms / MS_PER_MINUTE:.2f} minutes of {limit / MS_PER_MINUTE:g} allowed"
        return Verdict(None, Reason.RUN_REJECTED, detail)
    minutes = (run.stop_ms - run.start_ms) / MS_PER_MINUTE
    if minutes <= 0:
        return Verdict(None, Reason.RUN_REJECTED, "run_stop is not after run_start")
    return Verdict(minutes)


def olympic_mean(values: Sequence[float], *, dropped: int, trim: int) -> float | None:
    """The official mean: without the `trim` first and last of the values in the order of the runs' times.

    `dropped` runs failed already and count as the last ones. None where more failed than may, or nothing is left.
    """
    if dropped > trim:
        return None
    counted = values[trim : len(values) - (trim - dropped)]
    return sum(counted) / len(counted) if counted else None


def weak_minutes(runs: Sequence[RunLog], required: int | None) -> float | None:
    """From the first start to the last stop of the runs that count; no score with fewer models than required."""
    starts = [run.start_ms for run in runs if run.start_ms is not None]
    stops = [run.stop_ms for run in runs if run.stop_ms is not None]
    if not starts or not stops or len(runs) < (required or 1):
        return None
    return (max(stops) - min(starts)) / MS_PER_MINUTE


_PAYLOAD: Final = re.compile(rb":::MLLOG (.*)")


class PowerError(ValueError):
    """A power log that gives no energy; the message says why."""


def read_node(data: bytes) -> float:
    """A node's log: sum of watts x time between readings, divided by the measured time. Raises `PowerError`.

    Readings count in order of time from `power_measurement_start` to the first `power_measurement_stop`; without a
    stop the last reading ends the measurement.
    """
    start = stop = previous = last = None
    watt_ms, efficiency = 0.0, 1.0
    for time_ms, key, value in sorted(_records(data), key=lambda record: record[0]):
        if key == "power_measurement_start":
            start = previous = time_ms
        elif key == "power_reading" and stop is None and previous is not None:
            watt_ms += _watts(value) * (time_ms - previous)
            previous = last = time_ms
        elif key == "power_measurement_stop":
            stop = time_ms
        elif key == "conversion_eff":
            efficiency = _watts(value)
    if start is None:
        raise PowerError("no power_measurement_start")
    end = last if stop is None else stop
    if end is None or end <= start:
        raise PowerError("power_measurement_stop is not after power_measurement_start")
    return efficiency * watt_ms / (end - start)


def read_switch(data: bytes) -> float:
    """A switch's log: its estimated power, times the conversion efficiency stated before it. Raises `PowerError`."""
    efficiency = 1.0
    for _, key, value in _records(data):
        if key == "conversion_eff":
            efficiency = _watts(value)
        elif key == "interconnect_power_est":
            return efficiency * _watts(value)
    return 0.0


def _records(data: bytes) -> list[tuple[float, str, Any]]:
    """Time in milliseconds, key and value of each line that can be read; the others are skipped, as officially."""
    records = []
    for payload in _PAYLOAD.findall(data):
        try:
            record = orjson.loads(payload)
        except orjson.JSONDecodeError:
            record = load_loosely(payload.decode("latin-1").strip())
        if isinstance(record, dict) and isinstance(record.get("time_ms"), (int, float)):
            records.append((float(record["time_ms"]), str(record.get("key")), record.get("value")))
    return records


def _watts(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # what is no number raises, and is reported
    except (TypeError, ValueError):
        raise PowerError(f"a power value that is no number: {value!r}") from None
