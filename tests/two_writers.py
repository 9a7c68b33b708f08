"""Two processes that put partitions into one DuckLake catalog at once, and what the catalog holds after them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pipelines.lake import Lake, table_of
from pipelines.problems import Problem, Reason
from warehouse.catalog import opened, share

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("one", "two")
STATES = ("first", "second")


def put(lake: Lake, partition: str, detail: str, rows: int, made_of: str = "") -> None:
    """A partition of so many problems, all of one detail; `made_of` tells it from another's of the same rows."""
    made = [Problem("news", partition, str(row), Reason.OVER_BUDGET, detail) for row in range(rows)]
    lake.write("problems", partition, table_of(made, Problem), inputs=made_of or detail, code="1")


def write_both(catalog: str, folder: Path, own: int) -> None:
    """Both writers put `own` partitions each and one that both have, as first seen and then changed.

    Raises CalledProcessError where one fails.
    """
    arguments = [catalog, str(folder), str(own)]
    writers = [
        subprocess.Popen([sys.executable, "-m", "tests.two_writers", name, *arguments], cwd=ROOT) for name in NAMES
    ]
    for writer in writers:
        if code := writer.wait(300):
            raise subprocess.CalledProcessError(code, writer.args)


def held(catalog: str, folder: Path, own: int) -> tuple[list[str], int]:
    """What is not there once, whole and as last written; and how many states of the catalog are kept."""
    wanted = {f"{name}-{number}": 5 + number for name in NAMES for number in range(own)} | {"of-both": 7}
    asked = "SELECT partition, list(place), list(DISTINCT detail) FROM shared.problems GROUP BY ALL"
    with opened(catalog, folder / "files") as connection:
        found = {name: (sorted(rows), details) for name, rows, details in connection.execute(asked).fetchall()}
        states = connection.execute("SELECT count(*) FROM ducklake_snapshots('shared')").fetchall()
    right = {name: (sorted(str(row) for row in range(count)), [STATES[-1]]) for name, count in wanted.items()}
    return [f"{name}: {found.get(name)}" for name in sorted(right | found) if found.get(name) != right.get(name)], (
        states[0][0]
    )


def main() -> None:
    """One of the writers."""
    name, catalog, folder, own = sys.argv[1:]
    lake = Lake(Path(folder) / name)
    for state in STATES:
        for number in range(int(own)):
            put(lake, f"{name}-{number}", state, 5 + number)
        put(lake, "of-both", state, 7, made_of=name + state)
        share(lake, catalog, Path(folder) / "files", name)


if __name__ == "__main__":
    main()
