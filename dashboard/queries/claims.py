"""SQL of the pages on claims: search, one claim with its mentions and rivals, conflicts and their sides."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from dashboard.queries import Ledger, first_row, one_of
from warehouse.statements import statements

SQL = statements(Path(__file__).with_suffix(".sql"))

MOST = 2_000


def search(
    ledger: Ledger,
    words: str,
    day: dt.date,
    *,
    metrics: Sequence[str] = (),
    claimants: Sequence[str] = (),
    tags: Sequence[str] = (),
) -> pd.DataFrame:
    """Claims stated by a day that hold every word in subject, claimant, metric or text; newest first, at most 2,000."""
    asked = tuple(words.lower().split())
    return ledger.frame(SQL["search"], (day, asked, *one_of(metrics), *one_of(claimants), *one_of(tags), MOST))


def options(ledger: Ledger) -> dict[str, pd.DataFrame]:
    """What the filters offer: metrics with titles, claimants and tags, the most frequent first."""
    return {name: ledger.frame(SQL[f"offered_{name}"]) for name in ("metric", "claimant", "evidence")}


def claim(ledger: Ledger, claim_id: str) -> dict[str, Any] | None:
    """One claim; None when this version does not hold it."""
    frame = ledger.frame(SQL["claim"], (claim_id,))
    return None if frame.empty else first_row(frame)


def mentions(ledger: Ledger, claim_id: str) -> pd.DataFrame:
    """The places that carry a claim."""
    return ledger.frame(SQL["mentions"], (claim_id,))


def history(ledger: Ledger, subject_key: str, metric: str) -> pd.DataFrame:
    """Everything said about a subject and metric, oldest first."""
    return ledger.frame(SQL["history"], (subject_key, metric))


def history_of(ledger: Ledger, subject_id: str, metric: str) -> pd.DataFrame:
    """Everything said about a thing of the registry and a metric, strongest evidence first."""
    return ledger.frame(SQL["history_of"], (subject_id, metric))


def arithmetic(ledger: Ledger, claim_id: str) -> pd.DataFrame:
    """Checks of a claim against its parts."""
    return ledger.frame(SQL["arithmetic"], (claim_id,))


def conflicts(ledger: Ledger, claim_id: str = "") -> pd.DataFrame:
    """All sets of rival values, those of accelerators and systems with most claimants first; or those of one claim."""
    return ledger.frame(SQL["conflicts"], (claim_id, claim_id))


def sides(ledger: Ledger, conflict_id: str) -> pd.DataFrame:
    """The claims of one conflict in the order of the rule."""
    return ledger.frame(SQL["sides"], (conflict_id,))
