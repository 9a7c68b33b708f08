"""The registry as one object: look-ups by id, and from raw words to accelerators, submitters, rounds, benchmarks.

Everything here answers from the entries in memory; `load` reads them. A submitter's name that is no known organisation
and no list of known ones is kept as it came.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pipelines.frozen import frozen
from pipelines.registry.accelerators import AcceleratorNames
from pipelines.registry.entries import AcceleratorEntry, GenerationEntry, OrganisationEntry, SystemEntry
from pipelines.registry.load import Entries, by_spelling, committed_entries
from pipelines.registry.metric_entries import MetricEntry
from pipelines.registry.mlperf import MlperfRules
from pipelines.registry.mlperf_entries import BenchmarkEntry, RoundEntry
from pipelines.registry.name_entries import NetworkEntry
from pipelines.registry.names import name_key

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


class Registry:
    """All curated knowledge about names; immutable."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.accelerator_names = AcceleratorNames(entries)
        self.mlperf = MlperfRules(entries)
        self._organisations = {entry.id: entry for entry in entries.organisations}
        spelled = ((each, e.id, e.id) for e in entries.organisations for each in (e.id, *e.spellings))
        self._organisation_names = by_spelling("organisations.yaml", spelled)
        self._resolve = lru_cache(maxsize=8192)(self._submitted)
        self._generations = {entry.id: entry for entry in entries.generations}
        self._accelerators = {name: entry for entry in entries.accelerators for name in entry.keys}
        named = ((each, entry.id, entry) for entry in entries.systems for each in (entry.id, *entry.spellings))
        self._systems = by_spelling("systems.yaml", named)
        self._metrics = {entry.id: entry for entry in entries.metrics}
        self._networks = {entry.id: entry for entry in entries.networks}

    def network(self, network_id: str) -> NetworkEntry | None:
        """The link, switch, adapter or fabric with an id."""
        return self._networks.get(network_id)

    def organisation(self, organisation_id: str) -> OrganisationEntry | None:
        """The organisation with an id."""
        return self._organisations.get(organisation_id)

    def generation(self, generation_id: str) -> GenerationEntry | None:
        """The generation with an id."""
        return self._generations.get(generation_id)

    def accelerator(self, accelerator_id: str) -> AcceleratorEntry | None:
        """The model entry with an id; a variant's id gives its model."""
        return self._accelerators.get(accelerator_id)

    def memory_sizes(self, accelerator_id: str) -> tuple[float, ...]:
        """The sizes of memory that an accelerator and its variants have, in GB; empty where none is known."""
        entry = self.accelerator(accelerator_id)
        if entry is None:
            return ()
        sizes = (entry.memory_gb, *entry.memory_printed_gb, *(variant.memory_gb for variant in entry.variants))
        return tuple(dict.fromkeys(size for size in sizes if size is not None))

    def system(self, name: str) -> SystemEntry | None:
        """The system that bears a name, or bore it once: 'Vera Rubin NVL144' and 'VR NVL72' are one machine."""
        return self._systems.get(name_key(name))

    def metric(self, metric_id: str) -> MetricEntry:
        """The metric with an id; raises `KeyError` for a word that is none."""
        return self._metrics[metric_id]

    def metrics(self) -> tuple[MetricEntry, ...]:
        """All metrics in the order of the file."""
        return self.entries.metrics

    def submitter(self, raw: str) -> Submitter:
        """The submitter behind a name as typed in a system description, or behind a directory."""
        return self._resolve(raw)

    def round(self, suite: str, round_name: str) -> RoundEntry | None:
        """The round of a suite ('training', 'hpc', 'inference'), with or without the leading v."""
        return self.mlperf.round(suite, round_name)

    def benchmark(self, suite: str, round_name: str, directory: str) -> BenchmarkEntry | None:
        """The benchmark that a directory name means in a round; accuracy classes such as '-99.9' are no part of it."""
        return self.mlperf.benchmark(suite, round_name, directory)

    def _submitted(self, raw: str) -> Submitter:
        """The submitter behind a name or directory; of a path such as 'google/cloud_v2.8' the head counts."""
        whole = self._organisation_names.get(name_key(raw))
        if whole is not None:
            return self._submitter(raw, (whole,))
        pieces = [piece for piece in _JOINTS.split(raw) if piece]
        found = self._parts(pieces)
        if found:
            return self._submitter(raw, found)
        head = self._organisation_names.get(name_key(raw.partition("/")[0]))
        return Submitter(raw, raw, ()) if head is None or "/" not in raw else self._submitter(raw, (head,))

    def _parts(self, pieces: list[str]) -> tuple[str, ...]:
        """All pieces as organisations, neighbours joined ('Red', 'Hat') where only together they are one; else none."""
        if not pieces:
            return ()
        for taken in range(len(pieces), 0, -1):
            head = self._organisation_names.get(name_key(" ".join(pieces[:taken])))
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


@lru_cache(maxsize=1)
def load_registry() -> Registry:
    """The registry that ships with the code, read and checked once."""
    return Registry(committed_entries())
