"""Writes `data/metrics/rackledger.prom` after each run, for the textfile collector of Prometheus' node_exporter."""

from __future__ import annotations

import duckdb

from pipelines.archive.layout import replace_file
from pipelines.settings import Settings
from warehouse.answers.metrics import Family, exposition, published_families, run_families
from warehouse.outcome import records
from warehouse.read import Warehouse, WarehouseMissing, WarehouseUnreadable


def write_metrics(settings: Settings) -> None:
    """Write the file anew: renamed into place, so that a collector never reads half of it."""
    settings.metrics.parent.mkdir(parents=True, exist_ok=True)
    replace_file(settings.metrics, exposition(families(settings)).encode())
    settings.metrics.chmod(0o644)  # the collector is another user


def families(settings: Settings) -> list[Family]:
    """What can be told: of the runs, and of the published file where there is one that can be read."""
    record = records(settings.warehouse)
    told = run_families(record) if record is not None else []
    try:
        with Warehouse(settings.warehouse, memory_limit="256MB", threads=1) as warehouse:
            told += published_families(lambda sql, parameters: warehouse.rows(sql, parameters))
    except (WarehouseMissing, WarehouseUnreadable, duckdb.Error):  # none, or one that another program wrote
        pass
    return told
