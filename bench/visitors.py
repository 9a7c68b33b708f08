"""Speed of the dashboard: real browser sessions and light websocket sessions against a server of its own.

    .venv/bin/python bench/visitors.py [warehouse.duckdb] [--visitors 1 10 50 100] [--rounds 5]

Prints: time of each page's script cold and warm, first contentful chart in Chromium, p50 and p95 of an interaction with
1 to 100 visitors who think for two seconds in between, memory per session, and what stays after they have gone. A
page's lower part, which a browser asks for when the upper one stands, is drawn with the page here. With
--publish N it puts N new versions in place while the last group of visitors clicks, and counts errors.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
from playwright.sync_api import sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from pipelines.settings import PROJECT_ROOT, Settings

sys.path.insert(0, str(PROJECT_ROOT))

from bench.server import SHIPPED, serve

THINK_SECONDS = 2.0
CLICKS = {
    "training": ("benchmark=llama2_70b_lora", "benchmark=llama31_405b", "benchmark=bert&round=v4.1", "suite=HPC"),
    "sources": ("", "q=cloud", "state=▲+stale", "source=mlperf_training"),
    "data": ("", "q=memory", "table=facts.mlperf_training"),
    "thing": ("id=nvidia-gb200-nvl72", "id=nvidia-gb300-nvl72", "id=amd-helios", "id=nvidia-h100"),
    "compare": ("thing=nvidia-gb300-nvl72&thing=amd-helios", "thing=nvidia-gb200-nvl72&thing=google-ironwood-pod"),
}


@dataclass
class Tally:
    """Seconds of what visitors waited for, and what went wrong."""

    first: list[float] = field(default_factory=list)
    clicks: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def memory_mb(pid: int) -> float:
    """Resident memory of the server's process."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0]) / 1e3


@asynccontextmanager
async def visitor(host: str) -> AsyncIterator[ClientConnection]:
    """One websocket session, as Streamlit's page opens it."""
    async with connect(
        f"ws://{host}/_stcore/stream",
        subprotocols=["streamlit"],  # type: ignore[list-item]
        origin=f"http://{host}",  # type: ignore[arg-type]
        max_size=None,
        open_timeout=60,
    ) as socket_:
        yield socket_


async def run_page(connection: ClientConnection, page: str, query: str) -> tuple[float, list[str]]:
    """Ask for a page with its state and wait until its script is done; seconds, and the exceptions shown."""
    asked = BackMsg()
    asked.rerun_script.query_string = query
    asked.rerun_script.page_name = page
    started = time.perf_counter()
    await connection.send(asked.SerializeToString())
    wrong: list[str] = []
    while True:
        message = ForwardMsg()
        data = await asyncio.wait_for(connection.recv(), timeout=60)
        assert isinstance(data, bytes)
        message.ParseFromString(data)
        kind = message.WhichOneof("type")
        if kind == "delta" and message.delta.new_element.WhichOneof("type") == "exception":
            wrong.append(message.delta.new_element.exception.message)
        if kind == "script_finished":
            return time.perf_counter() - started, wrong


async def visit(host: str, rounds: int, tally: Tally, ready: asyncio.Barrier, place: int = 0) -> None:
    """One visitor: opens a page, clicks, thinks, clicks; each `place` clicks and thinks in its own way."""
    choose = random.Random(place)
    try:
        async with visitor(host) as connection:
            seconds, wrong = await run_page(connection, "training", "")
            tally.first.append(seconds)
            tally.errors += wrong
            await ready.wait()
            for _ in range(rounds):
                await asyncio.sleep(choose.uniform(0.5, 1.5) * THINK_SECONDS)
                page = choose.choice(list(CLICKS))
                seconds, wrong = await run_page(connection, page, choose.choice(CLICKS[page]))
                tally.clicks.append(seconds)
                tally.errors += wrong
            await ready.wait()
    except (OSError, TimeoutError, AssertionError) as error:
        tally.errors.append(f"{type(error).__name__}: {error}")
        await ready.abort()


async def crowd(host: str, pid: int, visitors: int, rounds: int) -> tuple[Tally, float]:
    """Many visitors at once; what they waited for, and the server's memory while all of them are there."""
    tally, ready = Tally(), asyncio.Barrier(visitors + 1)
    tasks = [asyncio.create_task(visit(host, rounds, tally, ready, place)) for place in range(visitors)]
    with contextlib.suppress(asyncio.BrokenBarrierError):
        await ready.wait()
        while ready.n_waiting < visitors:
            await asyncio.sleep(0.2)
    memory = memory_mb(pid)
    with contextlib.suppress(asyncio.BrokenBarrierError):
        await ready.wait()
    await asyncio.gather(*tasks, return_exceptions=True)
    return tally, memory


