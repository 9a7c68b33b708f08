"""Committed facts that a declaration names: what fits is kept, what does not is refused by file, row and column."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import duckdb
import pyarrow as pa

from warehouse.committed import stage_facts
from warehouse.staging import committed_columns

COLUMNS = {"ref": "VARCHAR NOT NULL", "stated_on": "DATE", "racks": "INTEGER"}


def staged(folder: Path, columns: dict[str, str] = COLUMNS) -> tuple[list[tuple[object, ...]], list[tuple[str, str]]]:
    with duckdb.connect() as connection:
        problems = stage_facts(connection, "promises", columns, folder)
        return connection.execute("FROM committed_promises").fetchall(), [(p.place, p.detail) for p in problems]


def test_a_csv_file_is_read_with_the_declared_types(tmp_path: Path) -> None:
    (tmp_path / "promises.csv").write_text("racks,ref,stated_on\n4,P1,2026-03-18\n,P2,\n", encoding="utf-8")
    rows, problems = staged(tmp_path)
    assert rows == [("P1", dt.date(2026, 3, 18), 4), ("P2", None, None)]
    assert problems == []


def test_a_parquet_file_serves_as_well(tmp_path: Path) -> None:
    duckdb.execute(f"COPY (SELECT 'P1' AS ref, NULL AS stated_on, 4 AS racks) TO '{tmp_path}/promises.parquet'")
    assert staged(tmp_path) == ([("P1", None, 4)], [])


def test_rows_that_do_not_fit_are_refused_and_the_rest_kept(tmp_path: Path) -> None:
    text = "ref,stated_on,racks\nP1,soon,4\n,2026-03-18,many\nP3,2026-03-18,5\n"
    (tmp_path / "promises.csv").write_text(text, encoding="utf-8")
    rows, problems = staged(tmp_path)
    assert rows == [("P3", dt.date(2026, 3, 18), 5)]
    assert problems == [
        ("row 1", "stated_on: soon is no DATE"),
        ("row 2", "no ref; racks: many is no INTEGER"),
    ]


def test_an_empty_text_is_no_reference(tmp_path: Path) -> None:
    duckdb.execute(f"COPY (SELECT '' AS ref, NULL AS stated_on, 4 AS racks) TO '{tmp_path}/promises.parquet'")
    assert staged(tmp_path) == ([], [("row 1", "no ref")])


def test_a_table_of_the_lake_has_its_own_columns_and_is_bound_to_source_date_and_tag() -> None:
    schema = pa.schema([("chip", pa.string()), ("names", pa.list_(pa.string())), ("stated_on", pa.date32())])
    with duckdb.connect() as connection:
        found = committed_columns(connection, schema)
    assert found == {"chip": "VARCHAR", "names": "VARCHAR[]", "stated_on": "DATE NOT NULL"}


def test_other_columns_refuse_the_file_by_name(tmp_path: Path) -> None:
    (tmp_path / "promises.csv").write_text("ref,when,racks\nP1,2026,4\n", encoding="utf-8")
    assert staged(tmp_path) == ([], [("header", "columns missing: stated_on; unknown: when")])


def test_a_column_that_came_later_is_empty_in_a_file_that_lacks_it(tmp_path: Path) -> None:
    later = {**COLUMNS, "due": "DATE LATER"}
    (tmp_path / "promises.csv").write_text("ref,stated_on,racks\nP1,2026-03-18,4\n", encoding="utf-8")
    assert staged(tmp_path, later) == ([("P1", dt.date(2026, 3, 18), 4, None)], [])


def test_without_a_file_the_table_stands_with_its_types(tmp_path: Path) -> None:
    with duckdb.connect() as connection:
        assert stage_facts(connection, "promises", COLUMNS, tmp_path) == []
        described = connection.execute("DESCRIBE committed_promises").fetchall()
    assert [(row[0], row[1]) for row in described] == [("ref", "VARCHAR"), ("stated_on", "DATE"), ("racks", "INTEGER")]


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "promises.parquet").write_bytes(b"no parquet")
    rows, ((place, detail),) = staged(tmp_path)
    assert (rows, place) == ([], "file")
    assert detail.startswith("cannot be read: ")
