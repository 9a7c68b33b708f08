"""Who speaks and who makes: names of claimants and subjects as organisations of the registry. Pure."""

from __future__ import annotations

from functools import lru_cache

from pipelines.claims.grade import Speaker
from pipelines.registry import Registry, load_registry
from pipelines.registry.entries import OrganisationEntry


class Speakers:
    """Look-ups from names and subject ids to organisations; answers from the registry in memory."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._vendors = {
            entry_id: entry.vendor
            for entry in registry.entries.accelerators
            for entry_id in (entry.id, *(variant.id for variant in entry.variants))
        } | {entry.id: entry.vendor for entry in registry.entries.systems}
        for entry in registry.entries.generations:
            self._vendors.setdefault(entry.id, entry.vendor)
        self._vendors |= {site.id: site.operator for site in registry.entries.sites if site.operator is not None}

    @classmethod
    @lru_cache(maxsize=1)
    def load(cls) -> Speakers:
        """The speakers of the registry that ships with the code."""
        return cls(load_registry())

    def speaker(self, name: str) -> Speaker:
        """The organisation behind a name or id; an empty id when the registry knows none or several."""
        if not name:
            return Speaker("")
        entry = self._registry.organisation(name)
        if entry is None:
            parts = self._registry.submitter(name).parts
            entry = self._registry.organisation(parts[0]) if len(parts) == 1 else None
        return Speaker(entry.id, frozenset(self._parents(entry))) if entry is not None else Speaker("")

    def makers(self, subject_id: str, subject: str) -> frozenset[str]:
        """Who makes, sells or runs the subject, or who it is, with the companies above; empty when unknown."""
        vendor = self._vendors.get(subject_id)
        entry = self._registry.organisation(vendor or subject_id)
        if entry is None and vendor is None:
            found = self._bearer(subject)
            return frozenset({found.organisation_id, *found.groups} - {""})
        return frozenset({entry.id, *self._parents(entry)}) if entry is not None else frozenset()

    def _bearer(self, subject: str) -> Speaker:
        """The organisation whose name a thing bears: 'Azure Standard_ND128isr_GB300_v6' is Azure's."""
        words = subject.split()
        named = (self.speaker(" ".join(words[:count])) for count in range(len(words), 0, -1))
        return next((found for found in named if found.organisation_id), Speaker(""))

    def _parents(self, entry: OrganisationEntry) -> set[str]:
        found: set[str] = set()
        while entry.parent is not None and entry.parent not in found:
            found.add(entry.parent)
            above = self._registry.organisation(entry.parent)
            if above is None:
                break
            entry = above
        return found
