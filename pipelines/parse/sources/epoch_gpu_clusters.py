"""Epoch AI's clusters: one row a cluster, existing or planned, with how sure the publisher is of it."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Final

from pipelines.model.market import CapturedTable, MarketRows
from pipelines.model.market_epoch import GpuCluster
from pipelines.parse.sources.epoch_files import all_rows, day, flag, links, printed_names
from pipelines.parse.sources.records import Columns, FieldProblem, Reader, Record, by
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


def parse(table: CapturedTable) -> MarketRows:
    """Clusters of the table. Raises InputError where it is no such table."""
    reader, seen = Reader(table), Counter[str]()
    return reader.done(clusters=all_rows(reader, _REQUIRED, partial(_cluster, table, seen), "clusters"))


def _cluster(table: CapturedTable, seen: Counter[str], record: Record) -> GpuCluster:
    """One row; clusters of one name are told apart by their order."""
    name = record.text("Name")
    seen[name] += 1
    if flag(record, "Exclude"):
        raise FieldProblem(Reason.RECORD_INCOMPLETE, f"{name[:60]!r} is marked to be excluded")
    status = record.text("Status")
    if status not in _STATUSES:
        raise FieldProblem(Reason.FIELD_UNREADABLE, f"'Status' is {status[:40]!r}")
    return _CLUSTER.read(
        record, stated_on=table.captured_at.date(), cluster=name, occurrence=seen[name], status=status
    )  # fmt: skip


def _count(record: Record, key: str) -> int | None:
    """A number of chips; the publisher's estimates are not always whole."""
    value = record.optional_within(key, 0, 1e9)
    return None if value is None else round(value)


_CLUSTER: Final = Columns(
    GpuCluster, _NOT_USED,
    certainty=by(Record.text, "Certainty"), is_single="Single cluster?", owner_raw="Owner",
    users=by(printed_names, "Users"), country="Country", sector="Sector",
    location=lambda record: " ".join(record.optional_text("Location").split()),
    chip_raw="Chip type (primary)", chips=by(_count, "Chip quantity (primary)"),
    second_chip_raw="Chip type (secondary)", second_chips=by(_count, "Chip quantity (secondary)"),
    total_chips=by(_count, "Total number of AI chips"), h100e="H100 equivalents",
    power_mw="Power Capacity (MW)", reported_power_mw="Reported Power Capacity (MW)",
    calculated_power_mw="Calculated Power Capacity (MW)", cost_usd="Hardware Cost",
    operational_on=by(day, "First Operational Date"), operational_note="First Operational Date Note",
    decommissioned="Decommissioned Date (if applicable)", builds_upon="Builds Upon", superseded_by="Superseded by",
    is_possible_duplicate=by(flag, "Possible Duplicate"), possible_duplicate_of="Possible Duplicate Of",
    is_in_standard_analysis=by(flag, "Include in Standard Analysis"),
    source_urls=by(links, *(f"Source {number}" for number in range(1, 6))),
)  # fmt: skip
