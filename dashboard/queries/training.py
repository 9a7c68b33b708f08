"""SQL of the page on MLPerf Training results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from dashboard.queries import Ledger, first_row, one_of
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


@dataclass(frozen=True, slots=True)
class Choices:
    """What the filters offer; empty tuples mean 'all'."""

    suite: str
    benchmark: str
    rounds: tuple[str, ...] = ()
    divisions: tuple[str, ...] = ()
    availabilities: tuple[str, ...] = ()
    submitters: tuple[str, ...] = ()
    generations: tuple[str, ...] = ()


def rounds(ledger: Ledger) -> pd.DataFrame:
    """Suites and rounds, newest first."""
    return ledger.frame(SQL["rounds"])


def benchmarks(ledger: Ledger, suite: str) -> pd.DataFrame:
    """Benchmarks of a suite with their titles, those of the newest round with most results first."""
    return ledger.frame(SQL["benchmarks"], (suite, suite))


def generation_names(ledger: Ledger) -> pd.DataFrame:
    """Generations that have results, with vendor, name and place in their line."""
    return ledger.frame(SQL["generation_names"])


def results(ledger: Ledger, choices: Choices) -> pd.DataFrame:
    """Results that fit the filters, fastest first."""
    narrowed = (
        choices.rounds, choices.divisions, choices.availabilities, choices.submitters, choices.generations
    )  # fmt: skip
    parameters = [value for chosen in narrowed for value in one_of(chosen)]
    return ledger.frame(SQL["results"], (choices.suite, choices.benchmark, *parameters))


def best_by_round(ledger: Ledger, suite: str, benchmark: str, accelerators: int) -> pd.DataFrame:
    """Best closed-division time per generation and round at one accelerator count."""
    return ledger.frame(SQL["best_by_round"], (suite, benchmark, accelerators))


def counts_over_rounds(ledger: Ledger, suite: str, benchmark: str) -> pd.DataFrame:
    """Accelerator counts with how many rounds and generations have a result at that count, most first."""
    return ledger.frame(SQL["counts_over_rounds"], (suite, benchmark))


def result(ledger: Ledger, result_key: str) -> dict[str, Any] | None:
    """Everything about one result; None when this version has none of that key."""
    frame = ledger.frame(SQL["result"], (result_key,))
    return None if frame.empty else first_row(frame)
