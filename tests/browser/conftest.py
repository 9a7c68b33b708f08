"""A published warehouse of the committed facts, the dashboard served on it, and Debian's Chromium to look at it."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from pipelines.commands.doctor import BROWSERS
from pipelines.publish.package import publish_package
from pipelines.settings import PREFIX, PROJECT_ROOT
from tests.committed_build import committed_build

CHROMIUM = next((path for name in BROWSERS if (path := shutil.which(name))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--js-flags=--no-maglev --no-turbofan",  # no page of a test lives long enough to repay a compiler's best code
]

DESK = ViewportSize(width=1400, height=1200)
TIMEOUT = 30_000  # a busy machine draws late; what is right does not change with that
expect.set_options(timeout=TIMEOUT)
SETTLED = """() => {
  const drawing = '[data-testid=stStatusWidget], [data-testid=stSkeleton], .st-key-rest_of_page,'
    + '[data-testid=stVegaLiteChart]:not(:has(svg, canvas))';
  if (!document.querySelector('[data-test-script-state=notRunning]') || document.querySelector(drawing)) return false;
  const headings = [...document.querySelectorAll('[data-testid=stMain] h1')];  // last: what shows must be laid out
  return headings.filter((one) => one.checkVisibility()).length === 1;
}"""


@contextmanager
def served_to_all(warehouse: Path, folder: Path) -> Iterator[str]:
    """One dashboard for all test processes: who needs it first starts it, and ends it when no other uses it any more.

    Who uses it holds a lock that the system lets go with the process, however that ends.
    """
    address, lock = folder / "site.address", FileLock(folder / "site.lock")
    with (folder / "site.users").open("a") as users:
        with lock:
            own = None if address.exists() else serve(warehouse, draws_ahead=True)
            if own is not None:
                address.write_text(next(own), encoding="utf-8")
            fcntl.flock(users, fcntl.LOCK_SH)
        try:
            yield address.read_text(encoding="utf-8")
        finally:
            if own is not None:
                _wait_for_users(users, lock, address)
                own.close()


def _wait_for_users(users: TextIO, lock: FileLock, address: Path) -> None:
    """Until nobody else uses the dashboard; who comes after that starts another."""
    while True:
        with lock, suppress(BlockingIOError):
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            address.unlink()
            return
        time.sleep(0.2)


def serve(warehouse: Path, *, draws_ahead: bool = False) -> Generator[str]:
    """The dashboard on a free port of this machine, reading this file; a server for one test draws what that asks."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "dashboard/server.py", "--server.address", "127.0.0.1"]
    server = subprocess.Popen(
        [*command, "--server.port", str(port), "--server.headless", "true", "--server.fileWatcherType", "none"],
        cwd=PROJECT_ROOT,
        env=os.environ
        | {PREFIX + "WAREHOUSE": str(warehouse), PREFIX + "PUBLISHED": str(warehouse.parent / "published")}
        | {PREFIX + "DRAW_AHEAD": str(draws_ahead)},
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
    """The warehouse of the committed facts, and its files beside it; nobody may write to it."""
    target = committed_build(tmp_path_factory)
    with FileLock(f"{target.parent}.package.lock"):
        publish_package(target, target.parent / "published")  # what stands there is not made again
    return target


@pytest.fixture(scope="session")
def site(published: Path) -> Iterator[str]:
    with served_to_all(published, published.parent) as address:
        yield address


# Not for the whole session: while Playwright is open its event loop runs, and tests that start one of their own fail.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip(
            f"browser tests did not run: no Chromium on this machine; get it with apt-get install {BROWSERS[0]}"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[BrowserContext]:
    """One visitor for the tests of a file: what the browser has loaded stays loaded."""
    with browser.new_context(viewport=DESK, accept_downloads=True) as context:
        yield context


@pytest.fixture(scope="module")
def tab(desk: BrowserContext) -> Page:
    """The visitor's one tab: to open another costs Chromium most of a second."""
    return desk.new_page()


@pytest.fixture
def page(tab: Page) -> Iterator[Page]:
    """A desktop page; it fails the test at the end when the console reported an error or anything outside was asked."""
    try:
        yield from watched(tab)
    finally:
        leave(tab)


def leave(page: Page) -> None:
    """Nothing of a test is there for the next one in the same tab."""
    page.evaluate("() => { try { sessionStorage.clear(); } catch { /* a page of nowhere has none */ } }")
    page.goto("about:blank")
    if page.viewport_size != DESK:
        page.set_viewport_size(DESK)


def watched(page: Page) -> Iterator[Page]:
    """This page for one test; fails at the end as `page` does."""
    wrong: list[str] = []
    heard: dict[str, Callable[[Any], None]] = {
        "console": lambda message: wrong.append(message.text) if message.type == "error" else None,
        "pageerror": lambda error: wrong.append(str(error)),
        "request": lambda request: wrong.append(request.url) if is_outside(request.url) else None,
    }
    yield from listening(page, heard, wrong)


def listening(page: Page, heard: Mapping[str, Callable[[Any], None]], wrong: list[str]) -> Iterator[Page]:
    """This page while each event is heard; fails at the end when anything wrong was."""
    for event, hear in heard.items():
        page.on(event, hear)  # type: ignore[call-overload]
    yield page
    for event, hear in heard.items():
        page.remove_listener(event, hear)
    assert wrong == []


def settle(page: Page) -> None:
    """Wait until a page is drawn: its one heading is there, nothing runs any more, what lies far below is drawn too.

    Asked in the page itself and often: `expect` looks once a second, which is longer than most pages take.
    """
    page.wait_for_function(SETTLED, polling=50, timeout=TIMEOUT)


def is_outside(url: str) -> bool:
    return url.startswith(("http:", "https:", "ws:", "wss:")) and "127.0.0.1" not in url
