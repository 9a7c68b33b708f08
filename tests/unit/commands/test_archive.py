"""`rackledger archive`: what is kept once, what is refused and why, and that every byte can be verified."""

from __future__ import annotations

import datetime as dt
import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipelines.archive.notes import DocumentNote, add_notes, read_notes
from pipelines.assets.claims_step import build_claims
from pipelines.assets.documents_step import build_documents
from pipelines.cli import app
from pipelines.lake import Lake
from pipelines.settings import Settings
from pipelines.sources import load_sources
from tests import rounds

RUNNER = CliRunner()


def archive(*arguments: str) -> Any:
    return RUNNER.invoke(app, ["archive", *arguments])


@pytest.fixture
def page(settings: Settings, tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text("<html><body><p>A rack draws 132 kW.</p></body></html>", encoding="utf-8")
    return path


def test_a_file_is_kept_once(page: Path) -> None:
    options = ["--source", "hand_added", "--url", "https://example.org/a", "--date", "2026-01-05", "--json"]
    (kept,) = json.loads(archive("add", str(page), *options).stdout)
    assert (kept["scope"], kept["state"]) == ("hand_added", "1 kept, 0 kept already, 0 passed over")
    (again,) = json.loads(archive("add", str(page), *options).stdout)
    assert again["state"] == "0 kept, 1 kept already, 0 passed over"
    (listed,) = json.loads(archive("list", "--json").stdout)
    assert listed["url"] == "https://example.org/a"
    assert listed["captured_at"].startswith("2026-01-05")
    assert json.loads(archive("list", "--source", "top500", "--json").stdout) == []


def test_a_round_is_kept_as_a_pack(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "round.tar.gz"
    path.write_bytes(rounds.archive())
    (kept,) = json.loads(archive("add", str(path), "--json").stdout)
    assert kept["state"] == "kept"
    assert kept["scope"]
    (again,) = json.loads(archive("add", str(path), "--json").stdout)
    assert again["state"] == "kept already"
    (listed,) = json.loads(archive("list", "--json").stdout)
    assert listed["state"] == "complete"


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("page.html", [], "say which source it belongs to with --source"),
        ("page.html", ["--source", "no_such"], "no source has the id 'no_such'"),
        ("page.html", ["--source", "top5oo"], "did you mean 'top500'?"),
        ("gone.html", ["--source", "hand_added"], "there is no such file"),
        ("bad.tar.gz", [], ""),
    ],
)
def test_what_is_refused_says_why(page: Path, name: str, options: list[str], why: str) -> None:
    (page.parent / "bad.tar.gz").write_bytes(b"no archive")
    result = archive("add", str(page.parent / name), *options, "--json")
    assert result.exit_code == 1
    (row,) = json.loads(result.stdout)
    assert row["state"] == "refused"
    assert row["why"]
    assert why in row["why"]


def test_a_document_without_a_source_is_read_with_what_was_said_of_it(page: Path, settings: Settings) -> None:
    said = ["--publisher", "Example Labs", "--published", "2026-01-02", "--date", "2026-01-05"]
    assert archive("add", str(page), "--url", "https://example.org/note", *said).exit_code == 0
    source = load_sources(settings.sources).sources["hand_added"]
    for publisher in ("Example Labs", "Another"):
        list(build_documents([source], settings.archive, settings.lake, 1))
        (row,) = Lake(settings.lake).read("documents", "hand_added").to_pylist()
        found = (row["publisher"], row["published_on"], row["published_basis"], row["url"])
        assert found == (publisher, dt.date(2026, 1, 2), "given", "https://example.org/note")
        add_notes(settings.archive, [DocumentNote(row["capture_id"], "Another", dt.date(2026, 1, 2))])  # a correction


def test_what_somebody_else_asserts_is_his_claim_and_relayed(page: Path, settings: Settings) -> None:
    text = "<html><body><p>The NVIDIA GB300 NVL72 draws 132 kW per rack.</p></body></html>"
    page.write_text(text, encoding="utf-8")
    said = ["--publisher", "Example Labs", "--claimant", "SemiAnalysis", "--published", "2026-01-02"]
    assert archive("add", str(page), "--url", "https://example.org/note", *said).exit_code == 0
    source = load_sources(settings.sources).sources["hand_added"]
    list(build_documents([source], settings.archive, settings.lake, 1))
    list(build_claims([source], settings.lake, 1))
    rows = Lake(settings.lake).read("mentions", "hand_added").to_pylist()
    assert {(row["claimant"], row["publisher"], row["value"]) for row in rows} == {
        ("SemiAnalysis", "Example Labs", 132.0)
    }


