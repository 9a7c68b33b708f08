"""One pass over an inference round's archive: what its members say, grouped by result and system. Judges nothing."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import BinaryIO, Final

from pipelines.parse.mlperf.inference import layout, power
from pipelines.parse.mlperf.inference.accuracy import read_accuracy, read_served_accuracy
from pipelines.parse.mlperf.inference.detail import DetailScanner
from pipelines.parse.mlperf.inference.layout import LARGEST_LOG, Place, Role
from pipelines.parse.mlperf.inference.power import PowerRun
from pipelines.parse.mlperf.inference.served import Served, read_served
from pipelines.parse.mlperf.inference.summary import Summary, read_summary
from pipelines.parse.mlperf.inference.system import design_power
from pipelines.parse.mlperf.jsontext import read_object
from pipelines.parse.mlperf.kind import RoundKind, recognise
from pipelines.parse.tarstream import DEFAULT, Limits, Member, TarReader, open_tar
from pipelines.problems import InputError, Problem, Reason

_LARGEST_TEXT: Final = 4 << 20  # summaries, descriptions, accuracy; real ones are below 1 MB
_MOST_HELD: Final = 32 << 20
_WHOLE: Final = 4 << 20  # logs up to this are scanned in one piece


@dataclass(slots=True)
class Run:
    """One performance run: its summary and what its detail log says."""

    summary: Summary | None = None
    values: dict[str, float] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    served: Served | None = None
    paths: list[str] = field(default_factory=list)
    samples: bytes = b""  # watt samples that came before the detail log


@dataclass(slots=True)
class ResultDir:
    """What one result's folder holds; `runs` by folder name, '' for files right in `performance/`."""

    place: Place
    runs: dict[str, Run] = field(default_factory=dict)
    accuracy: dict[str, float] = field(default_factory=dict)
    accuracy_path: str = ""
    weight_type: str = ""
    weight_path: str = ""
    power: PowerRun | None = None
    strays: list[str] = field(default_factory=list)
    problems: list[tuple[str, Reason, str]] = field(default_factory=list)
    is_cut: bool = False


@dataclass(slots=True)
class Material:
    """Everything that a round's archive says, before it is judged. Systems by (division, submitter folder, system)."""

    kind: RoundKind
    commit: str | None = None
    committed_at: dt.datetime | None = None
    results: dict[str, ResultDir] = field(default_factory=dict)
    systems: dict[tuple[str, str, str], tuple[str, bytes]] = field(default_factory=dict)
    design_watts: dict[tuple[str, str, str], float] = field(default_factory=dict)
    mappings: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    weights: dict[str, tuple[str, str]] = field(default_factory=dict)  # by result folder: data types, path
    problems: list[Problem] = field(default_factory=list)


