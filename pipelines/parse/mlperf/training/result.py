"""MLPerf Training and HPC: a result's folder and its system become one row, with every problem on the way."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Final

from pipelines.model.columns import common
from pipelines.model.mlperf import TrainingResult
from pipelines.parse.mlperf.common.collect import PlacedNote
from pipelines.parse.mlperf.common.kind import RoundKind, SystemKey
from pipelines.parse.mlperf.common.rows import ResultRow, Suite, Systems, reasons_of, result_of, system_notes
from pipelines.parse.mlperf.common.system import Description
from pipelines.parse.mlperf.training import score
from pipelines.parse.mlperf.training.collect import Collector, Material, ResultDir
from pipelines.parse.mlperf.training.layout import Role, place_of
from pipelines.parse.mlperf.training.mllog import RunLog
from pipelines.parse.mlperf.training.score import Benchmark, benchmark_of
from pipelines.parse.mlperf.training.system import read_description
from pipelines.problems import Reason
from pipelines.registry.mlperf import MlperfRules

_FIRST_YEAR: Final = 2017  # MLPerf began in 2018; a clock before that was not set


@dataclass(slots=True)
class _Score:
    """The columns of a row that its runs decide, and what was odd about them."""

    raw_minutes: float | None = None
    score_minutes: float | None = None
    n_models: int | None = None
    instance_scale: int | None = None
    energy_j: float | None = None
    n_not_converged: int = 0
    notes: list[PlacedNote] = field(default_factory=list)


def result_row(
    kind: RoundKind, result: ResultDir, described: Description | None, rules: MlperfRules, *, shared_with: Sequence[str]
) -> ResultRow[TrainingResult]:
    """The row of one result's folder.

    `shared_with` names other folders that hold runs with the same start and stop. A folder that holds only logs where
    no result's logs belong, below a benchmark's folder, gives no row.
    """
    directory = result.place.directory
    if result.place.role is Role.NESTED_LOG:
        detail = f"{len(result.strays)} logs below a benchmark's folder: no result's, not read"
        return ResultRow(None, ((directory, Reason.MEMBER_LAYOUT_UNKNOWN, detail),))
    benchmark = _benchmark(kind, result, rules)
    scored = _scored(kind, result, benchmark)
    notes = [*scored.notes, *_layout_notes(result), *system_notes(result.place, described)]
    notes += [
        (directory, Reason.ROW_DUPLICATED, f"runs with the same start and stop as in {other}") for other in shared_with
    ]
    first, clock_notes = _first_run(result)
    notes += clock_notes
    if any(reason in _UNSCORED for _, reason, _ in notes):
        scored.score_minutes = scored.energy_j = None
    row = _row(kind, result, described, benchmark, scored, rules)
    problem = reasons_of(reason for _, reason, _ in notes)
    return ResultRow(replace(row, first_run_at=first, problem=problem), tuple(notes))


# A result with one of these has no score, whatever its runs say.
_UNSCORED: Final = frozenset({Reason.MEMBER_LAYOUT_UNKNOWN, Reason.SCALING_UNREADABLE, Reason.ARCHIVE_TRUNCATED})


def _scored(kind: RoundKind, result: ResultDir, benchmark: Benchmark) -> _Score:
    scored = _Score()
    minutes: dict[str, float] = {}
    for name, run in sorted(result.logs.items()):
        verdict = score.judge(run, kind)
        if verdict.minutes is not None:
            minutes[name] = verdict.minutes
        elif verdict.reason is not None:
            scored.notes.append((result.paths[name], verdict.reason, verdict.detail))
    scored.n_not_converged = len(result.logs) - len(minutes)
    _note_runs(result, benchmark, scored)
    if result.place.mode == "weak":
        _score_weak([result.logs[name] for name in minutes], benchmark.runs_required, result, scored)
        return scored
    minutes, trim = dict(sorted(minutes.items(), key=itemgetter(1))), benchmark.runs_trimmed
    scored.raw_minutes = score.olympic_mean(list(minutes.values()), dropped=scored.n_not_converged, trim=trim)
    if scored.raw_minutes is not None:
        scored.score_minutes = scored.raw_minutes * (result.scaling_factor or 1.0)
    _score_energy(minutes, trim, result, scored)
    return scored


def _note_runs(result: ResultDir, benchmark: Benchmark, scored: _Score) -> None:
    directory, required = result.place.directory, benchmark.runs_required
    if required is None:
        detail = f"{benchmark.name!r}: the number of runs required is not known; scored by the general rule"
        scored.notes.append((directory, Reason.BENCHMARK_UNKNOWN, detail))
    elif len(result.logs) < required:
        detail = f"{len(result.logs)} runs of {required} required"
        scored.notes.append((directory, Reason.TOO_FEW_RUNS, detail))
    if result.scaling_error:
        scored.notes.append((result.scaling_path, Reason.SCALING_UNREADABLE, result.scaling_error))
    if result.is_cut:
        scored.notes.append((directory, Reason.ARCHIVE_TRUNCATED, "the archive breaks off here; logs may be missing"))


def _score_weak(runs: list[RunLog], required: int | None, result: ResultDir, scored: _Score) -> None:
    scored.raw_minutes = scored.score_minutes = score.weak_minutes(runs, required)
    scored.n_models = len(runs)
    if scored.raw_minutes is None and not any(reason is Reason.TOO_FEW_RUNS for _, reason, _ in scored.notes):
        detail = f"{len(runs)} models trained of {required or 1} required"
        scored.notes.append((result.place.directory, Reason.TOO_FEW_RUNS, detail))
    scales = {
        run.nodes * max(run.accelerators_per_node, 1)
        for run in runs
        if run.nodes is not None and run.accelerators_per_node is not None
    }
    if len(scales) == 1:
        (scored.instance_scale,) = scales
    elif runs:
        detail = f"accelerators of one instance: {sorted(scales) if scales else 'not stated in the logs'}"
        scored.notes.append((result.place.directory, Reason.FIELD_UNREADABLE, detail))


def _score_energy(minutes: dict[str, float], trim: int, result: ResultDir, scored: _Score) -> None:
    """Energy in joules, where power was submitted for every run that counts; `minutes` are in order of time."""
    if not result.power or not minutes:
        return
    errors = [
        error
        for name in minutes
        for error in (result.power[name].errors if name in result.power else [f"no power logs for {name}"])
    ]
    errors += [f"no node's power log for {name}" for name in minutes if name in result.power
               and not result.power[name].nodes]  # fmt: skip
    if errors:
        detail = f"{errors[0]}" + (f"; and {len(errors) - 1} more" if len(errors) > 1 else "")
        scored.notes.append((result.place.directory, Reason.POWER_UNREADABLE, detail))
        return
    joules = [result.power[name].watts * run * 60 for name, run in minutes.items()]
    energy = score.olympic_mean(joules, dropped=scored.n_not_converged, trim=trim)
    if energy is not None and energy > 0:
        scored.energy_j = energy * (result.scaling_factor or 1.0)


def _layout_notes(result: ResultDir) -> list[PlacedNote]:
    directory = result.place.directory
    if not result.place.benchmark_dir:
        detail = f"{len(result.logs)} logs without a benchmark's folder; not scored"
        return [(directory, Reason.MEMBER_LAYOUT_UNKNOWN, detail)]
    if not result.logs and result.strays:
        detail = f"{len(result.strays)} logs not named result_*.txt; not scored"
        return [(directory, Reason.MEMBER_LAYOUT_UNKNOWN, detail)]
    return []


def _benchmark(kind: RoundKind, result: ResultDir, rules: MlperfRules) -> Benchmark:
    if result.place.benchmark_dir:
        return benchmark_of(rules, kind, result.place.benchmark_dir)
    named = {run.benchmark for run in result.logs.values() if run.benchmark}
    return benchmark_of(rules, kind, named.pop()) if len(named) == 1 else Benchmark()


def _first_run(result: ResultDir) -> tuple[dt.datetime | None, list[PlacedNote]]:
    starts = [run.start_ms for run in result.logs.values() if run.start_ms is not None]
    if not starts:
        return None, []
    if 0 <= min(starts) < 1e14:
        first = dt.datetime.fromtimestamp(min(starts) / 1000, dt.UTC)
        if first.year >= _FIRST_YEAR:
            return first, []
    detail = f"run_start at {min(starts):g} ms since 1970: the clock was not set; durations stand"
    return None, [(result.place.directory, Reason.FIELD_UNREADABLE, detail)]


def _row(
    kind: RoundKind, result: ResultDir, described: Description | None, benchmark: Benchmark, scored: _Score,
    rules: MlperfRules,
) -> TrainingResult:  # fmt: skip
    place = result.place
    runs = [run for _, run in sorted(result.logs.items())]
    division_raw = described.division_raw if described is not None else ""
    division_raw = division_raw or next((run.division for run in runs if run.division), "")
    paths = [*result.paths.values(), *result.power_paths, *filter(None, [result.scaling_path])]
    row = result_of(TrainingResult, kind, place, described)
    return replace(
        row,
        division=rules.word(kind.suite, "division", division_raw),
        division_raw=division_raw,
        submitter=row.submitter_raw or place.submitter_dir.partition("/")[0],
        benchmark=benchmark.name,
        table=place.mode,
        accelerators=row.accelerators or 0,
        n_runs=len(runs),
        n_runs_required=benchmark.runs_required,
        scaling_factor=result.scaling_factor,
        global_batch_size=next((run.global_batch_size for run in runs if run.global_batch_size is not None), None),
        member_paths=tuple(sorted(paths)),
        **common(scored, TrainingResult),
    )


def find_shared_runs(results: Mapping[str, ResultDir]) -> dict[str, tuple[str, ...]]:
    """For each folder the earlier folders that hold a run with the same start and stop: one log submitted twice."""
    owners: dict[tuple[float, float], str] = {}
    shared: dict[str, tuple[str, ...]] = {}
    for directory, result in sorted(results.items()):
        others: dict[str, None] = {}
        for run in result.logs.values():
            if run.start_ms is None or run.stop_ms is None:
                continue
            owner = owners.setdefault((run.start_ms, run.stop_ms), directory)
            if owner != directory:
                others[owner] = None
        if others:
            shared[directory] = tuple(others)
    return shared


def _describe(material: Material, key: SystemKey, data: bytes, rules: MlperfRules) -> Description:
    return read_description(data, material.kind, rules, org=material.orgs.get(key[1], ""))


def _result_rows(material: Material, systems: Systems, rules: MlperfRules) -> Iterator[ResultRow[TrainingResult]]:
    shared = find_shared_runs(material.results)
    for directory, result in sorted(material.results.items()):
        system = systems.get(result.place.owner)
        yield result_row(material.kind, result, system, rules, shared_with=shared.get(directory, ()))


TRAINING: Final = Suite(
    row_type=TrainingResult,
    place_of=place_of,
    largest_member=sys.maxsize,  # logs are read in pieces
    collector=Collector,
    describe=_describe,
    result_rows=_result_rows,
    is_memory_named=False,
    are_idle_systems_counted=False,
)
