"""YAML read together with the line on which each key and list item stands, and checked against a schema.

Whoever wrote YAML by hand needs the line of a mistake, what was expected there and what was found. Lives here: reading,
and telling mistakes in words. Not here: any schema, and any knowledge of what the file is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from pipelines.frozen import frozen

Path = tuple[str | int, ...]
ModelT = TypeVar("ModelT", bound=BaseModel)

# libyaml's scanner is ten times faster; a build of PyYAML without it still works
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TEXT = "tag:yaml.org,2002:str"


@frozen
class YamlFault:
    """A place where the text is not the YAML that is meant here: `line` counts from 1."""

    path: Path
    line: int
    expected: str
    found: str


@frozen
class MarkedYaml:
    """A document's plain value, the line (from 1) of every path in it, and what was wrong with the YAML itself."""

    value: Any
    lines: Mapping[Path, int]
    faults: tuple[YamlFault, ...]

    def line(self, path: Path) -> int:
        """The line of `path`, or of its nearest ancestor that stands in the file (1 when nothing does)."""
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_marked(text: str) -> MarkedYaml:
    """Read one YAML document. A text that is no YAML gives the value None and one fault, never an exception."""
    try:
        loader = _LOADER(text)
        try:
            node = loader.get_single_node()
            return _Walk(loader).read(node)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        # a fault at the end of the text is marked behind its last line
        line = min(mark.line + 1, max(1, len(text.splitlines()))) if mark else 1
        return MarkedYaml(None, {}, (YamlFault((), line, "well-formed YAML", str(error.problem)),))
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, text.find(chr(error.character))) + 1
        return MarkedYaml(None, {}, (YamlFault((), line, "printable text", repr(chr(error.character))),))


def validated(
    model: type[ModelT], fields: Any, marked: MarkedYaml, path: Path = (), context: Any = None
) -> tuple[ModelT | None, list[YamlFault]]:
    """The value that stands at `path` as a model, or all of its mistakes in words; `context` goes to its validators."""
    try:
        return model.model_validate(fields, context=context), []
    except ValidationError as error:
        return None, [_fault(detail, model, marked, path) for detail in error.errors(include_url=False)]


def _fault(detail: ErrorDetails, model: type[BaseModel], marked: MarkedYaml, path: Path) -> YamlFault:
    """One of pydantic's errors: what was expected, and what was found."""
    kind, ctx, place = detail["type"], detail.get("ctx", {}), (*path, *detail["loc"])
    found = shortened(detail["input"])
    if kind == "missing":
        expected, found = "a value (the field is required)", "nothing"
    elif kind == "extra_forbidden":
        name = str(detail["loc"][-1])
        expected = "a field of the schema" + suggested(name, _known(model, detail["loc"]))
        found = f"unknown field {name!r}"
    elif kind in ("enum", "literal_error"):
        expected = f"one of {ctx['expected']}"
    else:
        expected = str(ctx["error"]) if kind == "value_error" else detail["msg"].removeprefix("Input should be ")
    return YamlFault(place, marked.line(place), expected, found)


def _known(model: type[BaseModel], place: Path) -> Iterable[str]:
    """The fields of the model that a place stands in."""
    for part in place[:-1]:
        inner = next(_models(model.model_fields[part].annotation), None) if part in model.model_fields else None
        model = inner or model
    return model.model_fields


def _models(hint: Any) -> Iterator[type[BaseModel]]:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        yield hint
    for inner in get_args(hint):
        yield from _models(inner)


def suggested(name: str, known: Iterable[str]) -> str:
    """' (is 'x' meant?)' for the nearest known name, '' where none is near."""
    close = get_close_matches(name, list(known), n=1, cutoff=0.7)
    return f" (is {close[0]!r} meant?)" if close else ""


def shortened(value: Any) -> str:
    """What was found, as a person reads it."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 120 else text[:117] + "..."


class _Walk:
    """One pass over the node tree; a key that stands twice and a node that holds itself become faults."""

    def __init__(self, loader: Any) -> None:
        self._loader = loader
        self._lines: dict[Path, int] = {}
        self._faults: list[YamlFault] = []
        self._open: set[int] = set()

    def read(self, node: yaml.Node | None) -> MarkedYaml:
        value = None if node is None else self._value(node, ())
        return MarkedYaml(value, self._lines, tuple(self._faults))

    def _value(self, node: yaml.Node, path: Path) -> Any:
        if id(node) in self._open:
            line = self._lines.get(path, node.start_mark.line + 1)
            self._faults.append(YamlFault(path, line, "a value", "an alias that holds itself"))
            return None
        if not isinstance(node, yaml.CollectionNode):
            return self._scalar(node, path)
        self._open.add(id(node))
        try:
            if isinstance(node, yaml.MappingNode):
                return self._mapping(node, path)
            return [self._item(child, (*path, i)) for i, child in enumerate(node.value)]
        finally:
            self._open.discard(id(node))

    def _scalar(self, node: yaml.Node, path: Path) -> Any:
        if node.tag == _TEXT:
            return node.value
        try:
            return self._loader.construct_object(node, deep=True)
        except ValueError as error:  # such as the date 2026-02-30
            self._faults.append(YamlFault(path, node.start_mark.line + 1, f"a value that exists ({error})", node.value))
            return None

    def _item(self, node: yaml.Node, path: Path) -> Any:
        self._lines[path] = node.start_mark.line + 1
        return self._value(node, path)

    def _mapping(self, node: yaml.MappingNode, path: Path) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
            if key is None:
                self._faults.append(YamlFault(path, line, "a plain key", "a list or mapping as key"))
            elif key in out:
                first = self._lines[(*path, key)]
                self._faults.append(YamlFault((*path, key), line, "each key once", f"also on line {first}"))
            else:
                self._lines[(*path, key)] = line
                out[key] = self._value(value_node, (*path, key))
        return out
