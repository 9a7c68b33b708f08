"""What the registry holds under a name, as lines for a person. Reads entries in memory, nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel

from pipelines.frozen import frozen
from pipelines.registry.names import name_key
from pipelines.registry.registry import Registry, load_registry
from pipelines.registry.spellings import spellings

_KINDS = ("accelerators", "systems", "sites", "cpus", "networks", "software", "organisations", "generations")
_LEFT_OUT = frozenset({"id", "name", "reference", "variants"})


@frozen
class Description:
    """One thing the registry knows: its facts as (label, value) in the order of its entry."""

    kind: str
    id: str
    name: str
    facts: tuple[tuple[str, str], ...]


def describe(name: str, registry: Registry | None = None) -> list[Description]:
    """Everything that bears a name or id, products first."""
    source = load_registry() if registry is None else registry
    key = name_key(name)
    ids = {(each.kind, each.subject_id) for each in spellings(source.entries) if name_key(each.text) == key}
    found: list[Description] = []
    for section in _KINDS:
        kind = section.removesuffix("s")
        for entry in getattr(source.entries, section):
            known = {entry.id, *(variant.id for variant in getattr(entry, "variants", ()))}
            if name in known or any((kind, each) in ids for each in known):
                found.append(Description(kind, entry.id, entry.name, tuple(_facts(entry))))
    return found


def names(registry: Registry | None = None) -> list[str]:
    """Every spelling that the registry knows."""
    source = load_registry() if registry is None else registry
    return sorted({each.text for each in spellings(source.entries)})


def _facts(entry: BaseModel) -> Iterator[tuple[str, str]]:
    for field in type(entry).model_fields:
        value = getattr(entry, field)
        if field not in _LEFT_OUT and value not in (None, "", (), False):
            yield field.replace("_", " "), _plain(value)


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return "; ".join(_plain(each) for each in value)
    if isinstance(value, BaseModel):
        said = ((field, getattr(value, field)) for field in type(value).model_fields)
        return ", ".join(f"{field} {each}" for field, each in said if each not in (None, "", ()))
    return str(value)
