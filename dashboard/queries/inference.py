"""SQL of the page on MLPerf Inference results."""

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
    """One benchmark in one scenario and accuracy class, and what the filters leave of its results."""

    category: str
    benchmark: str
    scenario: str
    accuracy_class: str = ""
    narrowed: Narrowed = ALL
    day: dt.date = dt.date.max
    title: str = ""


def benchmarks(ledger: Ledger, category: str) -> pd.DataFrame:
    """Benchmarks of a category with titles and scenarios, those of the newest rounds first."""
    return ledger.frame(SQL["benchmarks"], (category, category))


def shapes(ledger: Ledger, category: str, benchmark: str) -> pd.DataFrame:
    """Scenarios and accuracy classes of a benchmark, with how many results each has."""
    return ledger.frame(SQL["shapes"], (benchmark, category, category))


def results(ledger: Ledger, choices: Choices) -> pd.DataFrame:
    """Results of one benchmark in one scenario and accuracy class, newest round first; at most 5,000."""
    return ledger.frame(
        SQL["results"],
        (
            choices.benchmark, choices.scenario, choices.accuracy_class, choices.category, choices.category,
            *choices.narrowed.parameters(), choices.day,
        ),
    )  # fmt: skip


def result(ledger: Ledger, key: str) -> dict[str, Any] | None:
    """One result with everything that is known of it; None when this version does not hold it."""
    frame = ledger.frame(SQL["result"], (key,))
    return None if frame.empty else first_row(frame)


def best(ledger: Ledger, choices: Choices) -> pd.DataFrame:
    """Best result per accelerator of each generation from round to round, closed division."""
    return ledger.frame(
        SQL["best"],
        (
            choices.benchmark, choices.scenario, choices.accuracy_class, choices.category, choices.category,
            choices.day,
        ),
    )  # fmt: skip


def nearest_results(ledger: Ledger) -> pd.DataFrame:
    """One row a language model: its best Server result of the newest round, with tokens a second."""
    return ledger.frame(SQL["nearest_results"])


def claimed_speedups(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Gains over an earlier generation as somebody states them by a day, newest first."""
    return ledger.frame(SQL["claimed_speedups"], (day,))
