"""`rackledger extract`: lines, dates from the meta file, what cannot be read, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.model.claim import CONFIDENT

RUN = CliRunner()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text("# Notes\n\nAMD Instinct MI355X draws 1,400 W and ships next year.\n", encoding="utf-8")
    return path


def rows(*arguments: str) -> list[dict[str, Any]]:
    result = RUN.invoke(app, ["extract", *arguments, "-f", "jsonl"])
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]


def test_fields_of_a_line(page: Path, tmp_path: Path) -> None:
    meta = tmp_path / "meta.jsonl"
    about = {"doc": "page.md", "published": "2025-03", "publisher": "Somebody", "url": "https://example.com/page"}
    meta.write_text(json.dumps(about) + "\n", encoding="utf-8")
    power, available = rows(str(page), "--meta", str(meta))
    assert power == {
        "doc": "page.md",
        "subject": "AMD Instinct MI355X",
        "subject_id": power["subject_id"],
        "metric": "power",
        "value": 1.4,
        "unit": "kW",
        "qualifiers": {"per": "gpu"},
        "modality": "announced",
        "claimant": "Somebody",
        "period_start": None,
        "period_end": None,
        "printed": "1,400 W",
        "locator": [power["locator"][0], power["locator"][0] + 5],
        "method": "reader",
        "confidence": power["confidence"],
        "state": power["state"],
        "doubt": "",
        "quote": power["quote"],
    }
    assert 0.9 <= power["confidence"] <= 1
    assert power["state"] == ("confident" if power["confidence"] >= CONFIDENT else "candidate")
    assert (available["metric"], available["value"]) == ("available_from", "2026")
    assert (available["period_start"], available["period_end"]) == ("2026-01-01", "2026-12-31")


def test_without_a_date_relative_words_say_nothing(page: Path) -> None:
    assert [row["metric"] for row in rows(str(page))] == ["power"]


def test_a_folder_is_walked_and_a_table_is_shown(page: Path) -> None:
    result = RUN.invoke(app, ["extract", str(page.parent)])
    assert result.exit_code == 0
    assert "MI355X" in result.stdout
    assert "1 claims" in result.stdout


def test_doubtful_ones_are_listed_for_review(tmp_path: Path) -> None:
    page = tmp_path / "odd.md"
    page.write_text("# Odd\n\nThe NVIDIA H100 has a TDP of 900 kW.\n", encoding="utf-8")
    assert rows(str(page)) == []
    (row,) = rows(str(page), "--review")
    assert row["doubt"].startswith("900 kW is outside what is believable for accelerator per ")
    assert row["confidence"] == 0.2


def test_what_cannot_be_read_is_named_and_the_rest_is_read(page: Path) -> None:
    (page.parent / "empty.md").write_text(" \n", encoding="utf-8")
    result = RUN.invoke(app, ["extract", str(page.parent), "-f", "jsonl"])
    assert result.exit_code == 1
    assert "empty.md" in result.output
    assert "MI355X" in result.stdout


@pytest.mark.parametrize("line", ["not json", "{}", '{"doc": "page.md", "published": "soon"}'])
def test_a_bad_meta_file_is_refused(page: Path, line: str) -> None:
    meta = page.parent / "meta.jsonl"
    meta.write_text(line + "\n", encoding="utf-8")
    result = RUN.invoke(app, ["extract", str(page), "--meta", str(meta)])
    assert result.exit_code == 2
    assert "line 1: needs doc" in " ".join(result.output.split())


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    result = RUN.invoke(app, ["extract", str(tmp_path / "no.md")])
    assert result.exit_code == 2
    assert "no such file" in " ".join(result.output.split())


def test_dagster_is_not_imported(page: Path) -> None:
    code = "import sys, pipelines.commands.extract, pipelines.extract.registry; print('dagster' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
