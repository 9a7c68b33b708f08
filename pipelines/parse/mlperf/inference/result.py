"""MLPerf Inference: a result's folder and its system become one row, with every problem on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pipelines.model.columns import common
from pipelines.model.mlperf import UNKNOWN, InferenceResult, MlperfSystem
from pipelines.parse.mlperf.common.collect import PlacedNote
from pipelines.parse.mlperf.common.kind import MemberPlace, RoundKind, SystemKey
from pipelines.parse.mlperf.common.rows import ResultRow, Suite, Systems, reasons_of, result_of, system_notes
from pipelines.parse.mlperf.common.system import Description
from pipelines.parse.mlperf.inference import figure
from pipelines.parse.mlperf.inference.collect import Collector, Material, ResultDir, Run
from pipelines.parse.mlperf.inference.figure import OfficialFigure
from pipelines.parse.mlperf.inference.layout import LARGEST_LOG, place_of
from pipelines.parse.mlperf.inference.logs import judge
from pipelines.parse.mlperf.inference.rules import Benchmark, Version, benchmark_of
from pipelines.parse.mlperf.inference.system import read_system
from pipelines.problems import Reason
from pipelines.registry.mlperf import MlperfRules

_MANY_RUNS_UNTIL: Final = (0, 7)  # Server of v0.5 and v0.7 was run five times; the checker keeps the last


def result_row(
    material: Material, result: ResultDir, described: Description | None, rules: MlperfRules
) -> ResultRow[InferenceResult]:
    """The row of one result's folder; a folder with only strays or an accuracy gives none, and says so."""
    place, version = result.place, material.kind.version
    notes: list[PlacedNote] = [*result.problems, *_stray_notes(result)]
    scenario = rules.word("inference", "scenario", place.mode)
    run = _chosen_run(result, scenario, version)
    if run is None or (run.summary is None and run.served is None and not run.values):
        if not result.accuracy_path and not run:
            return ResultRow(None, tuple(notes))
        notes.append((place.directory, Reason.LOG_MISSING, "no performance log; the row has no figure"))
        run = run or Run()
    mapping = material.mappings.get((place.division, place.submitter_dir), {})
    benchmark = benchmark_of(rules, place.benchmark_dir, version, mapping.get(place.benchmark_dir, ""))
    logged = "" if run.summary is None else rules.word("inference", "scenario", run.summary.scenario)
    found = figure.figure_of(run, logged, benchmark, scenario, version)
    notes += [*_notes(result, run, found, benchmark, scenario), *system_notes(place, described), *_power_notes(result)]
    if found.result is not None and any(reason in _WITHOUT_FIGURE for _, reason, _ in notes):
        found = replace(found, result=None)
    row = identity(material.kind, place, described, benchmark, scenario)
    problem = reasons_of(reason for _, reason, _ in notes)
    return ResultRow(_with_figures(row, material, result, run, found, benchmark, problem), tuple(notes))


_WITHOUT_FIGURE: Final = frozenset({Reason.RUN_INVALID, Reason.ARCHIVE_TRUNCATED})


def _chosen_run(result: ResultDir, scenario: str, version: Version) -> Run | None:
    """The run that counts: run_1, or the last of several in Server up to v0.7; loose files where no run folder is."""
    numbered = {int(name[4:]): run for name, run in result.runs.items()
                if name.startswith("run_") and name[4:].isdecimal()}  # fmt: skip
    if not numbered:
        return result.runs.get("")
    if version <= _MANY_RUNS_UNTIL and scenario == "Server":
        return numbered[max(numbered)]
    return numbered.get(1) or numbered[min(numbered)]


def _stray_notes(result: ResultDir) -> list[PlacedNote]:
    directory = result.place.directory
    notes = [(directory, Reason.MEMBER_LAYOUT_UNKNOWN, f"{path}: no result's, not read") for path in result.strays]
    odd = [name for name in result.runs if name and not name.removeprefix("run_").isdecimal()]
    if odd:
        notes.append((directory, Reason.MEMBER_LAYOUT_UNKNOWN, f"runs of an unknown name: {', '.join(sorted(odd))}"))
    if "" in result.runs and len(result.runs) > 1:
        notes.append((directory, Reason.ROW_DUPLICATED, "a summary beside the run folders; the run folder counts"))
    return notes


