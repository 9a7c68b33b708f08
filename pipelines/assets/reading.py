"""What is read from captures, as Dagster assets: documents, claims, copies and market tables.

Documents, claims and market tables have one partition a source.
"""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

from collections.abc import Callable, Iterator

import dagster as dg

from pipelines.assets.captures import CAPTURES
from pipelines.assets.claims_step import build_claims, build_copies
from pipelines.assets.documents_step import build_documents
from pipelines.assets.market_step import build_market
from pipelines.assets.partition_step import Outcome
from pipelines.settings import Settings
from pipelines.source_model import Source
from pipelines.sources import SourceCatalog, load_sources

DOCUMENTS = dg.AssetKey(["lake", "documents"])
CLAIMS = dg.AssetKey(["lake", "claims"])
COPIES = dg.AssetKey(["lake", "copies"])
MARKET = dg.AssetKey(["lake", "market"])

Build = Callable[[SourceCatalog, list[Source], Settings], Iterator[Outcome]]


def reading_assets(catalog: SourceCatalog) -> list[dg.AssetsDefinition]:
    """All that is read from the captures of each source, and the copies over all."""
    partitions = dg.StaticPartitionsDefinition([source.id for source in catalog])
    return [
        _by_source(
            DOCUMENTS, CAPTURES, partitions,
            lambda _, sources, s: build_documents(sources, s.archive, s.lake, s.workers),
            "Captures read as documents: text, headings, tables and dates, or the reason why not.",
        ),
        _by_source(
            CLAIMS, DOCUMENTS, partitions, lambda _, sources, s: build_claims(sources, s.lake, s.workers),
            "What the documents claim: one row per place, with the characters it was read from.",
        ),
        _by_source(
            MARKET, CAPTURES, partitions,
            lambda catalog, sources, s: build_market(catalog, sources, s.archive, s.lake, s.workers),
            "Price lists, benchmark answers, lists and filings as typed rows, with what was dropped counted.",
        ),
        _copies_asset(),
    ]  # fmt: skip


def _by_source(
    key: dg.AssetKey, upstream: dg.AssetKey, partitions: dg.PartitionsDefinition[str], build: Build, description: str
) -> dg.AssetsDefinition:
    @dg.asset(
        key=key,
        partitions_def=partitions,
        backfill_policy=dg.BackfillPolicy.single_run(),
        group_name="lake",
        kinds={"python", "parquet"},
        deps=[upstream],
        automation_condition=dg.AutomationCondition.eager(),
        description=description,
    )
    def read(context: dg.AssetExecutionContext, settings: dg.ResourceParam[Settings]) -> None:
        wanted, catalog = set(context.partition_keys), load_sources(settings.sources)
        report(context, key, build(catalog, [source for source in catalog if source.id in wanted], settings))

    return read


def report(context: dg.AssetExecutionContext, key: dg.AssetKey, outcomes: Iterator[Outcome]) -> None:
    """Put what became of each partition into the run's record; a failure is said aloud."""
    for outcome in outcomes:
        if outcome.error:
            context.log.error("%s: %s", outcome.partition, outcome.error)
        found = dict(outcome.counts) | ({"error": outcome.error} if outcome.error else {})
        context.add_asset_metadata(found, asset_key=key, partition_key=outcome.partition)


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
        for outcome in build_copies(settings.lake):
            context.add_output_metadata(dict(outcome.counts))

    return copies
