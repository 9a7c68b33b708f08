"""Assembles the Dagster code location and nothing else. `build_definitions` takes other settings for tests."""

from __future__ import annotations

import dagster as dg

from pipelines.archive.pack import PackStore, scope_of_url
from pipelines.assets.mlperf import mlperf_assets, round_partitions
from pipelines.assets.warehouse import warehouse_assets
from pipelines.settings import Run, Settings, mint_run
from pipelines.sources import load_sources

MAIN_JOB = "main"


def build_definitions(settings: Settings, run: Run) -> dg.Definitions:
    """All assets, checks and jobs for these settings."""
    scopes = round_scopes(settings)
    return dg.Definitions(
        assets=[*mlperf_assets(round_partitions(scopes)), *warehouse_assets()],
        jobs=[dg.define_asset_job(MAIN_JOB, selection=dg.AssetSelection.all(), description="Parse, build, publish.")],
        resources={"settings": settings, "run": run},
    )


def round_scopes(settings: Settings) -> list[str]:
    """The rounds that sources.yaml names and those that the archive holds, sorted."""
    named = {
        scope
        for source in load_sources(settings.sources)
        if source.kind == "tarball"
        for url in source.urls
        if (scope := scope_of_url(str(url))) is not None and is_training(scope)
    }
    held = {manifest.scope for manifest in PackStore(settings.archive).latest()}
    return sorted(named | {scope for scope in held if is_training(scope)})


def is_training(scope: str) -> bool:
    """Whether a round is one of the suites that the training parser reads."""
    return scope.startswith(("training-", "hpc-"))


@dg.definitions
def defs() -> dg.Definitions:
    """The code location that `rackledger dev` and a Dagster deployment load."""
    return build_definitions(Settings(), mint_run())
