"""All entries of the registry together, and the checks that hold across them: ids once, references resolve.

Pure; reading files is `load`'s.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pipelines.frozen import frozen
from pipelines.registry.entries import (
    AcceleratorEntry,
    BenchmarkEntry,
    DomainEntry,
    FamilyEntry,
    GenerationEntry,
    OrganisationEntry,
    Reference,
    RoundEntry,
    SystemEntry,
    WordEntry,
)
from pipelines.registry.metric_entries import MetricEntry
from pipelines.registry.name_entries import CpuEntry, HomonymEntry, NetworkEntry, SiteEntry, SoftwareEntry
from pipelines.registry.read_yaml import RegistryError


@frozen
class Entries:
    """All entries as written, in file order."""

    references: tuple[Reference, ...]
    organisations: tuple[OrganisationEntry, ...]
    generations: tuple[GenerationEntry, ...]
    accelerators: tuple[AcceleratorEntry, ...]
    systems: tuple[SystemEntry, ...]
    rounds: tuple[RoundEntry, ...]
    benchmarks: tuple[BenchmarkEntry, ...]
    metrics: tuple[MetricEntry, ...]
    domains: tuple[DomainEntry, ...] = ()
    families: tuple[FamilyEntry, ...] = ()
    words: tuple[WordEntry, ...] = ()
    cpus: tuple[CpuEntry, ...] = ()
    networks: tuple[NetworkEntry, ...] = ()
    software: tuple[SoftwareEntry, ...] = ()
    sites: tuple[SiteEntry, ...] = ()
    homonyms: tuple[HomonymEntry, ...] = ()
    hardware_words: tuple[str, ...] = ()  # a name of the field is meant where one of these stands near
    lower_case_too: tuple[str, ...] = ()  # names that people also write without a capital


def accelerator_ids(entries: Entries) -> Iterable[str]:
    """Ids of all models and their variants, in file order."""
    for entry in entries.accelerators:
        yield entry.id
        yield from (variant.id for variant in entry.variants)


def _unique(what: str, ids: Iterable[str]) -> frozenset[str]:
    seen: set[str] = set()
    for entry_id in ids:
        if entry_id in seen:
            raise RegistryError(f"{what}: id {entry_id!r} is used twice")
        seen.add(entry_id)
    return frozenset(seen)


def _require(where: str, field: str, value: str | None, known: frozenset[str]) -> None:
    if value is not None and value not in known:
        raise RegistryError(f"{where}: {field}: no entry {value!r}")


def _hold(file: str, entries: Iterable[Any], **known: frozenset[str]) -> None:
    """Raise where a field of an entry, given by its name, leads to none of the ids that it may name."""
    for entry in entries:
        for field, ids in known.items():
            _require(f"{file}: {entry.id}", field, getattr(entry, field), ids)


def check_references(entries: Entries) -> None:
    """Raise `RegistryError` where an id is used twice or a reference leads nowhere."""
    references = _unique("references.yaml", (entry.id for entry in entries.references))
    organisations = _unique("organisations.yaml", (entry.id for entry in entries.organisations))
    generations = _unique("generations.yaml", (entry.id for entry in entries.generations))
    accelerators = _unique("accelerators", accelerator_ids(entries))
    _hold("organisations.yaml", entries.organisations, parent=organisations)
    for organisation in entries.organisations:
        for layer in organisation.layers:
            _require(f"organisations.yaml: {organisation.id}", "layers.reference", layer.reference, references)
    _unique("domains.yaml", (domain for entry in entries.domains for domain in entry.domains))
    for listed in entries.domains:
        _require("domains.yaml", "id", listed.id, organisations)
    _hold("generations.yaml", entries.generations, vendor=organisations, predecessor=generations)
    _hold("accelerators", entries.accelerators, vendor=organisations, generation=generations, predecessor=accelerators)
    for accelerator in entries.accelerators:
        for dated in (accelerator.first_available, *(variant.first_available for variant in accelerator.variants)):
            if dated is not None:
                where = f"accelerators: {accelerator.id}"
                _require(where, "first_available.reference", dated.reference, references)
    _check_systems(entries, references, organisations, accelerators)
    _check_mlperf(entries)
    _unique("metrics.yaml", (entry.id for entry in entries.metrics))
    _check_named(entries, references, organisations, accelerators)


def _check_systems(
    entries: Entries, references: frozenset[str], organisations: frozenset[str], accelerators: frozenset[str]
) -> None:
    systems = _unique("systems.yaml", (entry.id for entry in entries.systems))
    _hold("systems.yaml", entries.systems, vendor=organisations, reference=references, predecessor=systems)
    for system in entries.systems:
        where = f"systems.yaml: {system.id}"
        for part in system.parts:
            _require(where, "parts.accelerator", part.accelerator, accelerators)
        for named in system.names:
            _require(where, "names.reference", named.reference, references)


def _check_named(
    entries: Entries, references: frozenset[str], organisations: frozenset[str], accelerators: frozenset[str]
) -> None:
    cpus = _unique("cpus.yaml", (entry.id for entry in entries.cpus))
    networks = _unique("networks.yaml", (entry.id for entry in entries.networks))
    software = _unique("software.yaml", (entry.id for entry in entries.software))
    sites = _unique("sites.yaml", (entry.id for entry in entries.sites))
    _hold("cpus.yaml", entries.cpus, vendor=organisations, reference=references, predecessor=cpus)
    _hold("networks.yaml", entries.networks, vendor=organisations, reference=references, predecessor=networks)
    _hold("software.yaml", entries.software, vendor=organisations, reference=references, part_of=software)
    _hold(
        "sites.yaml", entries.sites,
        operator=organisations, part_of=sites, accelerator=accelerators, reference=references,
    )  # fmt: skip


def _check_mlperf(entries: Entries) -> None:
    _unique("mlperf_rounds.yaml", (f"{entry.suite}/{entry.round}" for entry in entries.rounds))
    known = _unique("mlperf_benchmarks.yaml", (f"{entry.suite}/{entry.id}" for entry in entries.benchmarks))
    rounds = frozenset(f"{entry.suite}/{entry.round}" for entry in entries.rounds)
    for entry in entries.benchmarks:
        where = f"mlperf_benchmarks.yaml: {entry.suite}/{entry.id}"
        _require(where, "replaces", entry.replaces and f"{entry.suite}/{entry.replaces}", known)
        _require(where, "first", entry.first and f"{entry.suite}/{entry.first}", rounds)
        _require(where, "last", entry.last and f"{entry.suite}/{entry.last}", rounds)
    names = frozenset(
        f"{entry.id}-{target.of}".removesuffix("-") for entry in entries.benchmarks for target in entry.targets
    )
    for family in entries.families:
        _require("mlperf_benchmarks.yaml: families", "benchmark", family.benchmark, names)
