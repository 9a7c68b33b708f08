"""MLPerf rounds (Training, HPC, Inference) as Dagster assets: one partition a round, one run for many partitions."""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

import dagster as dg

from pipelines.archive.pack import PackStore
from pipelines.assets.captures import CAPTURES
from pipelines.assets.mlperf_step import build_rounds
from pipelines.settings import Settings

LAKE = dg.AssetKey(["lake", "mlperf"])


def round_partitions(scopes: list[str]) -> dg.StaticPartitionsDefinition:
    """Partitions are the rounds of sources.yaml and of the archive, e.g. `training-v5.0`."""
    return dg.StaticPartitionsDefinition(scopes)


def range_tags(partitions: list[str]) -> dict[str, str]:
    """What asks Dagster for all these partitions in one run; nothing where there are none."""
    if not partitions:
        return {}
    return {"dagster/asset_partition_range_start": partitions[0], "dagster/asset_partition_range_end": partitions[-1]}


def build_schedule(job_name: str, scopes: list[str]) -> dg.ScheduleDefinition:
    """Hourly: what lies downstream of a changed input is made again, and published when the content changed."""

    @dg.schedule(name="build_hourly", job_name=job_name, cron_schedule="52 * * * *", execution_timezone="UTC")
    def build_hourly() -> dg.RunRequest:
        return dg.RunRequest(tags=range_tags(scopes))

    return build_hourly


def mlperf_assets(partitions: dg.StaticPartitionsDefinition) -> list[dg.AssetsDefinition]:
    """The lake's MLPerf partitions. What is captured comes from the collector, into the archive, before."""

    @dg.asset(
        key=LAKE,
        partitions_def=partitions,
        backfill_policy=dg.BackfillPolicy.single_run(),
        group_name="lake",
        kinds={"python", "parquet"},
        # any capture of the source of round archives may bring a round
        deps=[dg.AssetDep(CAPTURES, partition_mapping=dg.AllPartitionMapping())],
        description="Results, systems and problems of each captured round of Training, HPC and Inference.",
    )
    def mlperf(context: dg.AssetExecutionContext, settings: dg.ResourceParam[Settings]) -> None:
        wanted = set(context.partition_keys)
        manifests = [m for m in PackStore(settings.archive).latest() if m.scope in wanted]
        for outcome in build_rounds(manifests, settings.archive, settings.lake, settings.workers):
            counts = dict(outcome.counts)
            state = outcome.error or ("parsed" if counts.pop("read_now", 0) else "unchanged")
            context.log.info("%s: %s, %s", outcome.partition, state, counts)
            context.add_asset_metadata({**counts, "state": state}, asset_key=LAKE, partition_key=outcome.partition)

    return [mlperf]
