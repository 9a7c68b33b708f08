"""Dagster's own records below `data/`: where they lie and how they are set up. Telemetry is off."""

from __future__ import annotations

from pathlib import Path

CONFIG = """\
telemetry:
  enabled: false
concurrency:
  runs:
    # one run at a time: a build of the warehouse must not meet another
    max_concurrent_runs: 1
  pools:
    # one collection at a time: within it the collector asks one host one thing at a time
    granularity: run
    default_limit: 1
"""


def prepare(home: Path) -> Path:
    """Make the folder and its dagster.yaml unless it is there; returns the folder's full path."""
    home.mkdir(parents=True, exist_ok=True)
    config = home / "dagster.yaml"
    if not config.exists():
        config.write_text(CONFIG, encoding="utf-8")
    return home.resolve()
