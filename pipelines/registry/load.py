"""The registry's YAML as one set of frozen entries: every file's sections together, ids once, references resolved."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

from pipelines.frozen import frozen
from pipelines.marked_yaml import MarkedYaml, YamlFault, shortened, suggested, validated
from pipelines.registry.entries import (
    AcceleratorEntry,
    AdopterEntry,
    DomainEntry,
    GenerationEntry,
    OrganisationEntry,
    Reference,
    SystemEntry,
)
from pipelines.registry.metric_entries import MetricEntry
from pipelines.registry.mlperf_entries import BenchmarkEntry, FamilyEntry, RoundEntry, WordEntry
from pipelines.registry.name_entries import CpuEntry, HomonymEntry, NetworkEntry, SiteEntry, SoftwareEntry
from pipelines.registry.names import name_key
from pipelines.registry.read_yaml import HERE, RegistryError, read_file, refuse

__all__ = ["HERE", "Entries", "RegistryError", "accelerator_ids", "committed_entries", "read_entries"]

# files that are read on their own, by the modules of their names
_APART = ("accelerator_cores", "comparability", "field_words", "lexicon", "market_parties", "phrases", "units")
T = TypeVar("T")
_SHARED = ("vendor",)  # fields that may stand once at the top of a file, for all entries below


@frozen
class Entries:
    """All entries as written, in file order; a section of YAML may stand in several files."""

    references: tuple[Reference, ...]
    organisations: tuple[OrganisationEntry, ...]
    adopters: tuple[AdopterEntry, ...]
    generations: tuple[GenerationEntry, ...]
    accelerators: tuple[AcceleratorEntry, ...]
    systems: tuple[SystemEntry, ...]
    rounds: tuple[RoundEntry, ...]
    benchmarks: tuple[BenchmarkEntry, ...]
    metrics: tuple[MetricEntry, ...]
    domains: tuple[DomainEntry, ...]
    families: tuple[FamilyEntry, ...]
    words: tuple[WordEntry, ...]
    cpus: tuple[CpuEntry, ...]
    networks: tuple[NetworkEntry, ...]
    software: tuple[SoftwareEntry, ...]
    sites: tuple[SiteEntry, ...]
    homonyms: tuple[HomonymEntry, ...]

    @property
    def ids(self) -> dict[str, frozenset[str]]:
        """The ids of each section, for files that refer to them."""
        return {name: frozenset(key for entry in getattr(self, name) for key in entry.keys) for name in SHAPES}


SHAPES = {name: get_args(hint)[0] for name, hint in get_type_hints(Entries).items()}


def by_spelling(file: str, spelled: Iterable[tuple[str, str, T]]) -> dict[str, T]:
    """What each (spelling, owner's id, value) stands for, by the spelling's key.

    Raises RegistryError for a spelling of two owners.
    """
    index: dict[str, tuple[str, T]] = {}
    for spelling, owner, value in spelled:
        first, _ = index.setdefault(name_key(spelling), (owner, value))
        if first != owner:
            raise RegistryError(f"{file}: {owner}: alias {spelling!r} is also {first}'s")
    return {key: value for key, (_, value) in index.items()}


def accelerator_ids(entries: Entries) -> Iterable[str]:
    """Ids of all models and their variants, in file order."""
    return (key for entry in entries.accelerators for key in entry.keys)


def read_entries(folder: Path = HERE) -> Entries:
    """Read and check all registry files of a folder. Raises `RegistryError` with every mistake that was found."""
    files = {path.name: read_file(path) for path in sorted(folder.glob("*.yaml")) if path.stem not in _APART}
    refuse((file, fault, None) for file, marked in files.items() for fault in _no_sections(marked))
    known = _named(files.values())
    found: dict[str, list[Any]] = {name: [] for name in SHAPES}
    wrong: list[tuple[str, YamlFault, Any]] = []
    seen: dict[tuple[str, str], str] = {}
    for file, marked in files.items():
        shared = {name: marked.value[name] for name in _SHARED if name in marked.value}
        for section, index, raw in _each(marked):
            path, given = (section, index), shared | raw if isinstance(raw, dict) else raw
            entry, faults = validated(SHAPES[section], given, marked, path, known)
            found[section].append(entry)
            for key in entry.keys if entry is not None else ():
                place = seen.setdefault((section, key), f"{file} line {marked.line(path)}")
                if place != f"{file} line {marked.line(path)}":
                    faults.append(YamlFault(path, marked.line(path), "each id once", f"{key!r}, also in {place}"))
            wrong += [(file, fault, raw) for fault in faults]
    refuse(wrong)
    entries = Entries(**{name: tuple(held) for name, held in found.items()})
    for said in _wrong_rounds(entries):
        raise RegistryError(said)
    return _with_adopters(entries)


def _no_sections(marked: MarkedYaml) -> Iterator[YamlFault]:
    for section, held in marked.value.items():
        line = marked.line((section,))
        if section not in (*SHAPES, *_SHARED):
            expected = "a section of the registry" + suggested(section, SHAPES)
            yield YamlFault((section,), line, expected, f"unknown section {section!r}")
        elif section in SHAPES and not isinstance(held, list):
            yield YamlFault((section,), line, "a list of entries", shortened(held))


def _each(marked: MarkedYaml) -> Iterator[tuple[str, int, Any]]:
    for section, held in marked.value.items():
        if section in SHAPES:
            yield from ((section, index, raw) for index, raw in enumerate(held))


def _named(files: Iterable[MarkedYaml]) -> dict[str, set[str]]:
    """The ids of each section as they are written, before anything is checked: what an entry may refer to."""
    ids: defaultdict[str, set[str]] = defaultdict(set)
    for section, _, raw in (each for marked in files for each in _each(marked)):
        variants = raw.get("variants") if isinstance(raw, dict) else None
        for entry in (raw, *(variants if isinstance(variants, list) else ())):
            if isinstance(entry, dict):
                ids[section].add(str(entry.get("id")))
    ids["references"] |= {f"adopter-{adopter}" for adopter in ids["adopters"]}
    ids["organisations"] |= ids["adopters"]
    return ids


def _with_adopters(entries: Entries) -> Entries:
    """The organisations with the layers of `adopters.yaml`, new ones behind."""
    known = {entry.id: entry for entry in entries.organisations}
    for adopter in entries.adopters:
        try:
            known[adopter.id] = adopter.joined(known.get(adopter.id))
        except ValueError as error:
            raise RegistryError(f"adopters.yaml: {adopter.id}: {error}") from error
    references = (*entries.references, *(adopter.reference for adopter in entries.adopters))
    return dataclasses.replace(entries, organisations=tuple(known.values()), references=references)


def _wrong_rounds(entries: Entries) -> Iterator[str]:
    """Rounds and benchmarks that a benchmark of the same suite names and that are none."""
    known = {key for entry in (*entries.rounds, *entries.benchmarks) for key in entry.keys}
    for entry in entries.benchmarks:
        for field in ("replaces", "first", "last"):
            named = getattr(entry, field)
            if named is not None and f"{entry.suite}/{named}" not in known:
                yield f"mlperf_benchmarks.yaml: {entry.suite}/{entry.id}: {field}: no entry '{entry.suite}/{named}'"
    classes = {f"{e.id}-{target.of}".removesuffix("-") for e in entries.benchmarks for target in e.targets}
    for family in entries.families:
        if family.benchmark not in classes:
            yield f"mlperf_benchmarks.yaml: families: benchmark: no entry {family.benchmark!r}"


@lru_cache(maxsize=1)
def committed_entries() -> Entries:
    """The entries of the registry that ships with the code, read once."""
    return read_entries()
