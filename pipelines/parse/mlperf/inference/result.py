"""One result's folder and its system's description become one row, with every problem on the way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from pipelines.model.mlperf import InferenceResult
from pipelines.parse.mlperf.inference import figure, rules, targets
from pipelines.parse.mlperf.inference.accuracy import judge
from pipelines.parse.mlperf.inference.collect import Material, ResultDir, Run
from pipelines.parse.mlperf.inference.figure import Figure
from pipelines.parse.mlperf.inference.layout import Place
from pipelines.parse.mlperf.inference.system import Description
from pipelines.parse.mlperf.kind import RoundKind
from pipelines.problems import Reason

PlacedNote = tuple[str, Reason, str]
_MANY_RUNS_UNTIL: Final = (0, 7)  # Server of v0.5 and v0.7 was run five times; the checker keeps the last


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A row, or None where the folder holds no performance run; and (place, reason, detail) of what was odd."""

    result: InferenceResult | None
    problems: tuple[PlacedNote, ...]


@dataclass(frozen=True, slots=True)
class System:
    """A description with its place and the canonical accelerator."""

    path: str
    division: str
    submitter_dir: str
    system: str
    description: Description
    accelerator: str


def result_row(material: Material, result: ResultDir, system: System | None) -> ResultRow:
    """The row of one result's folder; a folder with only strays or an accuracy gives none, and says so."""
    place, version = result.place, material.kind.version
    notes: list[PlacedNote] = [*result.problems, *_stray_notes(result)]
    scenario = rules.scenario_of(place.scenario_dir)
    run = _chosen_run(result, scenario, version)
    if run is None or (run.summary is None and run.served is None and not run.values):
        if not result.accuracy_path and not run:
            return ResultRow(None, tuple(notes))
        notes.append((place.directory, Reason.LOG_MISSING, "no performance log; the row has no figure"))
        run = run or Run()
    benchmark = rules.benchmark_of(
        place.benchmark_dir, version, material.mappings.get((place.division, place.submitter_dir), {})
    )
    found = figure.figure_of(run, benchmark, scenario, version)
    notes += _notes(result, run, found, benchmark, scenario, system)
    if found.value is not None and any(reason in _WITHOUT_FIGURE for _, reason, _ in notes):
        found = replace(found, value=None)
    problem = "; ".join(dict.fromkeys(reason.value for _, reason, _ in notes))
    row = _row(material, result, run, found, benchmark, scenario, system, problem)
    return ResultRow(row, tuple(notes))


_WITHOUT_FIGURE: Final = frozenset({Reason.RUN_INVALID, Reason.ARCHIVE_TRUNCATED})


def _chosen_run(result: ResultDir, scenario: str, version: rules.Version) -> Run | None:
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


def _notes(
    result: ResultDir, run: Run, found: Figure, benchmark: str, scenario: str, system: System | None
) -> list[PlacedNote]:
    place, notes = result.place, []
    directory = place.directory
    if found.problem and run.paths:
        notes.append((directory, Reason.FIGURE_MISSING, found.problem))
    if run.summary is not None and run.summary.is_valid is False:
        notes.append((directory, Reason.RUN_INVALID, "the log states INVALID; the figure is not taken"))
    if run.served is not None and run.served.failed:
        notes.append((directory, Reason.FIELD_UNREADABLE, f"{run.served.failed} samples failed"))
    if scenario == rules.UNKNOWN:
        notes.append((directory, Reason.MEMBER_LAYOUT_UNKNOWN, f"no scenario is named {place.scenario_dir!r}"))
    if benchmark == rules.UNKNOWN:
        notes.append((directory, Reason.BENCHMARK_UNKNOWN, f"{place.benchmark_dir!r} stands for no benchmark known"))
    if system is None:
        notes.append((directory, Reason.SYSTEM_MISSING, f"no description of system {place.system!r}"))
    elif not system.description.is_readable:
        notes.append((directory, Reason.SYSTEM_UNREADABLE, f"the description of {place.system!r} is unreadable"))
    if result.power is not None and result.power.has_ranging is False:
        notes.append((directory, Reason.POWER_UNREADABLE, "the power session has no ranging run"))
    if result.power is not None and result.power.watts is None:
        detail = result.power.error or "no samples beside the power folder"
        notes.append((directory, Reason.POWER_UNREADABLE, detail))
    if result.is_cut:
        notes.append((directory, Reason.ARCHIVE_TRUNCATED, "the archive breaks off here"))
    return notes


