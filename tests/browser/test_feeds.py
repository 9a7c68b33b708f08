"""Feeds as a reader of feeds gets them from the running dashboard."""

from __future__ import annotations

import json
import re

import feedparser
import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser


def test_the_brief_and_a_figure_have_feeds_in_both_forms(browser: Browser, site: str) -> None:
    request = browser.new_context().request
    for path in ("feeds/today", "feeds/nvidia-gb200-nvl72/power"):
        atom = request.get(f"{site}/{path}.atom")
        assert atom.status == 200
        assert atom.headers["content-type"].startswith("application/atom+xml")
        read = feedparser.parse(atom.body())
        assert not read.bozo
        assert read.entries
        items = json.loads(request.get(f"{site}/{path}.json").body())["items"]
        assert [item["id"] for item in items] == [entry["id"] for entry in read.entries]
        assert items[0]["url"].startswith(f"{site}/")
        again = request.get(f"{site}/{path}.atom", headers={"If-None-Match": atom.headers["etag"]})
        assert again.status == 304


@pytest.mark.parametrize("path", ["feeds/today.atom", "feeds/health.atom", "embed/density_memory/"])
def test_the_host_that_a_reader_names_stands_in_no_answer(browser: Browser, site: str, path: str) -> None:
    answer = browser.new_context().request.get(f"{site}/{path}", headers={"Host": "evil.example"})
    assert answer.status == 200
    assert "evil.example" not in answer.text()
    assert f"{site}/" in answer.text()


@pytest.mark.parametrize(
    "path", ["feeds/nothing/power.atom", "feeds/nvidia-gb200-nvl72/colour.atom",
             "feeds/nvidia-gb200-nvl72/power.exe", "feeds/A'--/power.json"],
)  # fmt: skip
def test_what_is_not_there_is_said(browser: Browser, site: str, path: str) -> None:
    assert browser.new_context().request.get(f"{site}/{path}").status == 404


def test_an_entry_leads_to_the_claim_and_the_claim_to_its_feed(page: Page, browser: Browser, site: str) -> None:
    items = json.loads(browser.new_context().request.get(f"{site}/feeds/nvidia-gb200-nvl72/power.json").body())["items"]
    page.goto(items[0]["url"])
    expect(page.get_by_role("heading", name="Where it is written")).to_be_visible()
    page.get_by_role("button", name="Watch this").click()
    expect(page.get_by_text(re.compile(rf"^{site}/feeds/nvidia-gb200-nvl72/power\.atom"))).to_be_visible()


def test_machines_find_their_way(browser: Browser, site: str) -> None:
    text = browser.new_context().request.get(f"{site}/llms.txt").text()
    assert text.startswith("# rackledger")
    for path in re.findall(r"\]\(([^)]+)\)", text):
        assert browser.new_context().request.get(f"{site}/{path}").status == 200, path
