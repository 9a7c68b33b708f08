"""Pages in a browser against a hello-world page of Streamlit in the same run: load, first chart, and what moves.

    .venv/bin/python bench/page_speed.py [warehouse.duckdb] [--rounds 3] [--pages today racks ...]

Prints one table. Load is from asking for the page until its heading stands and nothing runs any more; the first chart
is that of the first visit after the server's start. Both as multiples of the hello-world page's load, which is asked
between the others. Moved is the layout shift of a visit (web.dev/articles/cls).
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from pipelines.settings import PROJECT_ROOT, Settings

sys.path.insert(0, str(PROJECT_ROOT))

from bench.server import SHIPPED, serve

HELLO = 'import streamlit as st\nst.title("Hello")\nst.write("World")\n'
PAGES = {
    "today": "", "racks": "racks", "roadmap": "roadmap", "who-has-it": "who-has-it", "sites": "sites",
    "benchmarks": "benchmarks", "training": "training", "inferencex": "inferencex", "prices": "prices",
    "evidence": "evidence", "conflicts": "conflicts", "thing": "thing?id=nvidia-gb300-nvl72",
    "compare": "compare?thing=nvidia-gb300-nvl72&thing=amd-helios", "org": "org?id=coreweave",
    "benchmark": "benchmark?id=llama31_405b", "things": "things", "sources": "sources", "queue": "queue",
    "learn": "learn", "lesson": "learn?lesson=density", "calculators": "calculators", "glossary": "glossary",
    "data": "data", "sql": "sql", "api": "api", "method": "method",
}  # fmt: skip
WITH_CHART = (  # what is seen first of the others are tables and words
    "today", "racks", "roadmap", "who-has-it", "sites", "benchmarks", "training", "inferencex", "conflicts", "prices",
)  # fmt: skip
CHART = "[data-testid='stVegaLiteChart'] :is(svg path[role='graphics-symbol'], canvas), .plot, .bars"
# Asked in the page at every picture: Playwright's own waiting looks again after up to half a second.
STANDS = (
    "() => document.querySelector(\"[data-testid='stMain'] h1\")?.checkVisibility({ visibilityProperty: true })"
    " && !document.querySelector('[data-testid=stStatusWidget]') && !document.querySelector('[data-settling]')"
)
MOVED = (
    "window.moved = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries())"
    "if (!entry.hadRecentInput) window.moved += entry.value; }).observe({ type: 'layout-shift', buffered: true });"
)


def visit(browser: Browser, address: str, *, has_chart: bool = False) -> tuple[float, float | None, float]:
    """Seconds until the page stands, seconds until its first chart (None without one), and what moved."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    page = context.new_page()
    page.add_init_script(MOVED)
    started = time.perf_counter()
    page.goto(address, wait_until="commit")
    chart = None
    if has_chart:
        page.wait_for_function("(chart) => document.querySelector(chart)", arg=CHART, timeout=60_000)
        chart = time.perf_counter() - started
    page.wait_for_function(STANDS, timeout=60_000)
    loaded = time.perf_counter() - started
    page.wait_for_timeout(700)
    moved = float(page.evaluate("window.moved"))
    context.close()
    return loaded, chart, moved


def measure(browser: Browser, site: str, hello: str, pages: list[str], rounds: int) -> None:
    """Print a line a page."""
    plain = [visit(browser, hello)[0] for _ in range(2)]
    print(f"{'page':>12} {'first chart':>12} {'load':>8} {'of hello':>9} {'moved':>7}")
    for name in pages:
        cold = visit(browser, f"{site}/{PAGES[name]}", has_chart=name in WITH_CHART)
        warm = []
        for _ in range(rounds):
            plain.append(visit(browser, hello)[0])
            warm.append(visit(browser, f"{site}/{PAGES[name]}"))
        base = statistics.median(plain[-rounds:])
        chart = f"{cold[1] / base:.2f}" if cold[1] is not None else "none"
        load = statistics.median(each[0] for each in warm)
        moved = max(each[2] for each in [cold, *warm])
        print(f"{name:>12} {chart:>12} {load:8.2f} {load / base:9.2f} {moved:7.3f}", flush=True)
    print(f"hello-world page: {statistics.median(plain):.2f} s, {len(plain)} visits; its load is 1.00")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("warehouse", nargs="?", type=Path, default=Settings().warehouse)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pages", nargs="+", choices=list(PAGES), default=list(PAGES))
    chosen: Any = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        sys.exit("no Chromium here: nothing can be measured")
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as held:
        script = Path(folder) / "hello.py"
        script.write_text(HELLO, encoding="utf-8")
        hello, site = (
            f"http://{held.enter_context(serve(served, chosen.warehouse))[0]}" for served in (str(script), SHIPPED)
        )
        playwright = held.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        measure(browser, site, hello, chosen.pages, chosen.rounds)
        browser.close()


if __name__ == "__main__":
    main()
