"""SQL of the page on MLPerf Training results."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pandas as pd

from dashboard.queries import Ledger, first_row
from dashboard.queries.results import ALL, Narrowed
from pipelines.frozen import frozen
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


@frozen
class Choices:
    """What is chosen: one benchmark, and what the filters leave of its results."""

    suite: str
    benchmark: str
    narrowed: Narrowed = ALL
    day: dt.date = dt.date.max
    title: str = ""


def rounds(ledger: Ledger) -> pd.DataFrame:
    """Suites and rounds, newest first."""
    return ledger.frame(SQL["rounds"])


def benchmarks(ledger: Ledger, suite: str) -> pd.DataFrame:
    """Benchmarks of a suite with their titles, those of the newest round with most results first."""
    return ledger.frame(SQL["benchmarks"], (suite, suite))


def results(ledger: Ledger, choices: Choices) -> pd.DataFrame:
    """Results that fit the filters, fastest first."""
    return ledger.frame(SQL["results"], (choices.suite, choices.benchmark, *choices.narrowed.parameters(), choices.day))


def best_by_round(ledger: Ledger, choices: Choices, accelerators: int) -> pd.DataFrame:
    """Best closed-division time per generation and round at one accelerator count."""
    return ledger.frame(SQL["best_by_round"], (choices.suite, choices.benchmark, accelerators, choices.day))


def scaling(ledger: Ledger, choices: Choices) -> pd.DataFrame:
    """Best closed-division times by round, accelerator, submitter and count, and what each keeps of perfect speed-up.

    The whole is the submitter's best per accelerator at this or a smaller count; the share is derived, never above one.
    """
    return ledger.frame(SQL["scaling"], (choices.suite, choices.benchmark, choices.day))


def counts_over_rounds(ledger: Ledger, choices: Choices) -> pd.DataFrame:
    """Accelerator counts with how many rounds and generations have a result at that count, most first."""
    return ledger.frame(SQL["counts_over_rounds"], (choices.suite, choices.benchmark, choices.day))


def result(ledger: Ledger, result_key: str) -> dict[str, Any] | None:
    """Everything about one result; None when this version has none of that key."""
    frame = ledger.frame(SQL["result"], (result_key,))
    return None if frame.empty else first_row(frame)
