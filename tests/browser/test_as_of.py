"""The as-of day is one for all pages: it stands in the address and goes along through the menu."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settle

pytestmark = pytest.mark.browser
DAY = "2025-06-01"


def expect_day(page: Page, day: str) -> None:
    """The control shows the day, once it is the page's own: that of the page before still stands for a moment."""
    expect(page.get_by_test_id("stDateInput").get_by_role("spinbutton")).to_have_text(day.split("-"))


def test_the_day_goes_along_from_page_to_page(page: Page, site: str) -> None:
    page.goto(f"{site}/roadmap?as_of={DAY}")
    settle(page)
    expect_day(page, DAY)
    for name, path in (("Racks", "racks"), ("Roadmap", "roadmap")):
        page.locator("#frame").get_by_role("link", name=name, exact=True).first.click()
        page.wait_for_url(f"**/{path}?**")
        settle(page)
        expect_day(page, DAY)
        assert parse_qs(urlsplit(page.url).query)["as_of"] == [DAY]


def test_a_day_that_is_chosen_stands_in_the_address_and_the_version_s_own_does_not(page: Page, site: str) -> None:
    page.goto(f"{site}/roadmap?as_of={DAY}")
    settle(page)
    year = page.get_by_test_id("stDateInput").get_by_role("spinbutton").first
    year.click()
    page.keyboard.type("20240601")
    page.keyboard.press("Tab")
    page.get_by_role("heading", level=1).first.click()
    page.wait_for_url("**as_of=2024-06-01**")
    settle(page)
    expect_day(page, "2024-06-01")


def test_a_day_that_is_no_day_is_left_out(page: Page, site: str) -> None:
    page.goto(f"{site}/roadmap?as_of=yesterday")
    settle(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
