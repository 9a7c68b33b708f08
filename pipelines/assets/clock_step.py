"""Captures dated ahead of the clock, as problems: a wrong clock wrote them, or the clock is wrong now.

They stop nothing: what decides when a source is asked again passes them over.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from pathlib import Path

from pipelines.archive.attempts import CLOCKS_DIFFER
from pipelines.archive.store import Archive
from pipelines.lake import Lake, table_of
from pipelines.model.capture import Capture
from pipelines.problems import Problem, Reason

PARTITION = "clock"


def report_ahead(archive: Path, lake: Path, now: dt.datetime) -> list[Problem]:
    """Name the sources with captures ahead of `now` in the lake's table of problems; nothing stays of a former look."""
    with Archive(archive) as opened:
        problems = captured_ahead(opened.captures(after=now + CLOCKS_DIFFER), now)
    home = Lake(lake)
    if problems:
        home.write("problems", PARTITION, table_of(problems, Problem), inputs="", code="")
    else:
        home.drop("problems", PARTITION)
    return problems


def captured_ahead(captures: Iterable[Capture], now: dt.datetime) -> list[Problem]:
    """One problem a source, at its capture that is dated farthest ahead. Pure."""
    farthest: dict[str, Capture] = {}
    count: dict[str, int] = {}
    for capture in captures:
        if capture.captured_at > now + CLOCKS_DIFFER:
            known = farthest.setdefault(capture.source_id, capture)
            farthest[capture.source_id] = max(known, capture, key=lambda item: item.captured_at)
            count[capture.source_id] = count.get(capture.source_id, 0) + 1
    return [
        Problem(
            name,
            name,
            capture.url,
            Reason.CAPTURED_AHEAD,
            f"{count[name]} captures are dated ahead of the clock, up to {capture.captured_at:%Y-%m-%d %H:%M} UTC",
        )
        for name, capture in sorted(farthest.items())
    ]
