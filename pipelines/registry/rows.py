"""The registry as flat typed rows for the warehouse: which tables it gives, and of what their columns are made.

A table says its columns and the entries that they are of; its class of rows, and the types of its columns, follow from
what these entries declare.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import make_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pipelines.frozen import frozen
from pipelines.registry.accelerators import entry_spellings
from pipelines.registry.entries import (
    AcceleratorEntry,
    Entry,
    LayerEntry,
    NameEntry,
    OrganisationEntry,
    PartEntry,
    Reference,
    SystemEntry,
)
from pipelines.registry.load import SHAPES, Entries, committed_entries
from pipelines.registry.metric_entries import MetricEntry, RangeEntry
from pipelines.registry.names import name_key

_Parts = tuple[Entry | None, ...]  # what one row is made of, in the order in which they are asked for a column
_KINDS = {
    "organisation": "organisations", "generation": "generations", "system": "systems", "cpu": "cpus",
    "network": "networks", "software": "software", "site": "sites",
}  # fmt: skip


class _Computed(Entry):
    """What no entry declares of itself."""

    is_vendor: bool = False  # makes an accelerator of the registry
    position: int = 0  # in the order of the file, from 1
    model_id: str = ""  # the entry that leaves memory and form factor open, its own for a model


class _OwnName(Entry):
    """The name of a machine that was never renamed: it bears it throughout."""

    name: str
    valid_from: None = None
    valid_to: None = None


class _Alias(Entry):
    subject_kind: str  # 'accelerator', 'mlperf_benchmark' or one of _KINDS
    subject_id: str
    alias: str
    alias_key: str  # its normalised form


@frozen
class _Table:
    """A table: its columns in order, the shapes they are of, and the parts of each of its rows.

    A column is the field or property of that name of the first part that has it; `x_id` is its `x`, or else its id;
    `a=b` is the field b as column a. What is of a part that a row may lack (`Reference | None`) may be empty.
    """

    columns: str
    shapes: tuple[Any, ...]
    parts: Callable[[Entries], Iterable[_Parts]]


def _plain_table(section: str, columns: str) -> _Table:
    """A row an entry of a section, and nothing that the entry does not say."""
    return _Table(columns, (SHAPES[section],), lambda entries: zip(getattr(entries, section), strict=True))


def registry_rows(entries: Entries | None = None) -> dict[str, tuple[Any, ...]]:
    """Rows by table of the schema `registry`, of the given entries or of the registry that ships with the code.

    Tables stand in the order in which they refer to one another.
    """
    source = committed_entries() if entries is None else entries
    return {name: tuple(_rows(name, source)) for name in _TABLES}


def _rows(name: str, entries: Entries) -> Iterator[Any]:
    row_type, places = _columns(name)
    for parts in _TABLES[name].parts(entries):
        held = ((parts[at], field) for at, field in places)
        yield row_type(*(None if part is None else getattr(part, field) for part, field in held))


@cache
def _columns(name: str) -> tuple[type[Any], list[tuple[int, str]]]:
    """The class of a table's rows, and for each of its columns the part and the field that it is."""
    table = _TABLES[name]
    found = [_place(column, table.shapes) for column in table.columns.split()]
    fields = [(column, hint) for column, _, _, hint in found]
    return make_dataclass(f"{name}_row", fields, frozen=True, slots=True), [(at, field) for _, at, field, _ in found]


def _place(column: str, shapes: tuple[Any, ...]) -> tuple[str, int, str, Any]:
    """A column's name, the part and the field that it is, and its type. Raises TypeError for what no shape declares."""
    name, _, given = column.partition("=")
    spellings = (name, name.removesuffix("_id"), "id") if name.endswith("_id") else (name,)
    for field in (given,) if given else spellings:
        for at, shape in enumerate(shapes):
            hint = _declared(get_args(shape)[0] if get_args(shape) else shape, field)
            if hint is not None:
                return name, at, field, hint | None if get_args(shape) else hint
    raise TypeError(f"no entry gives {name}")


def _declared(shape: type[Entry], field: str) -> Any:
    """The plain type of a field or property; None where there is none of that name."""
    own = getattr(shape, field, None)
    hints = get_type_hints(own.fget) if isinstance(own, property) else get_type_hints(shape)
    return _plain(hints.get("return" if isinstance(own, property) else field))


def _plain(hint: Any) -> Any:
    """A type as a row holds it: a word of a closed list is a text."""
    if get_origin(hint) in (Union, UnionType):
        (inner,) = (each for each in get_args(hint) if each is not type(None))
        return _plain(inner) | None
    return str if get_origin(hint) is Literal else hint


def _referenced(entries: Entries) -> Callable[[str | None], Reference | None]:
    known = {reference.id: reference for reference in entries.references}
    return lambda name: None if name is None else known[name]


def _organisations(entries: Entries) -> Iterator[_Parts]:
    makers = {entry.vendor for entry in entries.accelerators}
    yield from ((entry, _Computed(is_vendor=entry.id in makers)) for entry in entries.organisations)


