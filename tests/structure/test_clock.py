"""The time is read in one place, so that one place can tell another."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CLOCK = re.compile(r"\b(datetime|dt)\.(now|utcnow|today)\(|\bdate\.today\(|\bnow\(dt\.UTC\)")
SQL_CLOCK = re.compile(r"\b(now\(\)|current_date|current_timestamp|get_current_time|today\(\))", re.IGNORECASE)


def told(pattern: re.Pattern[str], suffix: str) -> set[str]:
    """The files of the product that ask for the time themselves."""
    files = [path for place in ("pipelines", "warehouse", "dashboard") for path in (ROOT / place).rglob(f"*{suffix}")]
    return {str(path.relative_to(ROOT)) for path in files if pattern.search(path.read_text(encoding="utf-8"))}


def test_only_the_clock_reads_the_clock() -> None:
    assert told(CLOCK, ".py") == {"pipelines/clock.py"}
    assert told(SQL_CLOCK, ".sql") == set()
