"""The publishers' real lists and tables: every one is read whole, with the figures that others have counted in them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pipelines.model.market import MarketRows
from tests.market_kit import captured, parse

MARKET = Path(__file__).parents[4] / "../shared/market"
LISTS, EPOCH = MARKET / "top500/raw", MARKET / "epoch"
CHIPS = EPOCH / "ai-chip-counts"
SEEN_AT = dt.datetime(2026, 11, 20, tzinfo=dt.UTC)
pytestmark = pytest.mark.skipif(not MARKET.exists(), reason="the folder ../shared/market is not at hand")


def read(source: str, path: Path) -> MarketRows:
    return parse(source, captured(source, f"https://example.org/{path.name}", path.read_bytes(), SEEN_AT))


def rows(source: str, path: Path, table: str) -> list[Any]:
    return list(read(source, path).rows[table])


@pytest.mark.parametrize("path", sorted(LISTS.glob("TOP500_*")), ids=lambda path: path.name)
def test_every_list_has_its_five_hundred_systems_and_no_field_that_nobody_reads(path: Path) -> None:
    found = read("top500", path)
    assert [row.rank for row in found.rows["top500"] if hasattr(row, "rank")] == list(range(1, 501))
    assert (found.problems, found.unread) == ((), ())
    month = path.stem.removeprefix("TOP500_")
    assert {f"{row.list_month:%Y%m}" for row in rows("top500", path, "top500")} == {month}


@pytest.mark.parametrize(
    ("month", "counts"),
    [("202506", (0, 96, 68)), ("202511", (10, 114, 63)), ("202606", (18, 132, 62))],
)
def test_generations_on_the_last_three_lists(month: str, counts: tuple[int, int, int]) -> None:
    from pipelines.registry.market_names import load_list_labels

    systems = rows("top500", LISTS / f"TOP500_{month}.xlsx", "top500")
    found = Counter(load_list_labels().meaning(row.accelerator_raw).generation for row in systems)
    assert (found["nvidia-blackwell"], found["nvidia-hopper"], found["nvidia-ampere"]) == counts


def test_the_green_list_is_read_whole() -> None:
    found = read("green500", LISTS / "green500_top_202606.xlsx")
    assert (len(found.rows["green500"]), found.problems, found.unread) == (500, (), ())


@pytest.mark.parametrize(
    ("source", "folder", "files", "kept", "incomplete"),
    [
        ("epoch_chip_owners", "owners_csv_export", 20, 1090, 65),
        ("epoch_chip_sales", "csv_export", 14, 400, 22),
    ],
)
def test_every_file_of_chips_is_read_whole(source: str, folder: str, files: int, kept: int, incomplete: int) -> None:
    paths = sorted((CHIPS / folder).rglob("*.csv"))
    found = [read(source, path) for path in paths]
    assert (len(paths), sum(len(rows) for item in found for rows in item.rows.values())) == (files, kept)
    assert {problem.reason.value for item in found for problem in item.problems} == {"record_incomplete"}
    assert sum(int(problem.detail.split()[0]) for item in found for problem in item.problems) == incomplete
    assert {name for item in found for name in item.unread} == set()


def test_incomplete_quarters_are_gone_whatever_the_dates_look_like() -> None:
    found = rows("epoch_chip_owners", CHIPS / "owners_csv_export/nvidia_owners_cumulative_by_chip.csv", "chip_owners")
    assert max(row.period_end for row in found) == dt.date(2025, 12, 31)
    assert {row.stated_on for row in found} == {dt.date(2026, 4, 15)}


@pytest.mark.parametrize(
    ("source", "name", "table", "count"),
    [
        ("epoch_data_centers", "data_centers_202605.csv", "sites", 50),
        ("epoch_data_centers", "data_center_timelines_202605.csv", "site_timeline", 282),
        ("epoch_gpu_clusters", "gpu_clusters_202512.csv", "clusters", 786),
        ("epoch_gpu_clusters", "gpu_clusters_202608.csv", "clusters", 786),
        ("epoch_ml_hardware", "ml_hardware_202607.csv", "hardware_specs", 176),
    ],
)
def test_every_other_table_is_read_whole(source: str, name: str, table: str, count: int) -> None:
    found = read(source, EPOCH / name)
    assert (len(found.rows[table]), found.problems, found.unread) == (count, (), ())
