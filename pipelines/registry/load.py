"""The registry's YAML as one set of frozen entries; `checks` then resolves what they refer to."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from pipelines.registry.checks import Entries, check_references
from pipelines.registry.entries import (
    AcceleratorEntry,
    AdopterEntry,
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
from pipelines.registry.read_yaml import HERE, RegistryError, read_section, read_words

__all__ = ["HERE", "Entries", "RegistryError", "committed_entries", "read_entries"]


def _with_adopters(
    organisations: tuple[OrganisationEntry, ...], adopters: tuple[AdopterEntry, ...]
) -> tuple[OrganisationEntry, ...]:
    """The organisations with the layers of `adopters.yaml`, new ones behind."""
    known = {entry.id: entry for entry in organisations}
    for adopter in adopters:
        try:
            known[adopter.id] = adopter.joined(known.get(adopter.id))
        except ValueError as error:
            raise RegistryError(f"adopters.yaml: {adopter.id}: {error}") from error
    return tuple(known.values())


def read_entries(folder: Path = HERE) -> Entries:
    """Read and validate all registry files of a folder; raises `RegistryError`."""
    accelerator_files = sorted(folder.glob("accelerators_*.yaml"))
    adopters = read_section(folder / "adopters.yaml", "adopters", AdopterEntry)
    entries = Entries(
        references=(
            *read_section(folder / "references.yaml", "references", Reference),
            *(adopter.reference for adopter in adopters),
        ),
        organisations=_with_adopters(
            read_section(folder / "organisations.yaml", "organisations", OrganisationEntry), adopters
        ),
        domains=read_section(folder / "domains.yaml", "domains", DomainEntry),
        generations=read_section(folder / "generations.yaml", "generations", GenerationEntry),
        accelerators=tuple(
            entry
            for path in accelerator_files
            for entry in read_section(path, "accelerators", AcceleratorEntry, defaults=("vendor",))
        ),
        systems=read_section(folder / "systems.yaml", "systems", SystemEntry),
        rounds=read_section(folder / "mlperf_rounds.yaml", "rounds", RoundEntry),
        benchmarks=read_section(folder / "mlperf_benchmarks.yaml", "benchmarks", BenchmarkEntry, beside=("families",)),
        families=read_section(folder / "mlperf_benchmarks.yaml", "families", FamilyEntry, beside=("benchmarks",)),
        words=read_section(folder / "mlperf_words.yaml", "words", WordEntry),
        metrics=read_section(folder / "metrics.yaml", "metrics", MetricEntry),
        cpus=read_section(folder / "cpus.yaml", "cpus", CpuEntry),
        networks=read_section(folder / "networks.yaml", "networks", NetworkEntry),
        software=read_section(folder / "software.yaml", "software", SoftwareEntry),
        sites=read_section(folder / "sites.yaml", "sites", SiteEntry),
        homonyms=read_section(folder / "homonyms.yaml", "homonyms", HomonymEntry),
        hardware_words=read_words(folder / "field_words.yaml", "hardware_words"),
        lower_case_too=read_words(folder / "field_words.yaml", "lower_case_too"),
    )
    check_references(entries)
    return entries


@lru_cache(maxsize=1)
def committed_entries() -> Entries:
    """The entries of the registry that ships with the code, read once."""
    return read_entries()
