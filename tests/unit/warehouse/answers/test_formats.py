"""Figures, dates, links and outside text as a reader sees them."""

from __future__ import annotations

import datetime as dt

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile import STRINGS
from warehouse.answers import formats


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (132.0, "kW", "132 kW"),
        (0.5, "min", "30 s"),
        (12.3456, "min", "12.35 min"),
        (1183326.85, "tokens/s", "1,183,327 tokens/s"),
        (2.34, "USD/h", "$2.34/h"),
        (2.5, "USD/h", "$2.50/h"),
        (2.0, "USD/h", "$2.00/h"),
        (0.0123, "USD/h", "$0.0123/h"),
        (1234.0, "USD/h", "$1,234/h"),
        (3000000, "USD", "$3,000,000"),
        (1.734, "ratio", "1.73×"),
        (1024, "count", "1,024"),
        (0.00012345, "TB/s", "0.0001234 TB/s"),
        (1e15, "count", "1,000,000,000,000,000"),
        (2.5e13, "FLOP", "2.5e+13 FLOP"),
        (0, "kW", "0 kW"),
        (None, "kW", "not stated"),
        (float("nan"), "USD", "not stated"),
    ],
)
def test_a_quantity_is_shown_by_its_unit(value: float | None, unit: str, shown: str) -> None:
    assert formats.quantity(value, unit) == shown


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://example.org/a?b=c#d", True),
        ("HTTP://example.org", True),
        ("javascript:alert(1)", False),
        (" javascript:alert(1)", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,x", False),
        ("//example.org/x", False),
        ("ftp://example.org", False),
        ("https:///nothing", False),
        ("https://example.org/<script>", False),
        ("https://example.org/\\x", False),
        ("vbscript:x", False),
        ("file:///etc/passwd", False),
        ("", False),
        (None, False),
        (float("nan"), False),
    ],
)
def test_only_web_addresses_are_followed(address: object, kept: bool) -> None:
    assert formats.safe_url(address) == (address if kept else "")


@pytest.mark.parametrize("text", STRINGS)
def test_hostile_text_is_no_address_no_formula_and_no_markup(text: str) -> None:
    assert formats.safe_url(text) in ("", "http://planted.invalid/bare")
    cell = formats.csv_cell(text)
    assert isinstance(cell, str)
    assert not cell.startswith(formats.FORMULA_STARTS)
    escaped = formats.escape_markdown(text)
    assert "\n" not in escaped
    plain = escaped.replace("\\\\", "")
    for c in "`*_[]<>$:~":
        assert plain.count(c) == plain.count(f"\\{c}")


@given(st.text())
def test_escaping_loses_nothing_but_runs_of_white_space(text: str) -> None:
    escaped = formats.escape_markdown(text)
    back, skip = "", False
    for c in escaped:
        if c == "\\" and not skip:
            skip = True
            continue
        back, skip = back + c, False
    assert back == " ".join(text.split())


def test_days_are_told_in_words() -> None:
    now = dt.date(2026, 11, 21)
    assert formats.unchanged_since("2026-05-27", now, 30) == "unchanged since 2026-05-27"
    assert formats.unchanged_since(pd.Timestamp("2026-11-20"), now, 30) == ""
    assert formats.day(pd.NaT) == ""


def test_sizes_are_told_in_their_unit() -> None:
    assert [formats.size(n) for n in (12, 3345, 8_663_040, 2_100_000_000)] == ["12 B", "3.3 kB", "8.7 MB", "2.1 GB"]


@pytest.mark.parametrize(
    ("address", "host"),
    [("https://www.a.example/x", "a.example"), ("https://[a.example/", ""), ("javascript:x", ""), (None, "")],
)
def test_the_host_of_what_is_no_address_is_nothing(address: object, host: str) -> None:
    assert formats.host(address) == host