def collect_round(stream: BinaryIO, *, source_id: str, limits: Limits = DEFAULT) -> Material:
    """Read a round's archive or pack in one pass.

    Raises `InputError` when nothing can be read at all or the top folder names no inference round.
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
    if kind is None or kind.suite != "inference":
        raise InputError(
            Reason.ROUND_UNKNOWN,
            top_folder,
            "the top folder names no MLPerf Inference round such as inference_results_v5.1",
            "Give the archive that GitHub serves for a round's repository, unchanged.",
        )
    return kind


class _Collector:
    def __init__(self, reader: TarReader, kind: RoundKind, source_id: str) -> None:
        self._reader = reader
        self._source_id = source_id
        self._seen: set[str] = set()
        self._last = ""
        self._held = 0  # bytes of watt samples that wait for their detail log
        self.material = Material(kind)
        self._adders: dict[Role, Callable[[Member, Place], None]] = {
            Role.SYSTEM: self._add_system,
            Role.DESIGN_POWER: self._add_design_power,
            Role.MAPPING: self._add_mapping,
            Role.MEASUREMENT: self._add_measurement,
            Role.SUMMARY: self._add_summary,
            Role.DETAIL: self._add_detail,
            Role.SAMPLES: self._add_samples,
            Role.METER: self._add_meter,
            Role.ACCURACY: self._add_accuracy,
            Role.SERVED: self._add_served,
            Role.SERVED_ACCURACY: self._add_accuracy,
            Role.STRAY: self._add_stray,
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
        self._last = place.directory if place.scenario_dir else self._last
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
        if reader.modified and 0 < reader.modified < 1 << 33:
            material.committed_at = dt.datetime.fromtimestamp(reader.modified, dt.UTC)
        problems = [replace(problem, scope=material.kind.key) for problem in reader.problems]
        links = [p for p in problems if p.reason is Reason.MEMBER_REFUSED and p.detail == "a symbolic link"
                 and layout.place_of(p.place.partition("/")[2]) is None]  # fmt: skip
        kept = [problem for problem in problems if problem not in set(links)]
        if links:
            detail = f"{len(links)} symbolic links among members that are not needed were not followed"
            kept.append(replace(links[0], detail=detail))
        material.problems = [*kept, *material.problems]
        return material

    def _note(self, place: str, reason: Reason, detail: str) -> None:
        self.material.problems.append(Problem(self._source_id, self.material.kind.key, place, reason, detail))

    def _result(self, place: Place) -> ResultDir:
        return self.material.results.setdefault(place.directory, ResultDir(place))

    def _run(self, member: Member, place: Place) -> Run:
        run = self._result(place).runs.setdefault(place.run, Run())
        run.paths.append(member.inner)
        return run

    def _text(self, member: Member, largest: int = _LARGEST_TEXT) -> bytes:
        """A member's bytes; b'' for one that is too large, which is noted."""
        if member.size > largest:
            self._note(member.inner, Reason.MEMBER_TOO_LARGE, f"{member.size} bytes; at most {largest} are read")
            return b""
        return self._reader.read()

    def _add_system(self, member: Member, place: Place) -> None:
        data = self._text(member)
        self.material.systems[place.division, place.submitter_dir, place.system] = (member.inner, data)

    def _add_design_power(self, member: Member, place: Place) -> None:
        watts = design_power(self._text(member))
        if watts is not None:
            self.material.design_watts[place.division, place.submitter_dir, place.system] = watts

    def _add_mapping(self, member: Member, place: Place) -> None:
        read = read_object(self._text(member))
        for reason, detail in read.notes:
            self._note(member.inner, reason, detail)
        pairs = {key: value for key, value in (read.value or {}).items() if isinstance(value, str)}
        self.material.mappings[place.division, place.submitter_dir] = pairs

    def _add_measurement(self, member: Member, place: Place) -> None:
        try:
            value = json.loads(self._text(member) or b"null")
        except (ValueError, RecursionError):
            self._note(member.inner, Reason.FIELD_UNREADABLE, "no JSON: the data types are not known")
            return
        types = value.get("weight_data_types") if isinstance(value, dict) else None
        if isinstance(types, list):
            types = ", ".join(map(str, types))
        if isinstance(types, str) and types.strip():
            self.material.weights.setdefault(place.directory, (types.strip(), member.inner))

    def _add_summary(self, member: Member, place: Place) -> None:
        run = self._run(member, place)
        run.summary = read_summary(self._text(member))
        if run.summary is None:
            detail = "no scenario and no result line"
            self._result(place).problems.append((member.inner, Reason.LOG_UNREADABLE, detail))

    def _add_detail(self, member: Member, place: Place) -> None:
        if member.size > LARGEST_LOG:
            self._note(member.inner, Reason.MEMBER_TOO_LARGE, f"{member.size} bytes; the summary is used instead")
            return
        run = self._run(member, place)
        scanner = DetailScanner(with_generated=self.material.kind.version < (2, 0))
        if member.size <= _WHOLE:
            scanner.feed(self._reader.read())
        else:
            for chunk in self._reader.chunks():
                scanner.feed(chunk)
        run.values, run.texts = scanner.values, scanner.texts
        if run.samples:
            data, run.samples = run.samples, b""
            self._held -= len(data)
            self._average(place, run, data)

    def _add_samples(self, member: Member, place: Place) -> None:
        run = self._run(member, place)
        data = self._text(member, LARGEST_LOG)
        if "power_begin" in run.texts:
            self._average(place, run, data)
        elif self._held + len(data) <= _MOST_HELD:
            run.samples = data
            self._held += len(data)
        else:
            self._power(place).error = "its watt samples come before the detail log; too many such were held already"

    def _average(self, place: Place, run: Run, data: bytes) -> None:
        """Mean watts at once: the samples of all results together would not fit into a small memory."""
        meter = self._power(place)
        window = power.window_of(run.texts.get("power_begin"), run.texts.get("power_end"))
        if window is None:
            meter.error = "the detail log states no power_begin and power_end"
            return
        meter.seconds = window.seconds
        if self.material.kind.version == (1, 0):
            window = window.moved(meter.zones.get("client.json", 0) - meter.zones.get("server.json", 0))
        meter.watts, meter.samples = power.average(data, window)
        if meter.watts is None:
            meter.error = "no watt sample between power_begin and power_end"

    def _power(self, place: Place) -> PowerRun:
        result = self._result(place)
        if result.power is None:
            result.power = PowerRun()
        return result.power

    def _add_meter(self, member: Member, place: Place) -> None:
        meter = self._power(place)
        meter.paths.append(member.inner)
        power.read_session(self._text(member), place.run, meter)

    def _add_accuracy(self, member: Member, place: Place) -> None:
        result = self._result(place)
        read = read_accuracy if place.role is Role.ACCURACY else read_served_accuracy
        result.accuracy = read(self._text(member))
        result.accuracy_path = member.inner
        if not result.accuracy:
            result.problems.append((member.inner, Reason.FIELD_UNREADABLE, "no accuracy of a known form"))

    def _add_served(self, member: Member, place: Place) -> None:
        run = self._run(member, place)
        run.served = read_served(self._text(member))
        if run.served is None:
            detail = "no result summary of the endpoints tool"
            self._result(place).problems.append((member.inner, Reason.LOG_UNREADABLE, detail))

    def _add_stray(self, member: Member, place: Place) -> None:
        self._result(place).strays.append(member.inner)
