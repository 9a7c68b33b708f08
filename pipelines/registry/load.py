"""Reads the registry's YAML into frozen entries; `checks` then resolves what they refer to.

The only disk access of the package. A mistake in a file is raised as `RegistryError` with file, entry and field.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import ValidationError

from pipelines.registry.checks import Entries, RegistryError, check_references
from pipelines.registry.entries import (
    AcceleratorEntry,
    BenchmarkEntry,
    Entry,
    GenerationEntry,
    OrganisationEntry,
    Reference,
    RoundEntry,
    SystemEntry,
)
from pipelines.registry.metric_entries import MetricEntry
from pipelines.registry.name_entries import CpuEntry, HomonymEntry, NetworkEntry, SiteEntry, SoftwareEntry

__all__ = ["HERE", "Entries", "RegistryError", "committed_entries", "read_entries"]

HERE = Path(__file__).parent
T = TypeVar("T", bound=Entry)


# libyaml's scanner is ten times faster; a build of PyYAML without it still works
_BASE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_BASE):  # type: ignore[misc]
    """Safe YAML that refuses a key written twice in one mapping."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key_node, _ in node.value:
            if key_node.value in seen:
                raise RegistryError(f"{self.name}: line {key_node.start_mark.line + 1}: key {key_node.value!r} twice")
            seen.add(key_node.value)
        return dict(super().construct_mapping(node, deep=deep))


def _as_written(loader: _Loader, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _as_written)  # a date's precision is what is written


def _read_yaml(path: Path) -> Mapping[str, Any]:
    try:
        with path.open("rb") as stream:
            loader = _Loader(stream)
            loader.name = path.name
            data = loader.get_single_data()
    except yaml.YAMLError as error:
        raise RegistryError(f"{path.name}: not YAML: {error}") from error
    if not isinstance(data, dict):
        raise RegistryError(f"{path.name}: expected a mapping at the top, found {type(data).__name__}")
    return data


def _entries(path: Path, section: str, shape: type[T], defaults: tuple[str, ...] = ()) -> tuple[T, ...]:
    """Validate each entry of one section; keys named in `defaults` may stand once at the top of the file."""
    data = _read_yaml(path)
    extra = sorted(set(data) - {section, *defaults})
    if extra or not isinstance(data.get(section), list):
        raise RegistryError(f"{path.name}: expected a list under {section!r}" + (f", found {extra}" if extra else ""))
    shared = {name: data[name] for name in defaults if name in data}
    return tuple(_entry(path.name, section, index, raw, shape, shared) for index, raw in enumerate(data[section]))


def _entry(file: str, section: str, index: int, raw: object, shape: type[T], shared: Mapping[str, Any]) -> T:
    if not isinstance(raw, dict):
        raise RegistryError(f"{file}: {section}[{index}]: expected a mapping, found {type(raw).__name__}")
    label = raw.get("id") or "/".join(str(raw[name]) for name in ("suite", "round") if name in raw)
    try:
        return shape.model_validate({**shared, **raw})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise RegistryError(f"{file}: {section}[{index}] {label}: {field}: {first['msg']}") from error


def _words(path: Path, section: str) -> tuple[str, ...]:
    """A list of plain words under one key of a file."""
    words = _read_yaml(path).get(section)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise RegistryError(f"{path.name}: expected a list of words under {section!r}")
    return tuple(words)


def read_entries(folder: Path = HERE) -> Entries:
    """Read and validate all registry files of a folder; raises `RegistryError`."""
    accelerator_files = sorted(folder.glob("accelerators_*.yaml"))
    entries = Entries(
        references=_entries(folder / "references.yaml", "references", Reference),
        organisations=_entries(folder / "organisations.yaml", "organisations", OrganisationEntry),
        generations=_entries(folder / "generations.yaml", "generations", GenerationEntry),
        accelerators=tuple(
            entry
            for path in accelerator_files
            for entry in _entries(path, "accelerators", AcceleratorEntry, defaults=("vendor",))
        ),
        systems=_entries(folder / "systems.yaml", "systems", SystemEntry),
        rounds=_entries(folder / "mlperf_rounds.yaml", "rounds", RoundEntry),
        benchmarks=_entries(folder / "mlperf_benchmarks.yaml", "benchmarks", BenchmarkEntry),
        metrics=_entries(folder / "metrics.yaml", "metrics", MetricEntry),
        cpus=_entries(folder / "cpus.yaml", "cpus", CpuEntry),
        networks=_entries(folder / "networks.yaml", "networks", NetworkEntry),
        software=_entries(folder / "software.yaml", "software", SoftwareEntry),
        sites=_entries(folder / "sites.yaml", "sites", SiteEntry),
        homonyms=_entries(folder / "homonyms.yaml", "homonyms", HomonymEntry),
        hardware_words=_words(folder / "field_words.yaml", "hardware_words"),
        lower_case_too=_words(folder / "field_words.yaml", "lower_case_too"),
    )
    check_references(entries)
    return entries


@lru_cache(maxsize=1)
def committed_entries() -> Entries:
    """The entries of the registry that ships with the code, read once."""
    return read_entries()
