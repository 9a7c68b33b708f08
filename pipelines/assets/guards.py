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
from pipelines.collect.discover import SITEMAP, discover
from pipelines.model.capture import Capture
from pipelines.parse.feed import read_feed
from pipelines.problems import InputError, Problem, Reason
from pipelines.source_model import Kind, Source

RUNS_TO_CATCH_UP = 50  # a feed with more entries than so many runs may ask floods; nothing of it is lost, it waits


def guard_problems(source: Source, captures: Sequence[Capture], documents: pa.Table, archive: Path) -> list[Problem]:
    """What of a source's captures falls below its floors, judged by the last look at it."""
    found: list[Problem] = []
    if source.kind in (Kind.FEED, Kind.LISTING):
        found += _odd_lists(source, captures, archive)
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


def _odd_lists(source: Source, captures: Sequence[Capture], archive: Path) -> Iterator[Problem]:
    """Feeds and listings whose newest answer leads to too few items or to a flood; unreadable ones are told elsewhere.

    A listing leads to an item at least: one that leads nowhere has become another page.
    """
    floor = source.expected.min_items or 1
    most = RUNS_TO_CATCH_UP * max(source.max_new_items, 1)
    own = [c for c in captures if c.url in source.urls and c.status < 300]
    newest = {capture.url: capture for capture in sorted(own, key=lambda capture: capture.captured_at)}
    with Archive(archive) as opened:
        for url, capture in newest.items():
            try:
                count = _counted(source, capture, opened.payload(capture))
            except InputError:
                continue
            if count is not None and count < floor:
                detail = f"{count} entries, expected are {floor} at least"
                yield Problem(source.id, source.id, url, Reason.TOO_FEW_ITEMS, detail)
            if count is not None and count > most and source.kind is Kind.FEED and not source.link_only:
                detail = f"{count:,} entries, {source.max_new_items} new ones are asked for in a run; the rest waits"
                yield Problem(source.id, source.id, url, Reason.TOO_MANY_ITEMS, detail)


def _counted(source: Source, capture: Capture, payload: bytes) -> int | None:
    """How many items an answer leads to; None where it leads to further lists. Raises InputError."""
    day = capture.captured_at.date()
    if source.kind is Kind.FEED and not SITEMAP.search(payload[:4096]):
        return len(read_feed(payload, capture.url, day).entries)
    leads = discover(source, payload, capture.final_url, capture.charset_hint, day)
    return None if leads.lists else len(leads.items)
