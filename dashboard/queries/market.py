"""SQL of the pages on density and roadmap, as known on a day."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pandas as pd

from dashboard.queries import Ledger
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))


def density(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """What racks, nodes and pods take and hold, claimed and derived, as known on a day."""
    return ledger.frame(SQL["density"], (day,))


def density_trend(ledger: Ledger) -> pd.DataFrame:
    """The fitted lines, all knowledge of this version."""
    return ledger.frame(SQL["density_trend"])


def roadmap(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Every statement on a milestone as known on a day."""
    return ledger.frame(SQL["roadmap"], (day,))


def milestones(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Every milestone that somebody promised, with first and standing promise, outcome and state, as known on a day."""
    return ledger.frame(SQL["milestones"], (day,))


def slips(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """First promise, latest word and outcome of each milestone as known on a day."""
    return ledger.frame(SQL["slips"], (day,))


def renames(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """The names that a system bore by a day, oldest first, of systems with several; who says each."""
    return ledger.frame(SQL["renames"], (day,))


def slips_by_party(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Distribution of slips by party, as known on a day."""
    return ledger.frame(SQL["slips_by_party"], (day,))


def per_die(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Dies, rate and memory per die, by generation; only models with a figure by a claim."""
    return ledger.frame(SQL["per_die"], (day, day))


def forecasts(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Forecasts stated by a day, each with its criterion and the verdict of this version."""
    return ledger.frame(SQL["forecasts"], (day,))


def first_day(ledger: Ledger) -> dt.date:
    """The first day on which anything about a roadmap was stated."""
    frame = ledger.frame(SQL["first_day"])
    value: Any = frame["day"].iloc[0]
    return value.date() if not pd.isna(value) else dt.date(2018, 1, 1)


def racks(ledger: Ledger) -> pd.DataFrame:
    """Every rack that the registry knows, with its maker."""
    return ledger.frame(SQL["racks"])


def rack_statements(ledger: Ledger, day: dt.date) -> pd.DataFrame:
    """Every statement on a rack as known on a day, whatever it is about."""
    return ledger.frame(SQL["rack_statements"], (day,))
