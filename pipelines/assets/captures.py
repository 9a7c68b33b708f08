"""Captures as a Dagster asset, one partition a source, with schedules from their cadence."""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import dagster as dg
from pydantic import Field

from pipelines.assets.capture_step import CaptureListener, capture
from pipelines.settings import Run, Settings
from pipelines.sources import SourceCatalog, load_sources
from pipelines.upkeep.lock import hold

CAPTURES = dg.AssetKey(["archive", "captures"])
CAPTURE_JOB = "capture"
# One request at a time to a host is the collector's own law within a run; the pool keeps runs from meeting.
NETWORK_POOL = "network"


class CaptureConfig(dg.Config):
    """`only`: ask these of the run's sources; empty asks all."""

    only: list[str] = Field(default_factory=list)


def captures_asset(catalog: SourceCatalog) -> dg.AssetsDefinition:
    """The captures of each source."""
    partitions = dg.StaticPartitionsDefinition([source.id for source in catalog])
    longest = max(source.cadence for source in catalog if source.is_fetched)

    @dg.asset(
        key=CAPTURES,
        partitions_def=partitions,
        backfill_policy=dg.BackfillPolicy.single_run(),
        group_name="archive",
        kinds={"http", "warc"},
        pool=NETWORK_POOL,
        retry_policy=dg.RetryPolicy(max_retries=2, delay=60, backoff=dg.Backoff.EXPONENTIAL),
        freshness_policy=dg.FreshnessPolicy.time_window(fail_window=longest * 2, warn_window=longest),
        description="What the outside world said, kept as it was: WARC records, and packs of repository archives.",
    )
    def captures(
        context: dg.AssetExecutionContext,
        config: CaptureConfig,
        settings: dg.ResourceParam[Settings],
        run: dg.ResourceParam[Run],
        listener: dg.ResourceParam[CaptureListener],
    ) -> None:
        wanted = set(context.partition_keys) & set(config.only or context.partition_keys)
        sources = [source for source in load_sources(settings.sources) if source.id in wanted]
        if settings.offline:
            context.log.warning("RACKLEDGER_OFFLINE is set: nothing was asked")
            return
        with hold(settings.data, run.run_id, wait=True):  # no site is asked by two runs at once
            report = capture(settings, run, sources, listener.on_row)
        listener.on_report(report)
        for row in report.rows:
            counts = {
                name: getattr(row, name) for name in ("fetched", "unchanged", "new", "refused", "failed", "bytes")
            }
            metadata: dict[str, Any] = counts | {"why": row.why, "seconds": row.seconds}
            context.add_asset_metadata(metadata, asset_key=CAPTURES, partition_key=row.source_id)

    return captures


def cron_of(cadence: timedelta, minute: int) -> str:
    """A cron line for a cadence: every few hours, daily, weekly or monthly, whichever is not longer than it."""
    hours = int(cadence.total_seconds() // 3600)
    if hours < 24:
        return f"{minute} */{max(hours, 1)} * * *"
    if hours < 7 * 24:
        return f"{minute} 5 * * *"
    return f"{minute} 5 * * 1" if hours < 28 * 24 else f"{minute} 5 1 * *"


def source_schedules(catalog: SourceCatalog) -> list[dg.ScheduleDefinition]:
    """One schedule for each cadence that sources have; each asks for its sources' partitions."""
    by_cadence: dict[timedelta, list[str]] = {}
    for source in catalog:
        if source.is_fetched:
            by_cadence.setdefault(source.cadence, []).append(source.id)
    return [_schedule(cadence, ids, 7 + 11 * i) for i, (cadence, ids) in enumerate(sorted(by_cadence.items()))]


def _schedule(cadence: timedelta, source_ids: list[str], minute: int) -> dg.ScheduleDefinition:
    hours = int(cadence.total_seconds() // 3600)

    @dg.schedule(
        name=f"capture_every_{hours}h",
        cron_schedule=cron_of(cadence, minute % 60),
        job_name=CAPTURE_JOB,
        execution_timezone="UTC",
        description=f"Captures the {len(source_ids)} sources whose cadence is {hours} hours.",
    )
    def scheduled(context: dg.ScheduleEvaluationContext) -> Iterator[dg.RunRequest]:
        for source_id in source_ids:
            yield dg.RunRequest(run_key=f"{source_id}-{context.scheduled_execution_time}", partition_key=source_id)

    return scheduled
