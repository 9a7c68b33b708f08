"""What is told later is in no view of an earlier day: a later row stands in every input, and every form is asked."""

from __future__ import annotations

import datetime as dt
import re
import shutil
from collections import Counter
from pathlib import Path

import duckdb

from pipelines.assets.ledger import build_ledger
from pipelines.source_rows import source_rows
from tests.committed_build import BUILT_AT, FACTS, PROJECT_ROOT
from warehouse.build import LAYERS, BuildPlan, _open, _stage

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
# What this ledger looks for, and the rates of chips: a corrected rate stands for all days.
NO_STATEMENT = {"committed_forecast_tests", "committed_hardware_specs"}
# A later page that says the same, more firmly and in other words.
AGAIN = f"""SELECT * REPLACE (
    'audited' AS evidence, '{LATER}'::DATE AS stated_on, NULL AS stated_not_after, '{LATER}'::DATE AS read_on,
    'https://later.example/a' AS url, 'later' AS printed_by, 'later' AS printed, 'later' AS note,
    'deployed' AS modality,
    'day' AS stated_on_precision, ['later'] AS caveats,
    ref || '-again' AS ref, locator || '-again' AS locator) FROM few"""
ALL_SQL = "".join(
    re.sub(r"--.*", "", path.read_text(encoding="utf-8")) for path in (PROJECT_ROOT / "warehouse").rglob("*.sql")
)


def staged(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """The inputs that hold days, with the types of their columns."""
    names = connection.execute(
        """SELECT view_name FROM duckdb_views() WHERE temporary AND NOT internal
           UNION SELECT table_name FROM duckdb_tables() WHERE temporary"""
    ).fetchall()
    found = {}
    for (name,) in names:
        columns = {str(row[0]): str(row[1]) for row in connection.execute(f'DESCRIBE "{name}"').fetchall()}
        held = connection.execute(f'SELECT count(*) FROM "{name}"').fetchall() != [(0,)]
        if held and any(kind == "DATE" or kind.startswith("TIMESTAMP") for kind in columns.values()):
            found[str(name)] = columns
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
    plan = BuildPlan(
        folder / "lake",
        folder / "facts",
        sources,
        target,
        folder / "scratch",
        "1GB",
        1,
        "test",
        BUILT_AT,
    )
    with _open(plan, target) as connection:
        _stage(connection, plan, {})
        for name, columns in staged(connection).items():
            if name in NO_STATEMENT:
                continue
            limit = f"LIMIT {4 * ROWS}" if name == "lake_mentions" else ""
            connection.execute(f'CREATE OR REPLACE TEMP TABLE few AS FROM "{name}" {limit}')
            parts = ["FROM few"]
            if with_later:
                parts.append(planted(name, columns))
            if with_later and name == "lake_mentions":
                parts.append(AGAIN)
            connection.execute(
                f"CREATE TEMP TABLE grown AS {' UNION ALL BY NAME '.join(f'({part})' for part in parts)}"
            )
            connection.execute(f'DROP {"TABLE" if name.startswith("committed_") else "VIEW"} "{name}"')
            connection.execute(f'ALTER TABLE grown RENAME TO "{name}"')
        for path in (path for layer in LAYERS for path in sorted((PROJECT_ROOT / "warehouse" / layer).glob("*.sql"))):
            for statement in connection.extract_statements(path.read_text(encoding="utf-8")):
                if not is_only_shown(statement.query):
                    connection.execute(statement.query)
    return target


def forms(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """All that answers for a day."""
    rows = connection.execute(
        """SELECT schema_name || '.' || function_name FROM duckdb_functions()
           WHERE NOT internal AND function_type = 'table_macro' AND parameters[1] = 'day'
             AND schema_name IN ('registry', 'evidence', 'facts', 'marts') ORDER BY 1"""
    ).fetchall()
    return [str(name) for (name,) in rows]


def told(connection: duckdb.DuckDBPyConnection, form: str, day: dt.date) -> list[str]:
    return sorted(str(row) for row in connection.execute(f"FROM {form}(?)", [day]).fetchall())


def test_a_later_row_in_every_input_is_in_no_view_of_an_earlier_day(tmp_path: Path) -> None:
    build_ledger(FACTS / "ledger", tmp_path / "lake")
    small_facts(tmp_path)
    before, after = (duckdb.connect(str(make(tmp_path, later)), read_only=True) for later in (False, True))
    with before, after:
        asked = forms(before)
        assert {"evidence.conflicts_as_of", "registry.organisation_layers_as_of", "marts.sheets_as_of"} <= set(asked)
        differing = {}
        for form in asked:
            was, now = Counter(told(before, form, EARLY)), Counter(told(after, form, EARLY))
            if was != now:
                differing[form] = (list(now - was)[:1], list(was - now)[:1])
        assert differing == {}
        # and on the later day they are there: the rows were really planted
        for form in (
            "evidence.conflicts_as_of",
            "facts.promises_as_of",
            "marts.adoption_as_of",
            "registry.system_names_as_of",
        ):
            assert told(before, form, LATER) != told(after, form, LATER), form
