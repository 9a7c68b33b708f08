"""Submitters as organisations: one name each, joint submissions with their parts, market layers with their dates.

Pure. A raw name that is no known organisation and no list of known ones is kept as it came.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pipelines.frozen import frozen
from pipelines.registry.entries import OrganisationEntry
from pipelines.registry.names import name_key
from pipelines.registry.read_yaml import RegistryError

_JOINTS = re.compile(r"\s*[+/&_,]\s*|\s*-\s*|\s+and\s+")


@frozen
class Submitter:
    """Who submitted: one organisation, several in order of name, or a raw name nobody knows (then no parts)."""

    raw: str
    name: str
    parts: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """Whether every part is an organisation of the registry."""
        return bool(self.parts)


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
        )


def _name_index(organisations: Iterable[OrganisationEntry]) -> Mapping[str, str]:
    index: dict[str, str] = {}
    for entry in organisations:
        for spelling in (entry.id, entry.name, *entry.aliases):
            key = name_key(spelling)
            if index.get(key, entry.id) != entry.id:
                raise RegistryError(f"organisations.yaml: {entry.id}: alias {spelling!r} is also {index[key]}'s")
            index[key] = entry.id
    return index
