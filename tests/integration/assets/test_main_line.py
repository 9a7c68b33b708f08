"""The whole line on small archives: add, run, query; and what happens when the input is bad or the build is refused."""

from __future__ import annotations

import datetime as dt
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from pipelines.archive.pack import PackStore
from pipelines.assets.mlperf_step import build_rounds
from pipelines.assets.warehouse import plan_of
from pipelines.cli import app
from pipelines.facts.mlperf import export_facts
from pipelines.lake import Lake
from pipelines.main_job import MainReport, run_main_job
from pipelines.settings import Run, Settings
from tests import rounds
from tests.part_build import build_until
from tests.trimmed import only
from warehouse.read import Warehouse, WarehouseMissing

pytestmark = pytest.mark.usefixtures("begun")
RUN_AT = dt.datetime(2026, 1, 2, 3, 4, 5, tzinfo=dt.UTC)
RESULTS = "facts.mlperf_training"
rounds_alone = only(RESULTS)


def add(settings: Settings, content: bytes, name: str = "round.tar.gz", date: str = "2026-01-01") -> None:
    """Add an archive by the command, as a user would."""
    path = settings.data.parent / name
    path.write_bytes(content)
    result = CliRunner().invoke(app, ["archive", "add", str(path), "--date", date])
    assert result.exit_code == 0, result.output


def run(settings: Settings, number: int = 1, *, accept_shrink: bool = False) -> MainReport:
    return run_main_job(settings, Run(f"run-{number}", RUN_AT), accept_shrink=accept_shrink)


def read(settings: Settings) -> None:
    """Read the rounds into the lake, as the run does first."""
    manifests = PackStore(settings.archive).latest()
    assert all(not outcome.error for outcome in build_rounds(manifests, settings.archive, settings.lake, 1))


def run_until(settings: Settings, *tables: str) -> None:
    """What a run does with rounds, without Dagster around it, and no further than the last of these tables."""
    read(settings)
    build_until(plan_of(settings, Run("run", RUN_AT), accept_shrink=True), *tables)


def query(settings: Settings, sql: str) -> list[dict[str, Any]]:
    with Warehouse(settings.warehouse) as warehouse:
        return warehouse.rows(sql)


def test_an_archive_becomes_a_dated_audited_row(settings: Settings) -> None:
    add(settings, rounds.archive())
    report = run(settings)
    assert report.error == ""
    (row,) = query(settings, "FROM facts.mlperf_training")
    assert row["result_key"] == "training-v9.9/Example/results/ex8/bert"
    assert row["score_minutes"] == pytest.approx(14.5, rel=1e-9)
    assert (row["accelerator"], row["generation"], row["accelerators"]) == ("nvidia-h100-sxm5-80gb", "nvidia-hopper", 8)
    assert (row["evidence"], row["origin"], row["commit"]) == ("audited", "archive", rounds.COMMIT)
    assert (row["stated_on"], row["stated_on_basis"]) == (dt.date(2025, 6, 15), "commit")
    assert row["url"] == (
        f"https://github.com/mlcommons/training_results_v9.9/tree/{rounds.COMMIT}/Example/results/ex8/bert"
    )
    assert "Example/results/ex8/bert/result_0.txt" in row["member_paths"]
    (system,) = query(settings, "FROM facts.mlperf_systems")
    assert (system["evidence"], json.loads(system["raw_json"])["host_processor_model_name"]) == (
        "vendor",
        "Example CPU",
    )


def test_the_capture_keeps_what_was_read_and_no_code(settings: Settings) -> None:
    content = rounds.archive()
    add(settings, content)
    run_until(settings, "evidence.captures")
    (capture,) = query(settings, "FROM evidence.captures")
    assert capture["byte_count"] == len(content)
    assert capture["kept_members"] == 1 + len(rounds.TEN_RUNS)
    pack = (settings.archive / capture["kept_as"]).read_bytes()
    assert b"train.py" not in pack
    assert CliRunner().invoke(app, ["archive", "verify"]).exit_code == 0
    (settings.archive / capture["kept_as"]).write_bytes(pack[:-20])
    result = CliRunner().invoke(app, ["archive", "verify"])
    assert result.exit_code == 1
    assert capture["kept_as"] in result.output


def test_the_archive_alone_gives_the_same_content(settings: Settings) -> None:
    add(settings, rounds.archive())
    add(settings, rounds.archive(top="hpc_results_v9.8-main", members=hpc_members()), name="hpc.tar.gz")
    run(settings)
    hashes = query(settings, 'SELECT "table", row_count, content_hash FROM meta.tables ORDER BY 1')
    # a restore, as docs/operations.md says it: archive, attempts and facts are copied, all else is made again
    home = settings.data.parent / "restored"
    shutil.copytree(settings.archive, home / "data" / "archive")
    restored = settings.model_copy(
        update={"data": home / "data", "warehouse": home / "rackledger.duckdb", "published": home / "published"}
    )
    run(restored, 2)
    assert query(restored, 'SELECT "table", row_count, content_hash FROM meta.tables ORDER BY 1') == hashes
    assert {row["table"]: row["row_count"] for row in hashes}["facts.mlperf_training"] == 2