def test_what_is_said_of_a_document_that_is_kept_already_counts(page: Path, settings: Settings) -> None:
    add = ["add", str(page), "--url", "https://example.org/note", "--json"]
    for said, why in (
        (["--publisher", "Nvidai", "--claimant", "SemiAnalysis"], "no organisation 'Nvidai' is known; did you mean"),
        (["--publisher", "NVIDIA", "--published", "2026-01-02"], ""),
    ):
        result = archive(*add, *said)
        assert result.exit_code == 0
        (row,) = json.loads(result.stdout)
        assert row["why"].startswith(why)
        assert bool(row["why"]) == bool(why)
    assert row["state"] == "0 kept, 1 kept already, 0 passed over, what is said of it now counts"
    (note,) = read_notes(settings.archive).values()
    assert (note.publisher, note.claimant, note.published_on) == ("NVIDIA", "SemiAnalysis", dt.date(2026, 1, 2))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.nvidia.com/en-us/rack", ("vendor", "NVIDIA")),
        ("https://www.theregister.com/2026/rack", ("reported", "The Register")),
        ("https://example.org/rack", ("unverified", "NVIDIA")),  # it calls itself so, and nobody knows the domain
    ],
)
def test_a_page_added_by_hand_is_graded_by_whose_domain_it_came_from(
    page: Path, settings: Settings, url: str, expected: tuple[str, str]
) -> None:
    head = (
        '<head><meta property="og:site_name" content="NVIDIA"><link rel="canonical" href="https://www.nvidia.com/a">'
        "</head>"
    )
    page.write_text(f"<html>{head}<body><p>The NVIDIA GB300 NVL72 draws 132 kW per rack.</p></body></html>")
    assert archive("add", str(page), "--url", url).exit_code == 0
    source = load_sources(settings.sources).sources["hand_added"]
    list(build_documents([source], settings.archive, settings.lake, 1))
    list(build_claims([source], settings.lake, 1))
    rows = Lake(settings.lake).read("mentions", "hand_added").to_pylist()
    assert {(row["evidence"], row["claimant"]) for row in rows} == {expected}


def test_where_nothing_was_kept_no_run_is_advised(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text("-----BEGIN")
    result = archive("add", str(tmp_path / "key.pem"), "--url", "https://example.org/key")
    assert result.exit_code == 1
    assert "rackledger run" not in result.output


def test_a_pdf_by_name_alone_is_refused_and_an_entry_that_cannot_be_opened_is_named(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "folder"
    (folder / "closed").mkdir(parents=True)
    (folder / "paper.pdf").write_bytes(b"no such thing")
    scan = os.scandir

    def refused(path: str) -> Any:
        if str(path).endswith("closed"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr("os.scandir", refused)
    result = archive("add", str(folder), "--url", "https://example.org/", "--json")
    assert result.exit_code == 1
    assert [(row["file"], row["why"]) for row in json.loads(result.stdout)[1:]] == [
        ("closed", "cannot be read: Permission denied"),
        ("paper.pdf", "the name says PDF, the bytes are none"),
    ]


def test_a_folder_of_which_nothing_can_be_kept_is_told_file_by_file(settings: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "key.pem").write_text("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n")
    result = archive("add", str(folder), "--url", "https://example.org/", "--json")
    assert result.exit_code == 1
    assert [row["state"] for row in json.loads(result.stdout)] == ["0 kept, 0 kept already, 0 passed over", "refused"]
    (folder / "note.txt").write_text("A rack draws 132 kW.")
    assert archive("add", str(folder), "--url", "https://example.org/").exit_code == 0


def test_every_digest_is_checked_and_damage_is_named(page: Path, settings: Settings) -> None:
    assert archive("add", str(page), "--source", "hand_added").exit_code == 0
    good = archive("verify", "--json")
    assert good.exit_code == 0
    assert json.loads(good.stdout)["problems"] == []
    (warc,) = settings.archive.rglob("*.warc*")
    content = warc.read_bytes()
    warc.write_bytes(content[: len(content) // 2])
    bad = archive("verify", "--json")
    assert bad.exit_code == 1
    assert any(warc.name in line for line in json.loads(bad.stdout)["problems"])


def test_repair_and_index_say_what_they_did(page: Path) -> None:
    assert "empty" in archive("list").stdout
    assert archive("add", str(page), "--source", "hand_added").exit_code == 0
    assert archive("repair").stdout.startswith("nothing was torn")
    assert archive("reindex").stdout == "1 captures indexed\n"
