"""What the members of an inference round say: descriptions, summaries and detail logs, watts, accuracy."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final

from pipelines.parse.mlperf.common import collect
from pipelines.parse.mlperf.common.collect import PlacedNote
from pipelines.parse.mlperf.common.kind import MemberPlace, RoundKind, SystemKey
from pipelines.parse.mlperf.common.system import read_object
from pipelines.parse.mlperf.inference import power
from pipelines.parse.mlperf.inference.layout import LARGEST_LOG, Role
from pipelines.parse.mlperf.inference.logs import (
    DetailScanner,
    Served,
    Summary,
    read_accuracy,
    read_served,
    read_served_accuracy,
    read_summary,
)
from pipelines.parse.mlperf.inference.power import PowerRun
from pipelines.parse.mlperf.inference.system import design_power
from pipelines.parse.tarstream import Member, TarReader
from pipelines.problems import Reason

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
class ResultDir(collect.ResultDir):
    """What one result's folder holds; `runs` by folder name, '' for files right in `performance/`."""

    runs: dict[str, Run] = field(default_factory=dict)
    accuracy: dict[str, float] = field(default_factory=dict)
    accuracy_path: str = ""
    power: PowerRun | None = None
    problems: list[PlacedNote] = field(default_factory=list)


@dataclass(slots=True)
class Material(collect.Material[ResultDir]):
    """What an inference round says. `mappings` are by division and submitter's folder, `weights` by result folder."""

    design_watts: dict[SystemKey, float] = field(default_factory=dict)
    mappings: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    weights: dict[str, tuple[str, str]] = field(default_factory=dict)  # data types, path


class Collector(collect.Collector[ResultDir, Material]):
    """Reads the members of an inference round."""

    largest_text: ClassVar = 4 << 20  # summaries, descriptions, accuracy; real ones are below 1 MB

    def __init__(self, reader: TarReader, kind: RoundKind, source_id: str, place_of: collect.PlaceOf) -> None:
        super().__init__(reader, source_id, place_of, Material(kind), ResultDir)
        self._held = 0  # bytes of watt samples that wait for their detail log

    def _adders(self) -> Mapping[Enum, Callable[[Member, MemberPlace], None]]:
        return {
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

    def _data(self, member: Member) -> bytes:
        """A member's bytes; b'' for one that is too large."""
        return self._text(member) or b""

    def _run(self, member: Member, place: MemberPlace) -> Run:
        run = self._result(place).runs.setdefault(place.run, Run())
        run.paths.append(member.inner)
        return run

    def _add_design_power(self, member: Member, place: MemberPlace) -> None:
        watts = design_power(self._data(member))
        if watts is not None:
            self.material.design_watts[place.owner] = watts

    def _add_mapping(self, member: Member, place: MemberPlace) -> None:
        read = read_object(self._data(member))
        for reason, detail in read.notes:
            self._note(member.inner, reason, detail)
        pairs = {key: value for key, value in (read.value or {}).items() if isinstance(value, str)}
        self.material.mappings[place.division, place.submitter_dir] = pairs

    def _add_measurement(self, member: Member, place: MemberPlace) -> None:
        try:
            value = json.loads(self._data(member) or b"null")
        except (ValueError, RecursionError):
            self._note(member.inner, Reason.FIELD_UNREADABLE, "no JSON: the data types are not known")
            return
        types = value.get("weight_data_types") if isinstance(value, dict) else None
        if isinstance(types, list):
            types = ", ".join(map(str, types))
        if isinstance(types, str) and types.strip():
            self.material.weights.setdefault(place.directory, (types.strip(), member.inner))

    def _add_summary(self, member: Member, place: MemberPlace) -> None:
        run = self._run(member, place)
        run.summary = read_summary(self._data(member))
        if run.summary is None:
            detail = "no scenario and no result line"
            self._result(place).problems.append((member.inner, Reason.LOG_UNREADABLE, detail))

    def _add_detail(self, member: Member, place: MemberPlace) -> None:
        if member.size > LARGEST_LOG:
            self._note(member.inner, Reason.MEMBER_TOO_LARGE, f"{member.size} bytes; the summary is used instead")
            return
        run = self._run(member, place)
        scanner = DetailScanner(with_generated=self.kind.version < (2, 0))
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

    def _add_samples(self, member: Member, place: MemberPlace) -> None:
        run = self._run(member, place)
        data = self._text(member, LARGEST_LOG) or b""
        if "power_begin" in run.texts:
            self._average(place, run, data)
        elif self._held + len(data) <= _MOST_HELD:
            run.samples = data
            self._held += len(data)
        else:
            self._power(place).error = "its watt samples come before the detail log; too many such were held already"

    def _average(self, place: MemberPlace, run: Run, data: bytes) -> None:
        """Mean watts at once: the samples of all results together would not fit into a small memory."""
        meter = self._power(place)
        window = power.window_of(run.texts.get("power_begin"), run.texts.get("power_end"))
        if window is None:
            meter.error = "the detail log states no power_begin and power_end"
            return
        meter.seconds = window.seconds
        if self.kind.version == (1, 0):
            window = window.moved(meter.zones.get("client.json", 0) - meter.zones.get("server.json", 0))
        meter.watts, meter.samples = power.average(data, window)
        if meter.watts is None:
            meter.error = "no watt sample between power_begin and power_end"

    def _power(self, place: MemberPlace) -> PowerRun:
        result = self._result(place)
        if result.power is None:
            result.power = PowerRun()
        return result.power

    def _add_meter(self, member: Member, place: MemberPlace) -> None:
        meter = self._power(place)
        meter.paths.append(member.inner)
        power.read_session(self._data(member), place.run, meter)

    def _add_accuracy(self, member: Member, place: MemberPlace) -> None:
        result = self._result(place)
        read = read_accuracy if place.role is Role.ACCURACY else read_served_accuracy
        result.accuracy = read(self._data(member))
        result.accuracy_path = member.inner
        if not result.accuracy:
            result.problems.append((member.inner, Reason.FIELD_UNREADABLE, "no accuracy of a known form"))

    def _add_served(self, member: Member, place: MemberPlace) -> None:
        run = self._run(member, place)
        run.served = read_served(self._data(member))
        if run.served is None:
            detail = "no result summary of the endpoints tool"
            self._result(place).problems.append((member.inner, Reason.LOG_UNREADABLE, detail))
