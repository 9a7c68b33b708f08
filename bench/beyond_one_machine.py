"""The same content wherever it runs: an S3 bucket as home of archive and lake, Dask's workers for the steps.

    python bench/beyond_one_machine.py [--only bucket] [--only dask] [--only ducklake]

A local server speaks S3 (moto). One machine captures and builds into its bucket; a second one, which has nothing but
the address, builds the same content from it; a third lets two Dask workers make the steps. Two writers put partitions
of their own, and one that both have, into a DuckLake catalog in PostgreSQL at once. Exit code 1 where the content or a
file of the lake differs, or a partition is lost.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.chaos import PAGES, Place


@dataclass
class Machine(Place):
    """A place with settings of its own."""

    settings: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | self.settings

    def lake(self) -> dict[str, bytes]:
        """Every partition's bytes."""
        root = self.home / "data" / "lake"
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*.parquet")}

    def build(self, *arguments: str) -> float:
        """Build with `rackledger run --offline`; returns the seconds that it took."""
        began = time.monotonic()
        code, printed = self.run("run", "--offline", *arguments)
        if code not in (0, 5):
            raise SystemExit(f"the run failed: {printed}")
        return time.monotonic() - began

    def build_by_steps(self) -> str:
        """Build as a Dagster deployment does; returns in how many processes the steps ran."""
        root = Path(__file__).resolve().parent.parent
        done = subprocess.run(
            [sys.executable, "-m", "tests.steps"], env=self.environment, cwd=root, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"the steps failed: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return f"{done.stdout.split()[-1]} processes"


def first(folder: Path, settings: dict[str, str]) -> tuple[Machine, float]:
    """A machine that has captured three documents and published them."""
    machine = Machine(folder, settings=settings)
    for name, text in PAGES.items():
        (folder / name).write_text(text, encoding="utf-8")
        machine.run(
            "archive", "add", str(folder / name), "--url", f"https://example.org/{name}", "--date", "2026-01-01"
        )
    return machine, machine.build()


def bucket(folder: Path) -> bool:
    """Two machines with one bucket between them."""
    from tests.s3_server import served

    with served() as settings:
        one, seconds = first(_below(folder, "one"), settings)
        two = Machine(_below(folder, "two"), settings=settings)
        again = two.build()
        is_equal = one.content() == two.content() and one.lake() == two.lake()
        print(f"bucket: built in {seconds:.0f} s, elsewhere from the bucket alone in {again:.0f} s; {_says(is_equal)}")
    return is_equal


def dask(folder: Path) -> bool:
    """One process, and two Dask workers."""
    one, seconds = first(_below(folder, "here"), {})
    many = Machine(_below(folder, "dask"), settings={"RACKLEDGER_DASK": "local", "RACKLEDGER_WORKERS": "2"})
    (many.home / "data").mkdir()
    (one.home / "data" / "archive").rename(many.home / "data" / "archive")
    began = time.monotonic()
    processes = many.build_by_steps()
    is_equal = one.content() == many.content() and one.lake() == many.lake()
    print(f"dask: in one process {seconds:.0f} s, by workers {time.monotonic() - began:.0f} s in {processes}; "
          f"{_says(is_equal)}")  # fmt: skip
    return is_equal


def ducklake(folder: Path) -> bool:
    """Two writers at once in one catalog, each with partitions of its own and one that both have."""
    from tests import postgres
    from tests.two_writers import held, write_both

    with postgres.served() as catalog:
        began = time.monotonic()
        write_both(catalog, folder, own=10)
        seconds = time.monotonic() - began
        lost, states = held(catalog, folder, own=10)
    says = f"LOST OR MIXED: {lost}" if lost else "every partition is there once, whole"
    print(f"ducklake: two writers, 44 partitions in {seconds:.0f} s, {states} states kept; {says}")
    return not lost


def _below(folder: Path, name: str) -> Path:
    (folder / name).mkdir()
    return folder / name


def _says(is_equal: bool) -> str:
    return "equal content, equal lake" if is_equal else "THE CONTENT DIFFERS"


WAYS: dict[str, Callable[[Path], bool]] = {"bucket": bucket, "dask": dask, "ducklake": ducklake}


def main() -> None:
    """Run the ways that were asked for and print what came of each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", choices=WAYS, action="append")
    asked = parser.parse_args().only or list(WAYS)
    held = []
    for name in asked:
        with tempfile.TemporaryDirectory(prefix="beyond-") as folder:
            try:
                held.append(WAYS[name](Path(folder)))
            except ModuleNotFoundError as error:
                print(f"{name}: not tried: {error.name} is missing (see the head of this file)")
    raise SystemExit(int(not all(held)))


if __name__ == "__main__":
    main()
