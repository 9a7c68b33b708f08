"""Numbers, dates, links and text as a reader sees them, by the metric's unit. Pure."""

from __future__ import annotations

import datetime as dt
import json
import re
from urllib.parse import quote, urlencode, urlsplit

import pandas as pd

SIGNIFICANT = 4
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_WEB = re.compile(r"https?://[^\x00-\x20<>\"`\\/?#][^\x00-\x20<>\"`\\]*", re.IGNORECASE)
WHOLE_UNITS = {"count", "accelerators", "results", "rows", "packages", "dies"}


def minutes(value: float | None) -> str:
    """A time to train: '12.34 min', or seconds below one minute."""
    if value is None or pd.isna(value):
        return "no score"
    return f"{_number(value * 60)} s" if value < 1 else f"{_number(value)} min"


def count(value: float | None) -> str:
    """A whole number with thousands apart."""
    return "not stated" if value is None or pd.isna(value) else f"{int(value):,}"


def ratio(value: float | None) -> str:
    """A ratio: '1.73×'."""
    return "" if value is None or pd.isna(value) else f"{value:.3g}×"


def quantity(value: float | None, unit: str) -> str:
    """A figure with its unit: '132 kW', '$2.34/h', '73 %', '1.73×', '1,024'."""
    if value is None or pd.isna(value):
        return "not stated"
    if unit == "min":
        return minutes(value)
    if unit == "ratio":
        return ratio(value)
    if unit.startswith("USD"):
        return f"${_cents(_number(value)) if unit == 'USD/h' else _number(value)}{unit.removeprefix('USD')}"
    return f"{int(value):,}" if unit in WHOLE_UNITS else f"{_number(value)} {unit}".rstrip()


def _number(value: float) -> str:
    """Four significant digits, or all whole ones, thousands apart; powers of ten only at the far ends."""
    if value and not 1e-4 <= abs(value) < 1e12:
        return f"{value:.{SIGNIFICANT}g}"
    if abs(value) >= 10 ** (SIGNIFICANT - 1):
        return f"{value:,.0f}"
    return f"{float(f'{value:.{SIGNIFICANT}g}'):.10f}".rstrip("0").rstrip(".")


def _cents(number: str) -> str:
    """A price of an hour with two decimals at least: '2.50', '1.234', '1,024'."""
    whole, _, part = number.partition(".")
    return number if "e" in number or "," in number else f"{whole}.{part:0<2}"


def size(byte_count: int) -> str:
    """A file's size: '8.7 MB'."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if byte_count >= factor:
            return f"{byte_count / factor:.1f} {unit}"
    return f"{byte_count} B"


def axis_format(unit: str) -> str:
    """The d3 number format of an axis or tooltip in this unit."""
    if unit in WHOLE_UNITS:
        return ",d"
    return "$,.4~g" if unit.startswith("USD") else ",.4~g"


def day(value: object) -> str:
    """An ISO date."""
    if isinstance(value, dt.date | pd.Timestamp) and not pd.isna(value):
        return f"{value:%Y-%m-%d}"
    return "" if value is None or value is pd.NaT else str(value)[:10]


def day_words(value: dt.date) -> str:
    """'18 Mar 2025'."""
    return f"{value.day} {value:%b %Y}"


def unchanged_since(stated_on: object, now: dt.date, fresh_days: int) -> str:
    """'unchanged since 2026-05-27' for a figure past its freshness, else nothing."""
    shown = day(stated_on)
    if not shown:
        return ""
    return f"unchanged since {shown}" if (now - dt.date.fromisoformat(shown)).days > fresh_days else ""


def escape_markdown(text: str) -> str:
    """Outside text for a place that reads Markdown: every character that could be markup is escaped."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]()<>#+-.!|~$:&@^=\"'/%" else c for c in " ".join(text.split()))


def safe_url(value: object) -> str:
    """A web address that may be followed: http and https only; everything else, javascript: too, becomes ''."""
    return value.strip() if isinstance(value, str) and _WEB.fullmatch(value.strip()) else ""


def host(value: object) -> str:
    """The host of a web address, without www."""
    try:
        return urlsplit(safe_url(value)).netloc.removeprefix("www.")
    except ValueError:  # an address that opens a bracket as IPv6 does, and is none
        return ""


def csv_cell(value: object) -> object:
    """A cell that a spreadsheet shows as it is: text that it would run as a formula gets a quote first."""
    if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA_STARTS):
        return f"'{value}"
    return value


def page_address(path: str, **state: str) -> str:
    """An address inside the dashboard, such as 'evidence?claim=…'; relative, so that it holds below any base path."""
    return f"{path}?{urlencode(state)}" if state else path


def file_link(repository: str, revision: str, path: str) -> str:
    """The very file on GitHub at a revision."""
    return f"https://github.com/{repository}/blob/{quote(revision)}/{quote(path)}"


def slug(text: str) -> str:
    """A heading as an anchor: lower case words joined by dashes."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def paths_of(text: str) -> list[str]:
    """A JSON list of paths."""
    return [str(path) for path in json.loads(text)] if text else []
