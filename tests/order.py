"""In which order the files of tests are given to the processes that run them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
# Seconds that a file and each test of it take, roughly, by folder: enough to begin with what is long and to end with
# what is short.
SECONDS = {
    "simulation": (120, 0), "browser": (15, 3), "integration/assets": (15, 3), "integration/commands": (10, 2),
    "integration/test_days_added_up": (60, 0), "integration": (8, 0.5), "eval": (3, 0.5), "": (0.5, 0.05),
}  # fmt: skip
PAGES_UNTIL = 0.8  # of the run: after that no page is begun, what is left can be shared evenly


def in_good_order(items: list[pytest.Item]) -> list[pytest.Item]:
    """Each file's tests together, long files first, and those of pages among those that compute.

    A page is waited for, and one server draws them all: where every process drives a browser, processors stand idle.
    """
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    costs = {path: _seconds(path, len(held)) for path, held in files.items()}
    pages = {path: cost for path, cost in costs.items() if path.is_relative_to(ROOT / "browser")}
    others = {path: cost for path, cost in costs.items() if path not in pages}
    places = {**_places(others, 1.0), **_places(pages, PAGES_UNTIL)}
    return [item for path in sorted(files, key=places.__getitem__) for item in files[path]]


def _seconds(path: Path, tests: int) -> float:
    below = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
    whole, each = next(cost for folder, cost in SECONDS.items() if below.startswith(folder))
    return whole + each * tests


def _places(costs: Mapping[Path, float], until: float) -> dict[Path, float]:
    """Where in the run, from 0 to `until`, each file begins when the longest come first."""
    places, spent, total = dict[Path, float](), 0.0, sum(costs.values())
    for path in sorted(costs, key=lambda one: -costs[one]):
        places[path] = until * spent / total
        spent += costs[path]
    return places
