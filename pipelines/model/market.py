"""What goes into a parser of a market table and what comes out, and where its rows came from.

A parser gets one captured table and gives typed rows by lake table. The rows' own classes are in `market_<family>`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from pipelines.frozen import frozen
from pipelines.model.evidence import Evidence
from pipelines.problems import Problem


@frozen
class CapturedTable:
    """One captured body with its lineage, as a parser gets it."""

    source_id: str
    url: str
    captured_at: dt.datetime  # UTC
    sha256: str
    media_type: str
    data: bytes


@frozen
class MarketRows:
    """Rows of one captured table by lake table, what was odd, and which of its fields nobody read.

    `unread` names fields that are neither used nor ignored by name.
    """

    rows: Mapping[str, Sequence[object]]
    problems: tuple[Problem, ...] = ()
    unread: tuple[str, ...] = ()


@frozen
class MarketProvenance:
    """Where the rows of one captured table came from; repeated on every row in the lake."""

    source_id: str
    url: str
    captured_at: dt.datetime  # UTC
    capture_id: str
    payload_sha256: str
    evidence: Evidence


@frozen
class MarketCapture:
    """How one capture of a market table was read: the account that nothing was dropped in silence.

    `rows` counts the rows kept in all lake tables, `denied` those of owners who forbid collection, `unread` names the
    input fields that nobody read. `problem` is the reason where the whole input could not be read, else ''.
    """

    capture_id: str
    source_id: str
    url: str
    captured_at: dt.datetime  # UTC
    payload_sha256: str
    rows: int
    denied: int
    denied_names: tuple[str, ...]
    problems: int
    unread: tuple[str, ...]
    problem: str
