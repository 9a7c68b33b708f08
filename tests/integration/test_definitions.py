"""The Dagster code location: its graph, its schedules, and that other executors give the same result."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import dagster as dg
import pytest

from pipelines.assets.captures import cron_of
from pipelines.definitions import BUILD_JOB, build_definitions
from pipelines.settings import Settings, mint_run
from pipelines.sources import load_sources


@pytest.fixture
def definitions(settings: Settings) -> dg.Definitions:
    return build_definitions(settings, mint_run())


def test_the_graph_runs_from_sources_to_marts(definitions: dg.Definitions) -> None:
    graph = definitions.resolve_asset_graph()
    key = dg.AssetKey
    assert graph.get(key(["lake", "documents"])).parent_keys == {key(["archive", "captures"])}
    assert graph.get(key(["lake", "mlperf"])).parent_keys == {key(["archive", "captures"])}
    assert graph.get(key(["evidence", "documents"])).parent_keys == {key(["lake", "documents"])}
    assert key(["lake", "mlperf"]) in graph.get(key(["facts", "mlperf_training"])).parent_keys
    assert graph.get(key(["marts", "mlperf_training_best"])).parent_keys == {
        key(["facts", "mlperf_training"]),
        key(["registry", "generations"]),
    }
    checks = {check.name for check in graph.asset_check_keys}
    assert {f"facts_mlperf_training_{kind}" for kind in ("key", "rules", "coverage", "known")} <= checks


def test_rounds_and_sources_are_partitions(definitions: dg.Definitions, settings: Settings) -> None:
    graph = definitions.resolve_asset_graph()
    rounds = graph.get(dg.AssetKey(["lake", "mlperf"])).partitions_def
    sources = graph.get(dg.AssetKey(["archive", "captures"])).partitions_def
    assert rounds is not None
    assert sources is not None
    assert {"training-v0.5", "training-v5.1", "hpc-v3.0"} <= set(rounds.get_partition_keys())
    assert set(sources.get_partition_keys()) == set(load_sources(settings.sources).sources)


def test_every_fetched_source_stands_in_the_schedule_of_its_cadence(
    definitions: dg.Definitions, settings: Settings
) -> None:
    catalog = load_sources(settings.sources)
    cadences = {int(source.cadence.total_seconds() // 3600) for source in catalog if source.is_fetched}
    names = {schedule.name for schedule in definitions.schedules or []}
    assert names == {f"capture_every_{hours}h" for hours in cadences} | {"build_hourly"}


@pytest.mark.parametrize(
    ("hours", "cron"), [(6, "5 */6 * * *"), (24, "5 5 * * *"), (7 * 24, "5 5 * * 1"), (30 * 24, "5 5 1 * *")]
)
def test_a_cadence_becomes_a_cron_line(hours: int, cron: str) -> None:
    assert cron_of(timedelta(hours=hours), 5) == cron


def test_the_code_location_validates(definitions: dg.Definitions) -> None:
    dg.Definitions.validate_loadable(definitions)
    assert definitions.resolve_job_def(BUILD_JOB).name == BUILD_JOB


def test_no_record_of_a_run_leaves_the_machine(settings: Settings) -> None:
    from pipelines.dagster_home import prepare

    config = (prepare(settings.dagster_home) / "dagster.yaml").read_text()
    assert "telemetry:\n  enabled: false" in config
    assert Path(settings.dagster_home).is_dir()
