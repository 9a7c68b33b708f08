"""The same small archive through Dagster's in-process and multiprocess executors and by two Dask workers: lake and
warehouse are the same."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.main_job import run_main_job
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


@pytest.fixture(scope="module")
def in_process(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Built in one process."""
    folder = tmp_path_factory.mktemp("one")
    with pytest.MonkeyPatch.context() as patch:
        keep_records_in_memory(patch)
        settings = settings_below(folder, patch)
        fill(folder)
        begin_empty(settings, tmp_path_factory)
        assert run_main_job(settings, Run("in-process", dt.datetime(2026, 3, 4, tzinfo=dt.UTC))).error == ""
    return settings


@pytest.mark.parametrize(
    ("place", "processes"), [("", range(3, 99)), ("local", range(1, 3))], ids=["processes", "dask"]
)
def test_every_executor_makes_the_same_lake_and_the_same_warehouse(
    in_process: Settings,
    place: str,
    processes: range,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = settings_below(tmp_path, monkeypatch)
    for name, value in (("MEMORY_LIMIT", "1GB"), ("WORKERS", "2"), ("DASK", place)):
        monkeypatch.setenv(PREFIX + name, value)
    shutil.copytree(in_process.archive, many.archive)
    begin_empty(many, tmp_path_factory)
    done = subprocess.run([sys.executable, "-m", "tests.steps"], cwd=PROJECT_ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[-1]) in processes
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
