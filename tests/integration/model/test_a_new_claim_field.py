"""A field that is declared on the row alone stands in the ledger, the lake, the tables and the dictionary."""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import pytest

import pipelines.ledger.row
from pipelines.assets import ledger
from pipelines.frozen import frozen
from pipelines.lake import arrow_schema
from pipelines.model.claim_row import MentionRow
from pipelines.model.columns import Column, columns_of
from pipelines.settings import PROJECT_ROOT
from pipelines.sources import source_rows
from warehouse import dictionary, staging
from warehouse.build import BuildPlan, build
from warehouse.read import Warehouse


@frozen(kw_only=True)
class WiderRow(MentionRow):
    """The row of a claim with one more field, as an engineer would add it."""

    floor_load: Annotated[float | None, Column("load on the floor", unit="kg/m2")] = None
    said_at: Annotated[str, Column("event at which it was said", is_optional=True, is_typed=True)] = ""
    page: Annotated[str, Column("page of the document", is_optional=True, is_typed=True, of="mention")] = ""


@pytest.fixture
def warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Warehouse]:
    """A ledger of one row, typed with the new columns and built with the wider row in place of the row."""
    typed = tuple(column for column in columns_of(WiderRow) if column.column.is_typed)
    columns = (*pipelines.ledger.row.COMPOSED, *(column.name for column in typed))
    for module in (pipelines.ledger.row, ledger):
        monkeypatch.setattr(module, "MentionRow", WiderRow)
    monkeypatch.setattr(ledger.LedgerStep, "rows", {**ledger.LedgerStep.rows, "mentions": WiderRow})
    monkeypatch.setattr(pipelines.ledger.row, "TYPED", typed)
    for module in (pipelines.ledger.row, pipelines.ledger.row):
        monkeypatch.setattr(module, "COLUMNS", columns)
    monkeypatch.setitem(dictionary.ROWS, "mentions", WiderRow)
    monkeypatch.setitem(staging.LAKE_TABLES, "mentions", arrow_schema(WiderRow))
    monkeypatch.setattr(staging, "MentionRow", WiderRow)
    dictionary.load_declarations.cache_clear()
    facts = tmp_path / "facts" / "ledger"
    facts.mkdir(parents=True)
    with (facts / "rows.csv").open("w", newline="", encoding="utf-8") as file:
        record = {
            "ref": "T1", "subject": "GB200 NVL72", "metric": "weight", "value": "1.36", "unit": "t", "said_at": "GTC",
            "qualifiers": "per=rack; ton=tonne", "modality": "announced", "claimant": "NVIDIA", "evidence": "vendor",
            "stated_on": "2025-03-18", "url": "https://www.nvidia.com/a", "publisher": "NVIDIA", "page": "7",
        }  # fmt: skip
        writer = csv.DictWriter(file, [*record])
        writer.writeheader()
        writer.writerow(record)
    ledger.build_ledger(facts, tmp_path / "lake")
    target = tmp_path / "rackledger.duckdb"
    built_at = dt.datetime(2026, 11, 21, tzinfo=dt.UTC)
    sources = source_rows(PROJECT_ROOT / "sources.yaml")
    build(BuildPlan(tmp_path / "lake", facts.parent, sources, target, tmp_path / "scratch", "1GB", 2, "test", built_at))
    with Warehouse(target) as opened:
        yield opened
    dictionary.load_declarations.cache_clear()


def test_a_field_declared_on_the_row_stands_everywhere(warehouse: Warehouse) -> None:
    assert warehouse.rows("SELECT ref, said_at, page, floor_load FROM evidence.mentions") == [
        {"ref": "T1", "said_at": "GTC", "page": "7", "floor_load": None}
    ]
    assert warehouse.rows("SELECT ref, said_at, floor_load FROM evidence.claims") == [
        {"ref": "T1", "said_at": "GTC", "floor_load": None}
    ]
    described = warehouse.rows(
        """SELECT "table", "column", data_type, says, unit FROM meta.columns
           WHERE "column" IN ('floor_load', 'said_at', 'page') ORDER BY ALL"""
    )
    assert [tuple(row.values()) for row in described] == [
        ("evidence.claims", "floor_load", "DOUBLE", "load on the floor", "kg/m2"),
        ("evidence.claims", "said_at", "VARCHAR", "event at which it was said", ""),
        ("evidence.mentions", "floor_load", "DOUBLE", "load on the floor", "kg/m2"),
        ("evidence.mentions", "page", "VARCHAR", "page of the document", ""),
        ("evidence.mentions", "said_at", "VARCHAR", "event at which it was said", ""),
        ("evidence.standing", "floor_load", "DOUBLE", "load on the floor", "kg/m2"),
        ("evidence.standing", "said_at", "VARCHAR", "event at which it was said", ""),
    ]
