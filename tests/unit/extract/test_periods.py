"""Periods as people write them, relative to the day of the statement."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.extract.values.periods import find_periods, period_label

STATED = dt.date(2025, 9, 17)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("2H26", "2026-H2"),
        ("H2 2026", "2026-H2"),
        ("1H 2027", "2027-H1"),
        ("second half of next year", "2026-H2"),
        ("the second half of 2026", "2026-H2"),
        ("4Q2024", "2024-Q4"),
        ("Q3'26", "2026-Q3"),
        ("third quarter of 2026", "2026-Q3"),
        ("late 2025", "2025-H2"),
        ("预计2026年下半年出货", "2026-H2"),
        ("2025年第三季度", "2025-Q3"),
        ("2025年3月18日发布", "2025-03-18"),
        ("于2024年 11月上市", "2024-11"),
        ("2026年底", "2026-Q4"),
        ("2027年初", "2027-Q1"),
        ("2025年发布", "2025"),
        ("early 2026", "2026-H1"),
        ("end of 2025", "2025-Q4"),
        ("on Tuesday", "2025-09-16"),
        ("last year", "2024"),
        ("next quarter", "2025-Q4"),
        ("October 10, 2024", "2024-10-10"),
        ("18 March 2025", "2025-03-18"),
        ("March 18th", "2025-03-18"),
        ("September 2025", "2025-09"),
        ("in May", "2025-05"),
        ("in October", "2025-10"),
        ("2025Q1", "2025-Q1"),
        ("2026H1", "2026-H1"),
        ("05/2022", "2022-05"),
        ("since October", "2024-10"),
        ("last October", "2024-10"),
        ("It went on sale in October", "2024-10"),
        ("It went well. The next is due in October", "2025-10"),
        ("It went well. More in October", "2025-10"),
        ("It was announced for Q4 2025", "2025-Q4"),
        ("It was said that it would ship in October", "2025-10"),
        ("It will ship. It went on sale in October", "2024-10"),
        ("They announced it in August", "2025-08"),
        ("2024.03", "2024-03"),
        ("FQ4'26", "2026-Q4"),
        ("FQ1 2026", "2026-Q1"),
        ("since September", "2025-09"),
        ("2025-10-06", "2025-10-06"),
        ("by 2028", "2028"),
        ("three months ago", "2025-06"),
        ("Q1-Q2 2026", "2026-H1"),
        ("between 2023 and 2029", "2023-2029"),
        ("from 2023 through 2025", "2023-2025"),
    ],
)
def test_labels(text: str, label: str) -> None:
    assert [period.label for period in find_periods(text, STATED)] == [label]


@pytest.mark.parametrize(
    ("text", "start_month", "first", "last"),
    [
        ("Q3 FY27", 2, dt.date(2026, 8, 1), dt.date(2026, 10, 31)),
        ("Q3 FY27", 7, dt.date(2027, 1, 1), dt.date(2027, 3, 31)),
        ("Q3 FY27", None, dt.date(2027, 7, 1), dt.date(2027, 9, 30)),
        ("fiscal 2027", 2, dt.date(2026, 2, 1), dt.date(2027, 1, 31)),
        ("second quarter of fiscal 2026", 2, dt.date(2025, 5, 1), dt.date(2025, 7, 31)),
        ("this fall", None, dt.date(2025, 9, 1), dt.date(2025, 11, 30)),
    ],
)
def test_days(text: str, start_month: int | None, first: dt.date, last: dt.date) -> None:
    assert [(p.first, p.last) for p in find_periods(text, STATED, start_month)] == [(first, last)]


def test_relative_words_need_a_day() -> None:
    assert find_periods("shipping next year, on Tuesday, in May", None) == []


@pytest.mark.parametrize(
    "text", ["may be", "2,024 GPUs", "$2024", "H100", "2024.5 TFLOPS", "Q5 2026", "February 31, 2025 x"]
)
def test_what_is_no_period(text: str) -> None:
    assert [p for p in find_periods(text, STATED) if not p.is_bare_year and p.label != "2025-02"] == []


@given(st.text(alphabet="0123456789QHFY’' -/aeilnrtyMJunefirstsecondhalfofnextyear", max_size=120), st.integers(1, 12))
def test_never_breaks(text: str, month: int) -> None:
    end = 0
    for period in find_periods(text, STATED, month):
        assert end <= period.start < period.end <= len(text)
        assert period.first <= period.last
        end = period.end


@given(st.dates(dt.date(1995, 1, 1), dt.date(2045, 12, 31)))
def test_a_day_comes_back(day: dt.date) -> None:
    for text in (day.isoformat(), f"{day:%B} {day.day}, {day.year}", f"{day.day} {day:%B} {day.year}"):
        assert [(p.first, p.last, p.label) for p in find_periods(text, None)] == [(day, day, period_label(day, day))]


@pytest.mark.parametrize("letter", ["İ", "ı"])
def test_letters_that_patterns_take_for_an_i_are_one(letter: str) -> None:
    found, plain = (find_periods(f"in spr{i}ng 2025", STATED) for i in (letter, "i"))
    assert [(p.first, p.last) for p in found] == [(p.first, p.last) for p in plain] != []
