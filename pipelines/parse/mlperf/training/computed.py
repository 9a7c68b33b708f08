"""A table of computed scores, read into typed rows. For weak scaling it holds the mean of the instances: no score."""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Iterator, Mapping
from typing import Final

from pipelines.model.mlperf import TrainingResult
from pipelines.parse.mlperf.common.kind import recognise
from pipelines.parse.mlperf.common.rows import Matcher, StandIn, StandInUnreadable
from pipelines.parse.mlperf.training.score import benchmark_of
from pipelines.registry.mlperf import MlperfRules

_ABSENT: Final = ("", "None")
_NOT_A_RESULT: Final = "nonstandard layout"  # folders of logs that the official tool does not count
_NOT_ENOUGH_RUNS: Final = "too_few_runs: fewer converged runs than the rules ask for"
_WEAK_UNSCORED: Final = (
    "weak scaling: the computed table has the mean of the instances, not the time to train all of them"
)


def read_scores(name: str, data: bytes, names: Matcher, rules: MlperfRules) -> Iterator[StandIn[TrainingResult]]:
    """The rows of a CSV of computed scores. Raises StandInUnreadable."""
    for number, record in enumerate(csv.DictReader(io.StringIO(data.decode("utf-8"))), start=2):
        try:
            if record["note"] != _NOT_A_RESULT:
                yield StandIn(_row(record, names, rules), "computed table")
        except (KeyError, ValueError) as error:
            raise StandInUnreadable(f"{name}: line {number}: {error!r}") from error


def _row(record: Mapping[str, str], names: Matcher, rules: MlperfRules) -> TrainingResult:
    kind = recognise(record["round"])
    if kind is None:
        raise ValueError(f"no round in {record['round']!r}")
    is_weak = record["scaling"] == "weak"
    score = None if is_weak else _number(record["score_minutes"])
    benchmark_dir, started = record["benchmark"], record["first_run_start_utc"]
    return TrainingResult(
        round=kind.round,
        suite=kind.suite,
        division=rules.word(kind.suite, "division", record["division"]),
        division_raw=record["division"],
        submitter_raw=record["submitter"],
        submitter_dir=record["submitter_dir"],
        system=record["system"],
        system_name=record["system_name"],
        benchmark=benchmark_of(rules, kind, benchmark_dir).name,
        benchmark_dir=benchmark_dir,
        table=record["scaling"] or "strong",
        availability=rules.word(kind.suite, "availability", record["status"]),
        availability_raw=record["status"],
        accelerator_raw=record["accelerator"],
        accelerator=names.match(record["accelerator"], record["system"]).accelerator_id,
        accelerators=_count(record["accelerators"]) or 0,
        n_runs=_count(record["n_runs"]) or 0,
        n_runs_required=_count(record["n_required"]),
        n_not_converged=_count(record["n_nonconverged"]) or 0,
        raw_minutes=None if is_weak else _number(record["raw_minutes"]),
        scaling_factor=_number(record["scaling_json"]),
        score_minutes=score,
        global_batch_size=_one_count(record["gbs"]),
        first_run_at=dt.datetime.fromisoformat(started).replace(tzinfo=dt.UTC) if started else None,
        member_dir=record["path"],
        problem=_WEAK_UNSCORED if is_weak else "" if score is not None else _NOT_ENOUGH_RUNS,
    )


def _number(text: str) -> float | None:
    return float(text) if text not in _ABSENT else None


def _count(text: str) -> int | None:
    return int(float(text)) if text not in _ABSENT else None


def _one_count(text: str) -> int | None:
    """The table joins several sizes with '|'; runs that differ have no one size."""
    sizes = {part for part in text.split("|") if part not in _ABSENT}
    return _count(sizes.pop()) if len(sizes) == 1 else None
