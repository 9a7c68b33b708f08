"""The lake as Dagster assets: documents, claims, copies, market tables, rounds, the committed ledger, the log of tries.

Each step works through its partitions and tells of all of them in one materialisation: an event for each partition
would cost more than reading what is new.
"""

# No `from __future__ import annotations` here: Dagster reads the annotations of an asset's arguments.

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import dagster as dg

from pipelines.archive.pack import PackStore, is_parsed
from pipelines.assets.attempts import build_attempts
from pipelines.assets.captures import CAPTURES
from pipelines.assets.claims_step import build_claims
from pipelines.assets.clock_step import report_ahead
from pipelines.assets.copies_step import build_copies
from pipelines.assets.documents_step import build_documents
from pipelines.assets.ledger import build_ledger
from pipelines.assets.market_step import build_market
from pipelines.assets.mlperf_step import build_rounds
from pipelines.assets.partition_step import Outcome
from pipelines.remote import working_copy
from pipelines.settings import Run, Settings
from pipelines.sources import SourceCatalog, load_sources

ATTEMPTS = dg.AssetKey(["lake", "attempts"])
CLAIMS = dg.AssetKey(["lake", "claims"])
COPIES = dg.AssetKey(["lake", "copies"])
DOCUMENTS = dg.AssetKey(["lake", "documents"])
LEDGER = dg.AssetKey(["lake", "ledger"])
MARKET = dg.AssetKey(["lake", "market"])
ROUNDS = dg.AssetKey(["lake", "mlperf"])
PARTITIONS = "partitions"  # the metadata that holds the counts of each

Build = Callable[[Settings, Run], Iterable[Outcome]]


def lake_assets() -> list[dg.AssetsDefinition]:
    """Everything that writes a table of the lake."""
    return [
        _asset(
            DOCUMENTS, [CAPTURES],
            lambda s, _: build_documents(_catalog(s), s.archive, s.lake, s.workers),
            "Captures read as documents: text, headings, tables and dates, or the reason why not.",
        ),
        _asset(
            CLAIMS, [DOCUMENTS], lambda s, _: build_claims(_catalog(s), s.lake, s.workers),
            "What the documents claim: one row per place, with the characters it was read from.",
        ),
        _asset(
            MARKET, [CAPTURES],
            lambda s, _: build_market(sources := _catalog(s), sources, s.archive, s.lake, s.workers),
            "Price lists, benchmark answers, lists and filings as typed rows, with what was dropped counted.",
        ),
        _asset(
            COPIES, [DOCUMENTS], lambda s, _: build_copies(s.lake, s.workers),
            "Documents that repeat others: near-duplicates and respun pages.",
        ),
        _asset(
            LEDGER, [], lambda s, _: [build_ledger(s.facts / "ledger", s.lake)],
            "Claims entered by hand, read through the checks of extracted ones.",
        ),
        _asset(
            ATTEMPTS, [], _build_attempts,
            "Every try of an address, failed ones too: how it ended, its status, its reason.",
        ),
        _asset(
            ROUNDS, [CAPTURES], _build_rounds,
            "Results, systems and problems of each captured round of Training, HPC and Inference.",
        ),
    ]  # fmt: skip


def _catalog(settings: Settings) -> SourceCatalog:
    return load_sources(settings.sources)


def _build_attempts(settings: Settings, run: Run) -> Iterator[Outcome]:
    report_ahead(settings.archive, settings.lake, run.run_at)
    return build_attempts(settings.archive, settings.lake)


def _build_rounds(settings: Settings, _run: Run) -> Iterable[Outcome]:
    manifests = [pack for pack in PackStore(settings.archive).latest() if is_parsed(pack.scope)]
    return build_rounds(manifests, settings.archive, settings.lake, settings.workers)


def _asset(key: dg.AssetKey, upstream: list[dg.AssetKey], build: Build, description: str) -> dg.AssetsDefinition:
    @dg.asset(
        key=key,
        group_name="lake",
        kinds={"python", "parquet"},
        deps=upstream,
        description=description,
    )
    def read(
        context: dg.AssetExecutionContext, settings: dg.ResourceParam[Settings], run: dg.ResourceParam[Run]
    ) -> None:
        with working_copy(settings):
            report(context, build(settings, run))

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
