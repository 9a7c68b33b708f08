"""A whole MLPerf Training or HPC round: archive in, rows of results and systems out, with everything that was odd."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from typing import BinaryIO, Protocol

from pipelines.model.mlperf import MlperfSystem, TrainingResult
from pipelines.parse.mlperf import rules
from pipelines.parse.mlperf.collect import Material, collect_round
from pipelines.parse.mlperf.kind import RoundKind
from pipelines.parse.mlperf.result import find_shared_runs, result_row
from pipelines.parse.mlperf.system import Description, is_readable, note_reasons, read_description
from pipelines.parse.tarstream import DEFAULT, Limits
from pipelines.problems import Problem, Reason


class Match(Protocol):
    """What a matcher answers: the registry id, 'none' for CPU-only systems, 'unknown' otherwise."""

    @property
    def accelerator_id(self) -> str: ...


class Matcher(Protocol):
    """Maps a raw accelerator name to the registry; the system's name may decide between versions."""

    def match(self, raw_name: str, system_name: str = "") -> Match: ...


@dataclass(frozen=True, slots=True)
class RoundRows:
    """Everything that one round's archive gives.

    `commit` is the repository's commit as GitHub writes it into the archive, `committed_at` its time (UTC); None where
    the archive does not say. `results` are ordered by folder, `systems` by path.
    """

    round: str
    suite: str
    commit: str | None
    committed_at: dt.datetime | None
    results: tuple[TrainingResult, ...]
    systems: tuple[MlperfSystem, ...]
    problems: tuple[Problem, ...]

    @property
    def scored(self) -> int:
        """Results with a score."""
        return sum(result.score_minutes is not None for result in self.results)


@dataclass(frozen=True, slots=True)
class System:
    """A description with its place and the canonical accelerator."""

    path: str
    submitter_dir: str
    system: str
    description: Description
    accelerator: str


def parse_round(stream: BinaryIO, *, source_id: str, names: Matcher, limits: Limits = DEFAULT) -> RoundRows:
    """Parse a round's repository archive, or a pack of its needed members, in one pass.

    Raises `InputError` when nothing can be read or the top folder names no training or HPC round; anything less is a
    `Problem`, and the rest of the round is kept.
    """
    material = collect_round(stream, source_id=source_id, limits=limits)
    log = _ProblemLog(source_id, material.kind.key, material.problems)
    systems = _systems(material, names, log)
    results = _results(material, systems, log)
    if not results:
        log.add("", Reason.ROUND_WITHOUT_RESULTS, "not one result in the whole archive", is_fatal=True)
    with_results = {(row.submitter_dir, row.system) for row in results}
    return RoundRows(
        round=material.kind.round,
        suite=material.kind.suite,
        commit=material.commit,
        committed_at=material.committed_at,
        results=results,
        systems=tuple(_system_row(material.kind, system, with_results, log) for system in systems.values()),
        problems=tuple(log.problems),
    )


class _ProblemLog:
    def __init__(self, source_id: str, scope: str, problems: list[Problem]) -> None:
        self._source_id, self._scope = source_id, scope
        self.problems = list(problems)

    def add(self, place: str, reason: Reason, detail: str, *, is_fatal: bool = False) -> None:
        self.problems.append(Problem(self._source_id, self._scope, place, reason, detail, is_fatal))


def _systems(material: Material, names: Matcher, log: _ProblemLog) -> dict[tuple[str, str], System]:
    systems = {}
    unknown_names: Counter[str] = Counter()
    unknown_keys: dict[str, list[str]] = {}
    for (submitter_dir, system), (path, data) in sorted(material.systems.items(), key=lambda item: item[1][0]):
        description = read_description(data, org=material.orgs.get(submitter_dir, ""))
        for reason, detail in description.notes:
            log.add(path, reason, detail)
        accelerator = accelerator_of(description, names)
        if accelerator == rules.UNKNOWN and is_readable(description):
            unknown_names[description.accelerator_raw] += 1
        for key in description.unknown_keys:
            unknown_keys.setdefault(key, []).append(path)
        systems[submitter_dir, system] = System(path, submitter_dir, system, description, accelerator)
    for raw, count in sorted(unknown_names.items()):
        log.add("systems", Reason.ACCELERATOR_UNKNOWN, f"{raw!r} in {count} descriptions is not in the registry")
    for key, paths in sorted(unknown_keys.items()):
        log.add(paths[0], Reason.KEY_UNKNOWN, f"{key!r} in {len(paths)} descriptions; kept in raw_json")
    return systems


def accelerator_of(description: Description, names: Matcher) -> str:
    """The registry id of a description's accelerator; a system with accelerators but no name for them is unknown."""
    if not is_readable(description):
        return rules.UNKNOWN
    matched = names.match(description.accelerator_raw, description.system_name).accelerator_id
    return rules.UNKNOWN if matched == "none" and description.accelerators else matched


def _results(
    material: Material, systems: dict[tuple[str, str], System], log: _ProblemLog
) -> tuple[TrainingResult, ...]:
    rows = []
    shared = find_shared_runs(material.results)
    for directory, result in sorted(material.results.items()):
        system = systems.get((result.place.submitter_dir, result.place.system))
        row = result_row(
            material.kind,
            result,
            None if system is None else system.description,
            rules.UNKNOWN if system is None else system.accelerator,
            system_path="" if system is None else system.path,
            shared_with=shared.get(directory, ()),
        )
        for place, reason, detail in row.problems:
            log.add(place, reason, detail, is_fatal=row.result is None)
        if row.result is not None:
            rows.append(row.result)
    return tuple(rows)


def _system_row(kind: RoundKind, system: System, with_results: set[tuple[str, str]], log: _ProblemLog) -> MlperfSystem:
    description = system.description
    has_results = (system.submitter_dir, system.system) in with_results
    if not has_results:
        log.add(system.path, Reason.SYSTEM_WITHOUT_RESULTS, "a description without results")
    return MlperfSystem(
        round=kind.round,
        suite=kind.suite,
        submitter=description.submitter or system.submitter_dir,
        submitter_raw=description.submitter,
        submitter_dir=system.submitter_dir,
        system=system.system,
        system_name=description.system_name,
        division=description.division,
        availability=description.availability,
        accelerator_raw=description.accelerator_raw,
        accelerator=system.accelerator,
        accelerators_per_node=description.accelerators_per_node,
        nodes=description.nodes,
        accelerators=description.accelerators,
        accelerator_memory=description.accelerator_memory,
        accelerator_interconnect=description.accelerator_interconnect,
        accelerator_host_interconnect=description.accelerator_host_interconnect,
        host_processor=description.host_processor,
        host_processors_per_node=description.host_processors_per_node,
        host_memory=description.host_memory,
        host_networking=description.host_networking,
        cooling=description.cooling,
        framework=description.framework,
        operating_system=description.operating_system,
        software_json=description.software_json,
        raw_json=description.raw_json,
        has_results=has_results,
        system_path=system.path,
        problem=note_reasons(description.notes),
    )
