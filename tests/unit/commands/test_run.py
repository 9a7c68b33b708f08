"""`rackledger run` builds where an input changed or a run before failed, and else says in one line why not."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines import main_job
from pipelines.archive.store import Archive
from pipelines.cli import app
from pipelines.collect.report import CollectedSource, CollectReport
from pipelines.commands.run import _new, first_words, several
from pipelines.main_job import MainReport
from pipelines.settings import Run, Settings
from pipelines.sources import load_sources
from pipelines.upkeep import manifest
from tests.archive_kit import STAMP, START, exchange

SOURCES = """
provider_denylist: []
sources:
  news: {title: News, publisher: nvidia, producer: NVIDIA, licence: none, group: accelerator_maker, layer: vendor,
         signals: [roadmap], kind: page, urls: ["https://news.example/"], parser: html, evidence: vendor,
         allowed_hosts: [news.example], cadence: 1d, terms: free, status: active}
"""


class Builder:
    """Stands for the main job: publishes a file and notes its inputs, or fails."""

    def __init__(self) -> None:
        self.runs = 0
        self.is_good = True

    def __call__(
        self, settings: Settings, run: Run, *, accept_shrink: bool, is_full: bool, inputs: Mapping[str, str]
    ) -> MainReport:
        self.runs += 1
        if not self.is_good:
            return MainReport(is_success=False, seconds=0, error="checks failed")
        settings.warehouse.parent.mkdir(parents=True, exist_ok=True)
        settings.warehouse.write_text(f"version {self.runs}")
        manifest.record(settings, inputs, f"v{self.runs}")
        return MainReport(is_success=True, seconds=0, version=f"v{self.runs}")


@pytest.fixture
def builder(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Builder:
    found = Builder()
    monkeypatch.setattr(main_job, "run_main_job", found)
    settings.facts.mkdir()
    (settings.facts / "adoption.csv").write_text("organisation\nexample\n")
    (settings.facts / "sources.yaml").write_text(SOURCES)
    monkeypatch.setenv("RACKLEDGER_SOURCES", str(settings.facts / "sources.yaml"))
    return found


def run(*options: str) -> str:
    return CliRunner().invoke(app, ["run", "--offline", *options]).output


def test_where_nothing_changed_the_published_file_stays_and_one_line_says_so(
    settings: Settings, builder: Builder
) -> None:
    assert "no complete run yet" in run()
    before = settings.warehouse.stat().st_mtime_ns
    assert run().splitlines() == ["nothing changed since version v1; --rebuild builds all the same"]
    assert (builder.runs, settings.warehouse.stat().st_mtime_ns) == (1, before)
    run("--rebuild")
    assert builder.runs == 2


def change_a_fact(settings: Settings) -> None:
    (settings.facts / "adoption.csv").write_text("organisation\nexampla\n")


def add_a_capture(settings: Settings) -> None:
    with Archive(settings.archive, run_stamp=STAMP) as archive:
        archive.append(exchange())


def remove_the_published_file(settings: Settings) -> None:
    settings.warehouse.unlink()


def put_another_file_in_place(settings: Settings) -> None:
    settings.warehouse.write_text("somebody else's")


def decide_something(settings: Settings) -> None:
    """A kind of file that this module does not know is an input."""
    settings.data.mkdir(exist_ok=True)
    (settings.data / "decisions.jsonl").write_text("{}")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (change_a_fact, "facts"),
        (add_a_capture, "archive"),
        (decide_something, "archive"),
        (remove_the_published_file, "published file"),
        (put_another_file_in_place, "published file"),
    ],
)
def test_what_changed_is_named_and_built(settings: Settings, builder: Builder, change: object, named: str) -> None:
    run()
    assert callable(change)
    change(settings)
    assert f"(changed: {named})" in run()
    assert builder.runs == 2
    assert "nothing changed since version v2" in run()


def test_a_run_that_failed_is_tried_again(settings: Settings, builder: Builder) -> None:
    run()
    change_a_fact(settings)
    builder.is_good = False
    assert "checks failed" in run()
    assert "checks failed" in run()
    builder.is_good = True
    assert "(changed: facts)" in run()
    assert builder.runs == 4


def test_sources_code_and_libraries_count(settings: Settings, tmp_path: Path) -> None:
    own = settings.model_copy(update={"sources": tmp_path / "sources.yaml"})
    (tmp_path / "sources.yaml").write_text("sources: {}\n")
    first = manifest.inputs_of(own)
    (tmp_path / "sources.yaml").write_text("sources: {a: {}}\n")
    second = manifest.inputs_of(own)
    assert {name for name in first if first[name] != second[name]} == {"sources"}
    assert set(first) == {"archive", "facts", "sources", "code", "libraries"}


def test_what_a_run_makes_is_no_input(settings: Settings) -> None:
    first = manifest.inputs_of(settings)
    for name in (
        "lake/documents/a.parquet",
        "builds/x.tmp",
        "dagster/history.db",
        "run.lock",
        "archive/index/a/b.jsonl",
        "archive/listing/a/202601.jsonl",
    ):
        path = settings.data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    manifest.record(settings, first, "v1")
    assert manifest.inputs_of(settings) == first


def test_a_record_that_cannot_be_read_is_none(settings: Settings) -> None:
    settings.data.mkdir()
    (settings.data / manifest.RECORD).write_text('{"inputs": ')
    assert manifest.read_record(settings) is None
    assert manifest.changed_since_last_run(settings, {}) == ["no complete run yet"]


def test_a_source_that_is_not_due_is_not_asked(settings: Settings) -> None:
    from pipelines.archive.attempts import last_captured

    add_a_capture(settings)
    assert last_captured(settings.archive, START + dt.timedelta(days=1)) == {"news": START}
    assert last_captured(settings.archive, START - dt.timedelta(days=1)) == {}  # ahead of the clock: as if not there


def test_one_is_no_plural() -> None:
    assert [several(count, "leftover") for count in (0, 1, 1500)] == ["0 leftovers", "1 leftover", "1,500 leftovers"]
    asked = CollectReport((CollectedSource("news", 1, 0, 1, 0, (), 10, 0.5),), True, 0.5)
    told = _new(asked, [], MainReport(True, 2.0, version="v", tables={"evidence.claims": 7}), 2.0)
    assert told == "version v in 2 s; new: 1 capture of 1 source asked, 0 documents read; 7 claims stand"


def test_the_first_words_count_hosts_and_minutes(tmp_path: Path) -> None:
    path = tmp_path / "sources.yaml"
    path.write_text(SOURCES)
    assert "it asks 1 host, gently (a minute at most), reads" in first_words(load_sources(path), is_offline=False)
    assert "it reads what is kept" in first_words(load_sources(path), is_offline=True)
