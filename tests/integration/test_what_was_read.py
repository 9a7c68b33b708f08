"""The readings of a fresh clone: beside the typed claims, by page and place, and none in doubt among what stands."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pipelines.cli import app
from pipelines.commands import review
from pipelines.decisions import read
from tests.committed_build import committed_build
from warehouse.read import Warehouse


@pytest.fixture
def ledger(market: Warehouse) -> Warehouse:
    return market


def test_a_fresh_clone_shows_what_was_read_with_its_page_and_place(ledger: Warehouse) -> None:
    (read,) = ledger.rows(
        """SELECT count(*) AS mentions, count(DISTINCT url) AS pages, count(*) FILTER (doubt IS NULL) AS claims,
                  count(*) FILTER (locator_end <= locator_start OR document_id IS NULL OR printed = '') AS placeless,
                  count(*) FILTER (stated_on IS NULL AND stated_not_after IS NULL) AS timeless
           FROM evidence.mentions WHERE method = 'reader'"""
    )
    assert read["mentions"] >= 1_500
    assert read["pages"] >= 120
    assert read["claims"] >= 300
    assert (read["placeless"], read["timeless"]) == (0, 0)


def test_no_reading_repeats_a_typed_row_of_its_page(ledger: Warehouse) -> None:
    """One statement counts once: the typed row has what the figure counts and who said it."""
    assert not ledger.rows(
        """SELECT reading.claim_id, typed.claim_id AS repeats
           FROM evidence.claims AS reading JOIN evidence.claims AS typed USING (url, subject_id, metric)
           WHERE reading.method = 'reader' AND typed.method <> 'reader'
             AND reading.value IS NOT DISTINCT FROM typed.value
             AND reading.value_start IS NOT DISTINCT FROM typed.value_start"""
    )


def test_no_candidate_is_a_claim_and_every_one_is_in_the_queue(ledger: Warehouse) -> None:
    assert not ledger.rows(
        """SELECT claim_id FROM evidence.claims
           WHERE claim_id NOT IN (SELECT claim_id FROM evidence.mentions
                                  WHERE reading_state IN ('typed', 'confident', 'accepted'))"""
    )
    (counts,) = ledger.rows(
        """SELECT (SELECT count(*) FROM evidence.queue) AS queued,
                  (SELECT count(DISTINCT claim_id) FROM evidence.mentions
                   WHERE reading_state = 'candidate') AS waiting"""
    )
    assert counts["queued"] == counts["waiting"]
    worth = [row["worth"] for row in ledger.rows("SELECT worth FROM evidence.queue")]
    assert worth == sorted(worth, reverse=True)


def test_what_nobody_signs_stands_nowhere_beside_what_somebody_does(ledger: Warehouse) -> None:
    assert not ledger.rows(
        """SELECT r.subject_key, r.metric FROM evidence.claims AS r
           JOIN evidence.claims AS o ON o.subject_key = r.subject_key AND o.metric = r.metric AND o.topic = r.topic
           WHERE r.method = 'reader' AND r.evidence = 'unverified' AND o.evidence < 'unverified'"""
    )


def test_one_page_typed_and_read_is_one_claimant(ledger: Warehouse) -> None:
    """Of claims with the same words on one page none counts as another claimant."""
    assert not ledger.rows(
        """SELECT claim_id FROM evidence.claims AS c
           WHERE claimants > (SELECT count(DISTINCT o.claimant_key) FROM evidence.claims AS o
                              WHERE o.subject_key = c.subject_key AND o.metric = c.metric)"""
    )


def test_a_person_decides_on_the_first_of_the_queue(
    ledger: Warehouse, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RACKLEDGER_WAREHOUSE", str(committed_build(tmp_path_factory)))
    monkeypatch.setenv("RACKLEDGER_DATA", str(tmp_path))
    file = tmp_path / "decisions.csv"
    monkeypatch.setattr(review, "FILE", file)

    def listed() -> list[dict[str, Any]]:
        result = CliRunner().invoke(app, ["review", "list", "--limit", "3", "-f", "jsonl"])
        assert result.exit_code == 0, result.output
        return [json.loads(line) for line in result.stdout.splitlines()]

    first, second, third = listed()
    number = ledger.rows("SELECT claim_id FROM evidence.queue WHERE metric = 'power' LIMIT 1")[0]["claim_id"]
    for words in (
        ["accept", first["claim_id"], "--by", "A. Analyst"],
        ["reject", second["claim_id"], "--by", "A. Analyst", "--note", "of the server"],
        ["correct", number, "--by", "A. Analyst", "--value", "3210", "--unit", "W"],
    ):
        result = CliRunner().invoke(app, ["review", *words])
        assert result.exit_code == 0, result.output
    done = read(file)
    assert [(one.decision, one.claim_id) for one in done] == [
        ("accept", first["claim_id"]), ("reject", second["claim_id"]), ("correct", number),
    ]  # fmt: skip
    assert (done[2].value, done[2].unit, len(done[2].becomes)) == ("3.21", "kW", 20)
    assert (done[0].metric, done[0].value) == (first["metric"], first["said"])
    assert listed()[0]["claim_id"] == third["claim_id"]
    for words, reason in (
        (["accept", "0" * 20, "--by", "A"], "no claim"),
        (["accept", third["claim_id"], "--by", " "], "--by needs a name"),
        (["correct", third["claim_id"], "--by", "A"], "say what is right"),
        (["merge", third["claim_id"], "--by", "A", "--into", "nowhere-at-all"], ""),
    ):
        refused = CliRunner().invoke(app, ["review", *words])
        assert refused.exit_code != 0
        assert reason in refused.output
    assert len(read(file)) == 3
