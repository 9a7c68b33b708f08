"""What is set aside and what stays, who is responsible for a failing build, and what a person decided."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from warehouse import quarantine
from warehouse.blame import culprits, named_by
from warehouse.checks import FOLDER, Check
from warehouse.decisions import Decision, decide, read_decisions
from warehouse.declared import _checks_of, row_checks
from warehouse.dictionary import Table, load_declarations
from warehouse.leaving import staying
from warehouse.quarantine import OwnFault, fails, own_places, results, set_aside, stage_decisions

COLUMNS = {"name": "a name", "price": "price [USD]", "source_id": "the source", "url": "the link"}
DECLARED = Table.model_validate(
    {"title": "t", "says": "s", "grain": "g", "key": ["name"], "rules": ["price > 0"], "columns": COLUMNS}
)
DAY = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)


@pytest.fixture
def connection(monkeypatch: pytest.MonkeyPatch) -> Iterator[duckdb.DuckDBPyConnection]:
    """Facts of an outside source, `web`, and of the committed `ours`."""
    monkeypatch.setattr(quarantine, "row_checks", lambda name: row_rules())
    with duckdb.connect() as connected:
        connected.execute(
            f"""CREATE SCHEMA facts; CREATE SCHEMA evidence;
                CREATE TABLE lake_captures AS SELECT 'c1' AS capture_id, 'web' AS source_id;
                CREATE TABLE lake_mentions AS SELECT 'ledger' AS source_id, 'r1' AS ref;
                CREATE TABLE evidence.sources AS SELECT unnest(['web', 'ours']) AS source_id;
                {(FOLDER.parent / "tables" / "12_quarantine.sql").read_text()}"""
        )
        yield connected


def row_rules() -> list[Check]:
    return [check for check in _checks_of("facts.t", DECLARED) if check.kind == "row"]


def fill(connection: duckdb.DuckDBPyConnection, *rows: tuple[str, float | None, str]) -> None:
    connection.execute("CREATE OR REPLACE TABLE facts.t (name VARCHAR, price DOUBLE, source_id VARCHAR, url VARCHAR)")
    connection.executemany("INSERT INTO facts.t VALUES (?, ?, ?, 'https://x.y')", [list(row) for row in rows])


def aside(connection: duckdb.DuckDBPyConnection, columns: str = 'row_key, "check", state') -> list[tuple[object, ...]]:
    return connection.execute(f"SELECT {columns} FROM evidence.quarantine ORDER BY ALL").fetchall()


def names(connection: duckdb.DuckDBPyConnection) -> list[object]:
    return [name for (name,) in connection.execute("SELECT name FROM facts.t ORDER BY ALL").fetchall()]


def test_rows_from_outside_that_fail_are_set_aside_and_the_rest_stays(connection: duckdb.DuckDBPyConnection) -> None:
    stage_decisions(connection, {})
    fill(connection, ("good", 1, "web"), ("bad", -1, "web"), ("huge", 1e300, "web"), ("empty", None, "web"),
         ("twice", 1, "web"), ("twice", 2, "web"), ("equal", 3, "web"), ("equal", 3, "web"))  # fmt: skip
    set_aside(connection, "facts.t", DECLARED)
    counts = {result.check.name: result.failures for result in results(connection, row_rules())}
    assert counts == {"facts_t_rules": 1, "facts_t_filled": 1, "facts_t_twice": 3, "facts_t_source_id_in_sources": 0}
    assert names(connection) == ["equal", "good"]
    assert aside(connection) == [
        ("bad", "facts_t_rules", "open"),
        ("empty", "facts_t_filled", "open"),
        ("equal", "facts_t_twice", "open"),
        ("huge", "facts_t_numbers", "open"),
        ("twice", "facts_t_twice", "open"),
    ]
    (row,) = connection.execute(
        "SELECT reason, source_id, url, row_json FROM evidence.quarantine WHERE row_key = 'bad'"
    ).fetchall()
    assert row == (
        "price > 0 is not met: price = -1.0", "web", "https://x.y",
        '{"name":"bad","price":-1.0,"source_id":"web","url":"https://x.y"}',
    )  # fmt: skip


def test_decisions_are_checked_before_any_mention_stands(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first decision of a person once stopped every build: its check asked a table that comes after it."""
    monkeypatch.setattr(quarantine, "row_checks", row_checks)
    stage_decisions(connection, {})
    columns = (
        "claim_id VARCHAR, decision VARCHAR, decided_by VARCHAR, decided_at TIMESTAMP, is_read BOOLEAN, counts BOOLEAN"
    )
    connection.execute(f"CREATE TABLE evidence.decisions ({columns})")
    row = "('c', 'accept', 'me', TIMESTAMP '2026-03-02', true, true)"
    connection.execute(f"INSERT INTO evidence.decisions VALUES {row}")
    declared = load_declarations().tables["evidence.decisions"]
    assert not fails(connection, "evidence.decisions")
    connection.execute("UPDATE evidence.decisions SET decision = 'perhaps'")
    with pytest.raises(OwnFault, match="perhaps"):
        set_aside(connection, "evidence.decisions", declared)


