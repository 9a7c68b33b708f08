"""What of a published file is taken over: small SQL files, their inputs, a check and a file that reach other tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from warehouse import quarantine, reuse
from warehouse.build import run_file
from warehouse.checks import ROW, Check
from warehouse.dictionary import META
from warehouse.reuse import Inputs, Reuse, made_before
from warehouse.sql_files import SqlFile, read_sql

FILES = {
    "tables/12_quarantine.sql": """CREATE TABLE evidence.quarantine (
        quarantine_id VARCHAR, state VARCHAR, decided VARCHAR, "table" VARCHAR, "check" VARCHAR,
        is_waivable BOOLEAN)""",
    "tables/19_known.sql": "CREATE TABLE evidence.known AS FROM listed_known;",
    "tables/20_a.sql": """CREATE TABLE facts.a AS FROM committed_a;
        CREATE MACRO doubled() AS TABLE SELECT 2 * n AS n FROM facts.a""",
    "marts/30_b.sql": "CREATE TABLE marts.b AS FROM doubled();",
    "marts/31_c.sql": "CREATE TABLE marts.c AS SELECT count(*) AS n FROM listed_known;",
}
UNKNOWN = "SELECT rowid AS row, n::VARCHAR AS found FROM facts.a WHERE n NOT IN (FROM evidence.known)"
KNOWN = Check("a_known", "facts.a", "error", "is known", False, UNKNOWN, ROW)
Build = Callable[..., list[str]]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """A build of these files into one place, from the version before; returns the tables that were made."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    facts, target = tmp_path / "facts", tmp_path / "r.duckdb"
    facts.mkdir()
    for module in (reuse, quarantine):
        monkeypatch.setattr(module, "row_checks", lambda name: [KNOWN] if name == "facts.a" else [])

    def run(numbers: Sequence[int], known: Sequence[int], also: Sequence[str] = ()) -> list[str]:
        (facts / "a.csv").write_text("n\n" + "".join(f"{n}\n" for n in numbers))
        files: list[SqlFile] = [read_sql(tmp_path / name) for name in (*FILES, *also)]
        monkeypatch.setattr(reuse, "sql_files", lambda: files)
        before = made_before(target)
        with duckdb.connect(str(target)) as connection:
            connection.execute(
                f"""CREATE TEMP TABLE committed_a AS SELECT unnest({list(numbers)}::INTEGER[]) AS n;
                    CREATE TEMP TABLE listed_known AS SELECT unnest({list(known)}::INTEGER[]) AS n;
                    CREATE TEMP TABLE quarantine_decisions (quarantine_id VARCHAR, state VARCHAR, decided VARCHAR);
                    CREATE TEMP TABLE outside_sources (source_id VARCHAR);
                    CREATE SCHEMA IF NOT EXISTS evidence; CREATE SCHEMA IF NOT EXISTS facts;
                    CREATE SCHEMA IF NOT EXISTS marts; CREATE SCHEMA IF NOT EXISTS meta"""
            )
            state = Reuse(connection, Inputs(tmp_path / "lake", facts, "2026-03-01"), before)
            for file in files:
                if not state.keeps(file):
                    run_file(connection, file.path, standing=state.clear(file, Path("no.duckdb")))
                    state.note(file)
            connection.execute(META)
            state.write()
            return [name for name in state.made if name != "evidence.quarantine"]

    return run


def test_a_table_is_made_again_where_its_own_input_or_a_table_that_it_reads_changed(build: Build) -> None:
    every = ["evidence.known", "facts.a", "marts.b", "marts.c"]
    assert build([1, 2], [1, 2, 3]) == every
    assert build([1, 2], [1, 2, 3]) == []
    assert build([1, 3], [1, 2, 3]) == ["facts.a", "marts.b"]  # the mart reads it through a macro
    assert build([3, 1], [1, 2, 3]) == ["facts.a"]  # another file, the same rows: the change ends here


def test_the_macros_of_a_file_that_runs_again_stay_and_those_of_another_text_are_made_anew(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[frozenset[str]] = []
    clear = Reuse.clear

    def noted(*given: Any) -> frozenset[str]:
        planned.append(clear(*given))
        return planned[-1]

    monkeypatch.setattr(Reuse, "clear", noted)
    build([1], [1, 2])
    build([2], [1, 2])
    assert frozenset({"doubled"}) in planned
    path = tmp_path / "tables/20_a.sql"
    path.write_text(path.read_text(encoding="utf-8").replace("2 * n", "3 * n"), encoding="utf-8")
    planned.clear()
    assert build([2], [1, 2]) == ["facts.a", "marts.b"]
    assert set(planned) == {frozenset()}
    with duckdb.connect(str(tmp_path / "r.duckdb")) as connection:
        assert connection.execute("SELECT b.n, d.n FROM marts.b AS b, doubled() AS d").fetchall() == [(6, 6)]


def test_what_only_a_check_reads_is_checked_again_and_makes_nothing_where_all_pass(build: Build) -> None:
    build([1, 2], [1, 2])
    assert build([1, 2], [1, 2, 3]) == ["evidence.known", "marts.c"]
    assert build([1, 2], [1, 3]) == ["evidence.known", "facts.a", "marts.c"]  # a row fails now


def test_a_table_that_another_file_writes_to_is_made_again_with_it(build: Build, tmp_path: Path) -> None:
    writes = "tables/21_d.sql"
    (tmp_path / writes).write_text("UPDATE facts.a SET n = n + 1 WHERE n IN (FROM evidence.known);", encoding="utf-8")
    build([1, 2], [2], [writes])
    assert build([1, 2], [2], [writes]) == []
    assert "facts.a" in build([1, 2], [1, 2], [writes])
    (tmp_path / "tables/19_known.sql").write_text("CREATE TABLE evidence.known AS SELECT 7 AS n;", encoding="utf-8")
    assert "facts.a" in build([1, 2], [1, 2], [writes])
