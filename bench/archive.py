"""Speed of the archive against bare warcio and FastWARC, on the same pages in one run; prints ratios.

Writing: an append here is durable, indexed and deduplicated when it returns, so the fair reference is warcio with an
fsync a page; bare warcio, which promises nothing, is the floor. Reading: each body decoded. Checking: every digest.

    python bench/archive.py [--pages FOLDER] [--count 1500] [--repeat 3]

Without a folder of saved pages a text of words is made, of the size of a newsroom's page.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from fastwarc.warc import ArchiveIterator as FastIterator  # noqa: E402
from fastwarc.warc import WarcRecordType  # noqa: E402
from warcio.archiveiterator import ArchiveIterator  # noqa: E402
from warcio.statusandheaders import StatusAndHeaders  # noqa: E402
from warcio.warcwriter import WARCWriter  # noqa: E402

from pipelines.archive.store import Archive  # noqa: E402
from pipelines.model.capture import Exchange  # noqa: E402

START = datetime(2026, 1, 1, tzinfo=UTC)
REQUEST = (("Host", "news.example"), ("User-Agent", "rackledger"))
RESPONSE = (("Content-Type", "text/html; charset=utf-8"), ("ETag", '"1"'))
WORDS = [
    "rack",
    "liquid",
    "cooled",
    "accelerator",
    "node",
    "fabric",
    "bandwidth",
    "memory",
    "power",
    "delivery",
    "shipping",
    "volume",
    "second",
    "half",
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=Path, help="folder of saved pages")
    parser.add_argument("--count", type=int, default=1500)
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    pages = _pages(arguments.pages, arguments.count)
    print(f"{len(pages)} pages, {sum(map(len, pages)) / 1e6:.1f} MB")
    with tempfile.TemporaryDirectory(prefix="rackledger-bench-", dir=ROOT) as folder:
        _measure(Path(folder), pages, arguments.repeat)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


def _pages(folder: Path | None, count: int) -> list[bytes]:
    """So many pages, none twice."""
    found = [path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()] if folder else _made()
    return [found[number % len(found)] + f"<!-- {number} -->".encode() for number in range(count)]


def _made() -> list[bytes]:
    chance = random.Random(7)
    return [" ".join(chance.choices(WORDS, k=2000)).encode() for _ in range(40)]


def _measure(folder: Path, pages: list[bytes], repeat: int) -> None:
    warcio_file = folder / "warcio.warc.gz"
    fresh = (folder / f"archive-{number}" for number in range(repeat))
    bare = _best(repeat, lambda: _write_warcio(warcio_file, pages, sync=False))
    synced = _best(repeat, lambda: _write_warcio(warcio_file, pages, sync=True))
    roots: list[Path] = []
    ours = _best(repeat, lambda: _write_ours(next(fresh), pages, roots))
    _print("append", len(pages), {"warcio bare": bare, "warcio + fsync": synced, "archive": ours})
    root = roots[0]
    [file] = root.glob("warc/*/*.warc.gz")
    print(f"  size: archive {file.stat().st_size / 1e6:.2f} MB, warcio {warcio_file.stat().st_size / 1e6:.2f} MB")
    _print("read every body", len(pages), {
        "warcio": _best(repeat, lambda: _read_warcio(file, check=False)),
        "FastWARC": _best(repeat, lambda: _read_fast(file, check=False)),
        "archive": _best(repeat, lambda: _read_ours(root)),
    })  # fmt: skip
    _print("check every digest", len(pages), {
        "warcio": _best(repeat, lambda: _read_warcio(file, check=True)),
        "FastWARC": _best(repeat, lambda: _read_fast(file, check=True)),
        "archive": _best(repeat, lambda: _verify(root)),
    })  # fmt: skip
    _print("find a body by address, cold", 1, {
        "warcio": _best(repeat, lambda: _find_warcio(file, len(pages) - 1)),
        "archive": _best(repeat, lambda: _find_ours(root, len(pages) - 1)),
    })  # fmt: skip
    _print("reindex", len(pages), {"archive": _best(repeat, lambda: _reindex(root))})


def _best(repeat: int, work: Callable[[], None]) -> float:
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def _print(what: str, count: int, seconds: dict[str, float]) -> None:
    print(what)
    for name, value in seconds.items():
        ratio = value / seconds["archive"]
        print(f"  {name:16}{value:9.3f} s {count / value:10.0f} /s {ratio:8.2f} x archive's time")


def _exchanges(pages: list[bytes]) -> Iterator[Exchange]:
    for number, body in enumerate(pages):
        url = f"https://news.example/{number}"
        when = START + timedelta(seconds=number)
        yield Exchange("news", url, url, when, "GET", REQUEST, 200, "OK", RESPONSE, body)


def _write_ours(root: Path, pages: list[bytes], roots: list[Path]) -> None:
    with Archive(root, run_stamp="bench") as archive:
        for exchange in _exchanges(pages):
            archive.append(exchange)
    roots.append(root)


def _write_warcio(path: Path, pages: list[bytes], sync: bool) -> None:
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        for number, body in enumerate(pages):
            url = f"https://news.example/{number}"
            for kind, line, headers, payload in (
                ("request", f"GET /{number} HTTP/1.1", REQUEST, b""),
                ("response", "200 OK", RESPONSE, body),
            ):
                http = StatusAndHeaders(line, list(headers), "HTTP/1.1" if kind == "response" else "")
                stream = io.BytesIO(payload)
                writer.write_record(writer.create_warc_record(url, kind, stream, len(payload), http_headers=http))
            if sync:
                file.flush()
                os.fsync(file.fileno())


def _read_warcio(path: Path, check: bool) -> None:
    with path.open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise" if check else False):
            record.content_stream().read()


def _read_fast(path: Path, check: bool) -> None:
    with path.open("rb") as file:
        for record in FastIterator(file, parse_http=not check):
            if check:
                assert record.verify_block_digest()
                record.parse_http()
                assert record.record_type == WarcRecordType.warcinfo or record.verify_payload_digest()
            else:
                record.reader.read()


def _read_ours(root: Path) -> None:
    with Archive(root) as archive:
        for capture in archive.captures():
            archive.payload(capture)


def _verify(root: Path) -> None:
    with Archive(root) as archive:
        assert archive.verify().is_sound


def _find_warcio(path: Path, number: int) -> None:
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            is_it = record.rec_headers.get_header("WARC-Target-URI") == f"https://news.example/{number}"
            if record.rec_type == "response" and is_it:
                record.content_stream().read()


def _find_ours(root: Path, number: int) -> None:
    with Archive(root) as archive:
        url = f"https://news.example/{number}"
        assert archive.has_url(url)
        archive.payload(next(capture for capture in archive.captures() if capture.url == url))


def _reindex(root: Path) -> None:
    with Archive(root) as archive:
        archive.reindex()


if __name__ == "__main__":
    main()
