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


def test_without_scripts_a_page_shows_its_charts(browser: Browser, site: str) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{site}/prices")
    shown = page.frame_locator("iframe").first
    expect(shown.get_by_role("heading", level=1)).to_be_visible()
    expect(shown.locator("img")).to_be_visible()
    expect(page.get_by_role("link", name="files/latest.json")).to_be_visible()
    page.context.close()
