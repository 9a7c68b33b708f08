"""The choices on the page of MLPerf Inference, and the results that they leave."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd

from dashboard.queries import Ledger
from dashboard.queries.results import ALL, Narrowed
from pipelines.frozen import frozen


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

    def asked(self) -> dict[str, Any]:
        """The parameters of what is asked of one benchmark, whatever the filters leave."""
        return {
            "category": self.category, "benchmark": self.benchmark, "scenario": self.scenario,
            "accuracy_class": self.accuracy_class, "day": self.day,
        }  # fmt: skip


def results_of(ledger: Ledger, choices: Choices) -> pd.DataFrame:
    """Results of one benchmark in one scenario and accuracy class, newest round first; at most 5,000."""
    return ledger.frame_of("inference.results", **choices.asked(), **choices.narrowed.asked())
