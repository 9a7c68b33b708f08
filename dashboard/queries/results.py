"""What the pages of both MLPerf suites ask: the generations with results, and how filters narrow results."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import pandas as pd

from dashboard.queries import Ledger, one_of
from pipelines.frozen import frozen
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


@frozen
class Narrowed:
    """What the filters have chosen; empty tuples mean 'all'."""

    rounds: tuple[str, ...] = ()
    divisions: tuple[str, ...] = ()
    availabilities: tuple[str, ...] = ()
    submitters: tuple[str, ...] = ()
    generations: tuple[str, ...] = ()

    def parameters(self) -> tuple[tuple[str, ...], ...]:
        """The parameters of the conditions on round, division, availability, submitter and generation."""
        return tuple(value for chosen in astuple(self) for value in one_of(chosen))


ALL = Narrowed()


def generation_names(ledger: Ledger) -> pd.DataFrame:
    """Generations that have results, with vendor, name and place in their line: one shade each on every page."""
    return ledger.frame(SQL["generation_names"])


def rounds_not_held(ledger: Ledger, suites: tuple[str, ...]) -> pd.DataFrame:
    """Rounds that exist and are not held, or only from the organisers' tables."""
    return ledger.frame(SQL["rounds_not_held"], (list(suites),))
