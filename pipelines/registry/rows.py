"""The registry as flat typed rows for the warehouse: one list a table, in a fixed order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipelines.model.registry import (
    AcceleratorRow,
    AliasRow,
    CpuRow,
    GenerationRow,
    MetricRangeRow,
    MetricRow,
    MlperfBenchmarkRow,
    MlperfRoundRow,
    NetworkRow,
    OrganisationLayerRow,
    OrganisationRow,
    SiteRow,
    SoftwareRow,
    SystemNameRow,
    SystemPartRow,
    SystemRow,
)
from pipelines.registry.accelerators import entry_spellings
from pipelines.registry.checks import Entries
from pipelines.registry.dates import first_day, last_day, precision_of
from pipelines.registry.entries import AcceleratorEntry, BenchmarkEntry, Dated, Reference, RoundEntry, VariantEntry
from pipelines.registry.load import committed_entries
from pipelines.registry.named_rows import (
    cpu_rows,
    metric_rows,
    named_spellings,
    network_rows,
    range_rows,
    site_rows,
    software_rows,
)
from pipelines.registry.names import name_key
from pipelines.registry.system_rows import name_rows, part_rows, system_row, system_spellings

RegistryRow = (
    AcceleratorRow
    | AliasRow
    | CpuRow
    | GenerationRow
    | MetricRangeRow
    | MetricRow
    | MlperfBenchmarkRow
    | MlperfRoundRow
    | NetworkRow
    | OrganisationLayerRow
    | OrganisationRow
    | SiteRow
    | SoftwareRow
    | SystemNameRow
    | SystemPartRow
    | SystemRow
)


def registry_rows(entries: Entries | None = None) -> dict[str, tuple[RegistryRow, ...]]:
    """Rows by table of the schema `registry`, of the given entries or of the registry that ships with the code.

    Tables stand in the order in which they refer to one another.
    """
    source = committed_entries() if entries is None else entries
    references = {reference.id: reference for reference in source.references}
    makers = {entry.vendor for entry in source.accelerators}
    return {
        "organisations": tuple(
            OrganisationRow(e.id, e.name, e.parent, e.id in makers, e.fiscal_year_start, e.publishes_as)
            for e in source.organisations
        ),
        "organisation_layers": tuple(_layer_rows(source, references)),
        "generations": tuple(
            GenerationRow(e.id, e.vendor, e.name, e.line, e.ordinal, e.predecessor) for e in source.generations
        ),
        "accelerators": tuple(row for e in source.accelerators for row in _accelerator_rows(e, references)),
        "systems": tuple(system_row(entry, references) for entry in source.systems),
        "system_parts": tuple(row for entry in source.systems for row in part_rows(entry)),
        "system_names": tuple(row for entry in source.systems for row in name_rows(entry, references)),
        "mlperf_rounds": tuple(_round_row(entry) for entry in source.rounds),
        "mlperf_benchmarks": tuple(_benchmark_row(entry) for entry in source.benchmarks),
        "metrics": tuple(metric_rows(source)),
        "metric_ranges": tuple(range_rows(source)),
        "cpus": tuple(cpu_rows(source)),
        "networks": tuple(network_rows(source)),
        "software": tuple(software_rows(source)),
        "sites": tuple(site_rows(source)),
        "aliases": tuple(_alias_rows(source)),
    }


def variant_name(entry: AcceleratorEntry, variant: VariantEntry) -> str:
    """A variant's name: as written, else the model's name with form factor and memory."""
    if variant.name is not None:
        return variant.name
    form = variant.form_factor if variant.form_factor != entry.form_factor else None
    memory = None if variant.memory_gb is None else f"{variant.memory_gb:g}GB"
    return " ".join(part for part in (entry.name, form, memory) if part)


def _accelerator_rows(entry: AcceleratorEntry, references: Mapping[str, Reference]) -> Iterable[AcceleratorRow]:
    yield _accelerator_row(entry, None, references)
    for variant in entry.variants:
        yield _accelerator_row(entry, variant, references)


def _accelerator_row(
    entry: AcceleratorEntry, variant: VariantEntry | None, references: Mapping[str, Reference]
) -> AcceleratorRow:
    part: AcceleratorEntry | VariantEntry = entry if variant is None else variant
    dated: Dated | None = part.first_available
    reference = None if dated is None else references[dated.reference]
    return AcceleratorRow(
        accelerator_id=part.id,
        model_id=entry.id,
        vendor_id=entry.vendor,
        generation_id=entry.generation,
        predecessor_id=entry.predecessor,
        name=entry.name if variant is None else variant_name(entry, variant),
        model=entry.model,
        kind=entry.kind,
        memory_gb=part.memory_gb,
        memory_type=part.memory_type or entry.memory_type,
        form_factor=part.form_factor,
        dies_per_package=entry.dies_per_package,
        counted_as=entry.counted_as,
        counting_note=entry.counting_note,
        first_available_on=None if dated is None else first_day(dated.date),
        first_available_precision=None if dated is None else precision_of(dated.date),
        first_available_said_by=None if reference is None else reference.said_by,
        first_available_evidence=None if reference is None else reference.evidence,
        first_available_basis=None if reference is None else reference.basis,
        first_available_url=None if reference is None else reference.url,
    )


def _layer_rows(entries: Entries, references: Mapping[str, Reference]) -> Iterable[OrganisationLayerRow]:
    for organisation in entries.organisations:
        for layer in organisation.layers:
            reference = references[layer.reference]
            yield OrganisationLayerRow(
                organisation_id=organisation.id,
                layer=layer.layer,
                valid_from=None if layer.since is None else first_day(layer.since),
                valid_to=None if layer.until is None else last_day(layer.until),
                said_by=reference.said_by,
                evidence=reference.evidence,
                basis=reference.basis,
                url=reference.url,
                note=layer.note,
            )


def _alias_rows(entries: Entries) -> Iterable[AliasRow]:
    """Every spelling once per subject and key, the first as written."""
    seen: set[tuple[str, str, str]] = set()
    for kind, subject, alias in _spellings(entries):
        row = AliasRow(kind, subject, alias, name_key(alias))
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
        for spelling in system_spellings(system):
            yield "system", system.id, spelling
    yield from named_spellings(entries)
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


def _round_row(entry: RoundEntry) -> MlperfRoundRow:
    return MlperfRoundRow(
        suite=entry.suite,
        round=entry.round,
        published_on=entry.published_on,
        published_precision=None if entry.published is None else precision_of(entry.published),
        evidence=entry.evidence,
        said_by=entry.said_by,
        basis=entry.basis,
        url=entry.url,
        repository=entry.repository,
        branch=entry.branch,
        note=entry.note,
    )


def _benchmark_row(entry: BenchmarkEntry) -> MlperfBenchmarkRow:
    return MlperfBenchmarkRow(
        suite=entry.suite,
        benchmark_id=entry.id,
        title=entry.title,
        area=entry.area,
        dataset=entry.dataset,
        unit=entry.unit,
        first_round=entry.first,
        last_round=entry.last,
        runs_required=entry.runs_required,
        directories=tuple(named.name for named in entry.directories),
        replaces_id=entry.replaces,
        note=entry.note,
    )
