"""SQL of the lessons: the claims that their figures place, and the queries that they name (`lessons.yaml`)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from warehouse.answers import Ask
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))

NAMED = Path(__file__).with_name("lessons.yaml")


def claims_of(ask: Ask, day: dt.date, subject_ids: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """What stands for some subjects on a day: the least qualified first, then the strongest, then the newest."""
    return ask(SQL["claims"], (day, list(subject_ids)) * 2)


@lru_cache(maxsize=1)
def named_queries() -> dict[str, dict[str, str]]:
    """The queries that lessons name: title and SQL of each. A '?' in the SQL is the day."""
    found: dict[str, dict[str, str]] = yaml.safe_load(NAMED.read_text(encoding="utf-8"))
    return found


def run(ask: Ask, day: dt.date, query: Mapping[str, str]) -> Sequence[Mapping[str, Any]]:
    """The rows of a named query as known on a day."""
    return ask(query["sql"], (day,) * query["sql"].count("?"))
