"""Market tables along the whole line: captures in, change-only history, denylist, mart and committed facts out."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from pipelines.archive.store import Archive
from pipelines.assets.market_step import build_market
from pipelines.assets.warehouse import plan_of
from pipelines.facts.market import export_market
from pipelines.lake import Lake
from pipelines.main_job import run_main_job
from pipelines.settings import Run, Settings
from pipelines.sources import load_sources
from tests.market_kit import price_list
from tests.part_build import build_until
from tests.trimmed import only
from warehouse.build import BuildPlan, BuildReport, build
from warehouse.read import Warehouse

pytestmark = pytest.mark.usefixtures("begun")
RUN_AT = dt.datetime(2026, 11, 1, 12, tzinfo=dt.UTC)
FEED = "https://gpurentalprices.com/api/latest.json"
HISTORY = (
    "SELECT provider_raw, accelerator_raw, price_usd_per_hour AS price, stretch, first_seen::VARCHAR AS first_seen, "
    "last_seen::VARCHAR AS last_seen, ended_on::VARCHAR AS ended_on, is_listed_now "
    "FROM facts.cloud_offers ORDER BY provider_raw, accelerator_raw, first_seen, price"
)
offers_alone = only("facts.cloud_offers")


def snapshot(day: int, *offers: tuple[str, str, float], failed: tuple[str, ...] = ()) -> bytes:
    """The list of a day of October 2026."""
    return price_list(dt.date(2026, 10, day), *offers, failed=failed)


def keep(settings: Settings, body: bytes, day: int, source: str = "gpurentalprices", url: str = FEED) -> None:
    """Put a body into the archive as captured on a day of October 2026."""
    settings.archive.mkdir(parents=True, exist_ok=True)
    path = settings.data.parent / f"{source}-{day}.{'csv' if url.endswith('.csv') else 'json'}"
    path.write_bytes(body)
    with Archive(settings.archive, run_stamp=f"add-{source}-{day}") as archive:
        archive.add(path, source, url, dt.datetime(2026, 10, day, 7, tzinfo=dt.UTC))


def read(settings: Settings, number: int = 1) -> BuildPlan:
    """Read what is new, as the jobs do without Dagster around it; what is to be built then."""
    catalog = load_sources(settings.sources)
    list(build_market(catalog, catalog, settings.archive, settings.lake))
    return plan_of(settings, Run(f"run-{number}", RUN_AT), accept_shrink=False)


def run(settings: Settings, number: int = 1) -> BuildReport:
    """What the jobs do, without Dagster around it."""
    return build(read(settings, number))


def run_until(settings: Settings, table: str) -> None:
    """As `run`, but no further than this table."""
    build_until(read(settings), table)


def query(settings: Settings, sql: str) -> list[dict[str, Any]]:
    with Warehouse(settings.warehouse) as warehouse:
        return warehouse.rows(sql)


def history(settings: Settings) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in query(settings, HISTORY)]


@pytest.mark.usefixtures("offers_alone")
def test_the_same_list_seen_again_adds_nothing(settings: Settings) -> None:
    for day in (1, 2, 5):
        keep(settings, snapshot(day, ("nebius", "h100", 2.95)), day)
    run_until(settings, "facts.cloud_offers")
    assert history(settings) == [("nebius", "h100", 2.95, 1, "2026-10-01", "2026-10-05", None, True)]
    assert len(query(settings, "FROM facts.cloud_looks")) == 3


def test_a_change_of_price_ends_one_row_and_begins_another(settings: Settings) -> None:
    for day, price in ((1, 2.95), (2, 2.95), (3, 2.5)):
        keep(settings, snapshot(day, ("nebius", "h100", price)), day)
    run_until(settings, "facts.cloud_offers")
    assert history(settings) == [
        ("nebius", "h100", 2.95, 1, "2026-10-01", "2026-10-02", "2026-10-03", False),
        ("nebius", "h100", 2.5, 1, "2026-10-03", "2026-10-03", None, True),
    ]
    ids = query(settings, "SELECT DISTINCT offer_id FROM facts.cloud_offers")
    assert len(ids) == 1


def test_an_offer_that_goes_and_comes_back_is_another_stretch_of_the_same_offer(settings: Settings) -> None:
    keep(settings, snapshot(1, ("nebius", "h100", 2.95), ("nebius", "h200", 3.5)), 1)
    keep(settings, snapshot(2, ("nebius", "h100", 2.95)), 2)
    keep(settings, snapshot(3, ("nebius", "h100", 2.95), ("nebius", "h200", 3.5)), 3)
    run_until(settings, "facts.cloud_offers")
    assert history(settings)[1:] == [
        ("nebius", "h200", 3.5, 1, "2026-10-01", "2026-10-01", "2026-10-02", False),
        ("nebius", "h200", 3.5, 2, "2026-10-03", "2026-10-03", None, True),
    ]


def test_a_look_that_failed_ends_nothing(settings: Settings) -> None:
    keep(settings, snapshot(1, ("nebius", "h100", 2.95)), 1)
    keep(settings, snapshot(2, ("nebius", "h100", 2.95), failed=("nebius",)), 2)
    keep(settings, snapshot(3, ("nebius", "h100", 2.95)), 3)
    run_until(settings, "facts.cloud_offers")
    assert history(settings) == [("nebius", "h100", 2.95, 1, "2026-10-01", "2026-10-03", None, True)]
    assert [row["look"] for row in query(settings, "FROM facts.cloud_looks ORDER BY look")] == [1, 2]


def test_a_provider_that_the_source_no_longer_follows_is_not_listed_now(settings: Settings) -> None:
    keep(settings, snapshot(1, ("nebius", "h100", 2.95), ("lambda", "h100", 3.0)), 1)
    keep(settings, snapshot(20, ("lambda", "h100", 3.0)), 20)
    run_until(settings, "facts.cloud_offers")
    assert [(row[0], row[6], row[7]) for row in history(settings)] == [("lambda", None, True), ("nebius", None, False)]


def test_rows_of_owners_who_forbid_it_are_dropped_and_counted(settings: Settings) -> None:
    keep(settings, snapshot(1, ("nebius", "h100", 2.95), ("runpod", "h100", 2.0), ("runpod", "h200", 3.0)), 1)
    run_until(settings, "facts.cloud_offers")
    assert {row[0] for row in history(settings)} == {"nebius"}
    (account,) = query(settings, "FROM evidence.market_captures")
    assert (account["rows"], account["denied"], account["denied_names"]) == (2, 3, ["RunPod"])  # two offers and a look
    everything = query(settings, "SELECT * FROM facts.cloud_looks UNION ALL BY NAME SELECT * FROM facts.cloud_offers")
    assert "runpod" not in str(everything).lower()


def test_a_capture_that_cannot_be_read_is_a_problem_and_the_rest_goes_on(settings: Settings) -> None:
    keep(settings, snapshot(1, ("nebius", "h100", 2.95)), 1)
    keep(settings, b'{"error": "rate limited"}', 2)
    run_until(settings, "facts.cloud_offers")
    assert len(history(settings)) == 1
    few, problem = query(settings, "FROM evidence.problems ORDER BY is_fatal")
    assert (few["reason"], few["detail"], few["place"]) == ("too_few_rows", "1 rows, expected are 200 at least", FEED)
    assert (problem["source_id"], problem["reason"], problem["is_fatal"]) == (
        "gpurentalprices",
        "table_unreadable",
        True,
    )
    accounts = query(settings, "SELECT problem FROM evidence.market_captures ORDER BY captured_at")
    assert [row["problem"] for row in accounts] == ["", "table_unreadable"]


def test_an_unchanged_file_looked_at_again_is_a_further_look(settings: Settings) -> None:
    body = b"AcceleratorName,Clouds\nB300,\"['AWS', 'Vast']\"\n"
    url = "https://raw.githubusercontent.com/skypilot-org/skypilot-catalog/master/catalogs/v9/common/accelerators.csv"
    for day in (1, 9):
        keep(settings, body, day, "skypilot_catalog", url)
    run_until(settings, "facts.cloud_offers")
    (row,) = query(settings, "FROM facts.cloud_offers")
    assert (row["provider_id"], row["layer"], row["price_type"], row["gpu_hour_price_usd"]) == (
        "aws", "hyperscale", "unpriced", None,
    )  # fmt: skip
    assert (row["first_seen"], row["last_seen"]) == (dt.date(2026, 10, 1), dt.date(2026, 10, 9))


def test_names_are_matched_and_unknown_ones_kept(settings: Settings) -> None:
    keep(settings, snapshot(1, ("datacrunch", "h100-sxm", 2.0), ("somewhere-new", "zx-9000", 1.0)), 1)
    report = run(settings)
    rows = query(settings, "FROM facts.cloud_offers ORDER BY provider_raw")
    assert [(r["provider_id"], r["provider"], r["layer"], r["accelerator"], r["generation"]) for r in rows] == [
        ("verda", "Verda", "neocloud", "nvidia-h100-sxm5-80gb", "nvidia-hopper"),
        (None, "somewhere-new", None, "unknown", None),
    ]
    (unknown,) = [result for result in report.checks if result.check.name == "facts_cloud_offers_known"]
    assert (unknown.failures, unknown.blocks) == (2, False)


def test_prices_as_of_a_day_know_nothing_later(settings: Settings) -> None:
    keep(settings, snapshot(1, ("nebius", "h100", 3.0), ("lambda", "h100", 4.0), ("crusoe", "h100", 5.0)), 1)
    keep(settings, snapshot(3, ("nebius", "h100", 1.0), ("lambda", "h100", 4.0)), 3)
    keep(settings, snapshot(25, ("nebius", "h100", 9.0)), 25)
    run_until(settings, "marts.prices")

    def as_of(day: str) -> list[tuple[Any, ...]]:
        rows = query(
            settings,
            "SELECT low_usd_per_gpu_hour, median_usd_per_gpu_hour, high_usd_per_gpu_hour, n_providers, is_thin, "
            f"observed_on FROM marts.prices_as_of('{day}') WHERE layer = 'all' AND accelerator_grain = 'model'",
        )
        return [tuple(row.values()) for row in rows]

    assert as_of("2026-09-30") == []
    assert as_of("2026-10-02") == [(3.0, 4.0, 5.0, 3, False, dt.date(2026, 10, 1))]
    # Crusoe was last looked at on the first; its look still counts for a week
    assert as_of("2026-10-03") == [(1.0, 4.0, 5.0, 3, False, dt.date(2026, 10, 3))]
    assert as_of("2026-10-09") == [(1.0, 2.5, 4.0, 2, True, dt.date(2026, 10, 3))]
    assert as_of("2026-10-20") == []
    listed = query(
        settings, "SELECT provider, price_usd_per_hour AS price, last_seen FROM facts.cloud_offers_as_of('2026-10-02')"
    )
    assert sorted(tuple(row.values()) for row in listed) == [
        ("Crusoe", 5.0, dt.date(2026, 10, 1)),
        ("Lambda", 4.0, dt.date(2026, 10, 1)),
        ("Nebius", 3.0, dt.date(2026, 10, 1)),
    ]
    day = "SELECT * EXCLUDE (period, period_start) FROM {} ORDER BY ALL"
    assert query(settings, day.format("marts.prices_as_of('2026-10-25')")) == query(
        settings, day.format("marts.prices WHERE period = 'day' AND period_start = '2026-10-25'")
    )


def test_a_price_per_rate_needs_a_rate_for_every_offer_of_the_row(settings: Settings) -> None:
    rate = "Tensor-FP16/BF16 performance (FLOP/s)"
    table = f"""Hardware name,Manufacturer,Type,Release date,Memory (bytes),TDP (W),Last modified,{rate}
