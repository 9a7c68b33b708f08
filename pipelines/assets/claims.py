"""Claims as Dagster assets: the mentions of each source's documents, and the copies among all documents."""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

from typing import Any

import dagster as dg

from pipelines.assets.captures import DOCUMENTS
from pipelines.assets.claims_step import build_claims, build_copies
from pipelines.settings import Settings
from pipelines.sources import SourceCatalog, load_sources

CLAIMS = dg.AssetKey(["lake", "claims"])
COPIES = dg.AssetKey(["lake", "copies"])


def claim_assets(catalog: SourceCatalog) -> list[dg.AssetsDefinition]:
    """The claims of each source, and the copies over all."""
    partitions = dg.StaticPartitionsDefinition([source.id for source in catalog])
    return [_claims_asset(partitions), _copies_asset()]


def _claims_asset(partitions: dg.StaticPartitionsDefinition) -> dg.AssetsDefinition:
    @dg.asset(
        key=CLAIMS,
        partitions_def=partitions,
        backfill_policy=dg.BackfillPolicy.single_run(),
        group_name="lake",
        kinds={"python", "parquet"},
        deps=[DOCUMENTS],
        automation_condition=dg.AutomationCondition.eager(),
        description="What the documents claim: one row per place, with the characters it was read from.",
    )
    def claims(context: dg.AssetExecutionContext, settings: dg.ResourceParam[Settings]) -> None:
        wanted = set(context.partition_keys)
        sources = [source for source in load_sources(settings.sources) if source.id in wanted]
        for outcome in build_claims(sources, settings.lake, settings.workers):
            metadata: dict[str, Any] = {
                name: getattr(outcome, name) for name in ("documents", "mentions", "doubtful", "unmatched", "is_new")
            }
            context.add_asset_metadata(metadata, asset_key=CLAIMS, partition_key=outcome.source_id)

    return claims


def _copies_asset() -> dg.AssetsDefinition:
    @dg.asset(
        key=COPIES,
        group_name="lake",
        kinds={"python", "parquet"},
        deps=[DOCUMENTS],
        automation_condition=dg.AutomationCondition.eager(),
        description="Documents that repeat others: near-duplicates and respun pages.",
    )
    def copies(context: dg.AssetExecutionContext, settings: dg.ResourceParam[Settings]) -> None:
        context.add_output_metadata({"copies": build_copies(settings.lake)})

    return copies
