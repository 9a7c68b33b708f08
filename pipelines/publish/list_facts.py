"""Committed aggregates of the lists of supercomputers, taken from a build whose reader has captured the lists.

The lists are not open data: counts and sums with credit may be published, the tables of systems stay in the reader's
own lake and build.
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from pipelines.lake import arrow_schema, write_parquet
from pipelines.model.market_lists import Top500Aggregate
from pipelines.publish.market_facts import MarketExport
from warehouse.read import Warehouse

TABLE = "top500_aggregates"
_ROWS = """
    SELECT * EXCLUDE (is_committed, formula) FROM facts.top500_aggregates
    ORDER BY list_number, layer, segment, vendor, generation, country_group
"""


def export_aggregates(warehouse: Path, facts: Path) -> list[MarketExport]:
    """Write the aggregates of all lists that a build knows; nothing where it knows none or there is no build."""
    if not warehouse.exists():
        return []
    with Warehouse(warehouse) as opened:
        rows = opened.rows(_ROWS)
    if not rows:
        return []
    path = facts / f"{TABLE}.parquet"
    write_parquet(pa.Table.from_pylist(rows, schema=arrow_schema(Top500Aggregate)), path)
    return [MarketExport(TABLE, len(rows), path.stat().st_size)]
