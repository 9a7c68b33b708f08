"""From documents in the archive to claims in the warehouse: locators, copies, tags, review list, another extractor."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.extract import registry as extractors
from pipelines.model.claim import ExtractedClaim, Method, Modality, Origin, Span
from pipelines.model.document import Document
from pipelines.settings import Settings
from tests.committed_build import begin_empty
from tests.settings_kit import keep_records_in_memory, settings_below
from tests.trimmed import trimmed
from warehouse.read import Warehouse

NEWS = """# The new rack

Published 2026-03-02. NVIDIA says the GB300 NVL72 draws 140 kW per rack and holds 72 GPUs.
The rack weighs 1.6 tons. Each GPU carries 288 GB of HBM3e memory.

| GPU | Memory | Bandwidth | TDP |
|---|---|---|---|
| H200 SXM | 141 GB HBM3e | 4.8 TB/s | 700 W |
| B200 | 192 GB HBM3e | 8 TB/s | 1,000 W |
| A100 SXM | 80 GB HBM2e | 2.04 TB/s | 400 W |
"""
COPY = NEWS.replace("Published 2026-03-02.", "Published 2026-04-01. From our wire.").replace("1,000 W", "1,700 W")
ODD = """The GB200 NVL72 has 72,000 Blackwell GPUs in each rack, and the Zorbinator ZX9000 accelerator is faster.

The MI300X is 1.6 times as fast as the H100.

The H100 came to Vienna in March 2025. A B200 is rented at $3 there.
"""


@pytest.fixture(scope="module", autouse=True)
def claims_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Builds here are of claims and what they are made from."""
    with trimmed(tmp_path_factory.mktemp("sql"), "evidence.claims", "evidence.copies", "evidence.unmatched"):
        yield


