"""What is told later is in no view of an earlier day: a later row stands in every input, and every form is asked.

Two small files are made by the warehouse's own SQL: one of few rows of each input, one of these and a later row for
each. Every table macro that answers for a day must say the same of an earlier day in both.
"""

from __future__ import annotations

import datetime as dt
import re
import shutil
from collections import Counter
from pathlib import Path

import duckdb

from pipelines.assets.ledger import build_ledger
from pipelines.settings import PROJECT_ROOT
from pipelines.sources import source_rows
from tests.committed_build import BUILT_AT, FACTS
from tests.said import say_all, table_of
from warehouse.build import BuildPlan, _open, _stage
from warehouse.sql_files import sql_files

EARLY, LATER = dt.date(2026, 9, 15), dt.date(2026, 10, 20)
ROWS = 60  # of each input; the forms are the same over few rows
# What a planted row of an input has of its own, so that it is another row; its days are later, its figures others.
OWN = {
    "lake_mentions": {"claim_id": "claim_id || '-later'", "ref": "ref || '-later'", "due_on": "due_on + 3000"},
    "committed_promises": {"ref": "ref || '-later'"},
    "committed_adoption": {"ref": "ref || '-later'"},
    "committed_mlperf_training": {"round": "round || '9'"},
    "committed_mlperf_inference": {"round": "round || '9'"},
    "committed_mlperf_systems": {"round": "round || '9'"},
    "registry_mlperf_rounds": {"round": "round || '9'"},
    "committed_clusters": {},
    "committed_sites": {},
    "committed_site_timeline": {},
    "committed_cloud_looks": {"payload_sha256": "payload_sha256 || '9'"},
    "committed_cloud_offers": {"payload_sha256": "payload_sha256 || '9'"},
    "committed_chip_owners": {},
    "committed_chip_sales": {},
    "committed_filings": {},
    "committed_inferencex": {},
    "committed_top500_aggregates": {},
    "registry_accelerators": {"accelerator_id": "accelerator_id || '-later'"},
    "registry_organisation_layers": {"layer": "CASE layer WHEN 'science' THEN 'enterprise' ELSE 'science' END"},
    "registry_system_names": {"name": "name || ' later'"},
    "registry_sites": {"site_id": "site_id || '-later'"},
}
# What this ledger looks for, the rates of chips, and what a person decided of readings: corrections stand for all days.
NO_STATEMENT = {"committed_forecast_tests", "committed_hardware_specs", "committed_decisions"}
# Readings of pages that nobody signs yield to those that somebody does, for all days: they are left out.
FEW_MENTIONS = " WHERE extractor = 'ledger' OR evidence <> 'unverified' ORDER BY locator LIMIT 240"
# A later page that says the same, more firmly and in other words.
AGAIN = f"""SELECT * REPLACE (
    'audited'::evidence_tag AS evidence, '{LATER}'::DATE AS stated_on, NULL AS stated_not_after,
    '{LATER}'::DATE AS read_on,
    'https://later.example/a' AS url, 'later' AS printed_by, 'later' AS printed, 'later' AS note,
    'deployed' AS modality, 'day' AS stated_on_precision, ['later'] AS caveats,
    ref || '-again' AS ref, locator || '-again' AS locator) FROM few"""
ALL_SQL = re.sub(r"--.*", "", "".join(file.text for file in sql_files()))


def staged(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, dict[str, str]]]:
    """The inputs that hold days: whether table or view, and the types of their columns."""
    names = connection.execute(
        """SELECT view_name, 'VIEW' FROM duckdb_views() WHERE temporary AND NOT internal
           UNION SELECT table_name, 'TABLE' FROM duckdb_tables() WHERE temporary"""
    ).fetchall()
    found = {}
    for name, is_a in names:
        columns = {str(row[0]): str(row[1]) for row in connection.execute(f'DESCRIBE "{name}"').fetchall()}
        held = connection.execute(f'SELECT count(*) FROM "{name}"').fetchall() != [(0,)]
        if held and any(kind == "DATE" or kind.startswith("TIMESTAMP") for kind in columns.values()):
            found[str(name)] = (str(is_a), columns)
    return found


