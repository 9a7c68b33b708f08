"""The floors that a source declares for its documents: too few items of a feed, nothing new for too long.

What falls below is named as a problem of the source; what was read stays.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from pipelines.archive.store import Archive
from pipelines.model.capture import Capture
from pipelines.parse.feed import read_feed
from pipelines.problems import InputError, Problem, Reason
from pipelines.source_model import Kind, Source


def guard_problems(source: Source, captures: Sequence[Capture], documents: pa.Table, archive: Path) -> list[Problem]:
    """What of a source's captures falls below its floors, judged by the last look at it."""
    found: list[Problem] = []
    if source.expected.min_items is not None and source.kind is Kind.FEED:
        found += _short_feeds(source, captures, source.expected.min_items, archive)
    within = source.expected.newest_within
    if within is not None and captures:
        last_look = max(capture.captured_at for capture in captures).date()
        newest: dt.date | None = pc.max(documents.column("published_on")).as_py()
        found += stale(source, newest, last_look, within, source.urls[0] if source.urls else source.id)
    return found


def stale(
    source: Source, newest: dt.date | None, last_look: dt.date, within: dt.timedelta, place: str
) -> list[Problem]:
    """A problem where the newest date that a source gives is older than it should be on the day of the last look."""
    if newest is not None and last_look - newest <= within:
        return []
    dated = "nothing is dated" if newest is None else f"the newest is of {newest}"
    detail = f"{dated}, on {last_look} something within {within.days or 1} days was expected"
    return [Problem(source.id, source.id, place, Reason.NOTHING_NEWER, detail)]


def _short_feeds(source: Source, captures: Sequence[Capture], floor: int, archive: Path) -> Iterator[Problem]:
    """The feeds whose newest answer has fewer entries than it should; one that cannot be read is named elsewhere."""
    own = [c for c in captures if c.url in source.urls and c.status < 300 and not c.is_revisit]
    newest = {capture.url: capture for capture in sorted(own, key=lambda capture: capture.captured_at)}
    with Archive(archive) as opened:
        for url, capture in newest.items():
            try:
                entries = len(read_feed(opened.payload(capture), url, capture.captured_at.date()).entries)
            except InputError:
                continue
            if entries < floor:
                detail = f"{entries} entries, expected are {floor} at least"
                yield Problem(source.id, source.id, url, Reason.TOO_FEW_ITEMS, detail)
