"""The same small archive through Dagster's in-process and multiprocess executors: lake and warehouse are the same."""

from __future__ import annotations

import datetime as dt
import json
import os
import shutil
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.definitions.reconstruct import ReconstructableRepository
from typer.testing import CliRunner

from pipelines.assets.warehouse import BUILD_JOB
from pipelines.cli import app
from pipelines.dagster_home import prepare
from pipelines.main_job import QUIET, run_main_job
from pipelines.settings import PREFIX, PROJECT_ROOT, Run, Settings
from tests import inference_rounds, rounds
from tests.committed_build import begin_empty
from tests.settings_kit import keep_records_in_memory, settings_below
from warehouse.build import published_hash
from warehouse.read import Warehouse

FEED = "https://gpurentalprices.com/api/latest.json"
NEWS = """# The new rack

Published 2026-03-02. NVIDIA says the GB300 NVL72 draws 140 kW per rack and holds 72 GPUs.
"""
PRICES = {
    "date": "2026-03-02",
    "generated_at": "2026-03-02T06:00:00Z",
    "offers": [
        {"provider": "Example", "gpu": "H100 SXM", "vram_gb": 80, "usd_hr": 2.5, "kind": "on-demand", "min_gpus": 8,
         "source_url": "https://example.org/", "fetched_at": "2026-03-02T05:00:00Z"}
    ],
    "providers": {"Example": {"ok": True, "stale": False, "last_verified": "2026-03-02T05:00:00Z"}},
}  # fmt: skip
PARTITIONED = {"documents", "mentions", "market_captures", "cloud_offers", "cloud_looks", "mlperf/training",
               "mlperf/inference", "mlperf/systems"}  # fmt: skip


def fill(folder: Path) -> None:
    """Two rounds, a document and a price list, added by the command as a user would."""
    inference = inference_rounds.members(run={"mlperf_log_summary.txt": inference_rounds.summary()})
    files: dict[str, tuple[bytes, tuple[str, ...]]] = {
        "training.tar.gz": (rounds.archive(), ()),
        "inference.tar.gz": (inference_rounds.archive(inference), ()),
        "news.md": (NEWS.encode(), ("--source", "nvidia_rack_guide", "--url", "https://example.org/news.md")),
        "prices.json": (json.dumps(PRICES).encode(), ("--source", "gpurentalprices", "--url", FEED)),
    }
    for name, (body, options) in files.items():
        (folder / name).write_bytes(body)
        done = CliRunner().invoke(app, ["archive", "add", str(folder / name), *options, "--date", "2026-03-03"])
        assert done.exit_code == 0, done.output


def lake_of(settings: Settings) -> dict[str, bytes]:
    """Every partition file's bytes; a file says which inputs and which code made it, never when or by which process."""
    return {str(path.relative_to(settings.lake)): path.read_bytes() for path in settings.lake.rglob("*.parquet")}


def run_in_processes(settings: Settings) -> set[int | None]:
    """The build with a process a step; returns the processes that the steps ran in.

    Once in this process: what they are forked from keeps the environment in which it was begun.
    """
    # as a deployment loads it: each step's process makes the code location for itself, from the environment alone
    location = ReconstructableRepository.for_module("pipelines.definitions", "defs", str(PROJECT_ROOT))
    with (
        dg.DagsterInstance.from_config(str(prepare(settings.dagster_home))) as instance,
        dg.execute_job(location.get_reconstructable_job(BUILD_JOB), instance, run_config=QUIET) as result,
    ):
        assert result.success
        return {event.pid for event in result.all_events if event.event_type_value == "STEP_START"}


def test_both_executors_make_the_same_lake_and_the_same_warehouse(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "one", tmp_path / "many"
    first.mkdir()
    monkeypatch.setenv(PREFIX + "MEMORY_LIMIT", "1GB")
    with monkeypatch.context() as patch:
        keep_records_in_memory(patch)
        in_process = settings_below(first, patch)
        fill(tmp_path)
        begin_empty(in_process, tmp_path_factory)
        shutil.copytree(in_process.archive, second / "data" / "archive")
        run = Run("in-process", dt.datetime(2026, 3, 4, tzinfo=dt.UTC))
        assert run_main_job(in_process, run).error == ""
    with monkeypatch.context() as patch:
        many = settings_below(second, patch)
        patch.setenv(PREFIX + "WORKERS", "2")
        begin_empty(many, tmp_path_factory)
        assert os.getpid() not in run_in_processes(many)
    made = lake_of(in_process)
    assert {Path(name).parent.as_posix() for name in made} >= PARTITIONED
    assert lake_of(many) == made
    ours, theirs = published_hash(in_process.warehouse), published_hash(many.warehouse)
    assert ours is not None
    assert theirs is not None
    assert ours[1] == theirs[1]
    with Warehouse(many.warehouse) as warehouse:
        (row,) = warehouse.rows(
            """SELECT (SELECT count(*) FROM facts.mlperf_training) AS training,
                      (SELECT count(*) FROM facts.mlperf_inference) AS inference,
                      (SELECT count(*) FROM facts.cloud_offers) AS offers,
                      (SELECT count(*) FROM evidence.mentions WHERE source_id = 'nvidia_rack_guide') AS mentions"""
        )
    assert row["training"] == row["inference"] == row["offers"] == 1
    assert row["mentions"] >= 2
