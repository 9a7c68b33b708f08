"""Decisions on readings: appended by several at once, the latest counts, and what each does to a mention."""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Sequence
from multiprocessing import Process
from pathlib import Path

import duckdb
import pytest

from pipelines.decisions import COLUMNS, FILE, Decision, append, read

TABLES = Path(__file__).parents[2] / "warehouse/tables"
NOON = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)


def lines_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def decide(path: Path, who: int) -> None:
    for n in range(20):
        note = 'because, "so"\nit is'
        append(
            Decision(f"{who * 20 + n:020x}", "accept", f"person {who}", NOON, note, locator_start=n, locator_end=n + 1),
            path,
        )


def test_two_processes_that_decide_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "decisions.csv"
    both = [Process(target=decide, args=(path, who)) for who in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    found = lines_of(path)
    assert sorted(row["claim_id"] for row in found) == [f"{n:020x}" for n in range(40)]
    assert {row["note"] for row in found} == {'because, "so" it is'}
    assert found[0]["decided_at"] == "2026-11-20 12:00:00.000000"
    assert {(one.locator_start, one.locator_end) for one in read(path)} == {(n, n + 1) for n in range(20)}


def test_a_line_that_is_no_decision_is_named(tmp_path: Path) -> None:
    path = tmp_path / "decisions.csv"
    append(Decision("a" * 20, "reject", "A", NOON), path)
    path.write_text(path.read_text(encoding="utf-8").replace("2026-11-20 12", "yesterday"), encoding="utf-8")
    with pytest.raises(ValueError, match="decisions, line 2: "):
        read(path)


def test_the_committed_file_has_the_columns() -> None:
    assert FILE.read_text(encoding="utf-8").splitlines()[0] == ",".join(COLUMNS)


def test_a_file_from_before_a_column_is_read_and_grows_in_its_form(tmp_path: Path) -> None:
    path = tmp_path / "decisions.csv"
    path.write_text(",".join(COLUMNS[:-1]) + "\n", encoding="utf-8")
    append(Decision("a" * 20, "reject", "A", NOON), path)
    assert [(one.claim_id, one.qualifiers) for one in read(path)] == [("a" * 20, "")]
    with pytest.raises(ValueError, match="has no column qualifiers"):
        append(Decision("b" * 20, "correct", "A", NOON, qualifiers="per=rack"), path)
    assert len(lines_of(path)) == 1


def mentions_after(
    decisions: list[Decision],
    readings: Sequence[tuple[object, ...]],
    asked: str = "reading_state, subject_key, value, doubt",
    table: str = "evidence.mentions",
) -> dict[str, tuple[object, ...]]:
    """What is asked of each mention; readings are (claim_id, subject, doubt, extractor, evidence), and a benchmark."""
    connection = duckdb.connect()
    typed = ", ".join(f"{name} {'TIMESTAMP' if name == 'decided_at' else 'VARCHAR'}" for name in COLUMNS)
    connection.execute(f"""
        CREATE SCHEMA evidence; CREATE SCHEMA registry;
        CREATE TYPE evidence_tag AS ENUM ('vendor', 'reported', 'illustrative', 'unverified');
        CREATE MACRO name_group(name) AS '~' || lower(name);
        CREATE MACRO per_word(per) AS per;
        CREATE MACRO stated(qualifiers, name) AS nullif(qualifiers[name], 'unstated');
        CREATE TABLE committed_decisions ({typed});
        CREATE TABLE lake_copies AS SELECT '' AS document_id, '' AS origin_document_id LIMIT 0;
        CREATE TABLE lake_mentions (claim_id VARCHAR, subject VARCHAR, doubt VARCHAR, extractor VARCHAR,
            evidence evidence_tag, document_id VARCHAR, locator VARCHAR, subject_id VARCHAR, subject_kind VARCHAR,
            metric VARCHAR, unit VARCHAR, value DOUBLE, value_text VARCHAR, value_start DATE, value_end DATE,
            qualifiers MAP(VARCHAR, VARCHAR), stated_on DATE, stated_not_after DATE, origin_ref VARCHAR,
            first_seen TIMESTAMP, confidence DOUBLE, source_id VARCHAR, last_seen TIMESTAMP);
        CREATE TABLE lake_documents (source_id VARCHAR, document_id VARCHAR, captured_at TIMESTAMP);
    """)
    for one in decisions:
        cells = [value if (value := getattr(one, name)) != "" else None for name in COLUMNS]
        connection.execute(f"INSERT INTO committed_decisions VALUES ({', '.join('?' * len(cells))})", cells)
    for claim, subject, doubt, extractor, tag, *benchmark in readings:
        said = ", ".join(["per=chip", *(f"benchmark={name}" for name in benchmark)])
        connection.execute(
            """INSERT INTO lake_mentions VALUES (?, ?, ?, ?, ?, ?, '', NULL, 'accelerator', 'power', 'kW', 0.7, NULL,
               NULL, NULL, ?::MAP(VARCHAR, VARCHAR), '2026-01-01', NULL, NULL, NULL, ?, 's', NULL)""",
            [claim, subject, doubt, extractor, tag, claim, f"{{{said}}}", 0.8 if claim == "labelled" else 0.97],
        )
    for name in ("20_decisions.sql", "21_mentions.sql"):
        connection.execute((TABLES / name).read_text(encoding="utf-8"))
    found = connection.execute(f"SELECT claim_id, {asked} FROM {table}")
    return {row[0]: row[1:] for row in found.fetchall()}


def test_what_a_decision_does_to_a_mention() -> None:
    early, late = NOON - dt.timedelta(days=2), NOON + dt.timedelta(days=1)
    found = mentions_after(
        [
            Decision("accepted", "accept", "A", NOON), Decision("rejected", "reject", "A", NOON),
            Decision("changed", "accept", "A", early), Decision("changed", "reject", "B", late, "no"),
            Decision("typed", "reject", "A", NOON),
        ],
        [
            ("accepted", "A1", "a candidate", "reader", "reported"), ("rejected", "B1", None, "reader", "reported"),
            ("changed", "C1", "a candidate", "reader", "reported"), ("sure", "D1", None, "reader", "reported"),
            ("unsure", "E1", "a candidate", "reader", "reported"), ("typed", "F1", None, "ledger", "vendor"),
            ("labelled", "G1", None, "reader", "reported"),
        ],
    )  # fmt: skip
    assert {claim: (row[0], row[3]) for claim, row in found.items()} == {
        "accepted": ("accepted", None),
        "rejected": ("rejected", "rejected by A on 2026-11-20"),
        "changed": ("rejected", "rejected by B on 2026-11-21"),
        "sure": ("confident", None),
        "unsure": ("candidate", "a candidate"),
        "typed": ("typed", None),
        "labelled": ("accepted", None),  # unsure, and nothing waits for a person: its page's label says the same
    }


def test_a_correction_is_the_claim_and_a_merged_name_is_the_thing_everywhere() -> None:
    right = Decision(
        "wrong", "correct", "A", NOON, subject="NVIDIA B200", subject_id="nvidia-b200", subject_kind="accelerator",
        metric="power", value="1", unit="kW", becomes="right",
    )  # fmt: skip
    merge = Decision(
        "one", "merge", "A", NOON, name="B two hundred", subject="NVIDIA B200", subject_id="nvidia-b200",
        subject_kind="accelerator",
    )  # fmt: skip
    found = mentions_after(
        [right, merge],
        [
            ("wrong", "X1", "a candidate", "reader", "reported"), ("one", "b two hundred", None, "reader", "reported"),
            ("two", "B TWO HUNDRED", "a candidate", "reader", "reported"), ("else", "Y1", None, "reader", "reported"),
        ],
    )  # fmt: skip
    assert found == {
        "right": ("accepted", "nvidia-b200", 1.0, None),
        "one": ("confident", "nvidia-b200", 0.7, None),
        "two": ("candidate", "nvidia-b200", 0.7, "a candidate"),
        "else": ("confident", "~y1", 0.7, None),
    }


def test_a_correction_of_what_is_counted_replaces_the_qualifiers() -> None:
    right = Decision(
        "wrong", "correct", "A", NOON, subject="X1", metric="power", value="0.7", unit="kW", becomes="right",
        qualifiers="accelerator=Example X1; per=rack",
    )  # fmt: skip
    kept = Decision("kept", "correct", "A", NOON, subject="X2", metric="power", value="1", unit="kW", becomes="other")
    found = mentions_after(
        [right, kept],
        [("wrong", "X1", "a candidate", "reader", "reported"), ("kept", "X1", "a candidate", "reader", "reported")],
        "qualifiers",
    )
    assert found == {"right": ({"accelerator": "Example X1", "per": "rack"},), "other": ({"per": "chip"},)}


def test_a_page_that_nobody_signs_waits_where_another_speaks() -> None:
    found = mentions_after(
        [],
        [
            ("alone", "A1", None, "reader", "unverified"), ("beside", "B1", None, "reader", "unverified"),
            ("signed", "B1", None, "ledger", "reported"), ("typed", "B1", None, "ledger", "unverified"),
        ],
    )  # fmt: skip
    states = {claim: row[0] for claim, row in found.items()}
    assert states == {"alone": "confident", "beside": "candidate", "signed": "typed", "typed": "typed"}


def test_a_signed_page_speaks_once_a_person_accepted_it_and_no_more_once_rejected() -> None:
    readings = [
        ("beside", "B1", None, "reader", "unverified"), ("weighed", "B1", "a candidate", "reader", "reported"),
        ("below", "C1", None, "reader", "unverified"), ("wrong", "C1", None, "reader", "reported"),
    ]  # fmt: skip
    decided = [Decision("weighed", "accept", "A", NOON), Decision("wrong", "reject", "A", NOON)]
    states = {claim: row[0] for claim, row in mentions_after(decided, readings).items()}
    assert states == {"beside": "candidate", "weighed": "accepted", "below": "confident", "wrong": "rejected"}


def test_a_decision_on_what_is_read_otherwise_now_says_so() -> None:
    decided = [Decision("read", "reject", "A", NOON), Decision("read before", "reject", "A", NOON)]
    found = mentions_after(decided, [("read", "A1", None, "reader", "reported")], "is_read", "evidence.decisions")
    assert found == {"read": (True,), "read before": (False,)}


def test_a_page_that_nobody_signs_yields_to_one_of_the_same_and_not_to_a_benchmark() -> None:
    found = mentions_after(
        [],
        [
            ("beside", "A1", None, "reader", "unverified"), ("signed", "A1", None, "reader", "reported"),
            ("alone", "B1", None, "reader", "unverified"), ("reached", "B1", None, "reader", "reported", "HPL"),
        ],
    )  # fmt: skip
    assert {claim: row[0] for claim, row in found.items()} == {
        "beside": "candidate", "signed": "confident", "alone": "confident", "reached": "confident",
    }  # fmt: skip


def test_what_a_reading_was_corrected_to_is_decided_on_as_well() -> None:
    def correct(claim: str, becomes: str, value: str, at: dt.datetime = NOON) -> Decision:
        return Decision(
            claim, "correct", "A", at, subject="X1", metric="power", value=value, unit="kW", becomes=becomes
        )

    late = NOON + dt.timedelta(days=1)
    found = mentions_after(
        [
            correct("one", "one right", "1"), Decision("one right", "reject", "B", late),
            correct("two", "two right", "2"), correct("two right", "two at last", "3", late),
            correct("three", "three right", "4"), Decision("three right", "accept", "B", late),
        ],
        [(name, "X1", "a candidate", "reader", "reported") for name in ("one", "two", "three")],
        "reading_state, value",
    )  # fmt: skip
    assert found == {"one right": ("rejected", 1.0), "two at last": ("accepted", 3.0), "three right": ("accepted", 4.0)}
