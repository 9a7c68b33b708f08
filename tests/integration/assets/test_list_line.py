"""Lists and Epoch AI's tables along the whole line: captures in, derived counts, vintages, plans and aggregates out."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from pipelines.archive.store import Archive
from pipelines.assets.market_step import build_market
from pipelines.assets.warehouse import plan_of
from pipelines.facts.market import export_aggregates, export_market
from pipelines.lake import Lake
from pipelines.settings import Run, Settings
from pipelines.sources import load_sources
from tests.market_cases import FOLDER, read_case
from tests.trimmed import only
from warehouse.build import build
from warehouse.read import Warehouse

pytestmark = pytest.mark.usefixtures("lists_alone", "begun")
lists_alone = only(
    *("facts.top500", "facts.green500", "facts.top500_aggregates", "facts.chip_owners", "facts.chip_sales"),
    *("facts.clusters", "facts.sites", "facts.site_timeline", "facts.hardware_specs"),
)
RUN_AT = dt.datetime(2026, 11, 1, 12, tzinfo=dt.UTC)
OWNERS = "https://epoch.ai/data/ai_chip_owners_cumulative_by_chip_type.csv"


def keep_case(settings: Settings, folder: str) -> None:
    """Put the input of a parser's case into the archive."""
    table = read_case(FOLDER / folder).table
    keep(settings, table.source_id, table.url, table.data, table.captured_at)


def keep(settings: Settings, source: str, url: str, data: bytes, captured_at: dt.datetime) -> None:
    settings.archive.mkdir(parents=True, exist_ok=True)
    stamp = f"{source}-{captured_at:%Y%m%d}-{len(data)}"
    path = settings.data.parent / f"{stamp}-{url.rpartition('/')[2]}"
    path.write_bytes(data)
    with Archive(settings.archive, run_stamp=stamp) as archive:
        assert len(archive.add(path, source, url, captured_at).added) == 1


def run(settings: Settings, number: int = 1) -> None:
    catalog = load_sources(settings.sources)
    list(build_market(catalog, catalog, settings.archive, settings.lake))
    build(plan_of(settings, Run(f"run-{number}", RUN_AT), accept_shrink=False))


def query(settings: Settings, sql: str) -> list[tuple[Any, ...]]:
    with Warehouse(settings.warehouse) as warehouse:
        return [tuple(row.values()) for row in warehouse.rows(sql)]


def owners_file(generated: str, *owners: tuple[str, int, str]) -> bytes:
    """Cumulative B200s by owner with a note that tells whom an 'Other' excludes."""
    header = (
        "Name,Chip manufacturer,Owner,Start date,End date,Compute estimate in H100e (median),H100e (5th percentile),"
        "H100e (95th percentile),Number of Units,Number of Units (5th percentile),Number of Units (95th percentile),"
        "Chip type,Incomplete,Notes"
    )
    lines = [
        f"{name} B200 cumulative through Q4 2025,Nvidia,{name},1/1/2022,12/31/2025,{units},{units},{units},{units},"
        f'{units},{units},B200,,"{note}Estimates generated on: {generated} 18:24"'
        for name, units, note in owners
    ]
    return "\n".join([header, *lines]).encode()


def test_a_list_gives_derived_counts_and_its_aggregates_outlive_it(settings: Settings) -> None:
    keep_case(settings, "top500/header_2026")
    keep_case(settings, "top500/header_2018")
    keep_case(settings, "green500/small")
    run(settings)
    assert query(
        settings,
        "SELECT list_number, rank, accelerator, generation, accelerators, accelerators_formula, "
        "accelerators_evidence::VARCHAR, kw_per_accelerator, layer, layer_basis, evidence::VARCHAR, caveats "
        "FROM facts.top500 ORDER BY list_number, rank",
    ) == [
        (52, 1, "nvidia-v100", "nvidia-volta", 1000, "80,000 accelerator cores / 80 = 1,000", "derived", 0.8,
         "science", "segment", "audited", ["indirect"]),
        (67, 1, "nvidia-gb200", "nvidia-blackwell", 792, "120,384 accelerator cores / 152 = 792", "derived",
         1500.5 / 792, "enterprise", "segment", "audited", []),
        (67, 2, "none", None, None, None, None, None, "science", "segment", "audited", []),
    ]  # fmt: skip
    assert query(settings, "SELECT rank, top500_rank, generation, efficiency_gflops_per_w FROM facts.green500") == [
        (1, 446, "nvidia-hopper", 73.28)
    ]
    aggregates = (
        "SELECT list_number, layer, segment, vendor, generation, country_group, systems, accelerators, power_kw, "
        "accelerators_with_power, stated_on::VARCHAR, evidence::VARCHAR FROM facts.top500_aggregates ORDER BY ALL"
    )
    expected = [
        (52, "science", "Research", "nvidia", "nvidia-volta", "United States", 1, 1000, 800.0, 1000, "2018-11-30",
         "derived"),
        (67, "enterprise", "Industry", "nvidia", "nvidia-blackwell", "Japan", 1, 792, 1500.5, 792, "2026-06-24",
         "derived"),
        (67, "science", "Academic", "none", "none", "Europe", 1, 0, 0.0, 0, "2026-06-24", "derived"),
    ]  # fmt: skip
    assert query(settings, aggregates) == expected
    written = [
        *export_market(Lake(settings.lake), settings.facts),
        *export_aggregates(settings.warehouse, settings.facts),
    ]
    assert [(item.table, item.rows) for item in written] == [("top500_aggregates", 3)]
    forget(settings)
    run(settings, 2)
    assert query(settings, aggregates) == expected
    assert query(settings, "SELECT count(*) FROM facts.top500 UNION ALL SELECT count(*) FROM facts.green500") == [
        (0,), (0,),
    ]  # fmt: skip


