"""Market tables as a Dagster asset: the rows of every source that has a parser of its own, one partition a source."""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

from typing import Any

import dagster as dg

from pipelines.assets.captures import CAPTURES
from pipelines.assets.market_step import build_market
from pipelines.settings import Settings
from pipelines.sources import SourceCatalog, load_sources

MARKET = dg.AssetKey(["lake", "market"])


def market_assets(catalog: SourceCatalog) -> list[dg.AssetsDefinition]:
    """The market tables of each source."""
    partitions = dg.StaticPartitionsDefinition([source.id for source in catalog])

    @dg.asset(
        key=MARKET,
        partitions_def=partitions,
        backfill_policy=dg.BackfillPolicy.single_run(),
        group_name="lake",
        kinds={"python", "parquet"},
        deps=[CAPTURES],
        automation_condition=dg.AutomationCondition.eager(),
        description="Price lists, benchmark answers, lists and filings as typed rows, with what was dropped counted.",
    )
    def market(context: dg.AssetExecutionContext, settings: dg.ResourceParam[Settings]) -> None:
        wanted, catalog = set(context.partition_keys), load_sources(settings.sources)
        sources = [source for source in catalog if source.id in wanted]
        for outcome in build_market(catalog, sources, settings.archive, settings.lake):
            metadata: dict[str, Any] = {
                name: getattr(outcome, name) for name in ("captures", "rows", "denied", "problems", "parsed_now")
            }
            context.add_asset_metadata(metadata, asset_key=MARKET, partition_key=outcome.source_id)

    return [market]
