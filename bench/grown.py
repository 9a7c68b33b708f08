"""What the benches of grown histories share: their options, time and memory."""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path


def main(says: str | None, made: str, run: Callable[[argparse.Namespace, Path], None]) -> None:
    """Run a bench in a folder of its own; `says` is the script's description, `made` what its rows are."""
    parser = argparse.ArgumentParser(description=says, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000, help=f"{made} to make")
    parser.add_argument("--memory", default="2GB", help="DuckDB's memory limit")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each query; the median is shown")
    parser.add_argument("--folder", type=Path, help="where the files go; default a temporary folder")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rackledger-bench-", dir=arguments.folder) as folder:
        run(arguments, Path(folder))


def peak() -> str:
    """The most memory that the process has had so far."""
    return f"memory so far at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB"


def timed(work: Callable[[], object]) -> float:
    """Seconds that something takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started
