"""What the page on who has it asks and works out: how many organisations are known, and the answer on ageing."""

from __future__ import annotations

import datetime as dt

from dashboard.queries import Ledger


def known(ledger: Ledger, day: dt.date) -> dict[str, int]:
    """How many organisations of each layer the record knows by a day, subsidiaries with their parent."""
    frame = ledger.frame_of("layers.known", day=day)
    return dict(zip(frame["layer"], frame["organisations"].astype(int), strict=True))


def verdict(ledger: Ledger, day: dt.date) -> str:
    """The answer on ageing in words, as told at the last end of a quarter by a day; '' before the first."""
    frame = ledger.frame_of("layers.verdict", day=day)
    return "" if frame.empty else str(frame["sentence"].iloc[0])