def _row(
    material: Material, result: ResultDir, run: Run, found: Figure, benchmark: str, scenario: str,
    system: System | None, problem: str,
) -> InferenceResult:  # fmt: skip
    place, version = result.place, material.kind.version
    described = system.description if system is not None else Description()
    accuracy = judge(result.accuracy, targets.targets_of(benchmark, version, scenario))
    weight_type, weight_path = material.weights.get(place.directory, ("", ""))
    power = result.power
    is_served = run.served is not None
    paths = [*run.paths, result.accuracy_path, weight_path, *(power.paths if power else [])]
    percentile = None if is_served else rules.percentile_of(benchmark, scenario, version)
    row = identity(material.kind.round, place, described, benchmark, scenario)
    return replace(
        row,
        accelerator=rules.UNKNOWN if system is None else system.accelerator,
        result=found.value,
        percentile=percentile,
        result_summary=found.summary,
        result_detail=found.detail,
        ttft_p99_ms=_token_ms(run, "first token latency"),
        tpot_p99_ms=_token_ms(run, "time to output token"),
        valid=_validity(run),
        accuracy=accuracy.value,
        accuracy_metric=accuracy.metric,
        accuracy_target=accuracy.target,
        accuracy_met=accuracy.is_met,
        accuracy_raw=accuracy.text,
        has_power=power is not None,
        power_w=None if power is None else power.watts,
        energy_j=None if power is None else figure.energy_of(power, run, scenario, found.inferred_from, version),
        weight_type=weight_type,
        inferred=bool(found.inferred_from),
        inferred_from=found.inferred_from,
        n_runs=len(result.runs),
        member_paths=tuple(sorted(filter(None, paths))),
        system_path="" if system is None else system.path,
        problem=problem,
    )


def identity(round_name: str, place: Place, described: Description, benchmark: str, scenario: str) -> InferenceResult:
    """The row's identity and system; figures are put in by the caller."""
    return InferenceResult(
        round=round_name,
        suite="inference",
        division=place.division,
        category=described.category,
        submitter=place.submitter_dir,
        submitter_raw=described.submitter,
        submitter_dir=place.submitter_dir,
        system=place.system,
        system_name=described.system_name or place.system,
        benchmark=benchmark,
        benchmark_dir=place.benchmark_dir,
        accuracy_class=rules.target_of(benchmark),
        scenario=scenario,
        availability=described.availability,
        availability_raw=described.availability_raw,
        accelerator_raw=described.accelerator_raw,
        accelerator=rules.UNKNOWN,
        accelerators=described.accelerators,
        accelerators_basis=described.total_basis,
        nodes=described.nodes,
        host_processor=described.host_processor,
        framework=described.framework,
        system_notes=described.notes_raw,
        result=None,
        unit=rules.unit_of(benchmark, scenario, RoundKind("inference", round_name).version),
        percentile=None,
        result_summary=None,
        result_detail=None,
        ttft_p99_ms=None,
        tpot_p99_ms=None,
        valid=None,
        accuracy=None,
        accuracy_metric="",
        accuracy_target=None,
        accuracy_met=None,
        accuracy_raw="",
        has_power=False,
        power_w=None,
        energy_j=None,
        weight_type="",
        inferred=False,
        inferred_from="",
        n_runs=0,
        result_id="",
        from_organisers=(),
        member_dir=place.directory,
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
