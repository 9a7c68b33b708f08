"""Every page of the navigation, in both themes and on desktop and phone: a page is covered by being listed.

No error in the console, nothing asked from elsewhere, no serious finding of axe, no sideways scrolling, one heading of
the first level, a title of its own, and all of it reachable by keyboard.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

from dashboard.navigation import PageEntry, page_entries
from dashboard.server import SAYS
from tests.browser.conftest import settle, watched

pytestmark = pytest.mark.browser
ENTRIES = page_entries()
PATHS = [entry.path if place else "" for place, entry in enumerate(ENTRIES)]
INSIDE = ["learn?lesson=nvl72", "calculators?calc=gpu-hour"]  # pages whose contents the menu does not name
DESKTOP, PHONE, SMALL_PHONE = (1400, 1000), (390, 844), (360, 740)
# each theme on every page; a theme's colours are the same at any width
LOOKS = [(DESKTOP, "light"), (PHONE, "dark")]
# Streamlit's own table draws on a canvas and keeps a hidden grid for screen readers whose cells axe cannot place.
NOT_OURS: set[str] = set()


@pytest.fixture(scope="module", params=LOOKS, ids=lambda look: f"{look[0][0]}-{look[1]}")
def window(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """One window for all pages of a look: what the browser has loaded stays loaded, and a new one costs a second."""
    (width, height), theme = request.param
    is_phone = width < 500
    with browser.new_context(
        viewport=ViewportSize(width=width, height=height), color_scheme=theme, is_mobile=is_phone, has_touch=is_phone
    ) as context:
        yield context.new_page()


@pytest.fixture
def look(window: Page) -> Iterator[Page]:
    size = window.viewport_size
    assert size is not None
    yield from watched(window)
    window.set_viewport_size(size)


@pytest.mark.parametrize("path", [*PATHS, *INSIDE], ids=[*(entry.path for entry in ENTRIES), *INSIDE])
def test_a_page_is_sound(look: Page, site: str, path: str) -> None:
    look.goto(f"{site}/{path}")
    settle(look)
    look.wait_for_timeout(500)  # charts fade in; half-drawn colours are not what a reader sees
    assert look.evaluate(within(look))
    assert look.get_by_test_id("stMain").get_by_role("heading", level=1).count() == 1
    assert look.title().endswith(" · rackledger")
    assert look.get_by_test_id("stException").count() == 0
    assert findings(look) == []
    if look.viewport_size == ViewportSize(width=PHONE[0], height=PHONE[1]):
        look.set_viewport_size(ViewportSize(width=SMALL_PHONE[0], height=SMALL_PHONE[1]))
        look.wait_for_function(within(look))  # a chart follows a moment after its place


def within(page: Page) -> str:
    """Whether nothing has to be scrolled sideways, as a question to the page."""
    assert page.viewport_size is not None
    main = "document.querySelector('[data-testid=stMain]')"
    fits = f"{main}.scrollWidth <= {main}.clientWidth && document.documentElement.scrollWidth"
    return f"{fits} <= {page.viewport_size['width']}"


def findings(page: Page) -> list[str]:
    """Serious and critical findings of axe, each with the element it is about."""
    result: dict[str, Any] = Axe().run(page, options={"resultTypes": ["violations"]}).response
    return [
        f"{found['id']}: {node['html'][:200]} | {json.dumps(node.get('any', [])[:1])[:300]}"
        for found in result["violations"]
        if found["impact"] in {"serious", "critical"} and found["id"] not in NOT_OURS
        for node in found["nodes"]
    ]


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.path for entry in ENTRIES])
def test_a_page_previews_itself_and_has_a_policy(browser: Browser, site: str, entry: PageEntry) -> None:
    answer = browser.new_context().request.get(f"{site}/{entry.path}")
    assert answer.status == 200
    is_front = entry is ENTRIES[0]  # its address leads to the front page, which bears the name of the whole
    title, says = ("rackledger", SAYS) if is_front else (f"{entry.title} · rackledger", entry.says)
    assert f'property="og:title" content="{title}"' in answer.text()
    assert f'name="description" content="{says}"' in answer.text()
    assert "default-src 'self'" in answer.headers["content-security-policy"]


def test_the_keyboard_alone_reaches_the_menu_the_filters_and_the_downloads(page: Page, site: str) -> None:
    page.goto(f"{site}/training")
    settle(page)
    seen: list[str] = []
    for _ in range(120):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                """() => { const e = document.activeElement; const s = getComputedStyle(e);
                   return (e.getAttribute('aria-label') || e.innerText || e.tagName).slice(0, 60); }"""
            )
        )
    text = "\n".join(seen)
    for wanted in ("Evidence", "Find a chip", "Benchmark", "Submitter", "How to read this", "Chart"):
        assert wanted in text


def test_enter_opens_a_page_of_the_menu_and_the_downloads_of_a_card(page: Page, site: str) -> None:
    page.goto(f"{site}/training")
    settle(page)
    page.get_by_role("tab", name="Download").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("@misc{rackledger-training-time-")).to_be_visible()
    page.locator("#frame").get_by_role("link", name="Evidence").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1, name="Evidence")).to_be_visible()
