"""Documents per second: rackledger's parser against trafilatura and BeautifulSoup, on the same pages in one run.

    python bench/documents.py [FOLDER OF HTML PAGES] [--rounds N]

trafilatura extracts the main text with its defaults, and once more with its metadata, which is what a dated document
needs. BeautifulSoup builds its tree on lxml and gives all the text of the page. Rounds are interleaved, so that a
busy machine slows all of them alike; the best round of each counts.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bs4 import BeautifulSoup  # noqa: E402

from pipelines.parse.document import parse_document  # noqa: E402

CAPTURED_AT = datetime(2026, 11, 20, tzinfo=UTC)
DEFAULT_PAGES = ROOT / "../shared/gold/docs"


def ours(page: bytes) -> int:
    document = parse_document(page, media_type="text/html", charset=None, url=None, captured_at=CAPTURED_AT)
    return len(document.text)


def soup(page: bytes) -> int:
    return len(BeautifulSoup(page, "lxml").get_text())


def contestants() -> dict[str, Callable[[bytes], int]]:
    found: dict[str, Callable[[bytes], int]] = {"rackledger": ours, "BeautifulSoup get_text": soup}
    try:
        import trafilatura
    except ImportError as error:
        print(f"trafilatura (extra 'bench') cannot be imported: {error}. Compared with BeautifulSoup alone")
        return found
    found["trafilatura"] = lambda page: len(trafilatura.extract(page) or "")
    found["trafilatura with metadata"] = lambda page: len(trafilatura.extract(page, with_metadata=True) or "")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT_PAGES)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    pages = [path.read_bytes() for path in sorted(options.folder.glob("*.htm*"))]
    if not pages:
        print(f"no HTML pages in {options.folder}; name a folder that holds some")
        return 2
    best: dict[str, float] = {}
    kept: dict[str, int] = {}
    runners = contestants()
    for _ in range(options.rounds):
        for name, run in runners.items():
            start = time.perf_counter()
            kept[name] = sum(run(page) for page in pages)
            best[name] = min(best.get(name, float("inf")), time.perf_counter() - start)
    size = sum(map(len, pages)) / 1e6
    print(f"{len(pages)} pages, {size:.2f} MB, best of {options.rounds} rounds, one core")
    print(f"{'':28}{'documents/s':>12}{'MB/s':>8}{'characters':>12}{'rackledger is':>16}")
    for name, seconds in best.items():
        ratio = f"{seconds / best['rackledger']:.1f} x as fast"
        print(f"{name:28}{len(pages) / seconds:12.0f}{size / seconds:8.1f}{kept[name]:12d}{ratio:>16}")
    tables = headings = dates = 0
    for page in pages:
        document = parse_document(page, media_type="text/html", charset=None, url=None, captured_at=CAPTURED_AT)
        tables += len(document.tables)
        headings += sum(block.kind == "heading" for block in document.blocks)
        dates += document.published_on is not None
    print(f"rackledger's documents also carry {tables} tables, {headings} headings, {dates} published dates")
    return 0


if __name__ == "__main__":
    sys.exit(main())
