"""Numbers and dates as a reader sees them, by the metric's unit. Pure."""

from __future__ import annotations

import datetime as dt
import json
from urllib.parse import quote

import pandas as pd

SIGNIFICANT = 4


def minutes(value: float | None) -> str:
    """A time to train: '12.34 min', or seconds below one minute."""
    if value is None or pd.isna(value):
        return "no score"
    return f"{value * 60:.{SIGNIFICANT}g} s" if value < 1 else f"{value:,.{SIGNIFICANT}g} min"


def count(value: float | None) -> str:
    """A whole number with thousands apart."""
    return "not stated" if value is None or pd.isna(value) else f"{int(value):,}"


def ratio(value: float | None) -> str:
    """A ratio: '1.73×'."""
    return "" if value is None or pd.isna(value) else f"{value:.3g}×"


def day(value: object) -> str:
    """An ISO date."""
    if isinstance(value, dt.date | pd.Timestamp):
        return f"{value:%Y-%m-%d}"
    return "" if value is None else str(value)[:10]


def escape_markdown(text: str) -> str:
    """Outside text for a place that reads Markdown: every character that could be markup is escaped."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]()<>#+-.!|~$:&@^=" else c for c in text.replace("\n", " "))


def file_link(repository: str, revision: str, path: str) -> str:
    """The very file on GitHub at a revision."""
    return f"https://github.com/{repository}/blob/{quote(revision)}/{quote(path)}"


def paths_of(text: str) -> list[str]:
    """A JSON list of paths."""
    return [str(path) for path in json.loads(text)] if text else []
