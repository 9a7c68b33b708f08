"""Metrics, processors, networks, software and sites of the registry as flat rows, and their spellings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pipelines.model.registry import CpuRow, MetricRangeRow, MetricRow, NetworkRow, SiteRow, SoftwareRow
from pipelines.registry.checks import Entries
from pipelines.registry.dates import first_day


def metric_rows(entries: Entries) -> Iterator[MetricRow]:
    """One row a metric, in the order of the file."""
    for number, entry in enumerate(entries.metrics, 1):
        yield MetricRow(
            entry.id, number, entry.title, entry.kind, entry.unit, entry.tolerance, entry.requires, entry.heads
        )


def range_rows(entries: Entries) -> Iterator[MetricRangeRow]:
    """One row a believable range; the first that fits counts."""
    for entry in entries.metrics:
        for number, each in enumerate(entry.ranges, 1):
            yield MetricRangeRow(entry.id, number, each.subject, each.per, each.low, each.high)


def cpu_rows(entries: Entries) -> Iterator[CpuRow]:
    """One row a processor or line of processors."""
    for entry in entries.cpus:
        yield CpuRow(entry.id, entry.vendor, entry.name, entry.architecture, entry.cores, entry.predecessor)


def network_rows(entries: Entries) -> Iterator[NetworkRow]:
    """One row a link, switch, adapter or fabric."""
    for entry in entries.networks:
        yield NetworkRow(
            entry.id, entry.vendor, entry.name, entry.kind, entry.scope, entry.generation, entry.predecessor, entry.note
        )


def software_rows(entries: Entries) -> Iterator[SoftwareRow]:
    """One row a program."""
    for entry in entries.software:
        yield SoftwareRow(entry.id, entry.vendor, entry.name, entry.kind, entry.part_of, entry.note)


def site_rows(entries: Entries) -> Iterator[SiteRow]:
    """One row a supercomputer, cluster, campus or programme."""
    for entry in entries.sites:
        yield SiteRow(
            site_id=entry.id,
            operator_id=entry.operator,
            name=entry.name,
            kind=entry.kind,
            country=entry.country,
            part_of_id=entry.part_of,
            accelerator_id=entry.accelerator,
            since=None if entry.since is None else first_day(entry.since),
            note=entry.note,
        )


def named_spellings(entries: Entries) -> Iterable[tuple[str, str, str]]:
    """(kind, id, spelling) of processors, networks, software and sites."""
    for kind, named in (
        ("cpu", entries.cpus),
        ("network", entries.networks),
        ("software", entries.software),
        ("site", entries.sites),
    ):
        for entry in named:
            for spelling in (entry.name, *entry.aliases):
                yield kind, entry.id, spelling