def planted(name: str, columns: dict[str, str]) -> str:
    """The few rows of an input, each again as of a later day."""
    changed = dict(OWN[name])
    for column, kind in columns.items():
        if column == "valid_from":
            changed[column] = f"'{LATER}'::DATE"
        elif kind == "DATE" or kind.startswith("TIMESTAMP"):
            changed.setdefault(column, f"CASE WHEN \"{column}\" IS NOT NULL THEN '{LATER}'::{kind} END")
        elif kind == "DOUBLE":
            changed[column] = f'"{column}" * 1.37'
    replaced = ", ".join(f'{sql} AS "{column}"' for column, sql in changed.items())
    return f"SELECT * REPLACE ({replaced}) FROM few"


def small_facts(folder: Path) -> Path:
    """The first rows of each file of committed facts."""
    facts = folder / "facts"
    facts.mkdir()
    for path in FACTS.glob("*.csv"):
        shutil.copy(path, facts)
    for path in FACTS.glob("*.parquet"):
        duckdb.sql(f"COPY (FROM read_parquet('{path}') LIMIT {ROWS}) TO '{facts / path.name}' (FORMAT parquet)")
    return facts


def is_only_shown(statement: str) -> bool:
    """Whether a statement keeps what a form says of all days, in a table that no other statement reads."""
    kept = re.search(r"CREATE TABLE (\S+) AS\s+FROM \1_as_of\(", statement)
    return kept is not None and len(re.findall(rf"{re.escape(kept[1])}\b", ALL_SQL)) == 1


def make(folder: Path, with_later: bool) -> Path:
    """A small file of the warehouse's own SQL over few rows of each input, with or without later ones."""
    target = folder / f"{with_later}.duckdb"
    sources = source_rows(PROJECT_ROOT / "sources.yaml")
    plan = BuildPlan(folder / "lake", folder / "facts", sources, target, folder / "scratch", "1GB", 1, "test", BUILT_AT)
    with _open(plan, target) as connection:
        _stage(connection, plan, {})
        for name, (kind, columns) in staged(connection).items():
            if name not in NO_STATEMENT:
                few = f'FROM "{name}"' + (FEW_MENTIONS if name == "lake_mentions" else "")
                connection.execute(f"CREATE OR REPLACE TEMP TABLE few AS {few}")
                later = [planted(name, columns), *([AGAIN] if name == "lake_mentions" else [])] if with_later else []
                parts = " UNION ALL BY NAME ".join(f"({part})" for part in ("FROM few", *later))
                connection.execute(f"CREATE TEMP TABLE grown AS {parts}")
                connection.execute(f'DROP {kind} "{name}"')
                connection.execute(f'ALTER TABLE grown RENAME TO "{name}"')
        for file in sql_files():
            for statement in connection.extract_statements(file.text):
                if not is_only_shown(statement.query):
                    connection.execute(statement.query)
    return target


def told(path: Path, day: dt.date) -> dict[str, Counter[str]]:
    """What every form says of a day."""
    with duckdb.connect(str(path), config={"threads": 1}) as connection:
        forms = say_all(connection, day)
        return {form: Counter(map(str, connection.execute(f"FROM {table_of(form)}").fetchall())) for form in forms}


def test_a_later_row_in_every_input_is_in_no_view_of_an_earlier_day(tmp_path: Path) -> None:
    build_ledger(FACTS / "ledger", tmp_path / "lake")
    small_facts(tmp_path)
    before, after = (make(tmp_path, with_later) for with_later in (False, True))
    # the rows were really planted: on the later day they are there
    with duckdb.connect(str(before)) as one, duckdb.connect(str(after)) as other:
        for form in ("facts.promises_as_of", "marts.adoption_as_of", "registry.system_names_as_of"):
            counted = f"SELECT count(*) FROM {form}(DATE '{LATER}')"
            assert one.execute(counted).fetchall() != other.execute(counted).fetchall(), form
    was, now = told(before, EARLY), told(after, EARLY)
    assert {"evidence.conflicts_as_of", "registry.organisation_layers_as_of", "marts.sheets_as_of"} <= set(was)
    differing = {form: (list(now[form] - was[form])[:1], list(was[form] - now[form])[:1]) for form in was}
    assert {form: rows for form, rows in differing.items() if rows != ([], [])} == {}
