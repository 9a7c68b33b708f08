"""A whole round: what its archive says becomes rows of results and systems, with everything that was odd."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, Generic, Protocol, TypeVar

from pipelines.frozen import frozen
from pipelines.model.mlperf import UNKNOWN, MlperfResult, MlperfRow, MlperfSystem
from pipelines.parse.mlperf.common.collect import Collector, Material, PlacedNote, PlaceOf
from pipelines.parse.mlperf.common.kind import MemberPlace, RoundKind, SystemKey
from pipelines.parse.mlperf.common.system import Description
from pipelines.parse.tarstream import Member, TarReader
from pipelines.problems import Problem, Reason
from pipelines.registry.mlperf import MlperfRules

R = TypeVar("R", bound=MlperfResult)
M = TypeVar("M", bound=Material[Any])


class Match(Protocol):
    """What a matcher answers: the registry id, 'none' for CPU-only systems, 'unknown' otherwise."""

    @property
    def accelerator_id(self) -> str: ...


class Matcher(Protocol):
    """Maps a raw accelerator name to the registry; the system's name may decide between versions."""

    def match(self, raw_name: str, system_name: str = "") -> Match: ...


@frozen
class RoundRows(Generic[R]):
    """Everything that one round's archive gives.

    `commit` is the repository's commit as GitHub writes it into the archive, `committed_at` its time (UTC); None where
    the archive does not say. `results` are ordered by folder, `systems` by path.
    """

    round: str
    suite: str
    commit: str | None
    committed_at: dt.datetime | None
    results: tuple[R, ...]
    systems: tuple[MlperfSystem, ...]
    problems: tuple[Problem, ...]

    @property
    def scored(self) -> int:
        """Results with an official figure."""
        return sum(result.figure is not None for result in self.results)


@frozen
class ResultRow(Generic[R]):
    """A row, or None where the folder is no result's; and (place, reason, detail) of what was odd."""

    result: R | None
    problems: tuple[PlacedNote, ...]


Systems = Mapping[SystemKey, Description]


@frozen
class Suite(Generic[M, R]):
    """What is particular to a suite. Members beyond `largest_member` bytes are not read at all."""

    row_type: type[R]
    place_of: PlaceOf
    largest_member: int
    collector: Callable[[TarReader, RoundKind, str, PlaceOf], Collector[Any, Any]]
    describe: Callable[[M, SystemKey, bytes, MlperfRules], Description]
    result_rows: Callable[[M, Systems, MlperfRules], Iterator[ResultRow[R]]]
    is_memory_named: bool  # the memory's size helps where an accelerator's name is bare
    are_idle_systems_counted: bool  # descriptions without results become one problem

    def is_wanted(self, path_without_top: str, size: int) -> bool:
        """Whether the parser needs a member; everything else, and one beyond reason, is streamed past."""
        return size <= self.largest_member and self.place_of(path_without_top) is not None

    def is_too_large(self, path_without_top: str, size: int) -> bool:
        """Whether a member would be needed, were it not beyond reason: who copies what is needed must say so."""
        return size > self.largest_member and self.place_of(path_without_top) is not None

    def rows(
        self, reader: TarReader, members: Iterable[Member], kind: RoundKind, *,
        source_id: str, names: Matcher, rules: MlperfRules,
    ) -> RoundRows[R]:  # fmt: skip
        """Read the members in one pass and judge what they say."""
        collector = self.collector(reader, kind, source_id, self.place_of)
        collector.read(members)
        material: Any = collector.material
        log = _ProblemLog(source_id, kind.key, list(material.problems))
        systems = self._systems(material, names, rules, log)
        results = []
        for row in self.result_rows(material, systems, rules):
            for place, reason, detail in row.problems:
                log.add(place, reason, detail, is_fatal=row.result is None)
            if row.result is not None:
                results.append(row.result)
        if not results:
            log.add("", Reason.ROUND_WITHOUT_RESULTS, "not one result in the whole archive", is_fatal=True)
        system_rows = _marked(systems, {material.results[row.member_dir].place.owner for row in results})
        self._log_idle(system_rows, log)
        return RoundRows(
            kind.round, kind.suite, material.commit, material.committed_at,
            tuple(results), system_rows, tuple(log.problems),
        )  # fmt: skip

    def _systems(
        self, material: M, names: Matcher, rules: MlperfRules, log: _ProblemLog
    ) -> dict[SystemKey, Description]:
        systems: dict[SystemKey, Description] = {}
        unknown_names: Counter[str] = Counter()
        unknown_keys: dict[str, list[str]] = {}
        for key, (path, data) in sorted(material.systems.items(), key=lambda item: item[1][0]):
            described = self.describe(material, key, data, rules)
            for reason, detail in described.notes:
                log.add(path, reason, detail)
            accelerator = self._accelerator(described, names)
            if accelerator == UNKNOWN and described.is_readable:
                unknown_names[described.row.accelerator_raw] += 1
            for name in described.unknown_keys:
                unknown_keys.setdefault(name, []).append(path)
            systems[key] = _placed(described, key, path, accelerator)
        for raw, count in sorted(unknown_names.items()):
            log.add("systems", Reason.ACCELERATOR_UNKNOWN, f"{raw!r} in {count} descriptions is not in the registry")
        for name, paths in sorted(unknown_keys.items()):
            log.add(paths[0], Reason.KEY_UNKNOWN, f"{name!r} in {len(paths)} descriptions; kept in raw_json")
        return systems

    def _accelerator(self, described: Description, names: Matcher) -> str:
        row = described.row
        memory = row.accelerator_memory if self.is_memory_named else ""
        if not described.is_readable:
            return UNKNOWN
        return match_accelerator(row.accelerator_raw, memory, row.system_name, row.accelerators, names)

    def _log_idle(self, systems: tuple[MlperfSystem, ...], log: _ProblemLog) -> None:
        idle = [system.system_path for system in systems if not system.has_results]
        if self.are_idle_systems_counted and idle:
            log.add(idle[0], Reason.SYSTEM_WITHOUT_RESULTS, f"{len(idle)} descriptions without results")
            return
        for path in idle:
            log.add(path, Reason.SYSTEM_WITHOUT_RESULTS, "a description without results")


