"""The command line as a user meets it: output forms, exit codes, and messages that say what to do."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.settings import Settings
from tests import rounds
from tests.committed_build import begin_empty
from tests.settings_kit import keep_records_in_memory, settings_below

RUNNER = CliRunner()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with one made-up round, made once by the commands on one of an empty folder."""
    folder = tmp_path_factory.mktemp("commands")
    path = folder / "round.tar.gz"
    path.write_bytes(
        rounds.archive({**rounds.usual_members(), "Example/systems/ex8.json": rounds.system(submitter="=Evil()")})
    )
    with pytest.MonkeyPatch.context() as patch:
        keep_records_in_memory(patch)
        settings = settings_below(folder, patch)
        begin_empty(settings, tmp_path_factory)
        assert RUNNER.invoke(app, ["archive", "add", str(path)]).exit_code == 0
        result = RUNNER.invoke(app, ["run", "--offline", "--json"])
    assert result.exit_code == 0, result.output
    return settings.warehouse


@pytest.fixture
def built(settings: Settings, made: Path) -> Settings:
    """Settings of the test's own with a copy of that warehouse."""
    settings.warehouse.parent.mkdir(parents=True)
    shutil.copyfile(made, settings.warehouse)
    return settings


@pytest.mark.parametrize(
    ("words", "unloaded"),
    [
        (["--version"], {"dagster", "duckdb", "httpx", "pandas", "pyarrow"}),
        (["sql", "SELECT 1 AS one"], {"dagster", "httpx", "pandas", "pyarrow"}),
    ],
    ids=["version", "sql"],
)
def test_a_short_command_loads_no_large_library(built: Settings, words: list[str], unloaded: set[str]) -> None:
    code = f"""
import atexit, sys
atexit.register(lambda: print("loaded:", *sorted({unloaded!r} & sys.modules.keys())))
from pipelines.cli import app
app({words!r})"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].split() == ["loaded:"]


def test_sql_prints_csv_and_json(built: Settings) -> None:
    query = "SELECT benchmark, accelerators, stated_on FROM facts.mlperf_training"
    rows = list(csv.DictReader(io.StringIO(RUNNER.invoke(app, ["sql", "-f", "csv", query]).stdout)))
    assert rows == [{"benchmark": "bert", "accelerators": "8", "stated_on": "2025-06-15"}]
    assert json.loads(RUNNER.invoke(app, ["sql", "-f", "json", query]).stdout) == [
        {"benchmark": "bert", "accelerators": 8, "stated_on": "2025-06-15"}
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE facts.mlperf_training",
        "INSERT INTO facts.mlperf_training SELECT * FROM facts.mlperf_training",
        "UPDATE meta.publication SET version = 'x'",
        "SELECT * FROM read_csv('/etc/passwd')",
        "COPY facts.mlperf_training TO 'out.csv'",
        "ATTACH 'other.duckdb'",
        "SET enable_external_access = true",
        "INSTALL httpfs",
    ],
)
def test_sql_can_neither_change_nor_reach_anything(built: Settings, statement: str) -> None:
    before = hashlib.sha256(built.warehouse.read_bytes()).hexdigest()
    result = RUNNER.invoke(app, ["sql", statement])
    assert result.exit_code == 1
    assert result.stdout == ""
    assert hashlib.sha256(built.warehouse.read_bytes()).hexdigest() == before
    assert not Path("out.csv").exists()


def test_without_a_warehouse_commands_say_what_to_run(settings: Settings) -> None:
    for command in (["sql", "SELECT 1"], ["publish"], ["dashboard"]):
        result = RUNNER.invoke(app, command)
        assert result.exit_code == 3
        assert "make run" in result.output


def test_a_wrong_setting_is_named(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACKLEDGER_WORKERS", "many")
    result = RUNNER.invoke(app, ["archive", "list"])
    assert result.exit_code == 2
    assert "RACKLEDGER_WORKERS" in result.output
    assert "many" in result.output


def test_publish_writes_a_package_whose_sums_match(built: Settings) -> None:
    report = json.loads(RUNNER.invoke(app, ["publish", "--json"]).stdout)
    folder = Path(report["folder"])
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    package = json.loads((folder / "datapackage.json").read_text())
    resources = {resource["path"]: resource for resource in package["resources"]}
    training = resources["facts.mlperf_training.csv"]
    fields = {field["name"]: field for field in training["schema"]["fields"]}
    assert training["schema"]["primaryKey"] == ["result_key"]
    assert [set(source) for source in training["sources"]] == [{"title", "path"}]
    assert fields["score_minutes"] == {
        "name": "score_minutes",
        "type": "number",
        "description": fields["score_minutes"]["description"],
        "unit": "minutes",
    }
    (row,) = csv.DictReader(io.StringIO((folder / "facts.mlperf_training.csv").read_text()))
    assert list(row) == list(fields)
    assert row["submitter_raw"] == "'=Evil()", "a cell that a spreadsheet would run is quoted"
    assert row["committed_at"] == "2025-06-15T15:06:40Z"
    assert pq.read_table(folder / "facts.mlperf_training.parquet").column("submitter_raw").to_pylist() == ["=Evil()"]
    assert json.loads((built.published / "latest.json").read_text())["version"] == report["version"]
    again = json.loads(RUNNER.invoke(app, ["publish", "--json"]).stdout)
    assert (again["version"], again["is_new"]) == (report["version"], False)


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
def test_mlperf_parse_writes_a_row_a_result(settings: Settings, tmp_path: Path, suffix: str) -> None:
    archive, out = tmp_path / "r.tar.gz", tmp_path / f"rows{suffix}"
    archive.write_bytes(rounds.archive())
    result = RUNNER.invoke(app, ["mlperf", "parse", str(archive), "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["results"] == 1
    if suffix == ".parquet":
        (row,) = pq.read_table(out).to_pylist()
    elif suffix == ".csv":
        (row,) = csv.DictReader(io.StringIO(out.read_text()))
    else:
        row = json.loads(out.read_text())
    required = {
        *("round", "suite", "division", "submitter", "submitter_dir", "system", "benchmark", "table", "availability"),
        *("accelerator_raw", "accelerator", "accelerators", "nodes", "n_runs", "scaling_factor", "score_minutes"),
        *("energy_j", "member_dir", "problem"),
    }
    assert required <= set(row)
    assert row["benchmark"] == "bert"
    assert float(row["score_minutes"]) == pytest.approx(14.5)


def test_mlperf_parse_refuses_an_unknown_suffix_before_reading(settings: Settings, tmp_path: Path) -> None:
    archive = tmp_path / "r.tar.gz"
    archive.write_bytes(rounds.archive())
    result = RUNNER.invoke(app, ["mlperf", "parse", str(archive), "--out", str(tmp_path / "rows.xlsx")])
    assert result.exit_code == 1
    assert ".parquet, .csv, .jsonl" in result.output


def test_doctor_says_what_is_wrong_and_what_to_do(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RACKLEDGER_WAREHUOSE", "typo")
    result = RUNNER.invoke(app, ["doctor", "--json"])
    assert result.exit_code == 1
    findings = {(f["what"], f["found"]): f for f in json.loads(result.stdout)}
    assert findings[("environment", "RACKLEDGER_WAREHUOSE")]["is_well"] is False
    (warehouse,) = [f for (what, _), f in findings.items() if what == "warehouse"]
    assert warehouse["remedy"] == "run `make run`"


def test_files_of_a_source_become_documents(begun: Settings, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(
        "<html><head><title>A rack</title></head><body><article><h1>A rack</h1><p>Some words of text about it, "
        "long enough to be read as a paragraph.</p></article></body></html>"
    )
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 nothing more")
    for path in (page, tmp_path / "bad.pdf"):
        result = RUNNER.invoke(app, ["archive", "add", str(path), "--source", "hand_added", "--date", "2026-01-05"])
        assert result.exit_code == 0, result.output
    assert RUNNER.invoke(app, ["run", "--offline"]).exit_code == 0
    query = "SELECT title, format, problem, captured_at::DATE AS d FROM evidence.documents ORDER BY problem"
    assert json.loads(RUNNER.invoke(app, ["sql", "-f", "json", query]).stdout) == [
        {"title": "A rack", "format": "html", "problem": "", "d": "2026-01-05"},
        {"title": "", "format": "", "problem": "document_damaged", "d": "2026-01-05"},
    ]
    assert RUNNER.invoke(app, ["archive", "verify"]).exit_code == 0
