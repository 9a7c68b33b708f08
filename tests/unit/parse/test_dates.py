"""Dates as pages write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.parse.dates import date_in_url, find_date, is_plausible, read_date


@pytest.mark.parametrize(
    "text",
    [
        "2025-03-18",
        "2025-03-18T23:59:59-08:00",
        "2025/03/18",
        "20250318T120000Z",
        "Tue, 18 Mar 2025 09:00:00 GMT",
        "March 18, 2025",
        "Mar. 18th, 2025",
        "18 March 2025",
        "18. Mar 2025",
        "18-Mar-2025",
        "18.03.2025",
        "18/03/2025",
        "03/18/2025",
        "2025年3月18日",
    ],
)
def test_one_day_in_many_spellings(text: str) -> None:
    assert read_date(text) == date(2025, 3, 18)


@pytest.mark.parametrize(
    "text", ["", "soon", "03/04/2025", "2025", "March 2025", "2025-13-01", "31 February 2025", "1.8"]
)
def test_what_states_no_day(text: str) -> None:
    assert read_date(text) is None


def test_the_first_date_of_a_text_counts() -> None:
    assert find_date("Updated 4 May 2025, first on 2025-03-18") == date(2025, 5, 4)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://example.com/2025/03/18/rack", date(2025, 3, 18)),
        ("https://example.com/2025-03-18-rack.html", date(2025, 3, 18)),
        ("https://example.com/news/20250318/rack", date(2025, 3, 18)),
        ("https://example.com/2025/03/rack", None),
        ("https://example.com/rack?d=2025-03-18", None),
        ("https://2025-03-18.example.com/", None),
        ("https://example.com/id/120250318", None),
        (None, None),
    ],
)
def test_dates_in_urls(url: str | None, found: date | None) -> None:
    assert date_in_url(url) == found


def test_plausible_days() -> None:
    assert is_plausible(date(1990, 1, 1), date(2025, 1, 1))
    assert not is_plausible(date(1989, 12, 31), date(2025, 1, 1))
    assert not is_plausible(date(2025, 1, 2), date(2025, 1, 1))


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_a_written_day_is_read_back(day: date) -> None:
    assert read_date(day.isoformat()) == day
    assert read_date(f"{day:%B} {day.day}, {day.year}") == day
    assert read_date(f"{day.day} {day:%b} {day.year}") == day


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    read_date(text)
    date_in_url("https://example.com/" + text)
