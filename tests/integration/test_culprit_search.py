"""A source that alone breaks a build check which names nobody is found, and shown as it was in the version before."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from pipelines.archive.store import Archive
from pipelines.assets.documents_step import build_documents
from pipelines.assets.market_step import build_market
from pipelines.model.source_row import SourceRow
from pipelines.sources import SourceCatalog
from tests.market_kit import price_list
from tests.trimmed import trimmed
from tests.unit.assets.test_reading_steps import catalog, keep, prices
from warehouse.build import BuildPlan, BuildReport, build
from warehouse.checks import Check
from warehouse.read import Warehouse

SOURCES = ("east", "north", "south", "west")
PLANTED = Check(
    "planted_total",
    "facts.cloud_offers",
    "error",
    "all prices together stay below fifty dollars",
    False,
    "SELECT sum(price_usd_per_hour) AS total FROM facts.cloud_offers HAVING sum(price_usd_per_hour) > 50",
)


def list_of(price: float, day: int) -> str:
    return price_list(dt.date(2026, 3, day), ("nebius", "h100", price)).decode()


def published(folder: Path, found: SourceCatalog, day: int) -> BuildReport:
    """Read and build as on a day of March."""
    list(build_documents(found, folder / "archive", folder / "lake", 1))
    list(build_market(found, found, folder / "archive", folder / "lake"))
    rows = [
        SourceRow(
            source.id, source.title, source.publisher, source.producer, str(source.group), str(source.layer), (),
            str(source.kind), source.parser or "", source.evidence, str(source.status), False, source.urls, None, 24,
            source.terms, source.licence, source.cited_as,
        )
        for source in found
    ]  # fmt: skip
    at = dt.datetime(2026, 3, day, 9, tzinfo=dt.UTC)
    target = folder / "rackledger.duckdb"
    return build(
        BuildPlan(folder / "lake", folder / "facts", rows, target, folder / "scratch", "1GB", 1, f"r{day}", at)
    )


def ask(folder: Path, sql: str) -> list[tuple[Any, ...]]:
    with Warehouse(folder / "rackledger.duckdb") as warehouse:
        return [tuple(row.values()) for row in warehouse.rows(sql)]


def test_the_one_source_is_shown_as_it_was_and_the_others_as_they_are(tmp_path: Path) -> None:
    found = catalog(*(prices(name) for name in SOURCES))
    tables = ("facts.cloud_offers", "evidence.quarantine", "evidence.problems", "marts.source_health")
    with trimmed(tmp_path / "sql", *tables, planted=(PLANTED,)):
        for number, name in enumerate(SOURCES):
            keep(tmp_path, name, list_of(2.0 + number, 1), 1)
        assert published(tmp_path, found, 1).left_out == ()
        for number, name in enumerate(SOURCES):
            keep(tmp_path, name, list_of(90.0 if name == "south" else 3.0 + number, 2), 2)
        report = published(tmp_path, found, 2)
    (left,) = report.left_out
    assert (left.source_id, left.shown_until) == ("south", dt.datetime(2026, 3, 1))  # noqa: DTZ001 - as stored
    newest = "SELECT source_id, price_usd_per_hour FROM facts.cloud_offers WHERE is_listed_now ORDER BY 1"
    assert ask(tmp_path, newest) == [("east", 3.0), ("north", 4.0), ("south", 4.0), ("west", 6.0)]
    assert ask(tmp_path, "SELECT source_id, \"check\" FROM evidence.quarantine WHERE kind = 'source'") == [
        ("south", "build_check")
    ]
    told = ask(tmp_path, "SELECT source_id, reason, says FROM marts.source_health WHERE verdict = 'failing'")
    assert [row[:2] for row in told] == [("south", "set_aside")]
    assert told[0][2].startswith(
        "set aside: it alone makes the build fail, and is shown as it was until 2026-03-01 00:00"
    )
    with Archive(tmp_path / "archive") as archive:
        assert len(list(archive.captures("south"))) == 2
