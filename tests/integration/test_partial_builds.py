"""A build takes over the tables whose inputs are as they were, and publishes what a build of everything gives."""

from __future__ import annotations

import dataclasses
import datetime as dt
from pathlib import Path

import duckdb
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from pipelines.assets.ledger import build_ledger
from pipelines.settings import Settings
from tests.committed_build import FACTS, plan_below
from warehouse import price_weeks
from warehouse.build import BuildPlan, BuildReport, build
from warehouse.dictionary import Content
from warehouse.sql_files import named_in, read_sql, sql_files

LEDGER = "conference_and_pages_2025.csv"


def contents(path: Path) -> dict[str, tuple[int, str]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        rows = connection.execute('SELECT "table", row_count, content_hash FROM meta.tables').fetchall()
        rows += connection.execute(  # DuckDB gives the columns of an EXCLUDE in any order
            r"""SELECT function_name, length(macro_definition),
                       md5(list_sort(regexp_extract_all(macro_definition, '\w+'))::VARCHAR || parameters::VARCHAR)
               FROM duckdb_functions() WHERE NOT internal AND function_type LIKE '%macro'"""
        ).fetchall()
    return {name: (count, digest) for name, count, digest in rows}


def rebuild(plan: BuildPlan) -> BuildReport:
    build_ledger(plan.facts / "ledger", plan.lake)
    return build(plan)


@pytest.fixture
def went_on(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Tables that took over rows of the version before, in the order of builds."""
    found: list[str] = []

    def keep(connection: duckdb.DuckDBPyConnection, published: Path) -> Content | None:
        left = price_weeks.keep(connection, published)
        if left is not None and connection.execute("FROM marts.prices LIMIT 1").fetchone():
            found.append("marts.prices")
        return left

    monkeypatch.setattr("warehouse.reuse.keep_prices", keep)
    return found


def test_after_several_changes_the_tables_are_those_of_a_build_of_everything(
    begun: Settings, went_on: list[str]
) -> None:
    folder = begun.warehouse.parent
    facts = folder / "facts"
    (facts / "ledger").mkdir(parents=True)
    plan = dataclasses.replace(plan_below(folder, facts), accept_shrink=True)
    lines = (FACTS / "ledger" / LEDGER).read_text(encoding="utf-8").splitlines(keepends=True)

    (facts / "ledger" / LEDGER).write_text("".join(lines[:60]), encoding="utf-8")
    made = set(rebuild(plan).made)
    assert {"evidence.claims", "evidence.arithmetic", "marts.density"} <= made
    assert not {"registry.accelerators", "facts.mlperf_training", "marts.mlperf_coverage"} & made

    pq.write_table(pq.read_table(FACTS / "clusters.parquet").slice(0, 40), facts / "clusters.parquet")
    (facts / "ledger" / LEDGER).write_text("".join(lines[:20] + lines[21:60]), encoding="utf-8")
    made = set(rebuild(plan).made)
    assert {"evidence.claims", "facts.clusters"} <= made
    assert not {"facts.cloud_offers", "marts.prices", "evidence.sources"} & made

    for until, held in (("2026-11-01", []), ("2027-01-01", ["marts.prices"])):
        for name in ("cloud_looks", "cloud_offers"):
            rows = pq.read_table(FACTS / f"{name}.parquet")
            pq.write_table(
                rows.filter(pc.less(rows.column("looked_at"), dt.datetime.fromisoformat(until))),
                facts / f"{name}.parquet",
            )
        went_on.clear()
        assert {"facts.cloud_offers", "marts.prices"} <= set(rebuild(plan).made)
        assert went_on == held

    fewer = dataclasses.replace(plan, sources=plan.sources[1:])
    made = set(rebuild(fewer).made)
    assert "evidence.sources" in made
    assert not {"evidence.claims", "facts.clusters"} & made

    assert rebuild(fewer).made == ("evidence.quarantine",)
    whole = dataclasses.replace(fewer, target=folder / "whole.duckdb", is_full=True)
    assert "registry.accelerators" in build(whole).made
    assert contents(plan.target) == contents(whole.target)
    # a dropped table leaves room that the next build fills: never more than old and new beside each other
    assert plan.target.stat().st_size < 2 * whole.target.stat().st_size


def test_no_file_uses_what_another_makes_in_passing() -> None:
    """Else a table that is taken over would lack for the next what its file makes on the way."""
    macros = {name: words for file in sql_files() for name, words in file.macros.items()}
    for file in sql_files():
        own = {*file.passing, *file.made}
        others = {name for other in sql_files() if other is not file for name in other.passing} - own
        assert not {word for word in named_in(file.words, {}) & others if f"{word} AS (" not in file.text}, file.name
    assert "marts.density_as_of" in macros


def test_what_a_file_makes_writes_and_names_is_read_from_its_text(tmp_path: Path) -> None:
    path = tmp_path / "tables" / "1_t.sql"
    path.parent.mkdir()
    path.write_text(
        """-- FROM facts.of_a_comment; it's no text
        CREATE TABLE facts.a AS FROM lake_b WHERE x <> 'a; b';
        CREATE OR REPLACE TEMP VIEW passing AS FROM query_table('facts.c');
        CREATE MACRO marts.a_as_of(day) AS TABLE FROM facts.d;
        UPDATE facts.e SET x = 1; INSERT INTO facts.a FROM f();
        CREATE VIEW facts.v AS FROM facts.a""",
        encoding="utf-8",
    )
    file = read_sql(path)
    assert (file.name, file.made) == ("tables/1_t.sql", ("facts.a", "facts.v"))
    assert (set(file.passing), set(file.macros), set(file.amends)) == ({"passing"}, {"marts.a_as_of"}, {"facts.e"})
    assert {"lake_b", "facts.c", "facts.d", "f"} <= file.words
    assert "facts.of_a_comment" not in file.words
    assert named_in({"f"}, {"f": frozenset({"g"}), "g": frozenset({"facts.z"})}) == {"f", "g", "facts.z"}
