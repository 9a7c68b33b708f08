"""The choices on the page of MLPerf Training, and the results that they leave."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd

from dashboard.queries import Ledger
from dashboard.queries.results import ALL, Narrowed
from pipelines.frozen import frozen


@frozen
class Choices:
    """What is chosen: one benchmark, and what the filters leave of its results."""

    suite: str
    benchmark: str
    narrowed: Narrowed = ALL
    day: dt.date = dt.date.max
    title: str = ""

    def asked(self) -> dict[str, Any]:
        """The parameters of what is asked of one benchmark, whatever the filters leave."""
        return {"suite": self.suite, "benchmark": self.benchmark, "day": self.day}


def results_of(ledger: Ledger, choices: Choices) -> pd.DataFrame:
    """Results that fit the filters, fastest first."""
    return ledger.frame_of("training.results", **choices.asked(), **choices.narrowed.asked())
