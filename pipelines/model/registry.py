"""Rows of the registry as the warehouse holds them: one dataclass a table, columns in table order."""

from __future__ import annotations

import datetime as dt

from pipelines.frozen import frozen
from pipelines.model.evidence import Evidence


@frozen
class AcceleratorRow:
    """registry.accelerators: a model or one of its variants.

    `model_id` is the entry that leaves memory and form factor open (its own id for a model). `memory_gb` is the
    nominal size of one `counted_as` unit. `first_available_on` is the first day of the period that `..._precision`
    ('day', 'month', 'year') names; empty where no source is at hand.
    """

    accelerator_id: str
    model_id: str
    vendor_id: str
    generation_id: str | None
    predecessor_id: str | None
    name: str
    model: str
    kind: str
    memory_gb: float | None
    memory_type: str | None
    form_factor: str | None
    dies_per_package: int | None
    counted_as: str
    counting_note: str
    first_available_on: dt.date | None
    first_available_precision: str | None
    first_available_said_by: str | None
    first_available_evidence: Evidence | None
    first_available_basis: str | None
    first_available_url: str | None


@frozen
class GenerationRow:
    """registry.generations: an architecture generation; `ordinal` counts along the maker's `line`."""

    generation_id: str
    vendor_id: str
    name: str
    line: str
    ordinal: int
    predecessor_id: str | None


@frozen
class OrganisationRow:
    """registry.organisations: a maker, seller, operator, institute or submitter under one name."""

    organisation_id: str
    name: str
    parent_id: str | None
    is_vendor: bool  # makes an accelerator of the registry
    fiscal_year_start_month: int | None  # the year is named by the calendar year in which it ends
    publishes_as: str | None  # measured, analyst, press, aggregator; else it is a party to the market


@frozen
class OrganisationLayerRow:
    """registry.organisation_layers: the market layer of an organisation over a period.

    An empty `valid_from` means as long as it is known here, an empty `valid_to` means to this day.
    """

    organisation_id: str
    layer: str
    valid_from: dt.date | None
    valid_to: dt.date | None
    said_by: str
    evidence: Evidence
    basis: str
    url: str
    note: str


@frozen
class AliasRow:
    """registry.aliases: a spelling of something in the registry; `alias_key` is its normalised form."""

    subject_kind: str  # 'accelerator', 'organisation', 'generation', 'mlperf_benchmark', 'system', 'cpu', ...
    subject_id: str
    alias: str
    alias_key: str


@frozen
class SystemRow:
    """registry.systems: a rack, pod, node, board or desktop machine.

    `scale_up_domain` is how many accelerators, as they are counted, share its fast links.
    """

    system_id: str
    vendor_id: str
    name: str
    kind: str
    predecessor_id: str | None
    scale_up_domain: int | None
    counting_note: str
    said_by: str | None  # what the composition rests on; empty where only the name is known
    evidence: Evidence | None
    basis: str | None
    url: str | None


@frozen
class SystemPartRow:
    """registry.system_parts: how many of one accelerator (registry id) or processor (name) a system holds."""

    system_id: str
    part_kind: str  # 'accelerator' or 'cpu'
    part: str
    count: int


@frozen
class SystemNameRow:
    """registry.system_names: a name a system bore; an empty date leaves that side open."""

    system_id: str
    name: str
    valid_from: dt.date | None
    valid_to: dt.date | None
    said_by: str | None
    evidence: Evidence | None
    basis: str | None
    url: str | None


@frozen
class MlperfRoundRow:
    """registry.mlperf_rounds: one round of one suite; `published_on` is empty where no date is known."""

    suite: str
    round: str
    published_on: dt.date | None
    published_precision: str | None
    evidence: Evidence
    said_by: str
    basis: str
    url: str
    repository: str
    branch: str | None
    note: str


@frozen
class MlperfBenchmarkRow:
    """registry.mlperf_benchmarks: one benchmark of one suite; `directories` are the names it was submitted under."""

    suite: str
    benchmark_id: str
    title: str
    area: str
    dataset: str
    unit: str
    first_round: str | None
    last_round: str | None
    runs_required: int | None
    directories: tuple[str, ...]
    replaces_id: str | None
    note: str


@frozen
class MetricRow:
    """registry.metrics: what a claim may be about; `tolerance` is the relative difference that is no conflict.

    `words` are those that tables head it with.
    """

    metric_id: str
    position: int
    title: str
    kind: str
    unit: str
    tolerance: float
    requires: tuple[str, ...]
    words: tuple[str, ...]


@frozen
class MetricRangeRow:
    """registry.metric_ranges: the believable values of a metric for one kind of subject and one `per`."""

    metric_id: str
    position: int
    subject_kind: str | None
    per: str | None
    low: float
    high: float


@frozen
class CpuRow:
    """registry.cpus: a processor that stands beside accelerators; `cores` is the most it is sold with."""

    cpu_id: str
    vendor_id: str
    name: str
    architecture: str
    cores: int | None
    predecessor_id: str | None


@frozen
class NetworkRow:
    """registry.networks: a link, switch, adapter or fabric; `vendor_id` is empty for a standard."""

    network_id: str
    vendor_id: str | None
    name: str
    kind: str
    scope: str
    generation: int | None
    predecessor_id: str | None
    note: str


@frozen
class SoftwareRow:
    """registry.software: a program that places work, cuts accelerators, serves models or keeps jobs alive."""

    software_id: str
    vendor_id: str | None
    name: str
    kind: str
    part_of_id: str | None
    note: str


@frozen
class SiteRow:
    """registry.sites: a supercomputer, a large cluster, a campus or a building programme."""

    site_id: str
    operator_id: str | None
    name: str
    kind: str
    country: str | None
    part_of_id: str | None
    accelerator_id: str | None
    since: dt.date | None
    note: str
