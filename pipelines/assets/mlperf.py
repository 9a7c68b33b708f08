"""MLPerf rounds (Training, HPC, Inference) as a Dagster asset: one partition of the lake a round."""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

import dagster as dg

from pipelines.archive.pack import PackStore, is_parsed
from pipelines.assets.captures import CAPTURES
from pipelines.assets.mlperf_step import build_rounds
from pipelines.assets.reading import report
from pipelines.remote import working_copy
from pipelines.settings import Settings

LAKE = dg.AssetKey(["lake", "mlperf"])


def mlperf_asset() -> dg.AssetsDefinition:
    """The lake's MLPerf partitions, of the rounds that the archive holds."""

    @dg.asset(
        key=LAKE,
        group_name="lake",
        kinds={"python", "parquet"},
        deps=[CAPTURES],
        description="Results, systems and problems of each captured round of Training, HPC and Inference.",
    )
    def mlperf(context: dg.AssetExecutionContext, settings: dg.ResourceParam[Settings]) -> None:
        with working_copy(settings):
            manifests = [pack for pack in PackStore(settings.archive).latest() if is_parsed(pack.scope)]
            report(context, build_rounds(manifests, settings.archive, settings.lake, settings.workers))

    return mlperf
