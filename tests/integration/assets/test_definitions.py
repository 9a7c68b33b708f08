"""The Dagster code location: its graph, its schedules, and that other executors give the same result."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dagster as dg
import pytest
import yaml

from pipelines.assets.warehouse import BUILD_JOB
from pipelines.dagster_home import forget_old_runs
from pipelines.definitions import build_definitions
from pipelines.settings import PREFIX, Settings, mint_run
from pipelines.sources import load_sources
from pipelines.upkeep import manifest


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
        key(["registry", "mlperf_changes"]),
    }
    (check,) = graph.get(key(["facts", "mlperf_training"])).check_keys
    told = graph.get_check_spec(check).description or ""
    assert all(f"facts_mlperf_training_{kind}: " in told for kind in ("key", "rules", "coverage", "known"))


def test_a_list_whose_sources_are_all_skipped_is_built_all_the_same(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who skips the last source takes its rows out of the next build; the run does not end."""
    listed = yaml.safe_load(settings.sources.read_text(encoding="utf-8"))["sources"]
    skipped = {name: entry | {"status": "skip"} for name, entry in listed.items()}
    path = settings.data.parent / "sources.yaml"
    path.write_text(yaml.safe_dump({"provider_denylist": [], "sources": skipped}))
    monkeypatch.setenv(f"{PREFIX}SOURCES", str(path))
    assert build_definitions(Settings(), mint_run()).resolve_job_def(BUILD_JOB)


def test_schedules_are_off_for_development_and_on_where_the_setting_says_so(
    definitions: dg.Definitions, settings: Settings
) -> None:
    deployed = build_definitions(settings.model_copy(update={"schedules": True}), mint_run())
    for found, status in ((definitions, "STOPPED"), (deployed, "RUNNING")):
        schedules = {item.name: item for item in found.schedules or [] if isinstance(item, dg.ScheduleDefinition)}
        assert set(schedules) == {"capture_hourly", "build_hourly"}
        assert {item.default_status.value for item in schedules.values()} == {status}


def test_the_hourly_capture_asks_what_is_due_in_one_run(definitions: dg.Definitions, settings: Settings) -> None:
    (schedule,) = [item for item in definitions.schedules or [] if item.name == "capture_hourly"]
    assert isinstance(schedule, dg.ScheduleDefinition)
    (request,) = schedule.evaluate_tick(dg.build_schedule_context()).run_requests or []
    asked = request.run_config["ops"]["archive__captures"]["config"]["only"]
    assert asked == [source.id for source in load_sources(settings.sources) if source.is_fetched]  # none has a capture


def test_the_hourly_build_starts_no_run_where_nothing_changed(definitions: dg.Definitions, settings: Settings) -> None:
    (schedule,) = [item for item in definitions.schedules or [] if item.name == "build_hourly"]
    assert isinstance(schedule, dg.ScheduleDefinition)
    (request,) = schedule.evaluate_tick(dg.build_schedule_context()).run_requests or []
    inputs = request.run_config["ops"]["warehouse"]["config"]["inputs"]
    settings.warehouse.parent.mkdir()
    settings.warehouse.write_text("published")
    manifest.record(settings, inputs, "v1")
    tick = schedule.evaluate_tick(dg.build_schedule_context())
    assert (tick.run_requests or [], tick.skip_message) == ([], "nothing changed since the last publication")


def test_the_code_location_validates(definitions: dg.Definitions) -> None:
    dg.Definitions.validate_loadable(definitions)
    assert definitions.resolve_job_def(BUILD_JOB).name == BUILD_JOB


def test_a_run_does_not_forget_its_own_record_whatever_the_clock_says() -> None:
    @dg.job
    def nothing() -> None: ...

    later = dt.datetime.now(dt.UTC) + dt.timedelta(days=5000)
    with dg.DagsterInstance.ephemeral() as instance:
        run_id = nothing.execute_in_process(instance=instance).run_id
        assert forget_old_runs(instance, later, run_id) == 0
        assert instance.get_run_by_id(run_id) is not None
        assert forget_old_runs(instance, later, "another run") == 1
        assert instance.get_run_by_id(run_id) is None


def test_a_setting_hands_the_steps_to_dask(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def configured(config: object, name: str) -> dg.ExecutorDefinition:
        asked.append(config)
        return dg.in_process_executor

    stand_in = SimpleNamespace(dask_executor=SimpleNamespace(configured=configured))  # the package is an extra
    monkeypatch.setitem(sys.modules, "dagster_dask", stand_in)
    for place in ("", "local", "tcp://scheduler:8786"):
        given = settings.model_copy(update={"dask": place, "workers": 2})
        executor = build_definitions(given, mint_run()).executor
        assert isinstance(executor, dg.ExecutorDefinition)
        assert (executor.name == "processes") == (place == "")
    assert asked == [
        {"cluster": {"local": {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}}},
        {"cluster": {"existing": {"address": "tcp://scheduler:8786"}}},
    ]


def test_no_record_of_a_run_leaves_the_machine(settings: Settings) -> None:
    from pipelines.dagster_home import prepare

    config = (prepare(settings.dagster_home) / "dagster.yaml").read_text()
    assert "telemetry:\n  enabled: false" in config
    assert Path(settings.dagster_home).is_dir()
