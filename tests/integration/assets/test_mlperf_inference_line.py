"""An inference round through the whole line on small archives: add, run, query, export and build from the export."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.facts.mlperf import export_facts, read_stand_ins
from pipelines.lake import Lake
from pipelines.main_job import run_main_job
from pipelines.problems import Problem
from pipelines.settings import PROJECT_ROOT, Run, Settings
from tests import rounds
from tests.inference_rounds import WINDOW, archive, detail, members, samples, session, summary, system
from tests.trimmed import only
from warehouse.committed import stage_facts
from warehouse.read import Warehouse
from warehouse.staging import LAKE_TABLES, committed_columns

pytestmark = pytest.mark.usefixtures("inference_alone", "begun")
inference_alone = only("marts.mlperf_inference_best", "marts.mlperf_coverage", "marts.mlperf_first_seen")
RUN_AT = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
TAKEN = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
TOKENS = ("Samples per second: 10", "Tokens per second: 24000.5")


def add(settings: Settings, files: dict[str, bytes]) -> None:
    path = settings.data.parent / "round.tar.gz"
    path.write_bytes(archive(files))
    result = CliRunner().invoke(app, ["archive", "add", str(path), "--date", "2026-01-01"])
    assert result.exit_code == 0, result.output


def query(settings: Settings, sql: str) -> list[dict[str, Any]]:
    with Warehouse(settings.warehouse) as warehouse:
        return warehouse.rows(sql)


def committed_inference(facts: Path) -> tuple[list[dict[str, Any]], list[Problem]]:
    """The committed rows of Inference as a build stages them, and what was refused."""
    with duckdb.connect() as connection:
        columns = committed_columns(connection, LAKE_TABLES["mlperf_inference"])
        problems = stage_facts(connection, "mlperf_inference", columns, facts)
        return connection.sql("FROM committed_mlperf_inference").arrow().read_all().to_pylist(), problems


def whole_round() -> dict[str, bytes]:
    """An H100 system with power, a preview of another generation on two nodes, and an open one."""
    power = {"mlperf_log_summary.txt": summary("Offline", *TOKENS),
             "mlperf_log_detail.txt": detail(**WINDOW, result_tokens_per_second=24000.5),
             "spl.txt": samples([9.0, 6000.0, 6000.0, 6000.0])}  # fmt: skip
    files = members("llama2-70b-99.9", run=power, other={"performance/power/client.json": session()})
    ahead = {"mlperf_log_summary.txt": summary("Offline", "Tokens per second: 96000")}
    files |= members("llama2-70b-99.9", platform="b200", run=ahead)
    files["closed/Example/systems/b200.json"] = system(
        status="preview", number_of_nodes=2, accelerators_per_node=4, accelerator_model_name="NVIDIA B200-SXM-180GB"
    )
    files |= members("resnet50", where="open/Other", run={"mlperf_log_summary.txt": summary()})
    return files


def test_a_round_becomes_facts_marts_and_first_dates(settings: Settings) -> None:
    add(settings, whole_round())
    assert run_main_job(settings, Run("run-1", RUN_AT)).error == ""
    rows = {row["system"]: row for row in query(settings, "FROM facts.mlperf_inference WHERE division = 'closed'")}
    row = rows["ex8"]
    assert row["result_key"] == "inference-v5.1/closed/Example/results/ex8/llama2-70b-99.9/Offline"
    assert (row["result"], row["unit"], row["result_per_accelerator"]) == (24000.5, "tokens/s", 24000.5 / 8)
    assert (row["power_w"], row["result_per_watt"]) == (6000.0, 24000.5 / 6000)
    assert (row["benchmark_id"], row["generation"], row["normalisation_warnings"]) == (
        "llama2-70b",
        "nvidia-hopper",
        [],
    )
    assert (row["evidence"], row["origin"], row["source_id"]) == ("audited", "archive", "mlperf_inference")
    assert row["url"].endswith(f"/tree/{rounds.COMMIT}/closed/Example/results/ex8/llama2-70b-99.9/Offline")
    assert row["system_key"] == "example/example-server/8x-nvidia-h100-sxm5-80gb/1-nodes/example"
    assert rows["b200"]["normalisation_warnings"] == ["several_nodes", "preview"]
    (best,) = query(settings, "FROM marts.mlperf_inference_best WHERE generation = 'nvidia-blackwell'")
    assert (best["best_per_accelerator"], best["previous_generation"]) == (12000.0, "nvidia-hopper")
    assert best["speedup_over_previous_generation"] == pytest.approx(96000 / 24000.5)
    assert best["gain_warnings"] == ["different_node_counts", "preview"]
    cells = query(settings, "SELECT submitter, benchmark, is_absent, n_power FROM marts.mlperf_coverage")
    assert cells == [{"submitter": "Example", "benchmark": "llama2-70b", "is_absent": False, "n_power": 1},
                     {"submitter": "Other", "benchmark": "llama2-70b", "is_absent": True, "n_power": 0}]  # fmt: skip
    first = query(settings, "FROM marts.mlperf_first_seen WHERE subject_kind = 'generation' ORDER BY subject")
    assert [(row["subject"], row["first_round"], row["first_available_round"]) for row in first] == [
        ("nvidia-blackwell", "v5.1", None),
        ("nvidia-hopper", "v5.1", "v5.1"),
    ]


def test_a_farm_of_variants_is_one_row_of_the_mart(settings: Settings) -> None:
    files: dict[str, bytes] = {}
    for number in range(25):
        run = {"mlperf_log_summary.txt": summary("Offline", f"Samples per second: {100 + number}")}
        files |= members(f"mobilenet-v{number}", where="open/Farm", run=run)
    add(settings, files)
    assert run_main_job(settings, Run("run-1", RUN_AT)).error == ""
    (farm,) = query(
        settings, "SELECT farm_key, farm_rows, is_farm, count(*) AS n FROM facts.mlperf_inference GROUP BY ALL"
    )
    assert (farm["farm_rows"], farm["is_farm"], farm["n"]) == (25, True, 25)
    (best,) = query(settings, "FROM marts.mlperf_inference_best")
    assert (best["n_results"], best["best_result"], best["warnings"]) == (1, 124.0, ["open_division"])


def test_the_organisers_complete_a_part_of_a_round_and_stand_in_for_one_that_is_not_there(settings: Settings) -> None:
    run = {"mlperf_log_summary.txt": summary("Server", "Completed samples per second : 12801.95")}
    add(settings, members(scenario="Server", run=run))
    assert run_main_job(settings, Run("run-1", RUN_AT)).error == ""
    organisers = settings.data.parent / "organisers"
    organisers.mkdir()
    row = {"ID": "5.1-0007", "Submitter": "Example", "Availability": "available", "Category": "closed",
           "Suite": "datacenter", "System": "Example server", "Platform": "ex8", "UsedModel": "resnet50",
           "Model": "resnet", "Scenario": "Server", "Accuracy": "acc: 76.1", "Nodes": 1, "Processor": "Example CPU",
           "Accelerator": "NVIDIA H100-SXM-80GB", "a#": 8, "inferred": 0,
           "Location": "closed/Example/results/ex8/resnet50/Server", "Performance_Result": 12801.9}  # fmt: skip
    (organisers / "v5.1_summary_results.json").write_text(json.dumps([row]))
    (organisers / "v4.1_summary_results.json").write_text(json.dumps([row]))
    report = export_facts(Lake(settings.lake), settings.facts, read_stand_ins(None, [organisers]), TAKEN, {})
    assert (report.rows["mlperf_inference"], report.origins, report.completed) == (
        2,
        {"archive": 1, "published summary": 1},
        1,
    )
    committed, problems = committed_inference(settings.facts)
    assert problems == []
    old, parsed = committed
    assert (parsed["result"], parsed["result_summary"], parsed["result_id"]) == (12801.9, 12801.95, "5.1-0007")
    assert parsed["from_organisers"] == ["accuracy", "accuracy_met", "accuracy_raw", "result", "result_id"]
    assert (old["round"], old["origin"], old["result"], old["commit"]) == ("v4.1", "published summary", 12801.9, None)


def test_the_committed_facts_hold_every_round_at_hand_and_the_figures_asked_for() -> None:
    path = PROJECT_ROOT / "warehouse" / "facts" / "mlperf_inference.parquet"
    assert path.stat().st_size < 3_000_000
    committed, problems = committed_inference(path.parent)
    assert problems == []
    found = {(row["round"], row["member_dir"]): row for row in committed}
    assert {name for name, _ in found} == {
        "v0.5", "v0.7", "v1.0", "v1.1", "v2.0", "v2.1", "v3.0", "v3.1", "v4.0", "v4.1", "v5.1", "v6.0", "v6.1",
    }  # fmt: skip
    mi300x = found["v4.1", "closed/AMD/results/8xMI300X_2xEPYC-9374F/llama2-70b-99/Offline"]
    assert (mi300x["result"], mi300x["unit"], mi300x["accelerators"]) == (23514.8, "tokens/s", 8)
    rubin = found["v6.1", "closed/NVIDIA/results/VR-NVL72_VR-288GB_aarch64x72_TRT/deepseek-r1/Offline"]
    assert (round(rubin["result"], 2), rubin["availability"]) == (1183326.85, "preview")
    assert round(rubin["result"] / rubin["accelerators"], 1) == 16435.1
    gb300 = found["v6.1", "closed/NVIDIA/results/GB300-NVL72_GB300-288GB_aarch64x8_TRT/deepseek-r1/Offline"]
    assert (gb300["result"], gb300["accelerators"], gb300["availability"]) == (75918.2, 8, "available")


def test_the_command_recognises_a_round_and_writes_the_columns_of_the_table(settings: Settings, tmp_path: Path) -> None:
    source, out = tmp_path / "round.tar.gz", tmp_path / "rows.jsonl"
    source.write_bytes(archive(whole_round()))
    result = CliRunner().invoke(app, ["mlperf", "parse", str(source), "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["round"] == "inference v5.1"
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 3
    assert set(rows[0]) >= {
        "round", "suite", "division", "category", "submitter", "system", "benchmark", "scenario", "availability",
        "accelerator_raw", "accelerator", "accelerators", "nodes", "result", "unit", "valid", "accuracy", "power_w",
        "weight_type", "inferred", "member_dir", "problem",
    }  # fmt: skip
