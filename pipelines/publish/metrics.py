"""Writes `data/metrics/rackledger.prom` after each run, for the textfile collector of Prometheus' node_exporter."""

from __future__ import annotations

from pipelines.archive.layout import replace_file
from pipelines.settings import Settings
from warehouse.metrics import exposition, metrics


def write_metrics(settings: Settings) -> None:
    """Write the file anew: renamed into place, so that a collector never reads half of it."""
    replace_file(settings.metrics, exposition(metrics(settings.warehouse)).encode())
    settings.metrics.chmod(0o644)  # the collector is another user
