"""What it costs to list the archive's captures after so many days: processor seconds of a listing, and a file.

    python bench/listing.py [--days 30 180 365] [--sources 57]

Each source has one file a day. The archive is made here without waiting for the disk; what is measured is listing it in
a process that has not looked yet, again in the same process, and with what the months that are over hold not noted.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pipelines.archive import index, layout  # noqa: E402
from pipelines.archive.store import Archive  # noqa: E402
from pipelines.model.capture import Exchange  # noqa: E402

FIRST = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
LONG_AGO = (1_700_000_000, 1_700_000_000)


def keep(root: Path, days: range, sources: int) -> None:
    """One capture of each source a day."""
    for day in days:
        at = FIRST + dt.timedelta(days=day)
        with Archive(root, run_stamp=f"{at:%Y%m%dT%H%M%SZ}") as archive:
            for number in range(sources):
                url = f"https://example.org/{number}"
                archive.append(
                    Exchange(
                        source_id=f"source-{number}", url=url, final_url=url, requested_at=at, method="GET",
                        request_headers=(("Host", "example.org"),), status=200, reason="OK",
                        response_headers=(("Content-Type", "text/html"),), body=f"{number} {day // 5}".encode(),
                        http_version="HTTP/1.1",
                    )
                )  # fmt: skip
    for path in (root / "warc").rglob("*.gz"):
        os.utime(path, LONG_AGO)


def seconds(root: Path, *, is_new: bool, count: int) -> float:
    """Processor seconds of one listing; with `is_new` nothing is in this process's memory."""
    if is_new:
        for memory in (index._INDEXES, index._PAST):
            memory.files.clear()
            memory.captures = 0
        layout._LOOKS.clear()
    started = time.process_time()
    with Archive(root) as archive:
        found = sum(1 for _ in archive.captures())
    if found != count:
        raise SystemExit(f"{found} captures listed, {count} are held")
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, nargs="+", default=[30, 180, 365])
    parser.add_argument("--sources", type=int, default=57)
    asked = parser.parse_args()
    print(f"{'days':>6} {'files':>8} {'first look':>11} {'again':>8} {'not noted':>10}  (s; microseconds a file)")
    with tempfile.TemporaryDirectory() as name:
        root, held = Path(name) / "archive", 0
        for days in sorted(asked.days):
            with patch.object(os, "fsync"):
                keep(root, range(held, days), asked.sources)
            held, files = days, days * asked.sources
            for number in range(asked.sources):
                index.forget(root, f"source-{number}")
            unnoted = seconds(root, is_new=True, count=files)
            told = (seconds(root, is_new=True, count=files), seconds(root, is_new=False, count=files), unnoted)
            each = ", ".join(f"{1e6 * cost / files:.0f}" for cost in told)
            print(f"{days:>6} {files:>8,} {told[0]:>11.2f} {told[1]:>8.2f} {told[2]:>10.2f}  ({each})", flush=True)


if __name__ == "__main__":
    main()
