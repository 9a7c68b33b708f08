"""What one new document costs beside many: processor seconds of each reading step, at several sizes of a source.

    python bench/one_more_document.py [--sizes 100 1000 10000] [--paragraphs 4] [--more 10]

The documents are made up here, each in words of its own. Steps run in this process, on one core; the first reading is
not counted. Of the documents that come one by one the middle and the dearest are told: now and then the parts of a
partition are joined. Listing the archive's captures, which every run does, stands apart.
"""

from __future__ import annotations

import argparse
import datetime as dt
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pipelines.archive.store import Archive  # noqa: E402
from pipelines.assets.claims_step import build_claims  # noqa: E402
from pipelines.assets.copies_step import build_copies  # noqa: E402
from pipelines.assets.documents_step import build_documents  # noqa: E402
from pipelines.assets.partition_step import Outcome  # noqa: E402
from pipelines.model.capture import Exchange  # noqa: E402
from pipelines.sources import SourceCatalog, parse_sources  # noqa: E402

SOURCES = """
provider_denylist: []
sources:
  racks: {title: Racks, publisher: example, producer: Example, group: press, layer: all, signals: [density], kind: page,
          parser: html, evidence: reported, status: active, allowed_hosts: [example.org], urls: ["https://example.org/"],
          cadence: 1d, terms: allowed, licence: CC0}
"""
PARAGRAPH = (
    "<p>In hall {hall} of site {number} a GB300 NVL72 rack draws {kw} kW and holds 72 GPUs, the operator said. Racks "
    "of the next kind are to arrive in the second half of {year}. {words}.</p>"
)
STEPS = ("listing", "documents", "claims", "copies")
FIRST = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)


def page(number: int, paragraphs: int) -> bytes:
    """A page with figures and words of its own."""
    chance = random.Random(number)
    text = "".join(
        PARAGRAPH.format(
            hall=hall,
            number=number,
            kw=100 + (7 * number + hall) % 60,
            year=2027 + hall % 3,
            words=" ".join("".join(chance.choices("aeioulmnrst", k=6)) for _ in range(60)),
        )
        for hall in range(paragraphs)
    )
    return f"<html><title>Site {number}</title><article><h1>Site {number}</h1>{text}</article></html>".encode()


def keep(folder: Path, numbers: range, stamp: str, paragraphs: int) -> None:
    """Put pages into the archive, as captured a minute apart."""
    with Archive(folder / "archive", run_stamp=stamp) as archive:
        for number in numbers:
            url = f"https://example.org/{number}"
            archive.append(
                Exchange(
                    source_id="racks", url=url, final_url=url, requested_at=FIRST + dt.timedelta(minutes=number),
                    method="GET", request_headers=(("Host", "example.org"),), status=200, reason="OK",
                    response_headers=(("Content-Type", "text/html; charset=UTF-8"),), body=page(number, paragraphs),
                    http_version="HTTP/1.1",
                )
            )  # fmt: skip


def read(folder: Path, catalog: SourceCatalog) -> dict[str, float]:
    """Processor seconds of each step over what is in the archive now."""
    archive, lake = folder / "archive", folder / "lake"
    steps: dict[str, Callable[[], Iterator[Outcome]]] = {
        "documents": lambda: build_documents(catalog, archive, lake, 1),
        "claims": lambda: build_claims(catalog, lake, 1),
        "copies": lambda: build_copies(lake),
    }
    started = time.process_time()
    with Archive(archive) as opened:
        list(opened.captures("racks"))
    seconds = {"listing": time.process_time() - started}
    for name, step in steps.items():
        started = time.process_time()
        failed = [outcome.error for outcome in step() if outcome.error]
        seconds[name] = time.process_time() - started
        if failed:
            raise SystemExit(f"{name}: {failed[0]}")
    seconds["documents"] -= seconds["listing"]  # it lists them itself
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 10_000])
    parser.add_argument("--paragraphs", type=int, default=4)
    parser.add_argument("--more", type=int, default=10)
    asked = parser.parse_args()
    catalog = parse_sources(SOURCES)
    print(
        f"{'documents held':>15} {'all of them':>12}" + "".join(f"{name:>16}" for name in STEPS) + "  (s for one more)"
    )
    for size in asked.sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            keep(folder, range(size), "first", asked.paragraphs)
            everything = sum(read(folder, catalog).values())
            one: list[dict[str, float]] = []
            for number in range(size, size + 1 + asked.more):
                keep(folder, range(number, number + 1), f"more{number}", asked.paragraphs)
                one.append(read(folder, catalog))
            told = ([each[step] for each in one[1:]] for step in STEPS)  # the first loads what later ones have
            cells = "".join(f"{statistics.median(found):>9.3f} {max(found):>6.3f}" for found in told)
            print(f"{size:>15,} {everything:>12.1f}{cells}", flush=True)


if __name__ == "__main__":
    main()