def hpc_members() -> dict[str, bytes]:
    return {
        "Example/systems/ex8.json": rounds.system(),
        **rounds.results([1.0, 2.0, 3.0, 4.0, 9.0], "Example/results/ex8/strong/deepcam", benchmark="deepcam"),
    }


@pytest.mark.usefixtures("rounds_alone")
def test_an_unchanged_round_is_not_parsed_again_and_nothing_new_is_published(settings: Settings) -> None:
    add(settings, rounds.archive())
    first = run(settings)
    before = settings.warehouse.stat().st_mtime_ns
    second = run(settings, 2)
    read = [row.counts["read_now"] for report in (first, second) for row in report.rows_of("lake/mlperf")]
    assert read == [1, 0]
    assert second.version == first.version
    assert settings.warehouse.stat().st_mtime_ns == before


@pytest.mark.usefixtures("rounds_alone")
def test_a_round_that_loses_results_is_shown_in_its_last_good_state_until_the_loss_is_meant(settings: Settings) -> None:
    two = rounds.usual_members() | rounds.results(rounds.TEN_RUNS, "Example/results/ex8/gnmt", benchmark="gnmt")
    add(settings, rounds.archive(two))
    before = os.umask(0o077)
    assert run(settings).is_success
    os.umask(before)
    assert settings.warehouse.stat().st_mode & 0o444 == 0o444
    (good,) = query(settings, "SELECT count(*) AS n, any_value(commit) AS c FROM facts.mlperf_training")
    add(settings, rounds.archive(commit="f" * 40), name="later.tar.gz", date="2026-02-01")
    killed, aside = (settings.warehouse.with_name(f"rackledger.duckdb.{end}") for end in ("run-0.building", "refused"))
    killed.write_bytes(b"half")
    aside.write_bytes(b"of a build before")
    second = run(settings, 2)
    assert second.is_success, second.error
    assert not killed.exists()
    assert not aside.exists()
    assert query(settings, "SELECT count(*) AS n, any_value(commit) AS c FROM facts.mlperf_training") == [good]
    (source,) = query(settings, "SELECT source_id, reason FROM evidence.quarantine WHERE kind = 'source'")
    assert source["source_id"] == "mlperf_training"
    assert "('training', 'v9.9', 2, 1)" in source["reason"]
    assert run(settings, 3, accept_shrink=True).is_success
    assert query(settings, "SELECT count(*) AS n, any_value(commit) AS c FROM facts.mlperf_training") == [
        {"n": 1, "c": "f" * 40}
    ]


def commit_facts(settings: Settings, content: bytes) -> None:
    """Make committed facts of an archive, and forget the archive."""
    add(settings, content)
    read(settings)
    export_facts(Lake(settings.lake), settings.facts, [], RUN_AT, {})
    for path in [*settings.archive.rglob("*"), *settings.lake.rglob("*.parquet")]:
        if path.is_file():
            path.unlink()


@pytest.mark.usefixtures("rounds_alone")
def test_committed_facts_show_without_an_archive_and_give_way_to_one(settings: Settings) -> None:
    two = rounds.usual_members() | rounds.results(rounds.TEN_RUNS, "Example/results/ex8/gnmt", benchmark="gnmt")
    commit_facts(settings, rounds.archive(two))
    keys = "SELECT benchmark, commit[:2] AS c FROM facts.mlperf_training ORDER BY 1"
    assert run(settings, 2).is_success
    assert query(settings, keys) == [{"benchmark": "bert", "c": "01"}, {"benchmark": "gnmt", "c": "01"}]
    # a part of the same commit: what it does not hold stays
    add(settings, rounds.archive(), name="part.tar.gz")
    assert run(settings, 3).is_success
    assert query(settings, keys) == [{"benchmark": "bert", "c": "01"}, {"benchmark": "gnmt", "c": "01"}]
    # another commit: it replaces the round
    newer = rounds.archive(two | {"Example/systems/ex8.json": rounds.system(submitter="Renamed")}, commit="e" * 40)
    add(settings, newer, name="newer.tar.gz", date="2026-03-01")
    assert run(settings, 4).is_success
    assert query(settings, keys) == [{"benchmark": "bert", "c": "ee"}, {"benchmark": "gnmt", "c": "ee"}]


def test_a_committed_row_without_a_tag_is_refused_by_name_and_the_rest_is_kept(settings: Settings) -> None:
    two = rounds.usual_members() | rounds.results(rounds.TEN_RUNS, "Example/results/ex8/gnmt", benchmark="gnmt")
    commit_facts(settings, rounds.archive(two))
    path = settings.facts / "mlperf_training.parquet"
    table = pq.read_table(path)
    place = table.schema.get_field_index("evidence")
    pq.write_table(table.set_column(place, "evidence", pa.array(["", "audited"])), path)
    run_until(settings, RESULTS)
    assert query(settings, "SELECT benchmark FROM facts.mlperf_training") == [{"benchmark": "gnmt"}]
    (problem,) = query(settings, "FROM evidence.problems")
    assert (problem["scope"], problem["place"], problem["reason"]) == (
        "mlperf_training.parquet",
        "row 1",
        "fact_refused",
    )
    assert "no evidence" in problem["detail"]


