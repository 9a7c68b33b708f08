"""A reader with large letters, forced colours or no wish for movement has the same pages."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import settle

pytestmark = pytest.mark.browser
PAGES = ("", "racks", "thing?id=nvidia-gb300-nvl72")
OVERFLOW = (
    "() => { const main = document.querySelector('[data-testid=stMain]');"
    "return Math.max(document.documentElement.scrollWidth - innerWidth, main.scrollWidth - main.clientWidth); }"
)
MOVING = (
    "() => [...document.querySelectorAll('#frame *, .board *')].filter((part) => {"
    "const style = getComputedStyle(part);"
    "return parseFloat(style.animationDuration) > 0.01 || parseFloat(style.transitionDuration) > 0.01; }).length"
)


def test_at_200_percent_nothing_is_cut_off(browser: Browser, site: str) -> None:
    """Twice the size of a 1400 wide screen is one of 700 (WCAG 2.2, 1.4.10)."""
    page = browser.new_context(viewport={"width": 700, "height": 500}, device_scale_factor=2).new_page()
    for path in PAGES:
        page.goto(f"{site}/{path}")
        settle(page)
        assert page.evaluate(OVERFLOW) <= 1, path
        expect(page.get_by_role("combobox", name="Find a chip")).to_be_in_viewport()
    page.context.close()


def test_in_forced_colours_lines_and_words_stay(browser: Browser, site: str) -> None:
    page = browser.new_context(forced_colors="active").new_page()
    page.goto(site)
    settle(page)
    shown = page.evaluate(
        "() => { const bar = document.querySelector('.bars s'); return [getComputedStyle(bar).forcedColorAdjust,"
        "getComputedStyle(bar).backgroundColor, getComputedStyle(document.body).backgroundColor]; }"
    )
    assert shown[0] == "none"
    assert shown[1] != shown[2]
    expect(page.locator(".board h2").first).to_be_visible()
    page.context.close()


def test_without_movement_nothing_is_animated(browser: Browser, site: str) -> None:
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.goto(site)
    settle(page)
    assert page.evaluate(MOVING) == 0
    page.context.close()


def test_on_a_phone_a_row_is_chosen_by_its_card_and_the_filters_stay(browser: Browser, site: str) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{site}/conflicts?conflicts.kind=contradiction")
    settle(page)
    cards = page.locator(".st-key-sets_rows .rows-card")
    second = cards.nth(1).locator("b")
    subject = second.inner_text()
    expect(page.get_by_role("table", name="Sets of rival claims")).to_be_hidden()
    second.get_by_role("link").click()
    chosen = page.get_by_role("heading", level=2, name=f"Who says what: {subject}")
    expect(chosen).to_be_in_viewport()
    assert "conflict=" in page.url.replace("conflicts.kind=contradiction", "")
    assert "conflicts.kind=contradiction" in page.url
    page.go_back()
    expect(page.get_by_role("heading", level=2, name="Who says what:")).not_to_contain_text(subject)


def test_on_a_phone_no_thing_of_a_comparison_is_cut_off(browser: Browser, site: str) -> None:
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{site}/compare?thing=nvidia-gb300-nvl72&thing=amd-helios&thing=google-ironwood-pod")
    settle(page)
    cells = page.locator(".sheet.beside td")
    edges = cells.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().right)")
    assert len(edges) > 30
    assert max(edges) <= 390
    named = cells.first.evaluate("(cell) => getComputedStyle(cell, '::before').content")
    assert "NVIDIA GB300 NVL72" in named
    page.context.close()


def test_without_scripts_a_page_shows_its_charts(browser: Browser, site: str) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}/prices")
    shown = page.frame_locator("iframe").first
    expect(shown.get_by_role("heading", level=1)).to_be_visible()
    expect(shown.locator("img")).to_be_visible()
    expect(page.get_by_role("link", name="files/latest.json")).to_be_visible()
    page.context.close()


@pytest.mark.parametrize(
    ("address", "says"), [("thing/nvidia-gb300-nvl72", "What stands"), ("org/coreweave", "What it has")]
)
def test_without_scripts_a_page_of_one_thing_shows_its_plain_page(
    address: str, says: str, browser: Browser, site: str
) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}/{address}")
    shown = page.frame_locator("iframe")
    expect(shown.get_by_role("heading", name=says)).to_be_visible()
    shown.get_by_role("link", name="rackledger").click()
    page.wait_for_url(f"{site}/")
    page.context.close()


def test_a_page_for_others_pages_asks_for_nothing_that_is_not_there(browser: Browser, site: str) -> None:
    page = browser.new_context().new_page()
    asked: list[tuple[str, int]] = []
    page.on("response", lambda answer: asked.append((answer.url.removeprefix(site), answer.status)))
    page.goto(f"{site}/embed/density_memory/", wait_until="networkidle")
    icon = str(page.evaluate("document.querySelector('link[rel=icon]').href"))
    assert page.context.request.get(icon).headers["content-type"] == "image/svg+xml"
    assert [(path, status) for path, status in asked if status >= 400] == []
    page.context.close()