@frozen
class _ProblemLog:
    source_id: str
    scope: str
    problems: list[Problem]

    def add(self, place: str, reason: Reason, detail: str, *, is_fatal: bool = False) -> None:
        self.problems.append(Problem(self.source_id, self.scope, place, reason, detail, is_fatal))


def match_accelerator(raw: str, memory: str, system_name: str, count: int | None, names: Matcher) -> str:
    """The registry id for a raw name with what stands beside it.

    The memory's size helps where the name is bare, the system's name where a family name leaves the version open; a
    system with accelerators but no name for them is unknown.
    """
    matched = names.match(raw, system_name).accelerator_id
    if matched == "none":
        return UNKNOWN if count else matched
    if matched == UNKNOWN or not memory:
        return matched
    with_memory = names.match(f"{raw} {memory}", system_name).accelerator_id
    return with_memory if with_memory.startswith(f"{matched}-") else matched


def _placed(described: Description, key: SystemKey, path: str, accelerator: str) -> Description:
    row = replace(
        described.row,
        submitter=described.row.submitter_raw or key[1],
        submitter_dir=key[1],
        system=key[2],
        accelerator=accelerator,
        system_path=path,
        problem=reasons_of(reason for reason, _ in described.notes),
    )
    return replace(described, row=row)


def _marked(systems: Systems, used: set[SystemKey]) -> tuple[MlperfSystem, ...]:
    return tuple(replace(described.row, has_results=key in used) for key, described in systems.items())


def reasons_of(reasons: Iterable[Reason]) -> str:
    """The reasons, each once, as the `problem` of a row."""
    return "; ".join(dict.fromkeys(reason.value for reason in reasons))


def system_notes(place: MemberPlace, described: Description | None) -> list[PlacedNote]:
    """What is wrong with the description of a result's system."""
    if described is None:
        return [(place.directory, Reason.SYSTEM_MISSING, f"no description of system {place.system!r}")]
    if not described.is_readable:
        return [(place.directory, Reason.SYSTEM_UNREADABLE, f"the description of {place.system!r} is unreadable")]
    return []


_SHARED = tuple(item.name for item in fields(MlperfRow))


def result_of(row_type: type[R], kind: RoundKind, place: MemberPlace, described: Description | None) -> R:
    """A result with the columns of its system's row and its place; the caller puts in the figures."""
    system = MlperfSystem(round=kind.round, suite=kind.suite) if described is None else described.row
    shared = {name: getattr(system, name) for name in _SHARED}
    return row_type(**shared | {
        "submitter_dir": place.submitter_dir,
        "system": place.system,
        "system_name": system.system_name or place.system,
        "benchmark_dir": place.benchmark_dir,
        "availability_raw": "" if described is None else described.availability_raw,
        "member_dir": place.directory,
        "problem": "",
    })  # fmt: skip


class StandInUnreadable(Exception):
    """A table of results is not as expected; names file, row and field."""


@frozen
class StandIn(Generic[R]):
    """One result as another table has it, and which: 'computed table', 'published summary' or 'checker output'."""

    result: R
    origin: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it the same result as a parsed one: suite, round and folder."""
        return self.result.suite, self.result.round, self.result.member_dir
