"""Captures as a Dagster asset."""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

import datetime as dt

import dagster as dg
from pydantic import Field

from pipelines.assets.capture_step import CaptureListener, capture
from pipelines.assets.due import sources_to_ask
from pipelines.remote import working_copy
from pipelines.settings import Run, Settings
from pipelines.sources import SourceCatalog, load_sources
from pipelines.upkeep.lock import hold

CAPTURES = dg.AssetKey(["archive", "captures"])
CAPTURE_JOB = "capture"
# One request at a time to a host is the collector's own law within a run; the pool keeps runs from meeting.
NETWORK_POOL = "network"
COUNTS = ("fetched", "unchanged", "new", "refused", "failed", "bytes")


class CaptureConfig(dg.Config):
    """`only`: ask these sources, due or not; empty asks those that are due."""

    only: list[str] = Field(default_factory=list)


def captures_asset(catalog: SourceCatalog) -> dg.AssetsDefinition:
    """The captures of all sources."""
    longest = max((source.cadence for source in catalog if source.is_fetched), default=dt.timedelta(days=1))

    @dg.asset(
        key=CAPTURES,
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
        if settings.offline:
            context.log.warning("RACKLEDGER_OFFLINE is set: nothing was asked")
            return
        # no site is asked by two runs at once
        with hold(settings.data, run.run_id, wait=True), working_copy(settings):
            sources = sources_to_ask(load_sources(settings.sources), settings, run, only=config.only)
            report = capture(settings, run, sources, listener.on_row)
        listener.on_report(report)
        sums = {name: sum(getattr(row, name) for row in report.rows) for name in COUNTS}
        told = (*COUNTS, "why", "seconds")
        rows = {row.source_id: {name: getattr(row, name) for name in told} for row in report.rows if not row.is_skipped}
        context.add_output_metadata({**sums, "sources": dg.MetadataValue.json(rows)})

    return captures
