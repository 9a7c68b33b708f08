"""`rackledger facts import`: reviewed candidates become committed facts, the refused stand beside their review."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pipelines.candidates.files import COLUMNS
from pipelines.cli import app
from tests.candidate_kit import PROMISE as GOOD

REVIEW = "read_on: 2026-11-21\nkinds: {launch: [launch]}\nrefused: {X2: an unnamed leak}\n"


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RACKLEDGER_FACTS", str(tmp_path / "facts"))
    (tmp_path / "facts" / "review").mkdir(parents=True)
    (tmp_path / "facts" / "review" / "promises.yaml").write_text(REVIEW, encoding="utf-8")
    return tmp_path / "facts"


def imported(folder: Path, *records: dict[str, str], columns: frozenset[str] = COLUMNS) -> Result:
    path = folder.parent / "found.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, sorted(columns), restval="", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(records)
    return CliRunner().invoke(app, ["facts", "import", "promises", str(path)])


def written(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_what_holds_is_written_and_what_is_refused_stands_by_line_with_its_reason(facts: Path) -> None:
    result = imported(facts, GOOD, GOOD | {"id": "X2"}, GOOD | {"id": "X3", "claimant": ""})
    assert (result.exit_code, result.stdout.split(":")[0]) == (0, "1 rows, 2 candidates refused")
    assert [(row["ref"], row["subject_id"]) for row in written(facts / "promises.csv")] == [
        ("X1", "amd-instinct-mi350x")
    ]
    assert [tuple(row.values()) for row in written(facts / "review" / "promises_refused.csv")] == [
        ("found.csv", "3", "X2", "an unnamed leak"),
        ("found.csv", "4", "X3", "no claimant: a statement needs all of them"),
    ]


def test_no_candidate_is_an_empty_table(facts: Path) -> None:
    assert imported(facts).exit_code == 0
    assert written(facts / "promises.csv") == []
    assert (facts / "promises.csv").read_text(encoding="utf-8").startswith("ref,subject,subject_id,")


def test_a_file_without_a_column_is_named_and_nothing_is_written(facts: Path) -> None:
    result = imported(facts, GOOD, columns=COLUMNS - {"maker", "url"})
    assert result.exit_code == 1
    assert "found.csv: columns missing: maker, url" in result.output
    assert not (facts / "promises.csv").exists()


def test_a_misspelt_decision_is_named_and_nothing_is_written(facts: Path) -> None:
    (facts / "review" / "promises.yaml").write_text(REVIEW.replace("refused", "refusd"), encoding="utf-8")
    result = imported(facts, GOOD)
    assert result.exit_code == 1
    assert "refusd" in result.output
    assert not (facts / "promises.csv").exists()


def test_a_kind_that_is_not_reviewed_is_a_wrong_use(facts: Path) -> None:
    result = CliRunner().invoke(app, ["facts", "import", "rumours", str(facts)])
    assert result.exit_code == 2
    words = " ".join(result.output.replace("│", " ").split())
    assert "'rumours' is not one of 'promises', 'adoption', 'racks'" in words