def _layers(entries: Entries) -> Iterator[_Parts]:
    said = _referenced(entries)
    yield from ((layer, entry, said(layer.reference)) for entry in entries.organisations for layer in entry.layers)


def _accelerators(entries: Entries) -> Iterator[_Parts]:
    said = _referenced(entries)
    for model in entries.accelerators:
        for entry in model.with_variants:
            dated = entry.first_available
            yield entry, _Computed(model_id=model.id), said(None if dated is None else dated.reference)


def _systems(entries: Entries) -> Iterator[_Parts]:
    said = _referenced(entries)
    yield from ((entry, said(entry.reference)) for entry in entries.systems)


def _system_names(entries: Entries) -> Iterator[_Parts]:
    said = _referenced(entries)
    for entry in entries.systems:
        yield from ((named, entry, said(named.reference)) for named in entry.names)
        if not entry.names:
            yield _OwnName(name=entry.name), entry, said(entry.reference)


def _aliases(entries: Entries) -> Iterator[_Parts]:
    """Every spelling once per subject and key, the first as written."""
    seen: set[tuple[str, str, str]] = set()
    for kind, subject, alias in _spellings(entries):
        key = name_key(alias)
        if (kind, subject, key) not in seen:
            seen.add((kind, subject, key))
            yield (_Alias(subject_kind=kind, subject_id=subject, alias=alias, alias_key=key),)


def _spellings(entries: Entries) -> Iterator[tuple[str, str, str]]:
    for accelerator in entries.accelerators:
        yield from (("accelerator", name, spelling) for name, spelling in entry_spellings(accelerator))
        yield from (("accelerator", each.id, accelerator.variant_name(each)) for each in accelerator.variants)
        yield from (("accelerator", accelerator.id, token) for token in accelerator.tokens)
    for kind, section in _KINDS.items():
        for entry in getattr(entries, section):
            yield from ((kind, entry.id, spelling) for spelling in entry.spellings)
    for benchmark in entries.benchmarks:
        yield from (("mlperf_benchmark", key, name) for key in benchmark.keys for name in benchmark.directory_names)


_TABLES: Mapping[str, _Table] = {
    "organisations": _Table(
        "organisation_id name parent_id is_vendor fiscal_year_start_month=fiscal_year_start publishes_as",
        (OrganisationEntry, _Computed), _organisations,
    ),
    "organisation_layers": _Table(
        "organisation_id layer valid_from valid_to said_by evidence basis url note",
        (LayerEntry, OrganisationEntry, Reference), _layers,
    ),
    "generations": _plain_table("generations", "generation_id vendor_id name line ordinal predecessor_id"),
    "accelerators": _Table(
        "accelerator_id model_id vendor_id generation_id predecessor_id name model kind memory_gb memory_type "
        "form_factor dies_per_package counted_as counting_note first_available_on first_available_precision "
        "first_available_said_by=said_by first_available_evidence=evidence first_available_basis=basis "
        "first_available_url=url",
        (AcceleratorEntry, _Computed, Reference | None), _accelerators,
    ),
    "systems": _Table(
        "system_id vendor_id name kind predecessor_id scale_up_domain counting_note said_by evidence basis url",
        (SystemEntry, Reference | None), _systems,
    ),
    "system_parts": _Table(
        "system_id part_kind part count", (PartEntry, SystemEntry),
        lambda entries: ((part, entry) for entry in entries.systems for part in entry.parts),
    ),
    "system_names": _Table(
        "system_id name valid_from valid_to said_by evidence basis url",
        (NameEntry, SystemEntry, Reference | None), _system_names,
    ),
    "mlperf_rounds": _plain_table(
        "rounds", "suite round published_on published_precision evidence said_by basis url repository branch note"
    ),
    "mlperf_benchmarks": _plain_table(
        "benchmarks", "suite benchmark_id title area dataset unit first_round=first last_round=last runs_required "
        "directories=directory_names replaces_id note",
    ),
    "metrics": _Table(
        "metric_id position title kind unit tolerance requires words=heads", (MetricEntry, _Computed),
        lambda entries: ((entry, _Computed(position=at)) for at, entry in enumerate(entries.metrics, 1)),
    ),
    "metric_ranges": _Table(
        "metric_id position subject_kind=subject per low high", (RangeEntry, MetricEntry, _Computed),
        lambda entries: (
            (each, e, _Computed(position=at)) for e in entries.metrics for at, each in enumerate(e.ranges, 1)
        ),
    ),
    "cpus": _plain_table("cpus", "cpu_id vendor_id name architecture cores predecessor_id"),
    "networks": _plain_table("networks", "network_id vendor_id name kind scope generation predecessor_id note"),
    "software": _plain_table("software", "software_id vendor_id name kind part_of_id note"),
    "sites": _plain_table(
        "sites", "site_id operator_id name kind country part_of_id accelerator_id since=since_on note"
    ),
    "aliases": _Table("subject_kind subject_id alias alias_key", (_Alias,), _aliases),
}  # fmt: skip
