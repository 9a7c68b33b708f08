"""What a reader comes for, by the clicks that it takes. Typing is free; choosing an offer of the box is a click."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.conftest import settle, watched

pytestmark = pytest.mark.browser


@dataclass
class Reader:
    """Someone who starts on the first page and counts clicks."""

    page: Page
    clicks: int = 0

    def find(self, words: str, offer: str, *, beside: bool = False) -> None:
        """Type and choose an offer, or choose to compare it."""
        self.page.keyboard.press("/")
        box = self.page.get_by_role("combobox", name=re.compile("^Find a chip"))
        expect(box).to_be_focused()
        box.fill(words)
        row = self.page.locator("#found .offer", has=self.page.locator(".name", has_text=offer)).first
        self.click(row.locator(".beside") if beside else row)

    def click(self, where: Locator) -> None:
        self.clicks += 1
        where.click()
        settle(self.page)


@pytest.fixture
def reader(page: Page, site: str) -> Reader:
    page.goto(site)
    settle(page)
    return Reader(page)


def heading(page: Page, name: str) -> Locator:
    return page.get_by_test_id("stMain").get_by_role("heading", level=1, name=name)


def test_what_changed_since_last_week_needs_no_click(reader: Reader) -> None:
    expect(reader.page.get_by_text("Last seven days")).to_be_visible()
    assert reader.clicks == 0


def test_a_thing_is_found_by_a_name_it_bore(reader: Reader) -> None:
    reader.find("vera rubin nvl144", "NVIDIA Vera Rubin NVL72")
    expect(heading(reader.page, "NVIDIA Vera Rubin NVL72")).to_be_visible()
    assert reader.clicks == 1


def test_how_far_a_renamed_rack_slipped_and_who_says_so(reader: Reader) -> None:
    reader.find("vera rubin nvl144", "NVIDIA Vera Rubin NVL72")
    expect(reader.page.get_by_text(re.compile(r"Called Vera Rubin NVL144 until [0-9-]+, says \w+"))).to_be_visible()
    card = reader.page.locator(".card", has=reader.page.get_by_role("heading", name="What was promised, what came"))
    expect(card.get_by_role("row", name=re.compile(r"promised for .*says \w+")).first).to_be_visible()
    expect(card).to_contain_text(re.compile(r"days past due|days late|due |moved"))
    assert reader.clicks <= 2


def test_the_fastest_audited_run_and_what_scaling_keeps(reader: Reader) -> None:
    reader.page.keyboard.press("/")
    reader.page.keyboard.type("llama 3.1 405b")
    reader.click(reader.page.locator("#found .offer", has_text="MLPerf training").first)
    card = reader.page.locator(".card", has=reader.page.get_by_role("heading", name=re.compile("^Training: the sh")))
    expect(card.get_by_role("row", name=re.compile(r"\d min")).first).to_be_visible()
    reader.click(card.get_by_role("link", name="All results"))
    fastest = re.compile(r"^Llama 3.1 405B is trained in [\d.]+ min at the fastest, on [\d,]+ ")
    expect(reader.page.get_by_role("heading", name=fastest)).to_be_visible()
    kept = re.compile(r"^From [\d,]+ to [\d,]+ .*Llama 3.1 405B keeps \d+ % of perfect speed-up")
    expect(reader.page.get_by_role("heading", name=kept)).to_be_visible()
    assert reader.clicks <= 2


@pytest.mark.parametrize("late", [0, 3000])
def test_a_step_whose_filters_are_lost_is_taken_once_more(page: Page, site: str, late: int) -> None:
    """Streamlit may write the address anew in the moment in which it ends the page before."""
    page.goto(f"{site}/benchmark?id=llama31_405b")
    settle(page)
    link = page.get_by_test_id("stMain").locator("a[href*='training.benchmark']").first
    lose = "history.replaceState({}, '', location.pathname); window.isLost = true;"
    how = f"setTimeout(() => {{ {lose} }}, {late});" if late else lose
    link.evaluate(f"(link) => {{ link.click(); {how} }}")
    page.wait_for_function("() => window.isLost")
    expect(page).to_have_url(re.compile(r"/training\?training\.benchmark=Llama\+3\.1\+405B$"))
    expect(page.get_by_role("heading", name=re.compile("^Llama 3.1 405B is trained in"))).to_be_visible()


def test_a_figure_itself_is_offered_with_value_and_tag(reader: Reader) -> None:
    reader.page.keyboard.press("/")
    reader.page.keyboard.type("gb300 nvl72 power")
    offer = reader.page.locator("#found .offer").filter(has_text="figure").first
    expect(offer).to_contain_text(re.compile(r"NVIDIA GB300 NVL72, electric power.*kW"))
    expect(offer.locator(".says")).to_contain_text(re.compile(r"audited|vendor|reported|observed|unverified|operator"))
    reader.page.keyboard.press("Escape")
    expect(reader.page.locator("#found")).to_be_hidden()


def test_four_systems_of_four_makers_stand_side_by_side(reader: Reader) -> None:
    reader.find("gb300 nvl72", "NVIDIA GB300 NVL72")
    reader.find("helios", "AMD Helios", beside=True)
    reader.find("ironwood pod", "Google Ironwood pod", beside=True)
    reader.find("trn3 ultraserver", "Trn3", beside=True)
    heads = reader.page.locator("table.sheet").first.locator("thead th")
    expect(heads).to_have_count(5)
    for name in ("GB300 NVL72", "Helios", "Ironwood pod", "Trn3"):
        expect(heads.filter(has_text=name)).to_have_count(1)
    expect(reader.page.locator("td.nothing").first).to_have_text("nothing stated")
    expect(reader.page.get_by_text(re.compile("the variant is shown"))).to_be_visible()
    assert reader.clicks <= 4


def test_the_cheapest_hour_of_a_neocloud_and_its_trend(reader: Reader) -> None:
    reader.find("b200", "NVIDIA B200")
    expect(reader.page.get_by_role("row", name=re.compile(r"^neoclouds.*from \$\d")).first).to_be_visible()
    reader.click(reader.page.get_by_role("link", name="Its prices over time"))
    expect(reader.page.get_by_role("heading", name=re.compile("NVIDIA B200"))).to_be_visible()
    assert reader.clicks <= 2


def test_what_nobody_submitted_is_said(reader: Reader) -> None:
    reader.find("deepseek-r1", "DeepSeek-R1")
    card = reader.page.locator(".card", has=reader.page.get_by_role("heading", name=re.compile("^Server")))
    expect(card.get_by_role("row", name=re.compile("Blackwell")).first).to_contain_text("tokens/s")
    expect(card).to_contain_text(re.compile("AMD CDNA 4"))
    assert reader.clicks <= 3


def test_two_sources_that_disagree_on_a_racks_power(reader: Reader) -> None:
    reader.find("gb200 nvl72", "NVIDIA GB200 NVL72")
    row = reader.page.get_by_role("row", name=re.compile("^Electric power")).filter(has=reader.page.get_by_role("link"))
    reader.click(row.locator("a[href*=conflict]").first)
    expect(reader.page.get_by_role("heading", name=re.compile("Who says what"))).to_be_visible()
    assert reader.clicks <= 2


def test_an_offer_is_opened_by_a_slow_click(page: Page, site: str) -> None:
    page.goto(site)
    settle(page)
    page.keyboard.press("/")
    page.get_by_role("combobox", name=re.compile("^Find a chip")).fill("deepseek-r1")
    page.locator("#found .offer").first.hover()
    page.mouse.down()
    page.wait_for_timeout(400)
    page.mouse.up()
    page.wait_for_url("**/benchmark?*")


def test_back_and_forward_restore_the_filters_and_no_filter_goes_along(page: Page, site: str) -> None:
    page.goto(f"{site}/conflicts?kind=contradiction")
    settle(page)
    assert "conflicts.kind=" in page.url
    before = page.url
    page.locator("#frame").get_by_role("link", name="Prices").click()
    page.wait_for_url("**/prices")
    settle(page)
    assert "kind" not in page.url
    page.go_back()
    page.wait_for_url(before)
    settle(page)
    expect(page.get_by_test_id("stMain").get_by_text("contradiction", exact=True).first).to_be_visible()


def test_an_unknown_value_says_so_and_offers_the_nearest(page: Page, site: str) -> None:
    page.goto(f"{site}/prices?accelerator=NVIDIA+H1000")
    settle(page)
    expect(page.get_by_text("is not offered here")).to_be_visible()
    page.get_by_role("link", name="Show NVIDIA H100").click()
    expect(page.get_by_role("heading", name=re.compile("NVIDIA H100"))).to_be_visible()


@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize(
    "path", ["", "thing?id=nvidia-gb300-nvl72", "compare?thing=nvidia-gb300-nvl72&thing=amd-helios"]
)
def test_nothing_moves_while_a_page_comes(desk: BrowserContext, site: str, path: str, width: int) -> None:
    own = desk.new_page()  # a script that is added to a page stays there
    for page in watched(own):
        page.set_viewport_size({"width": width, "height": 844})
        page.add_init_script(
            "window.moved = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries())"
            "if (!entry.hadRecentInput) window.moved += entry.value; })"
            ".observe({ type: 'layout-shift', buffered: true });"
        )
        page.goto(f"{site}/{path}")
        settle(page)
        page.wait_for_timeout(500)
        assert page.evaluate("window.moved") < 0.05
    own.close()
