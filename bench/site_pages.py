"""Times the site at many pages: first build, a build without news, and a build after a day's change.

    .venv/bin/python bench/site_pages.py [warehouse.duckdb] [--pages 10000] [--rows 30] [--changed 100]

The charts, lessons, things and organisations are those of the published file; pages of made-up things, tagged
illustrative, are added in a temporary folder until there are as many as asked for. Prints seconds and bytes.
"""

from __future__ import annotations

import argparse
import dataclasses
import tempfile
import time
from pathlib import Path
from typing import Any

from dashboard.site import more_pages
from pipelines.publish.site import Site, write_site
from pipelines.settings import Settings
from warehouse.answers.plain_html import More, Outside, SitePage, Table, path_of

ROOT = "https://example.org/"
HEADS = ("Figure", "Standing value", "Evidence, who, when", "Source")


def made_up(number: int, rows: int, change: int) -> SitePage:
    """A page of a thing that does not exist; another `change` gives its first row another value."""
    told = tuple(
        (f"Figure {row}", f"{number + row + (change if row == 0 else 0)} kW", "illustrative: nobody, 2026-01-01",
         Outside(f"https://example.org/{number}/{row}"))
        for row in range(rows)
    )  # fmt: skip
    name = f"made-up-{number}"
    return SitePage(
        path_of("thing", name), name, "made up", "An example.", "Product", rows, (Table("What stands", HEADS, told),)
    )


def timed(warehouse: Path, folder: Path, added: list[SitePage]) -> tuple[float, float, Site]:
    """Seconds of one build with these pages added, those of the processor, and what was written."""

    def elsewhere(address: str) -> More:
        found = more_pages(warehouse, address)
        return dataclasses.replace(found, pages=(*found.pages, *added))

    started, worked = time.perf_counter(), time.process_time()
    site = write_site(warehouse, folder, ROOT, elsewhere, published=Settings().published)
    return time.perf_counter() - started, time.process_time() - worked, site


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("warehouse", nargs="?", type=Path, default=Settings().warehouse)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=30)
    parser.add_argument("--changed", type=int, default=100)
    chosen: Any = parser.parse_args()
    added = [made_up(number, chosen.rows, 0) for number in range(chosen.pages)]
    changed = [made_up(number, chosen.rows, 1) for number in range(chosen.changed)] + added[chosen.changed :]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for words, pages in (("first build", added), ("no news", added), ("a day's change", changed)):
            seconds, worked, site = timed(chosen.warehouse, folder, pages)
            print(
                f"{words:>15}: {seconds:7.1f} s, {worked:.0f} worked, {site.pages:,} files, {site.written:,} written",
                flush=True,
            )
        held = {(told := path.stat()).st_ino: told.st_size for path in folder.rglob("*") if path.is_file()}
        size = sum(held.values())  # a file with several names counts once
        print(f"{'in all':>15}: {size / 1e6:7.1f} MB")


if __name__ == "__main__":
    main()
