"""Dagster's own records below `data/`: where they lie, how they are set up, how long they are kept. No telemetry."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dagster import DagsterInstance

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
retention:
  schedule:
    purge_after_days: 30
"""
KEPT = dt.timedelta(days=30)  # what stood in the warehouse then, its own tables say
AT_ONCE = 20  # runs that one build forgets at most


def prepare(home: Path) -> Path:
    """Make the folder and its dagster.yaml unless it is there; returns the folder's full path."""
    home.mkdir(parents=True, exist_ok=True)
    config = home / "dagster.yaml"
    if not config.exists():
        config.write_text(CONFIG, encoding="utf-8")
    return home.resolve()


def forget_old_runs(instance: DagsterInstance, now: dt.datetime, under_way: str) -> int:
    """Delete the records of runs older than a month, a few at a time, never that of the run that asks for it (a clock
    that is wrong, or put right, makes that one look old too); returns how many went."""
    from dagster import RunsFilter

    found = instance.get_runs(RunsFilter(created_before=now - KEPT), limit=AT_ONCE)
    old = [run for run in found if run.run_id != under_way]
    for run in old:
        instance.delete_run(run.run_id)
    return len(old)
