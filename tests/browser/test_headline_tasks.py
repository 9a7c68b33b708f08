"""Ordinary tasks from the first page on, by clicks that are counted; the answers are those of SQL on the same file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import settle
from warehouse.read import Warehouse

pytestmark = pytest.mark.browser


@pytest.fixture
def ledger(published: Path) -> Iterator[Warehouse]:
    with Warehouse(published) as warehouse:
        yield warehouse


class Clicks:
    """A reader at the first page who counts the clicks."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.count = page, 0
        page.goto(address)
        settle(page)

    def click(self, target: Locator) -> None:
        """Click, and wait until the page stands."""
        target.click()
        self.count += 1
        settle(self.page)

    def room(self, name: str) -> None:
        """Open a room by its word in the frame."""
        self.click(self.page.locator("#frame").get_by_role("link", name=name, exact=True).first)
        expect(self.page.get_by_test_id("stMain").get_by_role("heading", level=1, name=name)).to_be_visible()


def card(page: Page, chart: str) -> Locator:
    return page.locator(f".st-key-card_{chart}")


def test_share_of_each_layer_with_blackwell(page: Page, site: str, ledger: Warehouse) -> None:
    reader = Clicks(page, f"{site}/")
    reader.room("Who has it")
    rows = ledger.rows(
        """SELECT layer, count(*) AS now,
                  count(*) FILTER (on_high <= (SELECT built_at::DATE - INTERVAL 1 YEAR FROM meta.publication)) AS before
           FROM marts.adoption_as_of(DATE '9999-12-31', with_benchmarks := false)
           WHERE generation = 'nvidia-blackwell' AND layer IN ('hyperscale', 'neocloud', 'marketplace')
           GROUP BY layer"""
    )
    chart = card(page, "adoption_shares")
    assert rows
    for row in rows:
        assert 0 <= row["before"] <= row["now"]
        expect(chart.get_by_text(f"{row['before']} a year ago", exact=True).first).to_be_visible()
        told = chart.locator("svg text").all_text_contents()
        assert any(text.startswith(f"{row['now']} of ") for text in told)
    assert reader.count <= 2


def test_trend_of_kw_and_the_next_announced_rack(page: Page, site: str, ledger: Warehouse) -> None:
    reader = Clicks(page, f"{site}/")
    reader.room("Racks")
    (top,) = ledger.rows(
        """SELECT max(value) AS kw FROM marts.density
           WHERE metric = 'power' AND per = 'rack' AND available_end > today()
           AND part IS NULL AND modality <> 'withdrawn' AND evidence NOT IN ('estimated', 'unverified')"""
    )
    title = card(page, "density_over_time").get_by_role("heading").first.inner_text()
    assert title.startswith("The rack promised for ")
    assert f"{top['kw']:g} kW" in title
    trend = card(page, "density_over_time").get_by_text("kW a year, 95 % interval").or_(
        card(page, "density_over_time").get_by_text("Not enough data for a trend")
    )  # fmt: skip
    expect(trend).to_be_visible()
    assert reader.count <= 1


def test_what_vera_rubin_nvl144_is_called_now_and_who_says_so(page: Page, site: str, ledger: Warehouse) -> None:
    reader = Clicks(page, f"{site}/")
    reader.room("Roadmap")
    names = ledger.rows(
        """SELECT name, said_by FROM registry.system_names WHERE system_id = 'nvidia-vera-rubin-nvl72'
           ORDER BY valid_from NULLS FIRST"""
    )
    line = page.get_by_test_id("stMarkdown").filter(has_text="Vera Rubin NVL144 since").first
    expect(line).to_be_visible()
    told = line.inner_text()
    assert len(names) > 1
    assert all(row["name"] in told and row["said_by"] in told for row in names)
    chart = card(page, "roadmap_timeline")
    expect(chart.get_by_text("Vera Rubin NVL72", exact=True).first).to_be_visible()
    assert reader.count <= 2


def test_the_cheapest_b200_hour_of_a_neocloud_and_its_trend(page: Page, site: str, ledger: Warehouse) -> None:
    reader = Clicks(page, f"{site}/")
    reader.room("Prices")
    rows = ledger.rows(
        """SELECT provider, gpu_hour_price_usd AS usd, count(DISTINCT provider) OVER () AS providers
           FROM facts.cloud_offers
           WHERE accelerator_model = 'nvidia-b200' AND layer = 'neocloud' AND price_type = 'on_demand' AND is_listed_now
             AND gpu_hour_price_usd > 0 ORDER BY usd, provider"""
    )
    chart = card(page, "prices_cheapest")
    expect(chart.get_by_role("tab", name="Chart")).to_be_visible()
    if rows and rows[0]["providers"] >= 3:
        expect(chart.get_by_text(f"${rows[0]['usd']:,.2f} {rows[0]['provider']}").first).to_be_visible()
    else:
        expect(chart.locator("svg text").filter(has_text="B200")).to_have_count(0)
    assert reader.count <= 2


def test_a_filtered_chart_is_cited_shared_and_downloaded(page: Page, site: str) -> None:
    reader = Clicks(page, f"{site}/racks?racks.tag=vendor")
    chart = card(page, "density_over_time")
    reader.click(chart.get_by_role("tab", name="Download"))
    expect(chart.get_by_text("@misc{rackledger-density-over-time-")).to_be_visible()
    expect(chart.get_by_text("racks?racks.tag=vendor#density-over-time").first).to_be_visible()
    with page.expect_download() as image:
        reader.click(chart.get_by_role("button", name="Image (SVG)"))
    drawn = Path(image.value.path()).read_text(encoding="utf-8")
    assert "as known on" in drawn
    assert "CC BY 4.0" in drawn
    assert reader.count == 2
