"""The metrics of one published file: what it tells, and what the record of runs beside it does."""

from __future__ import annotations

from pathlib import Path

import duckdb

from warehouse.answers.metrics import Family, published_families, run_families
from warehouse.outcome import records
from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable


def families(published: Path) -> list[Family]:
    """What can be told: of the runs, and of the file where there is one that can be read."""
    record = records(published)
    told = run_families(record) if record is not None else []
    try:
        with Warehouse(published, memory_limit="256MB", threads=1) as warehouse:
            told += published_families(warehouse.rows)
    except (WarehouseMissing, WarehouseUnreadable, duckdb.Error):  # none, or one that another program wrote
        pass
    return told