def _notes(result: ResultDir, run: Run, found: OfficialFigure, benchmark: Benchmark, scenario: str) -> list[PlacedNote]:
    place, notes = result.place, []
    directory = place.directory
    if found.why_none and run.paths:
        notes.append((directory, Reason.FIGURE_MISSING, found.why_none))
    if run.summary is not None and run.summary.is_valid is False:
        notes.append((directory, Reason.RUN_INVALID, "the log states INVALID; the figure is not taken"))
    if run.served is not None and run.served.failed:
        notes.append((directory, Reason.FIELD_UNREADABLE, f"{run.served.failed} samples failed"))
    if scenario == UNKNOWN:
        notes.append((directory, Reason.MEMBER_LAYOUT_UNKNOWN, f"no scenario is named {place.mode!r}"))
    if benchmark.entry is None:
        notes.append((directory, Reason.BENCHMARK_UNKNOWN, f"{place.benchmark_dir!r} stands for no benchmark known"))
    return notes


def _power_notes(result: ResultDir) -> list[PlacedNote]:
    notes, directory = [], result.place.directory
    if result.power is not None and result.power.has_ranging is False:
        notes.append((directory, Reason.POWER_UNREADABLE, "the power session has no ranging run"))
    if result.power is not None and result.power.watts is None:
        detail = result.power.error or "no samples beside the power folder"
        notes.append((directory, Reason.POWER_UNREADABLE, detail))
    if result.is_cut:
        notes.append((directory, Reason.ARCHIVE_TRUNCATED, "the archive breaks off here"))
    return notes


def identity(
    kind: RoundKind, place: MemberPlace, described: Description | None, benchmark: Benchmark, scenario: str
) -> InferenceResult:
    """What a row is of: its system, benchmark and scenario. Figures are put in by the caller."""
    described = described or Description(MlperfSystem(round=kind.round, suite=kind.suite))
    return replace(
        result_of(InferenceResult, kind, place, described),
        division=place.division,
        category=described.category,
        submitter=place.submitter_dir,  # descriptions are often copied from a partner's
        benchmark=benchmark.name,
        accuracy_class=benchmark.accuracy_class,
        scenario=scenario,
        accelerators_basis=described.accelerators_basis,
        system_notes=described.system_notes,
        unit=benchmark.unit(scenario, kind.version),
        percentile=benchmark.percentile(scenario, kind.version),
    )


def _with_figures(
    row: InferenceResult, material: Material, result: ResultDir, run: Run, found: OfficialFigure, benchmark: Benchmark,
    problem: str,
) -> InferenceResult:  # fmt: skip
    version, power = material.kind.version, result.power
    accuracy = judge(result.accuracy, benchmark.least(row.scenario, version))
    weight_type, weight_path = material.weights.get(row.member_dir, ("", ""))
    paths = [*run.paths, result.accuracy_path, weight_path, *(power.paths if power else [])]
    return replace(
        row,
        percentile=None if run.served is not None else row.percentile,
        ttft_p99_ms=_token_ms(run, "first token latency"),
        tpot_p99_ms=_token_ms(run, "time to output token"),
        valid=_validity(run),
        has_power=power is not None,
        power_w=None if power is None else power.watts,
        energy_j=None if power is None else figure.energy_of(power, run, row.scenario, found.inferred_from, version),
        weight_type=weight_type,
        inferred=bool(found.inferred_from),
        n_runs=len(result.runs),
        member_paths=tuple(sorted(filter(None, paths))),
        problem=problem,
        **common(accuracy, InferenceResult),
        **common(found, InferenceResult),
    )


def _validity(run: Run) -> bool | None:
    if run.summary is not None:
        return run.summary.is_valid
    return run.served.is_complete if run.served is not None else None


def _token_ms(run: Run, name: str) -> float | None:
    if run.served is not None:
        found = run.served.ttft_p99_ns if name.startswith("first") else run.served.tpot_p99_ns
    else:
        found = None if run.summary is None else run.summary.number(f"99.00 percentile {name} (ns)")
    return None if found is None else found / figure.NS_PER_MS


def _describe(material: Material, key: SystemKey, data: bytes, rules: MlperfRules) -> Description:
    watts = material.design_watts.get(key)
    return read_system(data, material.kind, rules, division=key[0], design_power_watts=watts)


def _result_rows(material: Material, systems: Systems, rules: MlperfRules) -> Iterator[ResultRow[InferenceResult]]:
    for _, result in sorted(material.results.items()):
        yield result_row(material, result, systems.get(result.place.owner), rules)


INFERENCE: Final = Suite(
    row_type=InferenceResult,
    place_of=place_of,
    largest_member=LARGEST_LOG,
    collector=Collector,
    describe=_describe,
    result_rows=_result_rows,
    is_memory_named=True,  # v0.5 to v1.1
    are_idle_systems_counted=True,
)