def test_the_place_of_a_row_is_looked_for_in_what_its_table_reads_by_one_made_in_passing(tmp_path: Path) -> None:
    row = ["nvidia-hopper", "Omdia", "delivery"]
    (tmp_path / "adoption.csv").write_text("generation,claimant,kind\nnvidia-hopper,Omdia,delivery\n")
    fault = OwnFault("facts.adoption", [("slip", row)])
    assert own_places(fault, tmp_path) == "slip (adoption.csv, line 2)"


def test_facts_that_were_typed_here_refuse_the_build_with_file_and_line(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    stage_decisions(connection, {})
    fill(connection, ("good", 1, "web"), ("our slip", -1, "ours"))
    with pytest.raises(OwnFault, match="price > 0 is not met") as caught:
        set_aside(connection, "facts.t", DECLARED)
    (tmp_path / "ledger").mkdir()
    (tmp_path / "ledger" / "rows.csv").write_text("name,price,url\ngood,1,https://x.y\nour slip,-1,https://x.y\n")
    assert own_places(caught.value, tmp_path) == "price > 0 is not met: price = -1.0 (rows.csv, line 3)"
    quotes = 'quote\n"ours says: our slip, see https://x.y, is ours, our slip"\n'
    (tmp_path / "ledger" / "more.csv").write_text(quotes)  # read first; the words stand within a text
    assert own_places(caught.value, tmp_path) == "price > 0 is not met: price = -1.0 (rows.csv, line 3)"


def test_a_row_that_a_person_released_enters_and_one_that_was_dropped_does_not(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    path = tmp_path / "decisions" / "quarantine.jsonl"
    stage_decisions(connection, read_decisions(path))
    rows = (("a", -1.0, "web"), ("b", -1.0, "web"), ("c", -1.0, "web"), ("d", None, "web"))
    fill(connection, *rows)
    set_aside(connection, "facts.t", DECLARED)
    ids = dict(connection.execute("SELECT row_key, quarantine_id FROM evidence.quarantine").fetchall())
    for key, verdict in (("a", "release"), ("b", "drop"), ("c", "drop"), ("c", "reopen"), ("d", "release")):
        decide(path, Decision(ids[key], verdict, "looked at", DAY, key))
    connection.execute("DROP TABLE quarantine_decisions; DROP VIEW outside_sources; DELETE FROM evidence.quarantine")
    stage_decisions(connection, read_decisions(path))
    fill(connection, *rows)
    set_aside(connection, "facts.t", DECLARED)
    assert names(connection) == ["a"]
    assert aside(connection, "row_key, state, decided") == [
        ("a", "released", "2026-03-01: looked at"),
        ("b", "dropped", "2026-03-01: looked at"),
        ("c", "open", None),
        ("d", "open", None),  # a cell that must not be empty cannot be waived
    ]
    assert {row[0] for row in aside(connection, "quarantine_id")} == set(ids.values())


def test_a_torn_line_of_decisions_is_passed_over_and_a_wrong_one_is_told(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    decide(path, Decision("x", "drop", "spam", DAY, "facts.t a"))
    path.write_text(path.read_text() + '{"quarantine_id": "y", "verd')
    assert set(read_decisions(path)) == {"x"}
    path.write_text('{"quarantine_id": "y"}\n')
    with pytest.raises(ValueError, match="line 1: no decision"):
        read_decisions(path)


@pytest.mark.parametrize("guilty", [set(), {"c"}, {"a", "h"}, {"b", "c", "d"}])
def test_the_fewest_sources_without_which_it_passes_are_found(guilty: set[str]) -> None:
    asked: list[frozenset[str]] = []

    def passes(out: frozenset[str]) -> bool:
        asked.append(out)
        return bool(guilty) and guilty <= out

    assert culprits(list("abcdefgh"), passes) == guilty
    assert len(asked) <= 1 + 6 * max(len(guilty), 1)
    assert culprits([], passes) == frozenset()


def test_a_failing_check_names_the_sources_and_addresses_of_its_rows(connection: duckdb.DuckDBPyConnection) -> None:
    fill(connection, ("a", 1, "web"), ("b", 5, "ours"))
    by_key = Check("k", "facts.t", "error", "says", False, "SELECT name FROM facts.t WHERE price > 2;")
    assert named_by(connection, by_key) == (frozenset({"ours"}), ("https://x.y",))
    own = Check("k", "facts.t", "error", "says", False, "SELECT source_id FROM facts.t WHERE price < 2")
    assert named_by(connection, own)[0] == {"web"}
    nobody = Check("k", "facts.t", "error", "says", False, "SELECT 1 AS one")
    assert named_by(connection, nobody) == (frozenset(), ())
    connection.execute(
        """ATTACH ':memory:' AS previous; CREATE SCHEMA previous.facts;
           CREATE TABLE previous.facts.t AS FROM (VALUES ('web'), ('web'), ('ours')) AS t(source_id)"""
    )
    lost = Check("k", "facts.t", "error", "says", True, "SELECT 1 AS one")
    assert named_by(connection, lost)[0] == {"web"}


def test_the_record_of_what_was_asked_is_never_left_out() -> None:
    assert staying("captures", ["capture_id", "source_id"]) == "true"
    assert "left_captures" in staying("cloud_offers", ["source_id", "capture_id"])
    assert "left_documents" in staying("mentions", ["source_id", "document_id"])
    assert "sha256" in staying("mlperf_training", ["source_id", "archive_sha256"])
