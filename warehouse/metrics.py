"""Counts and ages for whoever watches the service, in Prometheus' text format. None is a figure of the market.

They are of one published file: what it tells itself (`metrics.sql`), and what the record of runs beside it does.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import duckdb

from pipelines.frozen import frozen
from warehouse.outcome import Record, records
from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable
from warehouse.statements import statements

PREFIX = "rackledger_"
SQL = statements(Path(__file__).with_suffix(".sql"))
_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


@frozen
class Metric:
    """One value: the metric's name without the prefix, what it says, the label with its word where it has one."""

    name: str
    says: str
    value: float
    label: str = ""
    word: str = ""
    kind: str = "gauge"


def metrics(published: Path) -> list[Metric]:
    """What can be told: of the runs, and of the file where there is one that can be read."""
    record = records(published)
    told = of_runs(record) if record is not None else []
    try:
        with Warehouse(published, memory_limit="256MB", threads=1) as warehouse:
            told += [Metric(**row) for row in warehouse.rows(SQL["published"])]
    except (WarehouseMissing, WarehouseUnreadable, duckdb.Error):  # none, or one that another program wrote
        pass
    return told


def of_runs(record: Record) -> list[Metric]:
    """How the last run ended and when, and how many ended how."""
    last, counts = record.last, sorted(record.counts.items())
    began = "when the last run began, by how it ended"
    return [
        *(Metric("runs_total", "runs by how they ended", n, "outcome", name, "counter") for name, n in counts),
        Metric("last_run_timestamp_seconds", began, last.at.timestamp(), "outcome", last.outcome),
        Metric("last_run_is_well", "1 where it published, or found nothing to publish", last.is_well),
    ]


def exposition(told: Iterable[Metric]) -> str:
    """The text that Prometheus reads: values of one metric stand together below what it says."""
    lines: dict[str, list[str]] = {}
    for one in told:
        name = PREFIX + one.name
        label = f'{{{one.label}="{one.word.translate(_ESCAPED)}"}}' if one.label else ""
        head = [f"# HELP {name} {one.says}", f"# TYPE {name} {one.kind}"]
        lines.setdefault(name, head).append(f"{name}{label} {float(one.value):.17g}")
    return "".join(f"{line}\n" for of_one in lines.values() for line in of_one)
