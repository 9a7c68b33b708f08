"""`rackledger read` and `train-reader`: lines, marks in escaped text, and what is refused."""

from __future__ import annotations

import datetime as dt
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.collect.one_page import PageError, Ways, read_page
from pipelines.collect.ports import CollectSettings
from pipelines.commands.extract import marked_page
from pipelines.model.claim import ExtractedClaim, Method, Modality, Span
from tests.collect_kit import FAST, Dialler, Names, Site, reply

RUN = CliRunner()


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "cards.md"
    path.write_text(
        "# Cards\n\n| Card | Memory (GB) | TDP |\n|---|---|---|\n"
        "| NVIDIA H100 | 80 | 700 W |\n| NVIDIA H200 | 141 | 700 W |\n",
        encoding="utf-8",
    )
    return path


def claim(subject: str, start: int, end: int, confidence: float) -> ExtractedClaim:
    return ExtractedClaim(
        subject, "", "accelerator", "power", 0.7, "kW", Span(start, end), Span(0, end), "700 W", Modality.ANNOUNCED,
        "", Method.READER, confidence,
    )  # fmt: skip


def test_a_line_has_value_subject_metric_confidence_state_and_passage(page: Path) -> None:
    result = RUN.invoke(app, ["read", str(page), "-f", "jsonl"])
    assert result.exit_code == 0, result.output
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    (memory,) = (row for row in rows if row["value"] == 141)
    assert (memory["subject"], memory["metric"], memory["unit"]) == ("NVIDIA H200", "memory_capacity", "GB")
    assert page.read_text(encoding="utf-8").count("141") == 1
    assert "141" in memory["quote"]
    assert all(0.5 <= row["confidence"] <= 1 for row in rows)
    assert {row["state"] for row in rows if row["confidence"] < 0.95} <= {"candidate"}


def test_the_table_counts_what_is_confident(page: Path) -> None:
    result = RUN.invoke(app, ["read", str(page)])
    assert result.exit_code == 0
    assert "4 readings, 4 confident" in result.stdout


def test_the_page_is_html_with_marks(page: Path) -> None:
    result = RUN.invoke(app, ["read", str(page), "-f", "html"])
    assert result.exit_code == 0
    assert result.stdout.startswith("<!doctype html>")
    assert "'>141</a></mark>" in result.stdout


def test_text_of_the_document_is_never_markup() -> None:
    text = "<script>x</script> 700 W & 'more'"
    evil = "<b onclick='y'>"
    html = marked_page(evil, text, [claim(evil, 19, 22, 0.97)], ("subject",), [{"subject": evil}])
    assert "<script>" not in html
    assert "<b " not in html
    assert "&lt;script&gt;x&lt;/script&gt; <mark class='confident' id='at-19'" in html
    assert "<a href='#row-1'>700</a></mark> W &amp; &#x27;more&#x27;" in html


def test_a_value_of_two_claims_is_marked_once_and_overlaps_keep_the_text_whole() -> None:
    claims = [claim("A", 0, 3, 0.6), claim("B", 0, 3, 0.6), claim("C", 2, 5, 0.6)]
    html = marked_page("t", "700 W", claims, ("subject",), [{"subject": c.subject} for c in claims])
    assert html.count("<mark ") == 1
    assert "title='A: power; B: power'><a href='#row-1'>700</a></mark> W</pre>" in html
    assert "<tr id='row-3'>" in html


@pytest.mark.parametrize(
    ("confidence", "doubt", "state"),
    [(0.95, "", "confident"), (0.949, "", "candidate"), (0.99, "odd", "candidate")],
)
def test_confident_is_sure_and_undoubted(confidence: float, doubt: str, state: str) -> None:
    assert replace(claim("A", 0, 3, confidence), doubt=doubt).state == state


def test_a_missing_file_and_an_unreadable_one_are_refused(tmp_path: Path) -> None:
    assert RUN.invoke(app, ["read", str(tmp_path / "no.md")]).exit_code == 2
    (tmp_path / "empty.md").write_text(" \n", encoding="utf-8")
    assert RUN.invoke(app, ["read", str(tmp_path / "empty.md")]).exit_code == 1


def test_a_page_at_an_address_is_read_and_one_of_this_machine_refused() -> None:
    def now() -> dt.datetime:
        return dt.datetime(2026, 11, 20, tzinfo=dt.UTC)

    with Site() as site:
        body = b"<html><body><h1>Cards</h1><p>The NVIDIA H100 draws 700 W.</p></body></html>"
        site.routes["/card"] = reply(body, Content_Type="text/html")
        ways = Ways(Names({"cards.example": ["93.184.215.14"]}), Dialler(site.port))
        document = read_page("http://cards.example/card", CollectSettings(**FAST), now, ways)
        assert "700 W" in document.text
        with pytest.raises(PageError, match="answered 404"):
            read_page("http://cards.example/none", CollectSettings(**FAST), now, ways)
    for url in ("http://127.0.0.1:9/x", "http://user@cards.example/", "https:///x"):
        result = RUN.invoke(app, ["read", url])
        assert (result.exit_code, "no address that can be asked" in result.output.replace("\n", " ")) == (1, True)


def test_training_without_its_packages_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("lightgbm", "sklearn"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("fit", "learners"):
        monkeypatch.delitem(sys.modules, f"pipelines.training.{name}", raising=False)
    result = RUN.invoke(app, ["train-reader", str(tmp_path), "--folds", "2", "--no-save"])
    assert result.exit_code == 1
    assert "training needs the extra 'train'" in result.output
