"""A running server and an empty archive for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.collect_kit import Collected, Site


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


@pytest.fixture
def collected(tmp_path: Path) -> Collected:
    return Collected(tmp_path)
