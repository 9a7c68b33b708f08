"""The registry as flat typed rows for the warehouse: one list a table, in a fixed order."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from pipelines.model import registry as model
from pipelines.registry.accelerators import entry_spellings
from pipelines.registry.checks import Entries
from pipelines.registry.dates import first_day, last_day, precision_of
from pipelines.registry.entries import (
    AcceleratorEntry,
    Entry,
    LayerEntry,
    NameEntry,
    Reference,
    RoundEntry,
    SystemEntry,
    VariantEntry,
)
from pipelines.registry.load import committed_entries
from pipelines.registry.name_entries import CpuEntry, NetworkEntry, SiteEntry, SoftwareEntry
from pipelines.registry.names import name_key

Row = TypeVar("Row")
_SAID = ("said_by", "evidence", "basis", "url")  # what a row takes of the reference that it rests on


def registry_rows(entries: Entries | None = None) -> dict[str, tuple[Any, ...]]:
    """Rows by table of the schema `registry`, of the given entries or of the registry that ships with the code.

    Tables stand in the order in which they refer to one another.
    """
    source = committed_entries() if entries is None else entries
    references = {reference.id: reference for reference in source.references}
    makers = {entry.vendor for entry in source.accelerators}
    return {
        "organisations": tuple(
            entry_row(
                model.OrganisationRow, e, is_vendor=e.id in makers, fiscal_year_start_month=e.fiscal_year_start
            )
            for e in source.organisations
        ),
        "organisation_layers": tuple(
            _held_row(model.OrganisationLayerRow, each, references, organisation_id=e.id)
            for e in source.organisations
            for each in e.layers
        ),
        "generations": tuple(entry_row(model.GenerationRow, e) for e in source.generations),
        "accelerators": tuple(
            _accelerator_row(e, part, references) for e in source.accelerators for part in _parts(e)
        ),
        "systems": tuple(_system_row(entry, references) for entry in source.systems),
        "system_parts": tuple(row for entry in source.systems for row in _part_rows(entry)),
        "system_names": tuple(row for entry in source.systems for row in _name_rows(entry, references)),
        "mlperf_rounds": tuple(_round_row(entry) for entry in source.rounds),
        "mlperf_benchmarks": tuple(
            entry_row(
                model.MlperfBenchmarkRow, e, benchmark_id=e.id, first_round=e.first, last_round=e.last,
                directories=tuple(named.name for named in e.directories),
            )
            for e in source.benchmarks
        ),
        "metrics": tuple(
            entry_row(model.MetricRow, e, position=number, words=e.heads) for number, e in enumerate(source.metrics, 1)
        ),
        "metric_ranges": tuple(
            entry_row(model.MetricRangeRow, each, metric_id=e.id, position=number, subject_kind=each.subject)
            for e in source.metrics
            for number, each in enumerate(e.ranges, 1)
        ),
        "cpus": tuple(entry_row(model.CpuRow, e) for e in source.cpus),
        "networks": tuple(entry_row(model.NetworkRow, e) for e in source.networks),
        "software": tuple(entry_row(model.SoftwareRow, e) for e in source.software),
        "sites": tuple(entry_row(model.SiteRow, e, since=_first(e.since)) for e in source.sites),
        "aliases": tuple(_alias_rows(source)),
    }  # fmt: skip


def entry_row(row_type: type[Row], *entries: Entry, **given: Any) -> Row:
    """A row of some entries: what is not given is the first entry's that has it; `x_id` is its `x`, or else its id.

    Raises TypeError for a field that nothing gives.
    """
    names = [item.name for item in dataclasses.fields(row_type)]  # type: ignore[arg-type]  # any row class
    return row_type(**{name: given[name] if name in given else _field(name, entries) for name in names})


def _field(name: str, entries: Iterable[Entry]) -> Any:
    spellings = (name, name.removesuffix("_id"), "id") if name.endswith("_id") else (name,)
    for spelling in spellings:
        for entry in entries:
            if hasattr(entry, spelling):
                return getattr(entry, spelling)
    raise TypeError(f"no entry gives {name}")


def _first(date: str | None) -> dt.date | None:
    return None if date is None else first_day(date)


def variant_name(entry: AcceleratorEntry, variant: VariantEntry) -> str:
    """A variant's name: as written, else the model's name with form factor and memory."""
    if variant.name is not None:
        return variant.name
    form = variant.form_factor if variant.form_factor != entry.form_factor else None
    memory = None if variant.memory_gb is None else f"{variant.memory_gb:g}GB"
    return " ".join(part for part in (entry.name, form, memory) if part)


def _parts(entry: AcceleratorEntry) -> tuple[AcceleratorEntry | VariantEntry, ...]:
    return entry, *entry.variants


def _accelerator_row(
    entry: AcceleratorEntry, part: AcceleratorEntry | VariantEntry, references: Mapping[str, Reference]
) -> model.AcceleratorRow:
    dated = part.first_available
    said = _said(None if dated is None else references[dated.reference])
    return entry_row(
        model.AcceleratorRow, part, entry,
        model_id=entry.id,
        name=variant_name(entry, part) if isinstance(part, VariantEntry) else entry.name,
        memory_type=part.memory_type or entry.memory_type,
        first_available_on=None if dated is None else first_day(dated.date),
        first_available_precision=None if dated is None else precision_of(dated.date),
        **{f"first_available_{name}": value for name, value in said.items()},
    )  # fmt: skip


def _said(reference: Reference | None) -> dict[str, Any]:
    return {name: None if reference is None else getattr(reference, name) for name in _SAID}


def _system_row(entry: SystemEntry, references: Mapping[str, Reference]) -> model.SystemRow:
    """One machine with the reference its composition rests on."""
    reference = None if entry.reference is None else references[entry.reference]
    return entry_row(model.SystemRow, entry, **_said(reference))


def _part_rows(entry: SystemEntry) -> Iterable[model.SystemPartRow]:
    for part in entry.parts:
        kind, name = ("cpu", str(part.cpu)) if part.accelerator is None else ("accelerator", part.accelerator)
        yield model.SystemPartRow(entry.id, kind, name, part.count)


def _name_rows(entry: SystemEntry, references: Mapping[str, Reference]) -> Iterable[model.SystemNameRow]:
    """The dated names of a machine; one that was never renamed bears its own name throughout."""
    if not entry.names:
        said = _said(None if entry.reference is None else references[entry.reference])
        yield entry_row(model.SystemNameRow, entry, valid_from=None, valid_to=None, **said)
    for named in entry.names:
        yield _held_row(model.SystemNameRow, named, references, system_id=entry.id)


def _held_row(
    row_type: type[Row], entry: LayerEntry | NameEntry, references: Mapping[str, Reference], **given: Any
) -> Row:
    """What held from a day to a day, and who says so."""
    until = None if entry.until is None else last_day(entry.until)
    reference = references[entry.reference]
    return entry_row(row_type, entry, reference, valid_from=_first(entry.since), valid_to=until, **given)


def _alias_rows(entries: Entries) -> Iterable[model.AliasRow]:
    """Every spelling once per subject and key, the first as written."""
    seen: set[tuple[str, str, str]] = set()
    for kind, subject, alias in _spellings(entries):
        row = model.AliasRow(kind, subject, alias, name_key(alias))
        if (kind, subject, row.alias_key) not in seen:
            seen.add((kind, subject, row.alias_key))
            yield row


def _spellings(entries: Entries) -> Iterable[tuple[str, str, str]]:
    for accelerator in entries.accelerators:
        yield from _accelerator_spellings(accelerator)
    for organisation in entries.organisations:
        for spelling in (organisation.name, *organisation.aliases):
            yield "organisation", organisation.id, spelling
    for generation in entries.generations:
        for spelling in (generation.name, *generation.words):
            yield "generation", generation.id, spelling
    for system in entries.systems:
        for spelling in system.spellings:
            yield "system", system.id, spelling
    groups: dict[str, Sequence[CpuEntry | NetworkEntry | SoftwareEntry | SiteEntry]] = {
        "cpu": entries.cpus, "network": entries.networks, "software": entries.software, "site": entries.sites,
    }  # fmt: skip
    yield from (
        (kind, entry.id, spelling)
        for kind, group in groups.items()
        for entry in group
        for spelling in (entry.name, *entry.aliases)
    )
    for benchmark in entries.benchmarks:
        for named in benchmark.directories:
            yield "mlperf_benchmark", f"{benchmark.suite}/{benchmark.id}", named.name


def _accelerator_spellings(entry: AcceleratorEntry) -> Iterable[tuple[str, str, str]]:
    for accelerator_id, spelling in entry_spellings(entry):
        yield "accelerator", accelerator_id, spelling
    for variant in entry.variants:
        yield "accelerator", variant.id, variant_name(entry, variant)
    for token in entry.tokens:
        yield "accelerator", entry.id, token


def _round_row(entry: RoundEntry) -> model.MlperfRoundRow:
    precision = None if entry.published is None else precision_of(entry.published)
    return entry_row(model.MlperfRoundRow, entry, published_precision=precision)
