"""What every answer of the running dashboard holds to, and a chart's picture before the chart."""

from __future__ import annotations

import re

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from dashboard.frame.ahead import STATIC
from tests.browser.conftest import settle

pytestmark = pytest.mark.browser
SCRIPT = next((STATIC / "static" / "js").glob("embed.*.js")).name
ANSWERED = (
    "", "racks", "thing/nvidia-b200", "frame.js", "search.json?q=gb300", "feeds/today.json", "api/v1/", "llms.txt",
    "healthz", "metrics", "files/latest.json", "oembed", "favicon.png", "_stcore/health", "_stcore/host-config",
    f"static/js/{SCRIPT}", "embed/density_over_time/", "embed/density_over_time/wide.svg", "no-such-page", "a/b/c",
)  # fmt: skip
UNKNOWN = (
    "no-such-page", "racks.php", "a/b/c", "index.html", "static/js/none.js", "racks/nvidia", ".env", "wp-admin/",
    "a" * 5_000,
    f"static/js/{'a' * 5_000}.js",
)  # fmt: skip


def test_every_answer_has_safe_headers(site: str) -> None:
    with httpx.Client(base_url=site) as client:
        answers = {path: client.get(f"/{path}").headers for path in ANSWERED}
    assert {path for path, headers in answers.items() if headers["x-content-type-options"] != "nosniff"} == set()
    policies = {path: headers["content-security-policy"] for path, headers in answers.items()}
    assert all("default-src" in policy for policy in policies.values())
    framed_by_others = {path for path, policy in policies.items() if "frame-ancestors 'self'" not in policy}
    assert framed_by_others == {path for path in ANSWERED if path.startswith("embed/")}


def test_an_address_that_is_nobodys_is_not_found(site: str) -> None:
    with httpx.Client(base_url=site) as client:
        assert {path: client.get(f"/{path}").status_code for path in UNKNOWN} == dict.fromkeys(UNKNOWN, 404)


def test_who_mistypes_a_page_is_told_and_gets_on(browser: Browser, site: str) -> None:
    page = browser.new_page()
    page.goto(f"{site}/benchmark-results")
    expect(page.get_by_text("Page not found")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#frame").get_by_role("link", name="Benchmarks").click()
    expect(page).to_have_url(f"{site}/benchmarks")
    settle(page)


# At the moment at which the page is shown: is the picture seen, and is the chart itself drawn.
AT_FIRST = (
    "new MutationObserver((_, watch) => { if ('settling' in document.documentElement.dataset) return;"
    "watch.disconnect(); const picture = document.querySelector('.still svg');"
    "window.atFirst = { seen: !!picture?.checkVisibility({ visibilityProperty: true }),"
    "words: picture?.textContent ?? '', drawn: !!document.querySelector('svg.marks') }; })"
    ".observe(document, { subtree: true, attributeFilter: ['data-settling'] });"
)


def with_picture(page: Page, site: str) -> dict[str, object]:
    """Open Racks until the server, which draws pictures when it has time, has that of its first chart."""
    page.add_init_script(AT_FIRST)
    for _ in range(60):
        page.goto(f"{site}/racks")
        page.wait_for_function("() => window.atFirst")
        found: dict[str, object] = page.evaluate("window.atFirst")
        if found["words"]:
            return found
        page.wait_for_timeout(1_000)
    raise AssertionError("no picture came within a minute")


@pytest.mark.parametrize("width", [1400, 390])
def test_a_picture_stands_until_the_chart_is_drawn_in_its_place(browser: Browser, site: str, width: int) -> None:
    page = browser.new_context(viewport={"width": width, "height": 1200}).new_page()
    found = with_picture(page, site)
    assert (found["seen"], found["drawn"]) == (True, False)
    card = page.locator(".st-key-card_density_over_time")
    chart = card.locator("svg.marks")
    expect(chart).to_be_visible()
    expect(card.locator(".still")).to_be_hidden()
    assert "GB300 NVL72" in str(found["words"])
    drawn = chart.evaluate("(svg) => [...svg.querySelectorAll('text')].map((one) => one.textContent).join('')")
    assert set(re.findall(r"\w+", str(found["words"]))) == set(re.findall(r"\w+", drawn))
    place, other = card.locator(".still").locator(".."), chart.bounding_box()
    assert other is not None
    assert place.evaluate("(one) => one.closest('[class*=_space_]').clientWidth") == pytest.approx(
        other["width"], abs=1
    )


def test_a_choice_whose_chart_has_no_picture_shows_none(page: Page, site: str) -> None:
    with_picture(page, site)
    page.goto(f"{site}/racks?racks.tag=vendor")
    settle(page)
    expect(page.locator(".st-key-card_density_over_time svg.marks")).to_be_visible()
    expect(page.locator(".still")).to_have_count(0)