def forget(settings: Settings) -> None:
    """Lake and archive gone: only committed facts are left."""
    for path in [*settings.lake.rglob("*.parquet"), *settings.archive.rglob("*")]:
        if path.is_file():
            path.unlink()


def test_the_newest_vintage_counts_and_no_owner_counts_twice(settings: Settings) -> None:
    march = owners_file(
        "03-26-2026", ("Microsoft", 90, ""), ("China (official)", 5, ""), ("Other", 60, "Excludes Microsoft. ")
    )
    april = owners_file("04-15-2026", ("Microsoft", 100, ""), ("China", 6, ""))
    rest = owners_file("04-22-2026", ("Other", 40, "Excludes Microsoft, China, CoreWeave. "))
    part = owners_file("04-22-2026", ("CoreWeave", 20, ""), ("Lambda", 3, ""))
    for day, name, body in ((1, "", march), (20, "", april), (25, "rest_", rest), (25, "part_", part)):
        url = OWNERS.replace("ai_chip", f"{name}ai_chip")
        keep(settings, "epoch_chip_owners", url, body, dt.datetime(2026, 4, day, 8, tzinfo=dt.UTC))
    run(settings)
    assert query(
        settings,
        "SELECT owner_raw, owner_kind, layer, is_latest, is_within_other, units, stated_on::VARCHAR "
        "FROM facts.chip_owners ORDER BY owner_raw, stated_on",
    ) == [
        ("China", "region", None, True, False, 6.0, "2026-04-15"),
        ("China (official)", "region", None, False, True, 5.0, "2026-03-26"),
        ("CoreWeave", "organisation", "neocloud", True, False, 20.0, "2026-04-22"),
        ("Lambda", "organisation", "neocloud", True, True, 3.0, "2026-04-22"),
        ("Microsoft", "organisation", "hyperscale", False, False, 90.0, "2026-03-26"),
        ("Microsoft", "organisation", "hyperscale", True, False, 100.0, "2026-04-15"),
        ("Other", "rest", None, False, False, 60.0, "2026-03-26"),
        ("Other", "rest", None, True, False, 40.0, "2026-04-22"),
    ]  # fmt: skip


def test_what_is_planned_becomes_actual_when_a_later_copy_still_says_it(settings: Settings) -> None:
    keep_case(settings, "epoch_data_centers/sites")
    case = read_case(FOLDER / "epoch_data_centers/timelines").table
    keep(settings, case.source_id, case.url, case.data, case.captured_at)
    run(settings)
    plans = "SELECT milestone_on::VARCHAR, is_planned, was_planned, kw_per_h100e FROM facts.site_timeline ORDER BY 1"
    assert query(settings, plans) == [("2024-02-01", False, False, None), ("2027-06-30", True, True, 0.95)]
    assert query(settings, "SELECT site, owners, owner_ids, user_certainty, power_mw, is_latest FROM facts.sites") == [
        ("Example Campus", ["Example Cloud"], [], ["likely", ""], 190.0, True)
    ]
    later = case.data.replace(b"Building 3", b"Building 4")
    keep(settings, case.source_id, case.url, later, dt.datetime(2027, 8, 1, 8, tzinfo=dt.UTC))
    run(settings, 2)
    assert query(settings, plans) == [("2024-02-01", False, False, None), ("2027-06-30", False, True, 0.95)]


def test_clusters_and_hardware_are_matched_and_kept_as_committed_facts(settings: Settings) -> None:
    for folder in ("epoch_gpu_clusters/small", "epoch_ml_hardware/small", "epoch_chip_sales/fiscal_quarters"):
        keep_case(settings, folder)
    run(settings)
    clusters = (
        "SELECT cluster, occurrence, accelerator, generation, second_accelerator, total_chips, "
        "is_in_standard_analysis FROM facts.clusters ORDER BY ALL"
    )
    expected = [
        ("Anonymous", 1, None, None, None, None, False),
        ("Anonymous", 2, "nvidia-p100", "nvidia-pascal", None, 100, True),
        ("Example Cluster", 1, "nvidia-h100-sxm5-80gb", "nvidia-hopper", "nvidia-gb200", 17408, True),
    ]
    assert query(settings, clusters) == expected
    assert query(
        settings,
        "SELECT accelerator, fp8_pflops, memory_gb, memory_bandwidth_tb_s, scale_up_bandwidth_tb_s, "
        "scale_out_bandwidth_gb_s, power_kw, transistors_bn FROM facts.hardware_specs",
    ) == [("unknown", 4.614, 192.0, 7.37, 1.8, 400.0, 0.96, 80.0)]
    sales = "SELECT maker, accelerator, is_fiscal, calendar_quarter, units FROM facts.chip_sales"
    assert query(settings, sales) == [("nvidia", "nvidia-a100", True, "2021-Q4", 195341.0)]
    written = export_market(Lake(settings.lake), settings.facts)
    assert [(item.table, item.rows) for item in written] == [("chip_sales", 1), ("clusters", 3), ("hardware_specs", 1)]
    forget(settings)
    run(settings, 2)
    assert query(settings, clusters) == expected
    assert query(settings, sales) == [("nvidia", "nvidia-a100", True, "2021-Q4", 195341.0)]


def test_the_repository_holds_the_aggregates_and_no_list() -> None:
    facts = Path(__file__).parents[3] / "warehouse/facts"
    assert (facts / "top500_aggregates.parquet").exists()
    assert not (facts / "top500.parquet").exists()
    assert not (facts / "green500.parquet").exists()
