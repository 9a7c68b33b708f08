"""A whole MLPerf Inference round: archive in, rows of results and systems out, with everything that was odd."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from typing import BinaryIO

from pipelines.model.mlperf import InferenceResult, MlperfSystem
from pipelines.parse.mlperf.inference import rules
from pipelines.parse.mlperf.inference.collect import Material, collect_round
from pipelines.parse.mlperf.inference.result import System, result_row
from pipelines.parse.mlperf.inference.system import Description, read_system
from pipelines.parse.mlperf.training import Matcher
from pipelines.parse.tarstream import DEFAULT, Limits
from pipelines.problems import Problem, Reason

_SYSTEM_NOTES_SHOWN = frozenset({Reason.SYSTEM_UNREADABLE, Reason.KEY_DUPLICATED, Reason.TEXT_REPAIRED,
                                 Reason.FIELD_UNREADABLE, Reason.FIELD_MISSING})  # fmt: skip


@dataclass(frozen=True, slots=True)
class InferenceRows:
    """Everything that one round's archive gives; `results` are ordered by folder, `systems` by path."""

    round: str
    suite: str
    commit: str | None
    committed_at: dt.datetime | None
    results: tuple[InferenceResult, ...]
    systems: tuple[MlperfSystem, ...]
    problems: tuple[Problem, ...]

    @property
    def scored(self) -> int:
        """Results with a figure."""
        return sum(result.result is not None for result in self.results)


def parse_inference(stream: BinaryIO, *, source_id: str, names: Matcher, limits: Limits = DEFAULT) -> InferenceRows:
    """Parse an inference round's repository archive, or a pack of its needed members, in one pass.

    Raises `InputError` when nothing can be read or the top folder names no inference round; anything less is a
    `Problem`, and the rest of the round is kept.
    """
    material = collect_round(stream, source_id=source_id, limits=limits)
    problems = list(material.problems)

    def note(place: str, reason: Reason, detail: str, *, is_fatal: bool = False) -> None:
        problems.append(Problem(source_id, material.kind.key, place, reason, detail, is_fatal))

    systems = _systems(material, names)
    for where, reason, detail in _system_problems(systems):
        note(where, reason, detail)
    results = []
    for _, result in sorted(material.results.items()):
        key = (result.place.division, result.place.submitter_dir, result.place.system)
        row = result_row(material, result, systems.get(key))
        for where, reason, detail in row.problems:
            note(where, reason, detail, is_fatal=row.result is None)
        if row.result is not None:
            results.append(row.result)
    if not results:
        note("", Reason.ROUND_WITHOUT_RESULTS, "not one result in the whole archive", is_fatal=True)
    used = {(row.division, row.submitter_dir, row.system) for row in results}
    rows = tuple(_system_row(material, system, key in used) for key, system in systems.items())
    idle = [system for key, system in systems.items() if key not in used]
    if idle:
        note(idle[0].path, Reason.SYSTEM_WITHOUT_RESULTS, f"{len(idle)} descriptions without results")
    return InferenceRows(
        round=material.kind.round,
        suite="inference",
        commit=material.commit,
        committed_at=material.committed_at,
        results=tuple(results),
        systems=rows,
        problems=tuple(problems),
    )


def _systems(material: Material, names: Matcher) -> dict[tuple[str, str, str], System]:
    systems = {}
    for key, (path, data) in sorted(material.systems.items(), key=lambda item: item[1][0]):
        description = read_system(data, design_power_watts=material.design_watts.get(key))
        systems[key] = System(path, *key, description, accelerator_of(description, names))
    return systems


def accelerator_of(description: Description, names: Matcher) -> str:
    """The registry id of a description's accelerator.

    The memory's size helps where the name is bare (v0.5 to v1.1), the system's name where a family name leaves the
    version open; a system with accelerators but no name for them is unknown.
    """
    if not description.is_readable:
        return rules.UNKNOWN
    return match_accelerator(
        description.accelerator_raw,
        description.accelerator_memory,
        description.system_name,
        description.accelerators,
        names,
    )


def match_accelerator(raw: str, memory: str, system_name: str, count: int | None, names: Matcher) -> str:
    """The registry id for a raw name with what stands beside it."""
    matched = names.match(raw, system_name).accelerator_id
    if matched == "none":
        return rules.UNKNOWN if count else matched
    if matched == rules.UNKNOWN or not memory:
        return matched
    with_memory = names.match(f"{raw} {memory}", system_name).accelerator_id
    return with_memory if with_memory.startswith(f"{matched}-") else matched


def _system_problems(systems: dict[tuple[str, str, str], System]) -> list[tuple[str, Reason, str]]:
    found: list[tuple[str, Reason, str]] = []
    unknown: Counter[str] = Counter()
    for system in systems.values():
        found += [(system.path, reason, detail) for reason, detail in system.description.notes
                  if reason in _SYSTEM_NOTES_SHOWN]  # fmt: skip
        if system.accelerator == rules.UNKNOWN and system.description.is_readable:
            unknown[system.description.accelerator_raw] += 1
    for raw, count in sorted(unknown.items()):
        found.append(("systems", Reason.ACCELERATOR_UNKNOWN, f"{raw!r} in {count} descriptions is not in the registry"))
    return found


def _system_row(material: Material, system: System, has_results: bool) -> MlperfSystem:
    described = system.description
    return MlperfSystem(
        round=material.kind.round,
        suite="inference",
        submitter=described.submitter or system.submitter_dir,
        submitter_raw=described.submitter,
        submitter_dir=system.submitter_dir,
        system=system.system,
        system_name=described.system_name,
        division=system.division,
        availability=described.availability,
        accelerator_raw=described.accelerator_raw,
        accelerator=system.accelerator,
        accelerators_per_node=described.accelerators_per_node,
        nodes=described.nodes,
        accelerators=described.accelerators,
        accelerator_memory=described.accelerator_memory,
        accelerator_interconnect=described.accelerator_interconnect,
        accelerator_host_interconnect=described.accelerator_host_interconnect,
        host_processor=described.host_processor,
        host_processors_per_node=described.host_processors_per_node,
        host_memory=described.host_memory,
        host_networking=described.host_networking,
        cooling=described.cooling,
        framework=described.framework,
        operating_system=described.operating_system,
        software_json=described.software_json,
        raw_json=described.raw_json,
        has_results=has_results,
        system_path=system.path,
        problem="; ".join(dict.fromkeys(reason.value for reason, _ in described.notes)),
    )