def invoke(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


def build(folder: Path, patch: pytest.MonkeyPatch, factory: pytest.TempPathFactory) -> Settings:
    """Three documents in the archive, read, and their claims built into a warehouse that was empty before."""
    keep_records_in_memory(patch)
    settings = settings_below(folder, patch)
    begin_empty(settings, factory)
    documents = (
        ("news.md", NEWS, "2026-03-03"),
        ("copy.md", COPY, "2026-04-02"),
        ("odd.md", ODD, "2026-04-03"),
        ("news.md", f"{NEWS}\n", "2026-05-04"),  # the same document, captured again
    )
    for name, text, day in documents:
        path = folder / name
        path.write_text(text, encoding="utf-8")
        url = f"https://example.org/{name}"
        invoke("archive", "add", str(path), "--source", "nvidia_rack_guide", "--url", url, "--date", day)
    invoke("run", "--offline")
    return settings


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """One warehouse for all tests that only read it."""
    with pytest.MonkeyPatch.context() as patch:
        yield build(tmp_path_factory.mktemp("claims"), patch, tmp_path_factory)


def rows(settings: Settings, sql: str) -> list[dict[str, Any]]:
    with Warehouse(settings.warehouse) as warehouse:
        return warehouse.rows(sql)


def test_claims_of_prose_and_tables_stand_in_the_warehouse(built: Settings) -> None:
    found = {
        (row["subject_id"], row["metric"], row["value"], row["unit"])
        for row in rows(built, "SELECT subject_id, metric, value, unit FROM evidence.claims WHERE NOT is_copied")
    }
    assert ("nvidia-b200", "memory_bandwidth", 8.0, "TB/s") in found
    assert ("nvidia-b200", "memory_capacity", 192.0, "GB") in found
    assert ("nvidia-b200", "power", 1.0, "kW") in found


def test_every_locator_leads_to_what_is_printed(built: Settings) -> None:
    texts = {
        record["document_id"]: record["text"]
        for path in (built.lake / "documents").glob("*.parquet")
        for record in pq.read_table(path, columns=["document_id", "text"]).to_pylist()
    }
    mentions = rows(built, "SELECT document_id, locator_start, locator_end, printed FROM evidence.mentions")
    assert len(mentions) >= 10
    for mention in mentions:
        words = texts[mention["document_id"]][mention["locator_start"] : mention["locator_end"]]
        assert words
        assert words in mention["printed"] or mention["printed"] in words


def test_a_copy_is_linked_and_its_altered_figure_corroborates_nothing(built: Settings) -> None:
    (copy,) = rows(built, "SELECT kind, origin_document_id FROM evidence.copies")
    assert copy["kind"] == "copy"
    assert copy["origin_document_id"]
    altered = rows(
        built, "SELECT is_copied, claimants, caveats FROM evidence.claims WHERE metric = 'power' AND value = 1.7"
    )
    assert [(row["is_copied"], row["claimants"]) for row in altered] == [(True, 0)]
    assert {"altered", "copied"} <= set(altered[0]["caveats"])
    repeated = rows(built, "SELECT documents, claimants FROM evidence.claims WHERE metric = 'power' AND value = 0.7")
    assert [(row["documents"], row["claimants"]) for row in repeated] == [(2, 1)]


def test_a_document_was_seen_first_and_last_by_its_captures(built: Settings) -> None:
    seen = rows(built, "SELECT DISTINCT parse_filename(url) AS name, first_seen, last_seen FROM evidence.mentions")
    assert {row["name"]: (row["first_seen"].date(), row["last_seen"].date()) for row in seen} == {
        "news.md": (dt.date(2026, 3, 3), dt.date(2026, 5, 4)),
        "copy.md": (dt.date(2026, 4, 2), dt.date(2026, 4, 2)),
        "odd.md": (dt.date(2026, 4, 3), dt.date(2026, 4, 3)),
    }


def test_an_unbelievable_figure_waits_for_review(built: Settings) -> None:
    doubtful = rows(built, "SELECT value, doubt FROM evidence.mentions WHERE doubt NOT LIKE 'a candidate%'")
    assert [row["value"] for row in doubtful] == [72_000.0]
    assert "believable" in doubtful[0]["doubt"]
    assert rows(built, "SELECT * FROM evidence.claims WHERE value = 72000") == []


def test_a_candidate_waits_and_is_no_claim(built: Settings) -> None:
    waiting = rows(built, "SELECT claim_id, confidence FROM evidence.mentions WHERE doubt LIKE 'a candidate%'")
    assert waiting
    assert all(row["confidence"] < 0.95 for row in waiting)
    published = {row["claim_id"] for row in rows(built, "SELECT claim_id FROM evidence.claims")}
    assert published.isdisjoint(row["claim_id"] for row in waiting)


def test_an_unknown_product_is_listed_with_its_place(built: Settings) -> None:
    (row,) = rows(built, "SELECT name, occurrences, examples FROM evidence.unmatched WHERE name LIKE '%ZX9000%'")
    assert row["occurrences"] == 1
    assert row["examples"][0]["url"] == "https://example.org/odd.md"


def partitions(settings: Settings) -> dict[str, int]:
    """When each partition of the claims was written."""
    return {path.name: path.stat().st_mtime_ns for path in (settings.lake / "mentions").glob("*.parquet")}


def test_unchanged_documents_are_not_read_again_and_the_content_is_the_same(built: Settings) -> None:
    before = rows(built, "SELECT content_hash FROM meta.publication")
    written = partitions(built)
    assert set(written) == {"ledger.parquet", "nvidia_rack_guide.parquet"}
    invoke("run", "--offline", "--rebuild")
    assert rows(built, "SELECT content_hash FROM meta.publication") == before
    assert partitions(built) == written


class Fixed:
    """A second extractor: one claim wherever it finds its word."""

    name = "fixed"
    version = "1"

    def extract(self, document: Document, origin: Origin) -> Iterable[ExtractedClaim]:
        at = document.text.find("1.6 tons")
        if at >= 0:
            yield ExtractedClaim(
                subject="NVIDIA GB300 NVL72",
                subject_id="nvidia-gb300-nvl72",
                subject_kind="system",
                metric="part_count",
                value=1.6,
                unit="count",
                value_at=Span(at, at + 3),
                context=Span(at, at + 8),
                printed="1.6 tons",
                modality=Modality.ANNOUNCED,
                claimant="",
                method=Method.LOOKUP,
                confidence=1.0,
                qualifiers=(("part", "test"),),
            )


def test_a_second_extractor_goes_the_same_way(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    extractors.register(Fixed())
    try:
        settings = build(tmp_path, monkeypatch, tmp_path_factory)
    finally:
        extractors.unregister("fixed")
    found = rows(settings, "SELECT DISTINCT extractor, method FROM evidence.mentions WHERE metric = 'part_count'")
    assert found == [{"extractor": "fixed", "method": "lookup"}]
