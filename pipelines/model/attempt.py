"""One try to get what is at an address: when, how it ended, and why it gave nothing. Shapes only."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum

from pipelines.frozen import frozen


class Outcome(StrEnum):
    """How a try ended. `gone` is 404 or 410; `refused` is what robots.txt does not allow."""

    FETCHED = "fetched"
    UNCHANGED = "unchanged"
    GONE = "gone"
    REFUSED = "refused"
    FAILED = "failed"


@frozen
class AttemptRow:
    """One row of evidence.attempts. `status` is the HTTP status of the last answer, where there was one.

    `is_entry` marks an address of the source itself, not an item that a feed or listing led to. `byte_count` is of the
    body as sent; `reason` is one of the closed list of failure reasons, empty for a success.
    """

    source_id: str
    url: str
    attempted_at: dt.datetime
    outcome: str
    status: int | None
    byte_count: int
    reason: str
    detail: str
    is_entry: bool
    run_id: str
