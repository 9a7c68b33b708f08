"""Committed facts of the market tables: the lake's rows as Parquet, so that a checkout has figures without a network.

Only tables that may be kept in the repository stand here; their terms are in sources.yaml and in every build's
`evidence.sources`. Rows keep their capture, so a capture parsed later replaces exactly its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from pipelines.lake import Lake, arrow_schema, write_parquet
from pipelines.model.lake_tables import MARKET_TABLES
from pipelines.model.market import MarketProvenance

COMMITTED = (
    "chip_owners", "chip_sales", "cloud_looks", "cloud_offers", "clusters", "filings", "hardware_specs", "inferencex",
    "site_timeline", "sites",
)  # fmt: skip
LARGEST = 3_000_000  # bytes of one file in the repository


class FactsTooLarge(Exception):
    """A file would be too large for the repository; nothing of it was written."""


@dataclass(frozen=True, slots=True)
class MarketExport:
    """One file written: its table, rows and bytes."""

    table: str
    rows: int
    byte_count: int


def export_market(lake: Lake, facts: Path) -> list[MarketExport]:
    """Write a file for each table that the lake holds; the others stay as they are. Raises FactsTooLarge."""
    return [_export(lake, facts, name) for name in COMMITTED if lake.partitions(name)]


def _export(lake: Lake, facts: Path, name: str) -> MarketExport:
    schema = arrow_schema(MARKET_TABLES[name], MarketProvenance)
    rows = pa.concat_tables(
        [pq.read_table(file).replace_schema_metadata(None).cast(schema) for file in lake.partitions(name)]
    )
    order = [(key, "ascending") for key in ("source_id", "captured_at", "capture_id")]
    rows = rows.take(pc.sort_indices(rows, order))
    path, trial = facts / f"{name}.parquet", facts / f".{name}.trial.parquet"
    write_parquet(rows, trial)
    size = trial.stat().st_size
    if size > LARGEST:
        trial.unlink()
        raise FactsTooLarge(f"{name}: {size:,} bytes, the most is {LARGEST:,}")
    trial.replace(path)
    return MarketExport(name, rows.num_rows, size)
