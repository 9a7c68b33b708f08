"""The choices on the pages of both MLPerf suites, how filters narrow them, and the results that they leave."""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict
from typing import Any, ClassVar

import pandas as pd

from dashboard.queries import Ledger
from pipelines.frozen import frozen


@frozen
class Narrowed:
    """What the filters have chosen; empty tuples mean 'all'."""

    rounds: tuple[str, ...] = ()
    divisions: tuple[str, ...] = ()
    availabilities: tuple[str, ...] = ()
    submitters: tuple[str, ...] = ()
    generations: tuple[str, ...] = ()

    def asked(self) -> dict[str, tuple[str, ...]]:
        """The parameters of the conditions on round, division, availability, submitter and generation."""
        return asdict(self)


ALL = Narrowed()


@frozen
class OfInference:
    """One benchmark in one scenario and accuracy class, and what the filters leave of its results."""

    suite: ClassVar[str] = "inference"
    category: str
    benchmark: str
    scenario: str
    accuracy_class: str = ""
    narrowed: Narrowed = ALL
    day: dt.date = dt.date.max
    title: str = ""

    def asked(self) -> dict[str, Any]:
        """The parameters of what is asked of one benchmark, whatever the filters leave."""
        names = ("category", "benchmark", "scenario", "accuracy_class", "day")
        return {name: getattr(self, name) for name in names}

    def results(self, ledger: Ledger) -> pd.DataFrame:
        """Results that fit the filters, newest round first; at most 5,000."""
        return ledger.frame_of("inference.results", **self.asked(), **self.narrowed.asked())

    def subject(self) -> str:
        """What a footnote names."""
        return f"{self.benchmark}, {self.scenario}"


@frozen
class OfTraining:
    """One benchmark of a suite, and what the filters leave of its results."""

    suite: str
    benchmark: str
    narrowed: Narrowed = ALL
    day: dt.date = dt.date.max
    title: str = ""

    def asked(self) -> dict[str, Any]:
        """The parameters of what is asked of one benchmark, whatever the filters leave."""
        return {"suite": self.suite, "benchmark": self.benchmark, "day": self.day}

    def results(self, ledger: Ledger) -> pd.DataFrame:
        """Results that fit the filters, fastest first."""
        return ledger.frame_of("training.results", **self.asked(), **self.narrowed.asked())

    def subject(self) -> str:
        """What a footnote names."""
        return self.benchmark
