"""One pass over a round's archive: what its members say, grouped by result folder and by system. Judges nothing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Final

from pipelines.parse.mlperf import layout
from pipelines.parse.mlperf.jsontext import read_object
from pipelines.parse.mlperf.kind import RoundKind, recognise
from pipelines.parse.mlperf.layout import Place, Role
from pipelines.parse.mlperf.mllines import Shapes
from pipelines.parse.mlperf.mllog import PIECE_SIZE, WANTED_KEYS, LogScanner, RunLog
from pipelines.parse.mlperf.power import PowerError, read_node, read_switch
from pipelines.parse.tarstream import DEFAULT, Limits, Member, TarReader, open_tar
from pipelines.problems import InputError, Problem, Reason

_LARGEST_TEXT: Final = 1 << 20  # a description or scaling file; real ones are below 20 kB
_LARGEST_POWER_LOG: Final = 16 << 20


@dataclass(slots=True)
class RunPower:
    """Power of one run: watts of its nodes and switches, files read, what went wrong."""

    watts: float = 0.0
    nodes: int = 0
    errors: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ResultDir:
    """What one result's folder holds. `logs` and `paths` are by the log's stem."""

    place: Place
    logs: dict[str, RunLog] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    scaling_factor: float | None = None
    scaling_path: str = ""
    scaling_error: str = ""
    power: dict[str, RunPower] = field(default_factory=dict)
    power_paths: list[str] = field(default_factory=list)
    strays: list[str] = field(default_factory=list)
    is_cut: bool = False


@dataclass(slots=True)
class Material:
    """Everything that a round's archive says, before it is judged. `systems` are by (submitter folder, system)."""

    kind: RoundKind
    commit: str | None = None
    committed_at: dt.datetime | None = None
    results: dict[str, ResultDir] = field(default_factory=dict)
    systems: dict[tuple[str, str], tuple[str, bytes]] = field(default_factory=dict)
    orgs: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def collect_round(stream: BinaryIO, *, source_id: str, limits: Limits = DEFAULT) -> Material:
    """Read a round's archive or pack in one pass.

    Raises `InputError` when nothing can be read at all or the top folder names no training or HPC round.
    """
    reader = open_tar(stream, limits=limits, source_id=source_id)
    collector: _Collector | None = None
    for member in reader:
        if collector is None:
            collector = _Collector(reader, _kind_of(reader.top_folder), source_id)
        place = layout.place_of(member.inner)
        if place is not None:
            collector.add(member, place)
    if collector is None:
        collector = _Collector(reader, _kind_of(reader.top_folder), source_id)
    return collector.finish()


def _kind_of(top_folder: str) -> RoundKind:
    kind = recognise(top_folder)
    if kind is None or kind.suite not in ("training", "hpc"):
        raise InputError(
            Reason.ROUND_UNKNOWN,
            top_folder,
            "the top folder names no MLPerf Training or HPC round such as training_results_v5.0",
            "Give the archive that GitHub serves for a round's repository, unchanged.",
        )
    return kind