def page_paths() -> list[str]:
    """The pages of the menu; asked in a process of its own, since this file has the package's name."""
    code = "from dashboard.navigation import page_entries; print(*(entry.path for entry in page_entries()))"
    said = subprocess.run([sys.executable, "-c", code], cwd=PROJECT_ROOT, capture_output=True, text=True, check=True)
    return said.stdout.split()


def percentile(values: list[float], share: float) -> float:
    """The value below which this share of the values lies, in milliseconds."""
    ordered = sorted(values)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def scripts(host: str) -> dict[str, list[float]]:
    """Milliseconds of each page's script: the first run of the server's life, then nine more."""
    found: dict[str, list[float]] = {}
    async with visitor(host) as connection:
        for path in page_paths():
            found[path] = [(await run_page(connection, path, ""))[0] * 1000 for _ in range(10)]
    return found


def first_chart(host: str) -> list[float]:
    """Milliseconds from asking for the page until its first chart is drawn, in fresh Chromium sessions."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        return []
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(5):
            context = browser.new_context(viewport={"width": 1400, "height": 1000})
            page = context.new_page()
            started = time.perf_counter()
            page.goto(f"http://{host}/training")
            page.wait_for_selector("[data-testid='stVegaLiteChart'] :is(svg path[role='graphics-symbol'], canvas)")
            found.append(1000 * (time.perf_counter() - started))
            context.close()
        browser.close()
    return found


async def publish(path: Path, versions: int, seconds: float) -> None:
    """Put copies with new version names in place of the file, one after another."""
    for number in range(versions):
        newer = path.with_name(f"newer{number}.duckdb")
        await asyncio.to_thread(shutil.copyfile, path, newer)

        def rename(newer: Path = newer, number: int = number) -> None:
            with duckdb.connect(str(newer)) as connection:
                connection.execute("UPDATE meta.publication SET version = ?", [f"20990101T{number:06}Z-bench"])

        await asyncio.to_thread(rename)
        newer.replace(path)
        await asyncio.sleep(seconds)


async def under_publication(host: str, pid: int, path: Path, visitors: int, versions: int) -> tuple[Tally, float]:
    """Visitors click while versions are published."""
    publishing = asyncio.create_task(publish(path, versions, 1.0))
    found = await crowd(host, pid, visitors, rounds=max(3, versions // 2))
    await publishing
    return found


def show_crowd(label: str, tally: Tally, memory: float, idle: float, visitors: int) -> None:
    print(
        f"{label:>16} {percentile(tally.first, 0.5):9.0f} {percentile(tally.first, 0.95):9.0f}"
        f" {percentile(tally.clicks, 0.5):9.0f} {percentile(tally.clicks, 0.95):9.0f}"
        f" {memory:9.0f} {(memory - idle) / visitors:11.2f} {len(tally.errors):7}"
    )
    for text in sorted(set(tally.errors))[:3]:
        print(f"{'':>16} {text[:140]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("warehouse", nargs="?", type=Path, default=Settings().warehouse)
    parser.add_argument("--visitors", nargs="+", type=int, default=[1, 10, 50, 100])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--publish", type=int, default=0)
    chosen: Any = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rackledger.duckdb"
        shutil.copyfile(chosen.warehouse, path)
        with serve(SHIPPED, path, "--server.disconnectedSessionTTL", "1") as (host, pid):
            measure(host, pid, path, chosen)


def measure(host: str, pid: int, path: Path, chosen: Any) -> None:
    print(f"{'page':>16} {'cold ms':>9} {'warm p50':>9} {'warm max':>9}")
    for page, times in asyncio.run(scripts(host)).items():
        print(f"{page:>16} {times[0]:9.0f} {statistics.median(times[1:]):9.0f} {max(times[1:]):9.0f}")
    charts = first_chart(host)
    if charts:
        print(f"first contentful chart in Chromium: {charts[0]:.0f} ms, then {statistics.median(charts[1:]):.0f} ms")
    idle = memory_mb(pid)
    print(f"memory without visitors: {idle:.0f} MB")
    heads = ("first p50", "first p95", "click p50", "click p95", "MB")
    print(f"{'visitors':>16} {' '.join(f'{head:>9}' for head in heads)} {'MB/session':>11} errors")
    for visitors in chosen.visitors:
        before = memory_mb(pid)
        tally, memory = asyncio.run(crowd(host, pid, visitors, chosen.rounds))
        show_crowd(str(visitors), tally, memory, before, visitors)
        time.sleep(3)
    print(f"memory after they left: {memory_mb(pid):.0f} MB")
    if chosen.publish:
        before, most = memory_mb(pid), max(chosen.visitors)
        tally, memory = asyncio.run(under_publication(host, pid, path, most, chosen.publish))
        show_crowd(f"{chosen.publish} versions", tally, memory, before, most)


if __name__ == "__main__":
    main()