NVIDIA H100 SXM5 80GB,NVIDIA,GPU,2022-03-21,8e10,700,2026-09-01,1e15
NVIDIA H100 PCIe,NVIDIA,GPU,2022-03-21,8e10,350,2026-09-01,0.5e15
NVIDIA B200,NVIDIA,GPU,2024-03-18,1.8e11,1000,2026-09-01,2e15
"""
    keep(settings, table.encode(), 1, "epoch_ml_hardware", "https://epoch.ai/data/ml_hardware.csv")
    offers = (("nebius", "h100-sxm", 3.0), ("lambda", "h100", 2.0), ("crusoe", "b200", 5.0))
    keep(settings, snapshot(1, *offers), 1)
    run_until(settings, "marts.prices")
    rows = query(
        settings,
        "SELECT accelerator_grain, accelerator, median_usd_per_dense_pflop_hour AS ratio FROM marts.prices "
        "WHERE period = 'day' AND layer = 'all' ORDER BY ALL",
    )
    # a name that leaves the form open has no rate where the forms differ, and then neither has the model's row
    assert [tuple(row.values()) for row in rows] == [
        ("exact", "nvidia-b200", 2.5),
        ("exact", "nvidia-h100", None),
        ("exact", "nvidia-h100-sxm5-80gb", 3.0),
        ("model", "nvidia-b200", 2.5),
        ("model", "nvidia-h100", None),
    ]


def test_two_sources_never_share_a_row(settings: Settings) -> None:
    keep(settings, snapshot(1, ("nebius", "b200", 5.0)), 1)
    answer = {
        "sku": "B200", "day": "2026-10-01", "prices": {}, "updated_at": "2026-10-01T05:00:00Z", "attribution": "x",
        "providers": [
            {"provider": "nebius", "pricing_type": "on_demand", "usd_per_gpu_hr": 6.0, "region": None,
             "observed_at": "2026-10-01T05:00:00Z"}
        ],
    }  # fmt: skip
    url = "https://priceofcompute.com/api/v1/prices/b200"
    keep(settings, json.dumps(answer).encode(), 1, "price_of_compute", url)
    run_until(settings, "marts.prices")
    rows = query(
        settings,
        "SELECT source_id, median_usd_per_gpu_hour AS median FROM marts.prices WHERE period = 'day' AND layer = 'all' "
        "AND accelerator_grain = 'model' ORDER BY source_id",
    )
    assert [tuple(row.values()) for row in rows] == [("gpurentalprices", 5.0), ("price_of_compute", 6.0)]


@pytest.mark.usefixtures("offers_alone")
def test_the_jobs_parse_only_what_is_new_and_the_lake_can_be_thrown_away(settings: Settings) -> None:
    keep(settings, snapshot(1, ("nebius", "h100", 2.95)), 1)
    first = run(settings)
    keep(settings, snapshot(2, ("nebius", "h100", 2.5)), 2)
    second = run_main_job(settings, Run("run-2", RUN_AT))
    (made,) = second.rows_of("lake/market")
    assert (made.counts["captures"], made.counts["rows"], made.counts["read_now"]) == (2, 4, 1)
    assert (second.error, second.tables["facts.cloud_offers"]) == ("", 2)
    for table in ("cloud_offers", "market_captures"):
        for path in Lake(settings.lake).files(table):
            path.unlink()
    third = run(settings, 3)
    assert first.version != second.version
    assert third.version == second.version


@pytest.mark.usefixtures("offers_alone")
def test_committed_facts_give_the_same_tables_and_give_way_to_their_capture(settings: Settings) -> None:
    for day, price in ((1, 2.95), (2, 2.5)):
        keep(settings, snapshot(day, ("nebius", "h100", price)), day)
    run(settings)
    before = history(settings)
    written = export_market(Lake(settings.lake), settings.facts)
    assert [(item.table, item.rows) for item in written] == [("cloud_looks", 2), ("cloud_offers", 2)]
    run(settings, 2)
    assert history(settings) == before  # beside their captures
    for path in sorted(settings.lake.rglob("*.parquet")):
        path.unlink()
    for path in sorted(settings.archive.rglob("*")):
        if path.is_file():
            path.unlink()
    run(settings, 3)
    assert history(settings) == before  # and without them


def facts_sample(*statements: tuple[str, str, float, str, str]) -> bytes:
    """Company facts in the documented form: (start, end, value, form, filed)."""
    return json.dumps(
        {
            "cik": 789019,
            "entityName": "EXAMPLE CORP",
            "facts": {
                "us-gaap": {
                    "PaymentsToAcquirePropertyPlantAndEquipment": {
                        "units": {
                            "USD": [
                                {"start": start, "end": end, "val": value, "accn": f"0000789019-26-{number:06}",
                                 "fy": 2026, "fp": "Q1", "form": form, "filed": filed}
                                for number, (start, end, value, form, filed) in enumerate(statements)
                            ]
                        }
                    }
                }
            },
        }
    ).encode()  # fmt: skip


def test_quarters_come_from_year_to_date_figures_and_restatements_stay_visible(settings: Settings) -> None:
    body = facts_sample(
        ("2025-07-01", "2025-09-30", 10e9, "10-Q", "2025-10-29"),
        ("2025-07-01", "2025-12-31", 25e9, "10-Q", "2026-01-28"),
        ("2025-07-01", "2026-03-31", 45e9, "10-Q", "2026-04-29"),
        ("2025-07-01", "2026-06-30", 70e9, "10-K", "2026-07-29"),
        ("2025-07-01", "2025-09-30", 11e9, "10-Q", "2026-10-28"),
    )
    url = "https://data.sec.gov/api/xbrl/companyfacts/CIK0000789019.json"
    keep(settings, body, 30, "sec_company_facts", url)
    run_until(settings, "facts.filings")
    rows = query(
        settings,
        "SELECT period, period_end::VARCHAR AS ends, calendar_quarter AS q, value_usd / 1e9 AS bn, "
        "first_value_usd / 1e9 AS first_bn, is_restated, evidence::VARCHAR AS tag, "
        "first_stated_on::VARCHAR AS stated FROM facts.filings",
    )
    assert [tuple(row.values()) for row in rows] == [
        ("quarter", "2025-09-30", "2025-Q3", 11.0, 10.0, True, "audited", "2025-10-29"),
        ("quarter", "2025-12-31", "2025-Q4", 14.0, 15.0, True, "derived", "2026-01-28"),
        ("quarter", "2026-03-31", "2026-Q1", 20.0, 20.0, False, "derived", "2026-04-29"),
        ("quarter", "2026-06-30", "2026-Q2", 25.0, 25.0, False, "derived", "2026-07-29"),
        ("year", "2026-06-30", "2025-Q4", 70.0, 70.0, False, "audited", "2026-07-29"),
    ]
    assert len(query(settings, "FROM facts.filing_statements")) == 5
    (named,) = query(settings, "SELECT DISTINCT organisation_id FROM facts.filings")
    assert named["organisation_id"] == "microsoft"


@pytest.fixture
def real(settings: Settings, shared: Path) -> Settings:
    """A build from all real samples of these tables."""
    market = shared / "market"
    settings.archive.mkdir(parents=True)
    snapshots = "https://raw.githubusercontent.com/adriannutiu/gpu-rental-prices/main/data/snapshots"
    copies = "https://raw.githubusercontent.com/PrashantSedhain/coreweave-pricing-tracker/main/data"
    files = [
        (path, source, f"{url}/{path.name}", dt.date.fromisoformat(path.stem))
        for source, url, folder in (
            ("gpurentalprices", snapshots, market / "prices/gpurentalprices/data/snapshots"),
            ("coreweave_price_copies", copies, market / "prices/coreweave-pricing-tracker/data"),
        )
        for path in sorted(folder.glob("*.json"))
    ]
    answer = market / "priceofcompute/api_v1_prices_b200_20260914.json"
    files.append((answer, "price_of_compute", "https://priceofcompute.com/api/v1/prices/b200", dt.date(2026, 9, 14)))
    split = market / "sec_nvda_datacenter_split.csv"
    files.append((split, "nvidia_datacenter_split", "https://www.sec.gov/cgi-bin/browse-edgar", dt.date(2026, 11, 1)))
    with Archive(settings.archive, run_stamp="add") as archive:
        for path, source, url, date in files:
            archive.add(path, source, url, date)
    run(settings)
    return settings


def test_the_real_feeds_as_history_and_prices(real: Settings) -> None:
    rows = query(real, "SELECT source_id, count(*) AS n FROM facts.cloud_offers GROUP BY 1 ORDER BY 1")
    assert {row["source_id"]: row["n"] for row in rows} == {
        "coreweave_price_copies": 52, "gpurentalprices": 791, "price_of_compute": 6,
    }  # fmt: skip
    denied = query(real, "SELECT sum(denied)::INTEGER AS n FROM evidence.market_captures")
    assert denied[0]["n"] == 2452 + 49 + 4  # RunPod's offers and looks, and of the other feed Vast.ai's and RunPod's
    newest = query(
        real,
        "SELECT layer, accelerator, low_usd_per_gpu_hour AS low, high_usd_per_gpu_hour AS high "
        "FROM marts.prices_as_of('2026-08-22') WHERE source_id = 'gpurentalprices' AND price_type = 'on_demand' "
        "AND accelerator_grain = 'model' "
        "AND accelerator IN ('nvidia-b200', 'nvidia-b300', 'nvidia-gb200', 'nvidia-gb300')",
    )
    assert {row["accelerator"] for row in newest if row["layer"] == "hyperscale"} == {"nvidia-b200"}
    of_all = {row["accelerator"]: (row["low"], row["high"]) for row in newest if row["layer"] == "all"}
    assert of_all["nvidia-b300"] == (4.99, 16.0)
    assert (of_all["nvidia-gb200"], of_all["nvidia-gb300"]) == ((8.0, 8.0), (8.62, 8.62))
    rack = query(
        real,
        "SELECT DISTINCT accelerators, price_usd_per_hour AS price, gpu_hour_price_usd AS one, first_seen, last_seen "
        "FROM facts.cloud_offers WHERE source_id = 'coreweave_price_copies' AND accelerator_raw = 'NVIDIA GB200 NVL72' "
        "AND price_type = 'on_demand'",
    )
    assert [tuple(row.values()) for row in rack] == [(4, 42.0, 10.5, dt.date(2026, 3, 13), dt.date(2026, 8, 22))]
    shares = query(
        real,
        "SELECT value_usd / 1e6 AS millions FROM facts.filings WHERE segment = 'data_center_hyperscale' "
        "ORDER BY period_end",
    )
    assert [row["millions"] for row in shares] == [17599.0, 37869.0, 48710.0]
