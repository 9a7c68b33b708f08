"""A published warehouse of the committed facts, the dashboard served on it, and Debian's Chromium to look at it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from pipelines.publish.package import publish_package
from pipelines.settings import PREFIX, PROJECT_ROOT
from tests.committed_build import committed_build

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

expect.set_options(timeout=30_000)  # a busy machine draws late; what is right does not change with that


def serve(warehouse: Path) -> Iterator[str]:
    """The dashboard on a free port of this machine, reading this file."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/server.py", "--server.address", "127.0.0.1"]
    server = subprocess.Popen(
        [*command, "--server.port", str(port), "--server.headless", "true", "--server.fileWatcherType", "none"],
        cwd=PROJECT_ROOT,
        env=os.environ
        | {PREFIX + "WAREHOUSE": str(warehouse), PREFIX + "PUBLISHED": str(warehouse.parent / "published")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(f"http://127.0.0.1:{port}/_stcore/health", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=120)


def _wait(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert server.poll() is None, "the dashboard did not start"
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.25)
    raise AssertionError("the dashboard did not answer within 150 s")


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the warehouse of the committed facts, and its files."""
    target = tmp_path_factory.mktemp("browser") / "rackledger.duckdb"
    shutil.copy(committed_build(tmp_path_factory), target)
    publish_package(target, target.parent / "published")
    return target


@pytest.fixture(scope="session")
def site(published: Path) -> Iterator[str]:
    yield from serve(published)


# Not for the whole session: while Playwright is open its event loop runs, and tests that start one of their own fail.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("browser tests did not run: no Chromium on this machine; get it with apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[BrowserContext]:
    """One visitor for the tests of a file: what the browser has loaded stays loaded."""
    with browser.new_context(viewport={"width": 1400, "height": 1200}, accept_downloads=True) as context:
        yield context


@pytest.fixture
def page(desk: BrowserContext) -> Iterator[Page]:
    """A desktop page; it fails the test at the end when the console reported an error or anything outside was asked."""
    page = desk.new_page()
    yield from watched(page)
    page.close()


def watched(page: Page) -> Iterator[Page]:
    """This page for one test; fails at the end as `page` does."""
    wrong: list[str] = []
    heard: dict[str, Callable[[Any], None]] = {
        "console": lambda message: wrong.append(message.text) if message.type == "error" else None,
        "pageerror": lambda error: wrong.append(str(error)),
        "request": lambda request: wrong.append(request.url) if is_outside(request.url) else None,
    }
    for event, hear in heard.items():
        page.on(event, hear)  # type: ignore[call-overload]
    yield page
    for event, hear in heard.items():
        page.remove_listener(event, hear)
    assert wrong == []


def settle(page: Page) -> None:
    """Wait until a page is drawn: its heading is there, nothing runs any more, and charts far below are drawn too."""
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    expect(page.locator("[data-testid=stVegaLiteChart]:not(:has(svg, canvas))")).to_have_count(0)


def is_outside(url: str) -> bool:
    return url.startswith(("http:", "https:", "ws:", "wss:")) and "127.0.0.1" not in url
