"""What the members of a training or HPC round say: descriptions, logs of runs, scaling factors, power logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final

from pipelines.parse.mlperf.common import collect
from pipelines.parse.mlperf.common.kind import MemberPlace, RoundKind
from pipelines.parse.mlperf.common.system import read_object
from pipelines.parse.mlperf.training import layout
from pipelines.parse.mlperf.training.layout import Role
from pipelines.parse.mlperf.training.mllog import PIECE_SIZE, WANTED_KEYS, LogScanner, RunLog, Shapes
from pipelines.parse.mlperf.training.score import PowerError, read_node, read_switch
from pipelines.parse.tarstream import Member, TarReader

_LARGEST_POWER_LOG: Final = 16 << 20


@dataclass(slots=True)
class RunPower:
    """Power of one run: watts of its nodes and switches, files read, what went wrong."""

    watts: float = 0.0
    nodes: int = 0
    errors: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ResultDir(collect.ResultDir):
    """What one result's folder holds. `logs` and `paths` are by the log's stem."""

    logs: dict[str, RunLog] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)
    scaling_factor: float | None = None
    scaling_path: str = ""
    scaling_error: str = ""
    power: dict[str, RunPower] = field(default_factory=dict)
    power_paths: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Material(collect.Material[ResultDir]):
    """What a training round says; `orgs` are v0.5's submitters by folder."""

    orgs: dict[str, str] = field(default_factory=dict)


class Collector(collect.Collector[ResultDir, Material]):
    """Reads the members of a training or HPC round."""

    largest_text: ClassVar = 1 << 20  # a description or scaling file; real ones are below 20 kB

    def __init__(self, reader: TarReader, kind: RoundKind, source_id: str, place_of: collect.PlaceOf) -> None:
        super().__init__(reader, source_id, place_of, Material(kind), ResultDir)
        self._shapes = Shapes(WANTED_KEYS)

    def _adders(self) -> Mapping[Enum, Callable[[Member, MemberPlace], None]]:
        return {
            Role.SYSTEM: self._add_system,
            Role.ENTRY: self._add_system,
            Role.SUBMISSION: self._add_submission,
            Role.LOG: self._add_log,
            Role.SCALING: self._add_scaling,
            Role.POWER: self._add_power,
            Role.STRAY_LOG: self._add_stray_log,
            Role.NESTED_LOG: self._add_stray_log,
        }

    def _add_submission(self, member: Member, place: MemberPlace) -> None:
        data = self._text(member)
        if data is None:
            return
        submission = read_object(data)
        for reason, detail in submission.notes:
            self._note(member.inner, reason, detail)
        org = (submission.value or {}).get("org")
        if isinstance(org, str):
            self.material.orgs[place.submitter_dir] = org.strip()

    def _add_log(self, member: Member, place: MemberPlace) -> None:
        result = self._result(place)
        result.paths[place.run] = member.inner
        result.logs[place.run] = RunLog()
        result.logs[place.run] = self._scan(place)

    def _scan(self, place: MemberPlace) -> RunLog:
        is_weak, is_unnamed = place.mode == "weak", not place.benchmark_dir
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

    def _add_stray_log(self, member: Member, place: MemberPlace) -> None:
        self._add_stray(member, place)
        if not place.benchmark_dir and layout.is_log(place.run):
            result = self._result(place)
            result.logs[place.run] = self._scan(place)
            result.paths[place.run] = member.inner

    def _add_scaling(self, member: Member, place: MemberPlace) -> None:
        result = self._result(place)
        result.scaling_path = member.inner
        data = self._text(member)
        factor = ((read_object(data).value if data is not None else None) or {}).get("scaling_factor")
        if isinstance(factor, (int, float)) and not isinstance(factor, bool) and 0 < factor < 1e6:
            result.scaling_factor = float(factor)
        else:
            result.scaling_error = f"no scaling factor above zero: {factor!r}"

    def _add_power(self, member: Member, place: MemberPlace) -> None:
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
            run.watts += read_node(data) if is_node else read_switch(data)
        except PowerError as error:
            run.errors.append(f"{member.inner}: {error}")