class _Collector:
    def __init__(self, reader: TarReader, kind: RoundKind, source_id: str) -> None:
        self._reader = reader
        self._source_id = source_id
        self._shapes = Shapes(WANTED_KEYS)
        self._last = ""
        self._seen: set[str] = set()
        self.material = Material(kind)
        self._adders: dict[Role, Callable[[Member, Place], None]] = {
            Role.SYSTEM: self._add_system,
            Role.ENTRY: self._add_system,
            Role.SUBMISSION: self._add_submission,
            Role.LOG: self._add_log,
            Role.SCALING: self._add_scaling,
            Role.POWER: self._add_power,
            Role.STRAY_LOG: self._add_stray,
            Role.NESTED_LOG: self._add_stray,
        }

    def add(self, member: Member, place: Place) -> None:
        """Read one member that belongs to the round."""
        if not member.path.removeprefix("./").startswith(self._reader.top_folder + "/"):
            self._note(member.path, Reason.MEMBER_LAYOUT_UNKNOWN, "outside the archive's top folder; not read")
            return
        if member.inner in self._seen:
            self._note(member.inner, Reason.ROW_DUPLICATED, "a second member of this name; the first was kept")
            return
        self._seen.add(member.inner)
        if place.directory:
            self._last = place.directory
        try:
            self._adders[place.role](member, place)
        except InputError as error:
            self._note(member.inner, error.reason, f"{error.detail}; the member is cut off and not used")

    def finish(self) -> Material:
        """Close the pass: the archive's own problems, its commit and time."""
        material, reader = self.material, self._reader
        if not reader.is_complete and self._last in material.results:
            material.results[self._last].is_cut = True
        material.commit = reader.commit
        material.committed_at = _moment(reader.modified)
        problems = [replace(problem, scope=material.kind.key) for problem in reader.problems]
        material.problems = [*_without_common_links(problems), *material.problems]
        return material

    def _note(self, place: str, reason: Reason, detail: str) -> None:
        self.material.problems.append(Problem(self._source_id, self.material.kind.key, place, reason, detail))

    def _result(self, place: Place) -> ResultDir:
        return self.material.results.setdefault(place.directory, ResultDir(place))

    def _text(self, member: Member, largest: int) -> bytes | None:
        if member.size > largest:
            self._note(member.inner, Reason.MEMBER_TOO_LARGE, f"{member.size} bytes; at most {largest} are read")
            return None
        return self._reader.read()

    def _add_system(self, member: Member, place: Place) -> None:
        data = self._text(member, _LARGEST_TEXT)
        if data is not None:
            self.material.systems[place.submitter_dir, place.system] = (member.inner, data)

    def _add_submission(self, member: Member, place: Place) -> None:
        data = self._text(member, _LARGEST_TEXT)
        if data is None:
            return
        submission = read_object(data)
        for reason, detail in submission.notes:
            self._note(member.inner, reason, detail)
        org = (submission.value or {}).get("org")
        if isinstance(org, str):
            self.material.orgs[place.submitter_dir] = org.strip()

    def _add_log(self, member: Member, place: Place) -> None:
        result = self._result(place)
        result.paths[place.run] = member.inner
        result.logs[place.run] = RunLog()
        result.logs[place.run] = self._scan(place)

    def _scan(self, place: Place) -> RunLog:
        is_weak, is_unnamed = place.table == "weak", not place.benchmark_dir
        scanner = LogScanner(self._shapes, with_instance=is_weak, with_benchmark=is_unnamed)
        chunks: list[bytes] = []
        size = 0
        for chunk in self._reader.chunks():
            chunks.append(chunk)
            size += len(chunk)
            if size >= PIECE_SIZE:
                scanner.feed(b"".join(chunks))
                chunks, size = [], 0
        return scanner.finish(b"".join(chunks))

    def _add_stray(self, member: Member, place: Place) -> None:
        result = self._result(place)
        result.strays.append(member.inner)
        if not place.benchmark_dir and layout.is_log(place.run):
            result.logs[place.run] = self._scan(place)
            result.paths[place.run] = member.inner

    def _add_scaling(self, member: Member, place: Place) -> None:
        result = self._result(place)
        result.scaling_path = member.inner
        data = self._text(member, _LARGEST_TEXT)
        factor = ((read_object(data).value if data is not None else None) or {}).get("scaling_factor")
        if isinstance(factor, (int, float)) and not isinstance(factor, bool) and 0 < factor < 1e6:
            result.scaling_factor = float(factor)
        else:
            result.scaling_error = f"no scaling factor above zero: {factor!r}"

    def _add_power(self, member: Member, place: Place) -> None:
        result = self._result(place)
        result.power_paths.append(member.inner)
        run = result.power.setdefault(place.run, RunPower())
        is_node = member.inner.rpartition("/")[2].startswith("node_")
        run.nodes += is_node
        data = self._text(member, _LARGEST_POWER_LOG)
        if data is None:
            run.errors.append(f"{member.inner}: too large")
            return
        try:
            run.watts += (read_node(data) if is_node else read_switch(data)).watts
        except PowerError as error:
            run.errors.append(f"{member.inner}: {error}")


def _without_common_links(problems: list[Problem]) -> list[Problem]:
    """Links in submitters' code are ordinary: those where the parser needs nothing become one problem."""
    links = [
        problem for problem in problems
        if problem.reason is Reason.MEMBER_REFUSED and problem.detail == "a symbolic link"
        and not layout.is_wanted(problem.place.partition("/")[2], 0)
    ]  # fmt: skip
    if not links:
        return problems
    kept = [problem for problem in problems if problem not in set(links)]
    detail = f"{len(links)} symbolic links among members that are not needed were not followed"
    return [*kept, replace(links[0], detail=detail)]


def _moment(unix_seconds: int | None) -> dt.datetime | None:
    if not unix_seconds or not 0 < unix_seconds < 1 << 33:
        return None
    return dt.datetime.fromtimestamp(unix_seconds, dt.UTC)
