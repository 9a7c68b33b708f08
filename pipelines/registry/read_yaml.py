"""Registry YAML → validated, frozen entries; every mistake is told with file, line, entry, field and what was expected.

The only disk access of the package.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pipelines.marked_yaml import MarkedYaml, YamlFault, read_marked, shortened, validated
from pipelines.registry.entries import Entry

HERE = Path(__file__).parent
T = TypeVar("T", bound=Entry)


class RegistryError(ValueError):
    """The registry's YAML is wrong; the message names file, line, entry, field, and what was expected and found."""


def refuse(mistakes: Iterable[tuple[str, YamlFault, Any]]) -> None:
    """Raise RegistryError where there are mistakes: each with its file, and the entry that it stands in, if any."""
    told = [_told(*mistake) for mistake in mistakes]
    if told:
        raise RegistryError("\n".join(told))


def _told(file: str, fault: YamlFault, entry: Any) -> str:
    label = ""
    if isinstance(entry, dict):  # its number says little to a reader
        label = entry.get("id") or "/".join(str(entry[name]) for name in ("suite", "round") if name in entry)
    place = ".".join(map(str, fault.path)) + (f" ({label})" if label else "")
    found = ": ".join(filter(None, (f"{file}: line {fault.line}", place)))
    return f"{found}: expected {fault.expected}; found {fault.found}"


def read_file(path: Path) -> MarkedYaml:
    """A file whose top is a mapping. Raises RegistryError."""
    marked = read_marked(path.read_text(encoding="utf-8"))
    is_mapping = bool(marked.faults) or isinstance(marked.value, dict)
    faults = () if is_mapping else (YamlFault((), 1, "a mapping at the top", shortened(marked.value)),)
    refuse((path.name, fault, None) for fault in (*marked.faults, *faults))
    return marked


def read_model(path: Path, shape: type[T], known: Mapping[str, frozenset[str]] | None = None) -> T:
    """A whole file as one entry; `known` are the ids that it may refer to. Raises RegistryError with every mistake."""
    marked = read_file(path)
    found, faults = validated(shape, marked.value, marked, context=known)
    refuse((path.name, fault, None) for fault in faults)
    assert found is not None
    return found
