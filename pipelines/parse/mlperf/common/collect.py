"""One pass over a round's archive: what its members say, grouped by result and by system. Judges nothing."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, ClassVar, Generic, TypeVar

from pipelines.parse.mlperf.common.kind import MemberPlace, RoundKind, SystemKey
from pipelines.parse.tarstream import Member, TarReader
from pipelines.problems import InputError, Problem, Reason

PlaceOf = Callable[[str], MemberPlace | None]
PlacedNote = tuple[str, Reason, str]


@dataclass(slots=True)
class ResultDir:
    """What one result's folder holds."""

    place: MemberPlace
    strays: list[str] = field(default_factory=list)
    is_cut: bool = False


D = TypeVar("D", bound=ResultDir)
M = TypeVar("M", bound="Material[Any]")


@dataclass(slots=True)
class Material(Generic[D]):
    """Everything that a round's archive says, before it is judged. `systems` hold path and bytes of a description."""

    kind: RoundKind
    commit: str | None = None
    committed_at: dt.datetime | None = None
    results: dict[str, D] = field(default_factory=dict)
    systems: dict[SystemKey, tuple[str, bytes]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


class Collector(ABC, Generic[D, M]):
    """Reads the members of one round into `material`; a suite says what it does with each role."""

    largest_text: ClassVar[int]

    def __init__(self, reader: TarReader, source_id: str, place_of: PlaceOf, material: M, result: type[D]) -> None:
        self._reader = reader
        self._source_id = source_id
        self._place_of = place_of
        self._seen: set[str] = set()
        self._last = ""
        self.material = material
        self.kind: RoundKind = material.kind
        self._result_type = result

    @abstractmethod
    def _adders(self) -> Mapping[Enum, Callable[[Member, MemberPlace], None]]: ...

    def read(self, members: Iterable[Member]) -> None:
        """Read the members that belong to the round, in the order in which they stand."""
        adders = self._adders()
        for member in members:
            place = self._place_of(member.inner)
            if place is None or not self._is_first(member):
                continue
            self._last = place.directory or self._last
            try:
                with self._reader.guard(member.inner):
                    adders[place.role](member, place)
            except InputError as error:
                self._note(member.inner, error.reason, f"{error.detail}; the member is cut off and not used")
        self._finish()

    def _is_first(self, member: Member) -> bool:
        """Whether a member stands below the top folder and is the first of its name; what is not is noted."""
        if not member.path.removeprefix("./").startswith(self._reader.top_folder + "/"):
            self._note(member.path, Reason.MEMBER_LAYOUT_UNKNOWN, "outside the archive's top folder; not read")
            return False
        if member.inner in self._seen:
            self._note(member.inner, Reason.ROW_DUPLICATED, "a second member of this name; the first was kept")
            return False
        self._seen.add(member.inner)
        return True

    def _finish(self) -> None:
        """Close the pass: the archive's own problems, its commit and time."""
        material, reader = self.material, self._reader
        if not reader.is_complete and self._last in material.results:
            material.results[self._last].is_cut = True
        material.commit = reader.commit
        if reader.modified and 0 < reader.modified < 1 << 33:
            material.committed_at = dt.datetime.fromtimestamp(reader.modified, dt.UTC)
        problems = [replace(problem, source_id=self._source_id, scope=self.kind.key) for problem in reader.problems]
        material.problems[:0] = self._without_common_links(problems)

    def _without_common_links(self, problems: list[Problem]) -> list[Problem]:
        """Links in submitters' code are ordinary: those where the parser needs nothing become one problem."""
        links = [p for p in problems if p.reason is Reason.MEMBER_REFUSED and p.detail == "a symbolic link"
                 and self._place_of(p.place.partition("/")[2]) is None]  # fmt: skip
        if not links:
            return problems
        kept = [problem for problem in problems if problem not in set(links)]
        detail = f"{len(links)} symbolic links among members that are not needed were not followed"
        return [*kept, replace(links[0], detail=detail)]

    def _note(self, place: str, reason: Reason, detail: str) -> None:
        self.material.problems.append(Problem(self._source_id, self.kind.key, place, reason, detail))

    def _result(self, place: MemberPlace) -> D:
        results: dict[str, D] = self.material.results
        if place.directory not in results:
            results[place.directory] = self._result_type(place)
        return results[place.directory]

    def _text(self, member: Member, largest: int = 0) -> bytes | None:
        """A member's bytes; None for one that is too large, which is noted."""
        largest = largest or self.largest_text
        if member.size > largest:
            self._note(member.inner, Reason.MEMBER_TOO_LARGE, f"{member.size} bytes; at most {largest} are read")
            return None
        return self._reader.read()

    def _add_system(self, member: Member, place: MemberPlace) -> None:
        data = self._text(member)
        if data is not None:
            self.material.systems[place.owner] = (member.inner, data)

    def _add_stray(self, member: Member, place: MemberPlace) -> None:
        self._result(place).strays.append(member.inner)
