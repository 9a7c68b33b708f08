"""What is read from captures, as Dagster assets: documents, claims, copies and market tables.

Each step works through the sources, one partition of the lake a source, and tells of all of them in one
materialisation: an event for each source would cost more than reading what is new.
"""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import dagster as dg

from pipelines.assets.captures import CAPTURES
from pipelines.assets.claims_step import build_claims
from pipelines.assets.copies_step import build_copies
from pipelines.assets.documents_step import build_documents
from pipelines.assets.market_step import build_market
from pipelines.assets.partition_step import Outcome
from pipelines.remote import working_copy
from pipelines.settings import Settings
from pipelines.sources import SourceCatalog, load_sources

DOCUMENTS = dg.AssetKey(["lake", "documents"])
CLAIMS = dg.AssetKey(["lake", "claims"])
COPIES = dg.AssetKey(["lake", "copies"])
MARKET = dg.AssetKey(["lake", "market"])
PARTITIONS = "partitions"  # the metadata that holds the counts of each

Build = Callable[[SourceCatalog, Settings], Iterator[Outcome]]


def reading_assets() -> list[dg.AssetsDefinition]:
    """All that is read from the captures of each source, and the copies over all."""
    return [
        _asset(
            DOCUMENTS, CAPTURES,
            lambda catalog, s: build_documents(catalog, s.archive, s.lake, s.workers),
            "Captures read as documents: text, headings, tables and dates, or the reason why not.",
        ),
        _asset(
            CLAIMS, DOCUMENTS, lambda catalog, s: build_claims(catalog, s.lake, s.workers),
            "What the documents claim: one row per place, with the characters it was read from.",
        ),
        _asset(
            MARKET, CAPTURES,
            lambda catalog, s: build_market(catalog, catalog, s.archive, s.lake, s.workers),
            "Price lists, benchmark answers, lists and filings as typed rows, with what was dropped counted.",
        ),
        _asset(
            COPIES, DOCUMENTS, lambda _, s: build_copies(s.lake, s.workers),
            "Documents that repeat others: near-duplicates and respun pages.",
        ),
    ]  # fmt: skip


def _asset(key: dg.AssetKey, upstream: dg.AssetKey, build: Build, description: str) -> dg.AssetsDefinition:
    @dg.asset(
        key=key,
        group_name="lake",
        kinds={"python", "parquet"},
        deps=[upstream],
        description=description,
    )
    def read(context: dg.AssetExecutionContext, settings: dg.ResourceParam[Settings]) -> None:
        with working_copy(settings):
            report(context, build(load_sources(settings.sources), settings))

    return read


def report(context: dg.AssetExecutionContext, outcomes: Iterable[Outcome]) -> None:
    """Put what became of each partition into the step's one materialisation; a failure is said aloud."""
    found: dict[str, dict[str, Any]] = {}
    for outcome in outcomes:
        if outcome.error:
            context.log.error("%s: %s", outcome.partition, outcome.error)
        found[outcome.partition] = dict(outcome.counts) | ({"error": outcome.error} if outcome.error else {})
    context.add_output_metadata(
        {
            "read_now": sum(counts.get("read_now", 0) for counts in found.values()),
            "failed": sum("error" in counts for counts in found.values()),
            PARTITIONS: dg.MetadataValue.json(found),
        }
    )
