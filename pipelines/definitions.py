"""Assembles the Dagster code location and nothing else. `build_definitions` takes other settings for tests."""

import dagster as dg

from pipelines.archive.pack import PackStore, is_parsed, scope_of_url
from pipelines.assets.attempts import attempts_asset
from pipelines.assets.capture_step import CaptureListener
from pipelines.assets.captures import CAPTURE_JOB, CAPTURES, captures_asset, source_schedules
from pipelines.assets.ledger import ledger_asset
from pipelines.assets.mlperf import build_schedule, mlperf_assets, round_partitions
from pipelines.assets.reading import CLAIMS, DOCUMENTS, MARKET, reading_assets
from pipelines.assets.warehouse import warehouse_assets
from pipelines.settings import Run, Settings, mint_run
from pipelines.sources import SourceCatalog, load_sources

BUILD_JOB = "build"


def build_definitions(settings: Settings, run: Run, listener: CaptureListener | None = None) -> dg.Definitions:
    """All assets, checks, jobs and schedules for these settings."""
    catalog = load_sources(settings.sources)
    by_source = dg.AssetSelection.assets(CAPTURES, DOCUMENTS, CLAIMS, MARKET)
    return dg.Definitions(
        assets=[
            captures_asset(catalog),
            *reading_assets(catalog),
            ledger_asset(),
            attempts_asset(),
            *mlperf_assets(round_partitions(round_scopes(settings, catalog))),
            *warehouse_assets(),
        ],
        jobs=[
            dg.define_asset_job(CAPTURE_JOB, selection=by_source, description="Ask sources, archive, read."),
            dg.define_asset_job(
                BUILD_JOB, selection=dg.AssetSelection.all() - by_source, description="Parse rounds, build, publish."
            ),
        ],
        schedules=[
            *source_schedules(catalog),
            build_schedule(BUILD_JOB, round_scopes(settings, catalog)),
        ],
        resources={"settings": settings, "run": run, "listener": listener or CaptureListener()},
    )


def round_scopes(settings: Settings, catalog: SourceCatalog) -> list[str]:
    """The rounds that sources.yaml names and those that the archive holds, sorted."""
    named = {scope_of_url(str(url)) for source in catalog if source.kind == "tarball" for url in source.urls}
    held = {manifest.scope for manifest in PackStore(settings.archive).latest()}
    return sorted(scope for scope in named | held if scope is not None and is_parsed(scope))


@dg.definitions
def defs() -> dg.Definitions:
    """The code location that `rackledger dev` and a Dagster deployment load."""
    return build_definitions(Settings(), mint_run())
