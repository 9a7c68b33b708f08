"""The search over claims as known on a day, and what its filters offer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

import pandas as pd

from dashboard.queries import Ledger

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
    asked = words.lower().split()
    return ledger.frame_of(
        "claims.search",
        day=day,
        words=asked,
        metrics=list(metrics),
        claimants=list(claimants),
        tags=list(tags),
        most=MOST,
    )


def options(ledger: Ledger) -> dict[str, pd.DataFrame]:
    """What the filters offer: metrics with titles, claimants and tags, the most frequent first."""
    return {name: ledger.frame_of(f"claims.offered_{name}") for name in ("metric", "claimant", "evidence")}
