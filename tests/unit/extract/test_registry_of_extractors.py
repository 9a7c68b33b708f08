"""The one door: a second, small extractor is registered and its claims come out of the same line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.extract.registry import extractors, register, unregister
from pipelines.model.claim import ExtractedClaim, Extractor, Method, Modality, Origin, Span
from pipelines.model.document import Document


class Marked:
    """Reads figures that a page marks up as '§H100§700§'."""

    name = "marked"
    version = "1"

    def extract(self, document: Document, origin: Origin) -> Iterator[ExtractedClaim]:
        for match in re.finditer(r"§(\w+)§(\d+)§", document.text):
            yield ExtractedClaim(
                subject=match[1],
                subject_id="",
                subject_kind="accelerator",
                metric="power",
                value=float(match[2]) / 1000,
                unit="kW",
                value_at=Span(*match.span(2)),
                context=Span(*match.span()),
                printed=match[2],
                modality=Modality.ANNOUNCED,
                claimant=origin.publisher,
                method=Method.LOOKUP,
                confidence=1.0,
                qualifiers=(("per", "gpu"),),
            )


@pytest.fixture
def marked() -> Iterator[Extractor]:
    extractor = Marked()
    register(extractor)
    yield extractor
    unregister(extractor.name)


def test_the_reader_is_registered() -> None:
    assert [extractor.name for extractor in extractors()] == ["reader"]


def test_a_second_extractor_is_read_by_the_same_command(marked: Extractor, tmp_path: Path) -> None:
    page = tmp_path / "marks.md"
    page.write_text("# Marks\n\n§H100§700§\n\nThe H200 has 141 GB of HBM3e.\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["extract", str(page), "-f", "jsonl"])
    assert result.exit_code == 0
    rows = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    assert [(row["subject"], row["metric"], row["value"], row["method"]) for row in rows] == [
        ("NVIDIA H200", "memory_capacity", 141.0, "reader"),
        ("H100", "power", 0.7, "lookup"),
    ]


def test_a_name_is_taken_once(marked: Extractor) -> None:
    register(marked)
    with pytest.raises(ValueError, match="an extractor named 'marked' is registered already"):
        register(Marked())
