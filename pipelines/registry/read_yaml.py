"""Registry YAML → validated, frozen entries; a mistake is a `RegistryError` with file, entry, field and line.

The only disk access of the package.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import ValidationError

from pipelines.marked_yaml import read_marked
from pipelines.registry.entries import Entry


class RegistryError(ValueError):
    """The registry's YAML is wrong; the message names file, entry, field and, where it has one, the line."""


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


def read_section(
    path: Path, section: str, shape: type[T], defaults: tuple[str, ...] = (), beside: tuple[str, ...] = ()
) -> tuple[T, ...]:
    """Validate each entry of one section; keys named in `defaults` may stand once at the top of the file.

    `beside` names the file's other sections.
    """
    data = _read_yaml(path)
    extra = sorted(set(data) - {section, *defaults, *beside})
    if extra or not isinstance(data.get(section), list):
        raise RegistryError(f"{path.name}: expected a list under {section!r}" + (f", found {extra}" if extra else ""))
    shared = {name: data[name] for name in defaults if name in data}
    return tuple(_entry(path, section, index, raw, shape, shared) for index, raw in enumerate(data[section]))


def _entry(path: Path, section: str, index: int, raw: object, shape: type[T], shared: Mapping[str, Any]) -> T:
    if not isinstance(raw, dict):
        raise RegistryError(f"{path.name}: {section}[{index}]: expected a mapping, found {type(raw).__name__}")
    label = raw.get("id") or "/".join(str(raw[name]) for name in ("suite", "round") if name in raw)
    try:
        return shape.model_validate({**shared, **raw})
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        line = _line(path, (section, index, *first["loc"]))
        raise RegistryError(
            f"{path.name}: {section}[{index}] {label}: {field}: {first['msg']} (line {line})"
        ) from error


def read_model(path: Path, shape: type[T]) -> T:
    """A whole file as one entry; raises RegistryError with every mistake."""
    try:
        return shape.model_validate(_read_yaml(path))
    except ValidationError as error:
        told = (f"{'.'.join(map(str, e['loc']))}: {e['msg']} (line {_line(path, e['loc'])})" for e in error.errors())
        raise RegistryError(f"{path.name}: {'; '.join(told)}") from error


def _line(path: Path, place: Sequence[int | str]) -> int:
    """The line, from 1, on which a place of a YAML file stands, or the nearest thing around it."""
    return read_marked(path.read_text(encoding="utf-8")).line(tuple(place))


def read_words(path: Path, section: str) -> tuple[str, ...]:
    """A list of plain words under one key of a file."""
    words = _read_yaml(path).get(section)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise RegistryError(f"{path.name}: expected a list of words under {section!r}")
    return tuple(words)
