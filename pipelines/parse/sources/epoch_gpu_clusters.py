"""Epoch AI's clusters: one row a cluster, existing or planned, with how sure the publisher is of it."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Final

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_epoch import GpuCluster
from pipelines.parse.sources.epoch_files import csv_tables, day, flag, links
from pipelines.parse.sources.records import FieldProblem, Reader, Record, read_csv, refuse
from pipelines.problems import Reason

TABLES = ("clusters",)

_REQUIRED: Final = (
    "Name", "Status", "Certainty", "H100 equivalents", "Chip type (primary)", "Chip quantity (primary)",
    "Include in Standard Analysis",
)  # fmt: skip
# Logarithms, ratios and ranks follow from other columns; operations a second restate the H100 equivalents; long
# texts and quotes stay with the publisher. `latitude` and `longitude` are a mirror's own.
_NOT_USED: Final = (
    "Max OP/s (log)", "16-bit OP/s (log)", "Energy Efficiency (log)", "Energy Efficiency", "Max OP/s", "8-bit OP/s",
    "16-bit OP/s", "32-bit OP/s", "Rank when first operational", "Largest existing cluster when first operational",
    "% of largest cluster when first operational", "Note", "Hardware note", "Quote", "Certainty Note", "Cost Quote",
    "Calculated Cost", "Reported Cost", "Reported Cost (Inflation adjusted)", "GPU Supplier (primary)",
    "GPU supplier (secondary)", "Noteworthy", "latitude", "longitude",
)  # fmt: skip
_STATUSES: Final = ("Existing", "Planned", "Decommissioned")
_SOURCES: Final = tuple(f"Source {number}" for number in range(1, 6))


def parse(table: CapturedTable) -> MarketRows:
    """Clusters of the table. Raises InputError where it is no such table."""
    reader, seen = Reader(table), Counter[str]()
    files = (read_csv(file, _REQUIRED) for _, file in csv_tables(table))
    found = [row for file in files for row in reader.rows(file, partial(_cluster, table, seen))]
    if not found:
        raise refuse(table, "a header without clusters")
    return reader.done(clusters=found)


def _cluster(table: CapturedTable, seen: Counter[str], record: Record) -> GpuCluster:
    """One row; clusters of one name are told apart by their order."""
    record.ignore(*_NOT_USED)
    name = record.text("Name")
    seen[name] += 1
    if flag(record, "Exclude"):
        raise FieldProblem(Reason.RECORD_INCOMPLETE, f"{name[:60]!r} is marked to be excluded")
    status = record.text("Status")
    if status not in _STATUSES:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'Status' is {status[:40]!r}")
    return GpuCluster(
        stated_on=table.captured_at.date(),
        cluster=name,
        occurrence=seen[name],
        status=status,
        certainty=record.text("Certainty"),
        is_single=record.optional_text("Single cluster?"),
        owner_raw=record.optional_text("Owner"),
        users=tuple(user.strip() for user in record.optional_text("Users").split(",") if user.strip()),
        country=record.optional_text("Country"),
        sector=record.optional_text("Sector"),
        location=" ".join(record.optional_text("Location").split()),
        chip_raw=record.optional_text("Chip type (primary)"),
        chips=_count(record, "Chip quantity (primary)"),
        second_chip_raw=record.optional_text("Chip type (secondary)"),
        second_chips=_count(record, "Chip quantity (secondary)"),
        total_chips=_count(record, "Total number of AI chips"),
        h100e=record.optional_number("H100 equivalents"),
        power_mw=record.optional_number("Power Capacity (MW)"),
        reported_power_mw=record.optional_number("Reported Power Capacity (MW)"),
        calculated_power_mw=record.optional_number("Calculated Power Capacity (MW)"),
        cost_usd=record.optional_number("Hardware Cost"),
        operational_on=day(record, "First Operational Date"),
        operational_note=record.optional_text("First Operational Date Note"),
        decommissioned=record.optional_text("Decommissioned Date (if applicable)"),
        builds_upon=record.optional_text("Builds Upon"),
        superseded_by=record.optional_text("Superseded by"),
        is_possible_duplicate=flag(record, "Possible Duplicate"),
        possible_duplicate_of=record.optional_text("Possible Duplicate Of"),
        is_in_standard_analysis=flag(record, "Include in Standard Analysis"),
        source_urls=links(*(record.optional_text(name) for name in _SOURCES)),
    )


def _count(record: Record, key: str) -> int | None:
    """A number of chips; the publisher's estimates are not always whole."""
    value = record.optional_within(key, 0, 1e9)
    return None if value is None else round(value)
