"""Committed facts of the market tables, so that a checkout has figures without a network.

Which tables may be kept is declared where they are (`pipelines.model.lake_tables`): rows that the licence opens are
written as they stand in the lake, so that a capture parsed later replaces exactly its own; of the lists of
supercomputers only sums with credit may be published, and these come from a build.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from pipelines.frozen import frozen
from pipelines.lake import Lake, arrow_schema, write_parquet
from pipelines.model.lake_tables import LAKE_TABLES
from warehouse.read import Warehouse

LARGEST = 3_000_000  # bytes of one file in the repository
_ORDER = [(key, "ascending") for key in ("source_id", "captured_at", "capture_id")]
_SUMS = "top500_aggregates"
_SUMS_OF_A_BUILD = f"""
    SELECT * EXCLUDE (is_committed, formula) FROM facts.{_SUMS}
    ORDER BY list_number, layer, segment, vendor, generation, country_group
"""  # noqa: S608 - the name is ours


class FactsTooLarge(Exception):
    """A file would be too large for the repository; nothing of it was written."""


@frozen
class WrittenFacts:
    """One file written: its table, rows and bytes."""

    table: str
    rows: int
    byte_count: int


def export_market(lake: Lake, facts: Path) -> list[WrittenFacts]:
    """Write a file for each open table that the lake holds; the others stay as they are. Raises FactsTooLarge."""
    held = [name for name in sorted(LAKE_TABLES) if LAKE_TABLES[name].is_open and lake.partitions(name)]
    return [_write(facts, name, _rows_of(lake, name)) for name in held]


def export_aggregates(warehouse: Path, facts: Path) -> list[WrittenFacts]:
    """Write the sums of all lists that a build knows; nothing where it knows none or there is no build."""
    if not warehouse.exists():
        return []
    with Warehouse(warehouse) as opened:
        rows = opened.rows(_SUMS_OF_A_BUILD)
    schema = arrow_schema(*LAKE_TABLES[_SUMS].row_types)
    return [_write(facts, _SUMS, pa.Table.from_pylist(rows, schema=schema))] if rows else []


def _rows_of(lake: Lake, name: str) -> pa.Table:
    schema = arrow_schema(*LAKE_TABLES[name].row_types)
    return pa.concat_tables(lake.read(name, each).cast(schema) for each in lake.partitions(name)).sort_by(_ORDER)


def _write(facts: Path, name: str, rows: pa.Table) -> WrittenFacts:
    path, trial = facts / f"{name}.parquet", facts / f".{name}.trial.parquet"
    write_parquet(rows, trial)
    size = trial.stat().st_size
    if size > LARGEST:
        trial.unlink()
        raise FactsTooLarge(f"{name}: {size:,} bytes, the most is {LARGEST:,}")
    trial.replace(path)
    return WrittenFacts(name, rows.num_rows, size)
