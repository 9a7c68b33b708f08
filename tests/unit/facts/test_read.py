"""Texts that are listed become committed readings; what is not listed, not given or does not fit is told apart."""

from __future__ import annotations

import csv
import datetime as dt
import hashlib
from pathlib import Path

import pytest

from pipelines.decisions import Decision, append
from pipelines.facts.read import ListRefused, ReadReport, export_read
from pipelines.ledger.read_claims import CLAIM_COLUMNS, DOCUMENT_COLUMNS, load_read
from pipelines.settings import Settings, mint_run

TEXT = "# Racks\n\nThe NVIDIA GB300 NVL72 draws 132 kW per rack.\n"
NOON = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)
DRAWS = {"subject": "NVIDIA GB300 NVL72", "metric": "power", "value": "132", "unit": "kW"}


def listed(settings: Settings, *rows: dict[str, str]) -> None:
    folder = settings.facts / "read"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "documents.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, DOCUMENT_COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def document(name: str, text: str, **change: str) -> dict[str, str]:
    return {
        "document": name,
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
        "url": f"https://press.example/{name}",
        "publisher": "Press",
        "page_kind": "press",
        "published_on": "2026-03-01",
        "read_on": "2026-11-21",
    } | change


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "page.md").write_text(TEXT, encoding="utf-8")
    return folder


def written(settings: Settings) -> list[dict[str, str]]:
    return list(csv.DictReader((settings.facts / "read" / "claims.csv").read_text(encoding="utf-8").splitlines()))


def test_a_listed_text_is_read_whatever_its_file_is_called_and_others_are_named(
    settings: Settings, texts: Path
) -> None:
    (texts / "other.md").write_text("of nobody", encoding="utf-8")
    listed(settings, document("racks.md", TEXT))
    report = export_read([texts], settings, mint_run())
    assert (report.read, report.kept, report.unlisted, report.unreadable) == (1, 0, ("other.md",), ())
    found = [row for row in written(settings) if {name: row[name] for name in DRAWS} == DRAWS]
    assert [row["document"] for row in found] == ["racks.md"]
    assert (found[0]["printed"], found[0]["claimant"]) == ("132 kW", "Press")
    assert report.confident + report.candidates == len(written(settings))


def test_a_document_whose_text_is_not_given_keeps_its_rows(settings: Settings, texts: Path) -> None:
    listed(settings, document("racks.md", TEXT))
    export_read([texts], settings, mint_run())
    before = written(settings)
    assert before != []
    (texts / "page.md").unlink()
    report = export_read([texts], settings, mint_run())
    assert (report.read, report.kept) == (0, 1)
    assert written(settings) == before


def test_decisions_whose_reading_is_no_more_are_named(settings: Settings, texts: Path) -> None:
    listed(settings, document("racks.md", TEXT))
    export_read([texts], settings, mint_run())
    claims = {row.claim_id for row in load_read(settings.facts / "read").rows}
    for claim in (*claims, "never read"):
        append(Decision(claim, "accept", "A", NOON), settings.facts / "decisions.csv")
    assert export_read([texts], settings, mint_run()).lost == ()
    listed(settings, document("racks.md", TEXT, publisher="Another"))  # a claim is one of him who says it
    assert set(export_read([texts], settings, mint_run()).lost) == claims


def test_a_decided_line_stays_where_the_text_is_read_otherwise_now(settings: Settings, texts: Path) -> None:
    listed(settings, document("racks.md", TEXT))
    export_read([texts], settings, mint_run())
    path = settings.facts / "read" / "claims.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("per=rack", "per=node"), encoding="utf-8")
    older = [row for row in written(settings) if {name: row[name] for name in DRAWS} == DRAWS]
    (claim,) = (row.claim_id for row in load_read(settings.facts / "read").rows if row.metric == "power")
    append(
        Decision(claim, "accept", "A", NOON, metric="power", subject=DRAWS["subject"]), settings.facts / "decisions.csv"
    )
    assert export_read([texts], settings, mint_run()).lost == ()
    assert [row for row in written(settings) if row["metric"] == "power"] == older


def test_what_no_parser_reads_is_told_and_the_rest_is_written(settings: Settings, texts: Path) -> None:
    (texts / "broken.pdf").write_text("%PDF-1.7 and nothing", encoding="utf-8")
    listed(settings, document("racks.md", TEXT), document("broken.pdf", "%PDF-1.7 and nothing"))
    report = export_read([texts], settings, mint_run())
    assert (report.read, report.unreadable) == (1, ("broken.pdf",))
    assert {row["document"] for row in written(settings)} == {"racks.md"}


def test_nothing_given_is_an_empty_table(settings: Settings, texts: Path) -> None:
    listed(settings)
    (texts / "page.md").unlink()
    assert export_read([texts], settings, mint_run()) == ReadReport(0, 0, 0, 0, (), ())
    assert (settings.facts / "read" / "claims.csv").read_text(encoding="utf-8") == f"{','.join(CLAIM_COLUMNS)}\n"


def test_a_list_with_a_mistake_is_refused_with_its_line_and_nothing_is_written(settings: Settings, texts: Path) -> None:
    listed(settings, document("racks.md", TEXT), document("later.md", "x", read_on="soon"))
    with pytest.raises(ListRefused, match=r"^line 3: read_on: expected a date .* found 'soon'"):
        export_read([texts], settings, mint_run())
    assert not (settings.facts / "read" / "claims.csv").exists()
