"""Submitters as organisations: one name each, joint submissions with their parts, market layers with their dates.

Pure. A raw name that is no known organisation and no list of known ones is kept as it came.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipelines.registry.dates import first_day, last_day
from pipelines.registry.entries import LayerEntry, OrganisationEntry
from pipelines.registry.names import name_key
from pipelines.registry.read_yaml import RegistryError

_JOINTS = re.compile(r"\s*[+/&_,]\s*|\s*-\s*|\s+and\s+")


@dataclass(frozen=True, slots=True)
class Submitter:
    """Who submitted: one organisation, several in order of name, or a raw name nobody knows (then no parts)."""

    raw: str
    name: str
    parts: tuple[str, ...]
    layer_entries: tuple[tuple[LayerEntry, ...], ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether every part is an organisation of the registry."""
        return bool(self.parts)

    def layers_on(self, day: dt.date) -> tuple[str, ...]:
        """All market layers of all parts that hold on a day, each once, in the registry's order."""
        held = (entry.layer for part in self.layer_entries for entry in part if holds_on(entry, day))
        return tuple(dict.fromkeys(held))

    def layer_on(self, day: dt.date) -> str | None:
        """The first-named layer that holds on a day; None where none is known or the parts differ."""
        firsts = {next((entry.layer for entry in part if holds_on(entry, day)), None) for part in self.layer_entries}
        return firsts.pop() if len(firsts) == 1 else None


class SubmitterNames:
    """Resolves raw submitter names and directories against the registry's organisations."""

    def __init__(self, organisations: Iterable[OrganisationEntry]) -> None:
        self._organisations = {entry.id: entry for entry in organisations}
        self._index = _name_index(self._organisations.values())

    def resolve(self, raw: str) -> Submitter:
        """The submitter behind a name or directory; of a path such as 'google/cloud_v2.8' the head counts."""
        whole = self._index.get(name_key(raw))
        if whole is not None:
            return self._submitter(raw, (whole,))
        pieces = [piece for piece in _JOINTS.split(raw) if piece]
        found = self._parts(pieces)
        if found:
            return self._submitter(raw, found)
        head = self._index.get(name_key(raw.partition("/")[0]))
        return Submitter(raw, raw, ()) if head is None or "/" not in raw else self._submitter(raw, (head,))

    def _parts(self, pieces: list[str]) -> tuple[str, ...]:
        """All pieces as organisations, neighbours joined ('Red', 'Hat') where only together they are one; else none."""
        if not pieces:
            return ()
        for taken in range(len(pieces), 0, -1):
            head = self._index.get(name_key(" ".join(pieces[:taken])))
            if head is None:
                continue
            if taken == len(pieces):
                return (head,)
            rest = self._parts(pieces[taken:])
            if rest:
                return (head, *rest)
        return ()

    def _submitter(self, raw: str, ids: tuple[str, ...]) -> Submitter:
        entries = sorted({self._organisations[part] for part in ids}, key=lambda entry: entry.name.casefold())
        return Submitter(
            raw=raw,
            name=" + ".join(entry.name for entry in entries),
            parts=tuple(entry.id for entry in entries),
            layer_entries=tuple(entry.layers for entry in entries),
        )


def holds_on(entry: LayerEntry, day: dt.date) -> bool:
    """Whether a dated layer covers a day; open ends cover everything on their side."""
    starts = first_day(entry.since) if entry.since is not None else dt.date.min
    ends = last_day(entry.until) if entry.until is not None else dt.date.max
    return starts <= day <= ends


def _name_index(organisations: Iterable[OrganisationEntry]) -> Mapping[str, str]:
    index: dict[str, str] = {}
    for entry in organisations:
        for spelling in (entry.id, entry.name, *entry.aliases):
            key = name_key(spelling)
            if index.get(key, entry.id) != entry.id:
                raise RegistryError(f"organisations.yaml: {entry.id}: alias {spelling!r} is also {index[key]}'s")
            index[key] = entry.id
    return index