@pytest.mark.usefixtures("rounds_alone")
def test_without_anything_there_is_still_a_warehouse_with_its_dictionary(settings: Settings) -> None:
    settings.warehouse.unlink()
    with pytest.raises(WarehouseMissing, match="make run"):
        Warehouse(settings.warehouse)
    assert run(settings).is_success
    assert query(settings, "SELECT count(*) AS n FROM facts.mlperf_training") == [{"n": 0}]
    assert query(settings, "SELECT count(*) > 100 AS many FROM meta.columns WHERE says <> ''") == [{"many": True}]


def refusals(settings: Settings, content: bytes, tmp_path: Path) -> str:
    path = tmp_path / "bad.tar.gz"
    path.write_bytes(content)
    result = CliRunner().invoke(app, ["archive", "add", str(path), "--json"])
    assert result.exit_code == 1
    (row,) = json.loads(result.stdout)
    return str(row["why"])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "archive_empty"),
        (b"<html>not found</html>", "not_an_archive"),
        (rounds.archive(top="some-code-main"), "round_unknown"),
    ],
)
def test_what_is_no_round_is_refused_with_its_reason(
    settings: Settings, tmp_path: Path, content: bytes, reason: str
) -> None:
    assert f"({reason})" in refusals(settings, content, tmp_path)


BAD_MEMBERS: dict[str, tuple[str, bytes | None, str]] = {
    "Broken": ("systems/ex8.json", b'{"submitter": "Exa', "system_unreadable"),
    "Missing": ("systems/ex8.json", None, "system_missing"),
    "Bytes": ("results/ex8/bert/result_3.txt", b"\xff\xfe:::MLLOG {", "log_"),
    "Scaling": ("results/ex8/bert/scaling.json", b"{", "scaling_unreadable"),
}


def test_bad_members_are_reported_and_the_rest_of_the_round_is_kept(settings: Settings) -> None:
    members: dict[str, bytes | None] = {
        "Fine/systems/good.json": rounds.system(submitter="Fine"),
        **rounds.results([minutes + 0.5 for minutes in rounds.TEN_RUNS], "Fine/results/good/bert"),
    }
    for submitter, (member, content, _) in BAD_MEMBERS.items():
        members |= {path.replace("Example/", f"{submitter}/"): held for path, held in rounds.usual_members().items()}
        members[f"{submitter}/systems/ex8.json"] = rounds.system(submitter=submitter)
        members[f"{submitter}/{member}"] = content
    add(settings, rounds.archive({path: content for path, content in members.items() if content is not None}))
    run_until(settings, RESULTS)
    rows = query(settings, "SELECT submitter_dir, score_minutes, problem FROM facts.mlperf_training ORDER BY 1")
    assert [row["submitter_dir"] for row in rows] == sorted([*BAD_MEMBERS, "Fine"])
    (fine,) = [row for row in rows if row["submitter_dir"] == "Fine"]
    assert fine["score_minutes"] == pytest.approx(15.0)
    assert fine["problem"] == ""
    problems = query(settings, "SELECT scope, place, reason FROM evidence.problems")
    assert {row["scope"] for row in problems} == {"training-v9.9"}
    assert not [row for row in problems if "Fine/" in row["place"]]
    for submitter, (_, _, reason) in BAD_MEMBERS.items():
        told = [row["reason"] for row in problems if submitter in row["place"]]
        assert any(each.startswith(reason) for each in told), (submitter, told)


def test_a_truncated_archive_keeps_what_came_before_the_break(settings: Settings, tmp_path: Path) -> None:
    members = rounds.usual_members() | {"Zlast/results/z/bert/result_0.txt": bytes(range(256)) * 4000}
    content = rounds.archive(members)
    path = tmp_path / "cut.tar.gz"
    path.write_bytes(content[: len(content) - 400])
    result = CliRunner().invoke(app, ["archive", "add", str(path), "--json"])
    assert json.loads(result.stdout)[0]["state"] == "kept, not complete"
    run_until(settings, RESULTS)
    assert query(settings, "SELECT count(score_minutes) AS n FROM facts.mlperf_training") == [{"n": 1}]
    reasons = {row["reason"] for row in query(settings, "SELECT reason FROM evidence.problems WHERE is_fatal")}
    assert "archive_truncated" in reasons or "archive_damaged" in reasons


def test_a_round_without_results_is_said(settings: Settings) -> None:
    add(settings, rounds.archive({"Example/systems/ex8.json": rounds.system()}))
    run_until(settings, RESULTS)
    reasons = {row["reason"] for row in query(settings, "SELECT reason FROM evidence.problems")}
    assert "round_without_results" in reasons
