"""How a source is doing: current, stale, never captured, or not collected. Pure; the clock is an argument."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from warehouse.answers import formats

# Each state has a shape and a word, so that nobody needs colour to tell them apart.
CURRENT, STALE, NEVER, NOT_COLLECTED = "● current", "▲ stale", "○ never captured", "– not collected"
STATES = (STALE, CURRENT, NEVER, NOT_COLLECTED)
MISSED_LOOKS = 2  # one missed capture may be chance, two in a row are a fault


@dataclass(frozen=True, slots=True)
class Health:
    """A source's state and the words for it."""

    state: str
    says: str


def health_of(row: Mapping[Any, Any], now: dt.datetime) -> Health:
    """The state of one row of `queries.sources.health`; `now` is UTC without zone, as the warehouse's times are."""
    if row["status"] == "skip":
        return Health(NOT_COLLECTED, "its terms or its robots file do not allow it")
    last = row["last_capture_at"]
    if last is None or pd.isna(last):
        return Health(NEVER, "no capture is in this version")
    allowed = dt.timedelta(hours=MISSED_LOOKS * int(row["cadence_hours"]))
    if now - last > allowed:
        return Health(STALE, f"unchanged since {formats.day(row['changed_at'])}")
    return Health(CURRENT, f"looked at {formats.days_ago(last, now.date())}")


def with_health(sources: pd.DataFrame, now: dt.datetime) -> pd.DataFrame:
    """The sources with `state` and `state_says`, stale ones first."""
    found = [health_of(row, now) for row in sources.to_dict("records")]
    shown = sources.assign(state=[item.state for item in found], state_says=[item.says for item in found])
    order = shown["state"].map({state: place for place, state in enumerate(STATES)})
    return shown.assign(_order=order).sort_values(["_order", "source_id"]).drop(columns="_order").reset_index(drop=True)


def cadence(hours: int) -> str:
    """'every 6 h', 'daily', 'weekly', 'every 30 days'."""
    named = {24: "daily", 168: "weekly"}
    if hours in named:
        return named[hours]
    return f"every {hours} h" if hours < 48 else f"every {hours // 24} days"
