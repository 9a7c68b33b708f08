"""The registry's YAML as one set of frozen entries; `checks` then resolves what they refer to."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import get_args, get_type_hints

from pipelines.registry.checks import Entries, check_references
from pipelines.registry.entries import (
    AcceleratorEntry,
    AdopterEntry,
    BenchmarkEntry,
    FamilyEntry,
    OrganisationEntry,
    Reference,
    RoundEntry,
    WordEntry,
)
from pipelines.registry.read_yaml import HERE, RegistryError, read_section, read_words

# Sections that stand alone in the file of their name.
PLAIN = ("domains", "generations", "systems", "metrics", "cpus", "networks", "software", "sites", "homonyms")

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
    shapes = get_type_hints(Entries)
    plain = {name: get_args(shapes[name])[0] for name in PLAIN}
    entries = Entries(
        **{name: read_section(folder / f"{name}.yaml", name, shape) for name, shape in plain.items()},
        references=(
            *read_section(folder / "references.yaml", "references", Reference),
            *(adopter.reference for adopter in adopters),
        ),
        organisations=_with_adopters(
            read_section(folder / "organisations.yaml", "organisations", OrganisationEntry), adopters
        ),
        accelerators=tuple(
            entry
            for path in accelerator_files
            for entry in read_section(path, "accelerators", AcceleratorEntry, defaults=("vendor",))
        ),
        rounds=read_section(folder / "mlperf_rounds.yaml", "rounds", RoundEntry),
        benchmarks=read_section(folder / "mlperf_benchmarks.yaml", "benchmarks", BenchmarkEntry, beside=("families",)),
        families=read_section(folder / "mlperf_benchmarks.yaml", "families", FamilyEntry, beside=("benchmarks",)),
        words=read_section(folder / "mlperf_words.yaml", "words", WordEntry),
        hardware_words=read_words(folder / "field_words.yaml", "hardware_words"),
        lower_case_too=read_words(folder / "field_words.yaml", "lower_case_too"),
    )
    check_references(entries)
    return entries


@lru_cache(maxsize=1)
def committed_entries() -> Entries:
    """The entries of the registry that ships with the code, read once."""
    return read_entries()
