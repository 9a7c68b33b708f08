"""Assembles the Dagster code location and nothing else. `build_definitions` takes other settings for tests."""

from typing import Any

import dagster as dg

from pipelines.assets.capture_step import CaptureListener
from pipelines.assets.captures import CAPTURE_JOB, CAPTURES, captures_asset
from pipelines.assets.lake_assets import lake_assets
from pipelines.assets.schedules import schedules
from pipelines.assets.warehouse import BUILD_JOB, warehouse_assets
from pipelines.settings import Run, Settings, mint_run
from pipelines.sources import load_sources

# What each step's process would else load for itself: the code, where Dagster keeps its records, and what Arrow asks
# for when it computes.
LOADED_ONCE = [__name__, "pipelines.assets.loaded", "dagster._core.storage.base_storage", "pandas"]


def build_definitions(settings: Settings, run: Run, listener: CaptureListener | None = None) -> dg.Definitions:
    """All assets, checks, jobs and schedules for these settings."""
    asking = dg.AssetSelection.assets(CAPTURES)
    return dg.Definitions(
        executor=_executor(settings),
        assets=[captures_asset(load_sources(settings.sources)), *lake_assets(), *warehouse_assets()],
        jobs=[
            dg.define_asset_job(CAPTURE_JOB, selection=asking, description="Ask sources and archive their answers."),
            dg.define_asset_job(
                BUILD_JOB, selection=dg.AssetSelection.all() - asking, description="Read what is new, build, publish."
            ),
        ],
        schedules=schedules(settings),
        resources={"settings": settings, "run": run, "listener": listener or CaptureListener()},
    )


def _executor(settings: Settings) -> dg.ExecutorDefinition:
    """A process a step, or Dask's workers where the settings name them. `rackledger run` needs neither.

    The processes are forked from one that has loaded the code: loading it costs more than most steps do.
    """
    if not settings.dask:
        forked = {"forkserver": {"preload_modules": LOADED_ONCE}}
        processes = {"max_concurrent": settings.workers, "start_method": forked}
        return dg.multiprocess_executor.configured(processes, name="processes")
    import dask  # of the extra `dask`
    from dagster_dask import dask_executor

    dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})  # else each loads all for itself

    cluster: dict[str, Any]
    if settings.dask == "local":
        cluster = {"local": {"n_workers": settings.workers, "threads_per_worker": 1, "dashboard_address": None}}
    else:
        cluster = {"existing": {"address": settings.dask}}
    executor: dg.ExecutorDefinition = dask_executor.configured({"cluster": cluster}, name="dask")
    return executor


@dg.definitions
def defs() -> dg.Definitions:
    """The code location that `rackledger dev` and a Dagster deployment load."""
    return build_definitions(Settings(), mint_run())
